"""Somebody who looks on at a table of sittings, over a link in memory to one of them."""

import copy
from functools import cache

from support.session.sittings import Hall, quiet

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.session.listening import Listening
from p2p.session.onlooking.onlooker import Onlooker
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.owner import Happened, Notice, Outcome, Resumed, Wish
from p2p.session.state.events import SessionEvent
from p2p.wire.talk import Talk, encode_talk


def dealt(players: int = 2) -> Hall:
    """A table where a hand was dealt and somebody is to move; its match is short."""
    hall = _dealt(players)
    keys = {id(one.sitting._identity): one.sitting._identity for one in hall.sitters}
    return copy.deepcopy(hall, dict(keys))


@cache
def _dealt(players: int) -> Hall:
    hall = quiet(players, target="10")
    for one in hall.sitters:
        one.answer = one.decide
    return hall


class Looker:
    """An onlooker at `hall`. What a seat sends it arrives when the hall is told to `deliver`."""

    def __init__(self, hall: Hall, key: IdentityKey, place: int = MAX_SEATS) -> None:
        self.hall, self.place, self.key = hall, place, key
        people = [person.key for person in hall.first.people]
        self.life = Onlooker(people, key, "Dot")
        self.notices: list[Notice] = []
        self.closed: list[tuple[int, str]] = []
        self.outcome: Outcome | None = None
        self.last = self.take(self.life.start(hall.now))
        self.seat: int | None = None

    @property
    def session(self) -> Listening:
        """What it hears."""
        session = self.life.session
        assert session is not None, "nothing was shown"
        return session

    @property
    def events(self) -> list[SessionEvent]:
        """All that it was told, in order."""
        found: list[SessionEvent] = []
        for notice in self.notices:
            found += notice.events if isinstance(notice, Resumed) else []
            found += [notice.event] if isinstance(notice, Happened) else []
        return found

    def shown(self, *kinds: type[Notice]) -> list[Notice]:
        """The notices of some kinds."""
        return [one for one in self.notices if isinstance(one, kinds)]

    def take(self, effects: Effects) -> Effects:
        """Note what an input gave; what it sends goes to the seat."""
        self.last = effects
        self.notices += effects.notices
        self.closed += effects.close
        self.outcome = effects.outcome
        for seat, payload in effects.send:
            self.hall.on_the_way.append((self.place, seat, payload))
        for _ in effects.close:
            self.part()
        return effects

    def link(self, seat: int) -> None:
        """Both ends of a link to a seat are there."""
        self.seat = seat
        self.take(self.life.linked(seat, self.hall.now))
        sitting = self.hall.sitters[seat].sitting
        self.hall.take(seat, sitting.linked(self.place, self.hall.now, "Dot"))

    def part(self) -> None:
        """The link is gone at both ends."""
        seat, self.seat = self.seat, None
        if seat is not None:
            self.take(self.life.unlinked(seat, "gone", self.hall.now))
            self.hall.unlink(seat, self.place)

    def hear(self, said: bytes | Talk) -> None:
        """What comes over the link, as bytes or to be encoded."""
        assert self.seat is not None, "no link"
        payload = said if isinstance(said, bytes) else encode_talk(said)
        self.take(self.life.heard(self.seat, payload, self.hall.now))

    def wish(self, wish: Wish) -> None:
        """Something the person wants."""
        self.take(self.life.wish(wish, self.hall.now))


def deliver(hall: Hall, *lookers: Looker) -> None:
    """Deliver all that is on the way, also to and from who looks on."""
    places = {one.place: one for one in lookers}
    while hall.on_the_way:
        sender, receiver, payload = hall.on_the_way.popleft()
        if receiver < MAX_SEATS:
            hall.hear(receiver, sender, payload)
        elif receiver in places and places[receiver].seat == sender:
            places[receiver].hear(payload)


def play(hall: Hall, *lookers: Looker) -> None:
    """Go on until nothing moves any more."""
    deliver(hall, *lookers)
    while hall.decide():
        deliver(hall, *lookers)


def pass_time(hall: Hall, seconds: int, *lookers: Looker) -> None:
    """So many seconds go by for everybody, each told."""
    for _ in range(seconds):
        hall.now += 1.0
        for sitter in hall.sitters:
            hall.take(sitter.place, sitter.sitting.tick(hall.now))
        for looker in lookers:
            looker.take(looker.life.tick(hall.now))
        deliver(hall, *lookers)
