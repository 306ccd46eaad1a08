"""A machine of a simulated table: a sitting, its real store, and whoever sits there.

It does what the pump and the stay do: feeds, stores, sends, shows, asks, sleeps until the deadline.
It may be killed between any two of these, sleep, and find its disk full.
"""

import random
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Literal, Protocol

from support.session.tables import Seeded
from support.simulate.coming_back import Played, start_again, way_back
from support.simulate.reading import named, signed_in, word_in

from cli.table.known import Known
from engine.strategy import make_player
from engine.strategy.view import SeatView
from p2p.crypto.identity import IdentityKey
from p2p.session.output import Batch
from p2p.session.referee import Referee
from p2p.session.sitting import owner
from p2p.session.sitting.effects import Effects, Setting
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import Faulted, SeatOut, SessionEvent
from p2p.session.state.table import Table
from p2p.store import State, Store, StoreError
from p2p.wire.envelope import Message, Place, open_envelope
from p2p.wire.talk import Chat

Job = Callable[[float], Effects]

# What a program must notice as a sleep: its ticks come each second, and 3 s late is a sleep.
LONG_SLEEP = 6.0
# After which it counts nothing against others for so long.
RESTED_SECONDS = 30.0
# Votes take back one turn of a seat at most.
MOST_UNDONE = 1
# Nobody here waits longer than that for a person.
IDLE_SECONDS = 300.0


class Surroundings(Protocol):
    """What a machine has around it."""

    table: Table

    @property
    def now(self) -> float:
        """The time of the world, in seconds."""
        ...

    def at(self, wait: float, action: Callable[[], None]) -> None:
        """Have something done later."""
        ...

    def send(self, place: int, to: int, payload: bytes) -> None:
        """Put a payload on the way."""
        ...

    def show(self, place: int, to: int, payload: bytes) -> None:
        """Bring a payload though there is no link."""
        ...

    def hears(self, place: int, payload: bytes) -> bool:
        """Whether the machine in a place listens to that."""
        ...

    def hang_up(self, place: int, other: int, why: str) -> None:
        """End a link."""
        ...

    def stored(self, place: int, count: int) -> None:
        """So many messages were stored."""
        ...

    def died(self, place: int, why: str) -> None:
        """The machine's program has ended."""
        ...

    def note(self, what: str, data: bytes = b"") -> None:
        """Note in the trace what happens."""
        ...


@cache
def _empty_store() -> bytes:
    """The file of a store that holds nothing yet: made once, for that takes longer than a hand."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        Store(path).close()
        return path.read_bytes()


class Disk:
    """A store that a machine keeps when its program ends. Not synced: no power fails here.

    `kept`: every message that ever stood in it, by match and place.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept: dict[tuple[bytes, Place], set[bytes]] = {}
        path.write_bytes(_empty_store())
        self.open()

    def open(self) -> None:
        """Open the file, which has room again."""
        self.store = Store(self.path)
        self.store._db.execute("PRAGMA synchronous = OFF")

    def fill(self) -> None:
        """From now on the file cannot grow."""
        self.store._db.execute("PRAGMA max_page_count = 1")

    def lock(self) -> None:
        """From now on it takes nothing, as one that has no room for its log."""
        self.store._db.execute("PRAGMA query_only = ON")

    def copy(self) -> None:
        """Make a copy of the file as it is."""
        self._copied.unlink(missing_ok=True)
        self.store._db.execute("VACUUM INTO ?", (str(self._copied),))

    def put_back(self) -> None:
        """The copy takes the place of the file, which is closed."""
        self.path.write_bytes(self._copied.read_bytes())

    @property
    def _copied(self) -> Path:
        return self.path.with_suffix(".copy")

    def commit(self, table: bytes, batch: Batch) -> None:
        """Keep a batch."""
        self.store.commit(table, batch)

    def look(self, table: bytes) -> None:
        """Note what stands in the file of a match, before it is closed or emptied."""
        for data, refused in self.store.kept(table).messages:
            message = open_envelope(data)
            if refused:
                continue
            self.kept.setdefault((table, message.place), set()).add(data)


@dataclass
class Crash:
    """Where the next input is to end the program: before the batch is stored, after it, or when
    `sends` payloads have gone out."""

    sends: int | None = None
    before: bool = False


Moment = Literal["closed", "ended", "kept", "bind", "nonce", "follows", "opened", "begun"]
"""Of the time between two matches: the last result was given or came, the match has ended, its
end is noted, an own word for the next one is said, the next table is known, it is opened, it has
begun."""


@dataclass
class Doom:
    """What is to end the program at a moment between two matches: it is killed, in an input that
    has something to send when `sends` payloads have gone; or its disk is `full` from then on.
    `strikes` is told of it."""

    moment: Moment
    sends: int
    full: bool
    strikes: Callable[[], None]


@dataclass
class Machine:
    """One place of a table."""

    world: Surroundings
    place: int
    key: IdentityKey
    seed: str
    disk: Disk
    wanted: int
    alive: bool = True
    awake: bool = True
    life: int = 0
    offset: float = 0.0
    crash: Crash | None = None
    doom: Doom | None = None
    lines: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    before: set[str] = field(default_factory=set)
    heard_lines: list[str] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    signed: dict[tuple[bytes, Place], set[bytes]] = field(default_factory=dict)
    wrongs: list[str] = field(default_factory=list)
    idle_until: float = 0.0
    waited: list[float] = field(default_factory=list)
    broken: str | None = None
    over: bool = False
    settled: bool = False
    told_alone: bool = False
    left: bool = False
    went: bool = False
    stopped: bool = False
    gone: bool = False
    shown: set[bytes] = field(default_factory=set)
    stores: int = 0
    last_store: int | None = None
    keys: dict[bytes, tuple[bytes, ...]] = field(default_factory=dict)
    sitting: Sitting = field(init=False)
    table: Table = field(init=False)
    _bound: dict[bytes, set[int]] = field(default_factory=dict)
    _proven: dict[tuple[bytes, int], float] = field(default_factory=dict)
    _wished: set[bytes] = field(default_factory=set)
    _woken: float = float("-inf")
    _inbox: list[Callable[[], None]] = field(default_factory=list)
    _view: SeatView | None = None
    _timer: int = 0
    _keeps: bool = False

    def sit(self, table: Table) -> None:
        """Sit down at a table and begin."""
        rng = Seeded(f"{self.seed}/{self.place}/{self.life}")
        self.sitting = Sitting(table, self.key, rng, setting=Setting(self.disk.store.archive))
        self._known = Known()
        self._begin(table)

    def _begin(self, table: Table) -> None:
        self.keys[table.id] = tuple(person.key for person in table.people)
        names = [player.name for player in table.players]
        agreed, seat = self.sitting.agreed, self.sitting.session.seat
        back = way_back(table, self.world.table, seat)
        try:
            self.disk.store.open_match(table.id, table.description, names, "", back, agreed)
        except StoreError as error:
            self._stop(error)
            return
        self.table, self.over, self._view, self._keeps = table, False, None, True
        self.told_alone = False
        if self._is_struck("opened"):
            return
        if (doom := self._at("begun")) is not None:
            self.crash = None if doom.full else Crash(sends=doom.sends)
        self.feed(self.sitting.start)

    def _at(self, moment: Moment) -> Doom | None:
        """What ends the program at this moment between two matches, if that is what it waits for;
        the disk may be full now."""
        doom = self.doom
        if doom is None or doom.moment != moment:
            return None
        self.doom = None
        doom.strikes()
        if doom.full:
            self.disk.lock()
        return doom

    def _is_struck(self, moment: Moment) -> bool:
        """Whether the program is killed at this moment."""
        doom = self._at(moment)
        if doom is None or doom.full:
            return False
        self.die(f"killed: {moment}")
        return True

    def _stop(self, error: StoreError) -> None:
        """The disk is full when a match is over, or about to be opened: nothing more is kept, so
        the program says that it leaves, and ends."""
        self.lines.append(str(error))
        self._keeps, self.stopped = False, True
        self._go()

    @property
    def finished(self) -> bool:
        """Whether this machine's last match is over and there will be no other."""
        return self.over and (self.settled or not self._wants_more())

    @property
    def asked(self) -> bool:
        """Whether whoever sits here is to decide."""
        return self.alive and self._view is not None

    def clock(self) -> float:
        """The time on this machine."""
        return self.world.now + self.offset

    @property
    def person(self) -> random.Random:
        """What whoever sits here thinks by: of the place in the match, not of time."""
        place = f"{self.seed}/{self.place}/{len(self.sitting.session.state.match.moves)}"
        return random.Random(place)

    def wrote(self, message: Message) -> bool:
        """Whether a message is this machine's own."""
        keys = self.keys.get(message.table)
        return keys is not None and keys[message.seat] == self.key.public

    # What comes in.

    def linked(self, other: int) -> None:
        """The link to a place is there."""
        self.world.note(f"{self.place} linked to {other}")
        self.told_alone = False
        self.take(lambda now: self.sitting.linked(other, now))

    def unlinked(self, other: int, why: str) -> None:
        """It is gone."""
        self.world.note(f"{self.place} unlinked from {other}: {why}")
        self.take(lambda now: self.sitting.unlinked(other, why, now))

    def heard(self, other: int, payload: bytes) -> None:
        """A payload came."""
        self.world.note(f"{self.place} hears {other}: {named(payload)}", payload)
        if not self.world.hears(self.place, payload):
            return
        self._note_word(payload)
        self._when_awake(partial(self._hear, other, payload))

    def _hear(self, other: int, payload: bytes) -> None:
        """As the pump: what is known already is no input."""
        if not self.sitting.repeats(other, payload):
            self.feed(lambda now: self.sitting.heard(other, payload, now))

    def wish(self, wish: owner.Wish) -> None:
        """Something that whoever sits here wants."""
        self.world.note(f"{self.place} wants {wish}")
        self.take(lambda now: self.sitting.wish(wish, now))

    def take(self, job: Job) -> None:
        """An input, now or when this machine wakes."""
        self._when_awake(partial(self.feed, job))

    def _when_awake(self, action: Callable[[], None]) -> None:
        if self.alive and self.awake:
            action()
        elif self.alive:
            self._inbox.append(action)

    def wake(self, slept: float = 0.0) -> None:
        """After so many seconds: everything that has come meanwhile is taken."""
        self.awake = True
        if slept > LONG_SLEEP:
            self._woken = self.world.now
        waiting, self._inbox = self._inbox, []
        for action in waiting:
            self._when_awake(action)

    def leave(self) -> None:
        """Whoever sits here leaves, and the program ends."""
        self.left = True
        self._go()

    def _go(self) -> None:
        """The program says that it leaves and ends, as it does when there is no other match."""
        self.went = True
        self.feed(self.sitting.leave)
        life = self.life

        def end() -> None:
            if self.life == life:
                self.die("it has left the table")

        self.world.at(0.5, end)

    def restart(self) -> bool:
        """The program is started again, with what its disk has; whether a match goes on."""
        self.disk.open()
        self.before, self.heard_lines = self.before | set(self.heard_lines), []
        folder = self.disk.path.with_suffix(".home")
        over, left = start_again(self.disk.store, folder, self.key)
        for played in over:
            self._note_end(played)
        if left is None:
            self.disk.store.close()
            self.over = self.settled = self.gone = True
            self.world.note(f"{self.place} has no match to go on with")
            return False
        self.alive = self.awake = self._keeps = True
        rng = Seeded(f"{self.seed}/{self.place}/{self.life}")
        kept, setting = self.disk.store.kept(left.table.id), Setting(self.disk.store.archive)
        self.table, first = left.table, left.seated.table
        self.sitting = Sitting.come_back(kept, self.table, first, self.key, rng, setting)
        self._known, self._view = Known(), None
        self.over = self.settled = self.stopped = self.told_alone = False
        self.world.note(f"{self.place} is back")
        self.feed(self.sitting.start)
        return self.alive

    def die(self, why: str) -> None:
        """The program ends here."""
        if self.alive:
            self.disk.look(self.table.id)
            self.disk.store.close()
            self.alive, self.life, self.crash, self._inbox = False, self.life + 1, None, []
            self.world.died(self.place, why)

    # What goes out.

    def feed(self, job: Job) -> None:
        """One input: store, then send, then show; then ask."""
        before = self.sitting.session.referee
        try:
            effects = job(self.clock())
        except Exception:
            self.broken = traceback.format_exc()
            self.die("an exception")
            return
        self._note_undone(before, self.sitting.session.referee)
        self.stores += bool(effects.store.messages)
        if effects.store.messages and self.stores == self.last_store:
            self.crash = Crash(sends=self.stores % 2)
        self._strike(effects)
        crash, self.crash = self.crash, None
        if crash is not None and crash.before:
            self.die("killed before it stored")
            return
        try:
            self._store(effects)
        except StoreError as error:
            self.lines.append(str(error))
            self.die("its disk is full")
            return
        if not self._send(effects, crash):
            return
        for place, why in effects.close:
            self.world.note(f"{self.place} hangs up on {place}: {why}")
            self.world.hang_up(self.place, place, why)
        for notice in effects.notices:
            self._show(notice)
        self._ask(effects.ask)
        self._wait(effects.deadline)
        self._end(effects)

    def _strike(self, effects: Effects) -> None:
        """This input is the last one, if it has brought the moment for it."""
        closed, seat = self.sitting.session.finished and not self.over, self.sitting.session.seat
        words = [word_in(payload) for _, payload in effects.send]
        own = [word.kind if word is not None and word.seat == seat else "" for word in words]
        doom = self._at("closed") if closed else None
        if doom is not None and not doom.full:
            self.crash = Crash(sends=doom.sends)
        for kind in ("bind", "nonce"):
            doom = self._at(kind) if self.over and kind in own else None
            if doom is not None and not doom.full:
                self.crash = Crash(sends=own.index(kind) + doom.sends)

    def _note_undone(self, before: Referee, after: Referee) -> None:
        """Whoever plays honestly loses one turn at most when votes take something back; and who is
        out for good stays so, unless another set of votes closes that very step."""
        if after is before or after.table is not before.table:
            return
        own = [
            message
            for step in before.ladders[0].steps
            for message in step.values()
            if message.kind in ("play", "pass") and self.wrote(message)
        ]
        places = {message.place for step in after.ladders[0].steps for message in step.values()}
        undone = [message for message in own if message.place not in places]
        if len(undone) > MOST_UNDONE:
            self.wrongs.append(f"undone: {len(undone)} of its turns were taken back")
        final = (step for step in before.retired if step + 1 < before.ladders[0].step)
        if not set(final) <= set(after.retired):
            self.wrongs.append("undone: somebody who was out for good is in again")

    def _store(self, effects: Effects) -> None:
        batch = effects.store
        # As with the real program, what is said between two matches is kept with the next.
        if self._keeps:
            self.disk.commit(self.table.id, batch)
        # Of a line that is on no disk the program knows nothing after a kill.
        self.said += self._own_lines(batch)
        for message in batch.messages:
            if self.wrote(message):
                place = (message.table, message.place)
                self.signed.setdefault(place, set()).add(message.data)
        if batch.messages:
            self.world.note(f"{self.place} stores {len(batch.messages)}")
            self.world.stored(self.place, len(batch.messages))

    def _own_lines(self, batch: Batch) -> list[str]:
        mine = (word.said for word in batch.words if word.seat == self.sitting.session.seat)
        return [said.words for said in mine if isinstance(said, Chat)]

    def _send(self, effects: Effects, crash: Crash | None) -> bool:
        for number, (to, payload) in enumerate(effects.send):
            if crash is not None and number == crash.sends:
                break
            self._note_word(payload)
            self._check(payload)
            self.world.send(self.place, to, payload)
        else:
            if crash is None:
                return True
        # Who said it knows it; what came before a kill is not read again.
        self.before.update(self._own_lines(effects.store))
        self.die("killed after it stored")
        return False

    def _agree(self, pausing: owner.Pausing) -> None:
        """A pause that somebody wants is wanted here too, and not for ever."""
        if pausing.on:
            self.world.at(20.0 + self.place, lambda: self.wish(owner.Pause(False)))
        elif pausing.wanting and self.sitting.session.seat not in pausing.wanting:
            self.world.at(0.2, lambda: self.wish(owner.Pause(True)))

    def _check(self, payload: bytes) -> None:
        """What goes out in one's own name is on the disk by then; a nonce waits for all to be
        bound; and whoever has just slept wishes nobody away."""
        message, word = signed_in(payload), word_in(payload)
        if message is not None and self.wrote(message):
            if message.data not in self.signed.get((message.table, message.place), ()):
                self.wrongs.append(f"unsaved: it sent {message.place} before it was stored")
        elif word is not None and word.seat == self.sitting.session.seat:
            bound = len(self._bound.get(word.table, ())) == len(self.table.seats)
            if word.kind == "nonce" and not bound:
                self.wrongs.append("nonce: it was shown before all were bound")
            if word.kind == "nonce":
                self.shown.add(word.table)
            rested = self.world.now - self._woken >= RESTED_SECONDS
            if word.kind != "wish" or payload in self._wished:
                return
            # One of before the sleep is said again on a new link.
            self._wished.add(payload)
            if "absent" in repr(word.body) and not rested:
                self.wrongs.append("sleep: it wished somebody away after it had slept")

    def _note_word(self, payload: bytes) -> None:
        word = word_in(payload)
        if word is not None and word.kind == "bind":
            self._bound.setdefault(word.table, set()).add(word.seat)

    def _show(self, notice: owner.Notice) -> None:
        for line in self._told(notice):
            self.lines.append(line)
            self.world.note(f"{self.place} reads: {line}")
        if isinstance(notice, owner.Happened):
            self._note_fault(notice.event)
        elif isinstance(notice, owner.Chatted):
            self.heard_lines.append(notice.words)
        elif isinstance(notice, owner.Pausing):
            self._agree(notice)
        elif isinstance(notice, owner.Alone):
            self.told_alone = True
        elif isinstance(notice, owner.Waiting) and notice.since >= IDLE_SECONDS:
            for seat in {*notice.seats} - {self.sitting.session.seat}:
                self.world.at(1.0, partial(self.wish, owner.PutOut(seat)))

    def _note_fault(self, event: SessionEvent) -> None:
        """For how long somebody sits there whose fault is proven."""
        if isinstance(event, Faulted):
            self._proven.setdefault((self.table.id, event.seat), self.world.now)
        elif isinstance(event, SeatOut) and event.reason == "fault" and event.owner is None:
            since = self._proven.pop((self.table.id, event.seat), self.world.now)
            self.waited.append(self.world.now - since)

    def _told(self, notice: owner.Notice) -> list[str]:
        try:
            return list(self._known.take(notice))
        except Exception:
            self.broken = traceback.format_exc()
            return []

    def _ask(self, view: SeatView | None) -> None:
        """Have whoever sits here decide, if they must and are not at it; or no longer."""
        if view is not None and self._view is None:
            life = self.life

            def decide() -> None:
                if self.alive and self.life == life and self._view is not None:
                    chosen, self._view = self._choose(self._view), None
                    self.take(lambda now: self.sitting.decided(chosen, now))

            # Claims are answered by the program of who is idle.
            idle = 0.0 if view.awaiting is not None else max(self.idle_until - self.world.now, 0.0)
            self.world.at(idle + self.person.choice((0.05, 0.3, 2.0)), decide)
        self._view = view

    def _choose(self, view: SeatView) -> owner.Chosen:
        bot = make_player("easy", self.person)
        if view.awaiting is not None:
            return owner.Chosen(None, claim=bot.claim(view))
        return owner.Chosen(bot.choose(view))

    def _wait(self, deadline: float) -> None:
        self._timer += 1
        life, timer = self.life, self._timer
        if deadline == float("inf"):
            return

        def tick() -> None:
            if self.alive and (self.life, self._timer) == (life, timer):
                self.take(self.sitting.tick)

        self.world.at(max(deadline - self.clock(), 0.0), tick)

    def _end(self, effects: Effects) -> None:
        if not self.alive or self.stopped:
            return
        if effects.outcome is not None and not self.over:
            if not self._is_struck("ended") and self._keep(effects.outcome):
                self._go_on(effects.outcome)
        elif effects.following is not None and effects.following.table is not None:
            if not self._is_struck("follows"):
                self._begin(effects.following.table)
        elif effects.following is not None and not self.settled:
            self.settled = True
            if not self.went:
                self._go()

    def _go_on(self, outcome: owner.Outcome) -> None:
        """A match has ended, and that is noted: perhaps there is another."""
        if outcome.kind != "finished":
            self._go()
            return
        if self._is_struck("kept"):
            return
        self.feed(self.sitting.offer)
        if self.alive and self._wants_more():
            self.feed(lambda now: self.sitting.wish(owner.Again(), now))

    def _keep(self, outcome: owner.Outcome) -> bool:
        """Keep the record, and note the end; whether the disk has room for that."""
        session, store = self.sitting.session, self.disk.store
        self.disk.look(self.table.id)
        kept, scores = session.record(), session.state.match.scores
        state: State = "finished" if session.closed else "broken"
        try:
            store.finish(self.table.id, state, scores, None)
        except StoreError as error:
            self._stop(error)
            return False
        self.over, self._keeps = True, False
        self._note_end(Played.of(session.referee, session.seat, outcome, kept))
        return True

    def _note_end(self, played: Played) -> None:
        self.played.append(played)
        outcome = played.outcome
        self.world.note(
            f"{self.place} ends: {outcome.kind} {outcome.sentence or ''}", played.record
        )
        if outcome.sentence:
            self.lines.append(outcome.sentence)

    def _wants_more(self) -> bool:
        """Another match, until enough was played."""
        hands = sum(one.hands for one in self.played)
        return self.played[-1].closed and (hands < 2 or len(self.played) < self.wanted)
