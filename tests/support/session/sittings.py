"""Sittings of a whole table over links in memory: no clock, no tasks, a step at a time."""

import copy
import random
from collections import deque
from collections.abc import Callable, Collection
from functools import cache
from itertools import combinations

from support.session.tables import make_table, rules_for, seeded

from engine.strategy import Player, make_player
from engine.strategy.view import SeatView
from p2p.session.output import Batch
from p2p.session.restoring import Kept, KeptWord
from p2p.session.session import Session
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.owner import Chosen, Happened, Notice, Wish
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import SessionEvent
from p2p.wire.codec import DecodeError
from p2p.wire.talk import Saying, Talk, Word, encode_talk

Answer = Callable[[SeatView], Chosen | None]


class Sitter:
    """One sitting with a bot as its owner, and all that came of its inputs."""

    def __init__(self, sitting: Sitting, place: int) -> None:
        self.sitting, self.place = sitting, place
        self.bot: Player = make_player("normal", random.Random(place))
        self.answer: Answer = self.decide
        self.given: list[Effects] = []

    @property
    def session(self) -> Session:
        return self.sitting.session

    @property
    def last(self) -> Effects:
        """What the last input gave."""
        return self.given[-1]

    @property
    def notices(self) -> list[Notice]:
        return [notice for effects in self.given for notice in effects.notices]

    @property
    def closed(self) -> list[tuple[int, str]]:
        """The links that were ended, by place, and why."""
        return [close for effects in self.given for close in effects.close]

    def said(self, kind: type[Saying]) -> list[Word]:
        """The words of a kind that it sent, each as often as it was sent."""
        found = []
        for effects in self.given:
            for _, payload in effects.send:
                try:
                    talk = self.session.understand(payload)
                except DecodeError:
                    continue
                if isinstance(talk, Word) and isinstance(talk.said, kind):
                    found.append(talk)
        return found

    @property
    def events(self) -> list[SessionEvent]:
        return [one.event for one in self.notices if isinstance(one, Happened)]

    def shown(self, *kinds: type[Notice]) -> list[Notice]:
        """The notices of some kinds."""
        return [one for one in self.notices if isinstance(one, kinds)]

    def decide(self, view: SeatView) -> Chosen:
        """What the bot decides."""
        if view.awaiting is not None:
            return Chosen(None, claim=self.bot.claim(view))
        return Chosen(self.bot.choose(view))

    def name(self, seat: int) -> str:
        return self.session.table.players[seat].name


def silent(view: SeatView) -> Chosen | None:
    """A person who never decides."""
    return None


class Hall:
    """All sittings of a table. `now` moves only when a test moves it. `held` are directions whose
    payloads wait, `cut` those whose payloads are lost, each (sender, receiver) by place."""

    def __init__(self, sitters: list[Sitter]) -> None:
        self.sitters = sitters
        self.first = sitters[0].session.table
        self.now = 0.0
        self.on_the_way: deque[tuple[int, int, bytes]] = deque()
        self.held: set[tuple[int, int]] = set()
        self.cut: set[tuple[int, int]] = set()

    def take(self, place: int, effects: Effects) -> Effects:
        """Note what an input gave, and put on the way what it sends."""
        self.sitters[place].given.append(effects)
        self.on_the_way.extend((place, to, payload) for to, payload in effects.send)
        for other, why in effects.close:
            self.unlink(place, other, why)
        return effects

    def start(self, *places: int) -> None:
        """Start the match for some, or for all."""
        for place in places or range(len(self.sitters)):
            self.take(place, self.sitters[place].sitting.start(self.now))

    def word(self, place: int, said: Saying, number: int = 0) -> Word:
        """A word as a seat could sign it, though its sitting says nothing of it."""
        return self.sitters[place].session.word(number, said)

    def hear(self, place: int, sender: int, *said: bytes | Talk) -> Effects:
        """What comes over a link, as bytes or to be encoded."""
        for one in said:
            payload = one if isinstance(one, bytes) else encode_talk(one)
            sitting = self.sitters[place].sitting
            self.take(place, sitting.heard(sender, payload, self.now))
        return self.sitters[place].last

    def link(self, place: int, other: int) -> Effects:
        """One end of a link is there."""
        return self.take(place, self.sitters[place].sitting.linked(other, self.now))

    def join(self, one: int, other: int) -> None:
        """Both ends of a link are there."""
        self.link(one, other)
        self.link(other, one)

    def part(self, one: int, other: int) -> None:
        """A link is gone at both ends, with what was on the way."""
        gone = {(one, other), (other, one)}
        self.on_the_way = deque(way for way in self.on_the_way if way[:2] not in gone)
        self.unlink(one, other)
        self.unlink(other, one)

    def come_back(self, place: int, kept: Kept) -> Sitter:
        """A seat whose program was killed is there again with what was kept, not linked yet."""
        for other in set(range(len(self.sitters))) - {place}:
            self.part(place, other)
        dead = self.sitters[place]
        table, key = dead.session.table, dead.sitting._identity
        sitting = Sitting.come_back(kept, table, table, key, seeded(f"back {place}"))
        self.sitters[place] = Sitter(sitting, place)
        self.sitters[place].answer = dead.answer
        return self.sitters[place]

    def pass_time(self, seconds: int) -> None:
        """So many seconds go by for everybody, each told, and all is delivered."""
        for _ in range(seconds):
            self.now += 1.0
            for one in self.sitters:
                self.take(one.place, one.sitting.tick(self.now))
            self.deliver()

    def unlink(self, place: int, other: int, why: str = "gone") -> Effects:
        sitting = self.sitters[place].sitting
        return self.take(place, sitting.unlinked(other, why, self.now))

    def wish(self, place: int, wish: Wish) -> Effects:
        return self.take(place, self.sitters[place].sitting.wish(wish, self.now))

    def decided(self, place: int, chosen: Chosen) -> Effects:
        return self.take(place, self.sitters[place].sitting.decided(chosen, self.now))

    def tick(self, place: int, seconds: float = 0.0) -> Effects:
        """Time goes on for everybody, and one is told so."""
        self.now += seconds
        return self.take(place, self.sitters[place].sitting.tick(self.now))

    def tick_on(self, place: int, seconds: int) -> Effects:
        """So many seconds go by, of which one is told each."""
        for _ in range(seconds):
            self.tick(place, 1.0)
        return self.sitters[place].last

    def offer(self, *places: int) -> None:
        """Some, or all, have their record."""
        for place in places or range(len(self.sitters)):
            self.take(place, self.sitters[place].sitting.offer(self.now))

    def deliver(self) -> None:
        """Deliver everything that is on the way and not held."""
        waiting = []
        while self.on_the_way:
            sender, receiver, payload = self.on_the_way.popleft()
            if (sender, receiver) in self.held:
                waiting.append((sender, receiver, payload))
            elif (sender, receiver) not in self.cut:
                self.hear(receiver, sender, payload)
        self.on_the_way.extend(waiting)

    def step(self) -> bool:
        """Deliver one payload, or let one who is asked answer; False if nothing moves."""
        if not self.on_the_way:
            return self.decide()
        sender, receiver, payload = self.on_the_way.popleft()
        if (sender, receiver) not in self.cut:
            self.hear(receiver, sender, payload)
        return True

    def decide(self) -> bool:
        """Let one who is asked answer; False if nobody does."""
        for one in self.sitters:
            view = one.last.ask if one.given else None
            chosen = None if view is None else one.answer(view)
            if chosen is not None:
                self.decided(one.place, chosen)
                return True
        return False

    def play(self) -> "Hall":
        """Go on until nothing moves any more."""
        self.deliver()
        while self.decide():
            self.deliver()
        return self


def kept_by(given: list[Effects], opened: Batch = Batch()) -> Kept:  # noqa: B008
    """What a store has after these effects, `opened` with this."""
    batch = opened
    for effects in given:
        batch = batch.then(effects.store)
    secrets = {deal: data for deal, data in batch.secrets.items() if deal not in batch.forget}
    newest = {(word.seat, word.said.kind): word for word in batch.words}
    words = tuple(
        KeptWord(one.seat, one.said.kind, one.number, one.data) for one in newest.values()
    )
    messages = tuple((message.data, False) for message in batch.messages)
    return Kept(messages, secrets, words, batch.grace)


def make_hall(
    players: int = 2,
    kinds: dict[int, type[Session]] | None = None,
    name: str = "sitting",
    links: Collection[tuple[int, int]] | None = None,
    bots: Collection[int] = (),
    **changes: str,
) -> Hall:
    """Sittings at a classic table; some with another session. `links` are the pairs that have one,
    all if it is left out; `bots` as in `make_table`."""
    table, keys = make_table(rules_for(players, **{"target": "20", **changes}), name, bots=bots)
    sitters = []
    for seat, key in enumerate(keys):
        make = (kinds or {}).get(seat, Session)
        sitters.append(Sitter(Sitting(table, key, seeded(f"sitting {seat}"), make), seat))
    for one, other in combinations(range(players), 2) if links is None else links:
        sitters[one].sitting.linked(other, 0.0)
        sitters[other].sitting.linked(one, 0.0)
    return Hall(sitters)


def quiet(players: int = 2, **changes: str) -> Hall:
    """A table where everybody has come so far that somebody is to move, and nobody does."""
    return _copied(_quiet(players, tuple(changes.items())))


@cache
def _quiet(players: int, changes: tuple[tuple[str, str], ...]) -> Hall:
    return _hushed(make_hall(players, None, "sitting", None, (), **dict(changes)))


def _hushed(hall: Hall) -> Hall:
    for one in hall.sitters:
        one.answer = silent
    hall.start()
    return hall.play()


def with_a_bot(players: int, name: str, **changes: str) -> tuple[Hall, tuple[int, ...], int]:
    """The same with a bot: the table, who owns which seat, and the bot's."""
    hall = _hushed(make_hall(players, None, name, None, (1,), **changes))
    owners = hall.first.owners
    (bot,) = [seat for seat in range(players) if owners[seat] != seat]
    return hall, tuple(owners), bot


def played(players: int = 2, name: str = "sitting", **changes: str) -> Hall:
    """A table whose first match, a short one, is over for all."""
    return _copied(_played(players, name, tuple(changes.items())))


def _copied(hall: Hall) -> Hall:
    keys = {id(one.sitting._identity): one.sitting._identity for one in hall.sitters}
    return copy.deepcopy(hall, dict(keys))


@cache
def _played(players: int, name: str, changes: tuple[tuple[str, str], ...]) -> Hall:
    hall = make_hall(players, None, name, None, (), **{"target": "5", **dict(changes)})
    hall.start()
    return hall.play()
