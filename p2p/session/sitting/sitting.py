"""A peer's whole life at a table as pure code: one match after the other over the same links.

Each input has its time and gives one value. No input or output, no clock, no tasks. Links are
named by their place, which is the seat at the first table; the seats of later tables are others.
Who only looks on comes over links of higher places.
"""

import math
from collections.abc import Callable, Collection
from typing import assert_never

from engine.seats import MAX_SEATS
from p2p.bucket import Bucket
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.session.course import Course
from p2p.session.restoring import Kept, restore
from p2p.session.session import Session
from p2p.session.sitting import owner
from p2p.session.sitting.effects import ALONE, Collected, Effects, Following, Setting
from p2p.session.sitting.playing import Playing
from p2p.session.sitting.presence import SLEPT_SECONDS
from p2p.session.sitting.rematch import Before, Early, Rematch, no_other, two_faced
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Table
from p2p.wire.chat import Remark
from p2p.wire.codec import DecodeError
from p2p.wire.talk import Hold, Leave, Word, table_of

# How often it is told who begins or ends to look on.
TOLD_A_SECOND = 0.2
TOLD_AT_ONCE = 20

MakeSession = Callable[[Table, IdentityKey, RandomBytes, Course], Session]


class Sitting:
    """One person at one table, from the first match to the last.

    A match goes from `start` to the effects with an `outcome`; `offer` then asks for another, and
    when its effects, or later ones, name the table that follows, `start` begins there. No seat has
    a link before `linked` says so.
    """

    def __init__(
        self,
        table: Table,
        identity: IdentityKey,
        rng: RandomBytes,
        make: MakeSession = Session,
        first: Table | None = None,
        setting: Setting = ALONE,
    ) -> None:
        """`first`: the table that the links were made for, if that is an earlier one."""
        self._within = setting.within if first is None or first.id == table.id else None
        self._identity, self._rng, self._make = identity, rng, make
        self._archives = setting.archives
        self._out = Collected([(first or table).seat_of(person.key) for person in table.people])
        self._links: set[int] = set()
        self._onlookers: dict[int, str] = {}
        self._told = Bucket(TOLD_A_SECOND, TOLD_AT_ONCE)
        self._following: Following | None = None
        self._early, self._before = Early(), Before()
        self._due = math.inf
        self._offered_at: float | None = None
        self._sit_at(table)

    @classmethod
    def come_back(
        cls,
        kept: Kept,
        table: Table,
        first: Table,
        identity: IdentityKey,
        rng: RandomBytes,
        setting: Setting = ALONE,
    ) -> "Sitting":
        """The sitting of a match that is kept, at `table`, over links made for the table `first`.
        Raises NotRestorable."""
        session = restore(kept, table, identity, rng, setting.archives(table.id))

        def make(at: Table, identity: IdentityKey, rng: RandomBytes, course: Course) -> Session:
            return session if at is table else Session(at, identity, rng, course)

        sitting = cls(table, identity, rng, make, first, setting)
        sitting.playing.recall(kept.said(table), kept.grace)
        sitting._before.recall(kept.before(table), sitting._out.places)
        return sitting

    @property
    def session(self) -> Session:
        """The session of the match, or of the one that is about to start."""
        return self._playing.session

    @property
    def playing(self) -> Playing:
        """The match, or the one that is about to start."""
        return self._playing

    @property
    def agreed(self) -> tuple[Word, ...]:
        """What all said at the table before by which this one follows: to be kept from the moment
        at which this match is, before `start`."""
        return self._before.words

    @property
    def waits(self) -> bool:
        """Whether a pause is on that the own seat has a part in: who goes then is waited for, and
        need not say that it leaves."""
        playing, session = self._playing, self.session
        runs = playing.outcome is None and not session.finished
        return playing.pauses.on and runs and session.seat in session.state.seats

    def start(self, now: float) -> Effects:
        """Begin the match."""
        self._started, self._following, self._due = True, None, math.inf
        self._out.show(owner.Began(self.session.table, self.session.seat))
        self._link(self._links, now)
        for place in self._onlookers:
            self._playing.talking.be_seen(place)
        self._playing.start(now)
        for place, payload in self._early.take():
            self._take(place, payload, now)
        return self._effects(now)

    def repeats(self, place: int, payload: bytes) -> bool:
        """Whether a payload says only what was heard already, so that `heard` has nothing to do."""
        seated = self._started and place < MAX_SEATS
        return seated and self._playing.talking.repeats(self._seat(place), payload)

    def heard(self, place: int, payload: bytes, now: float) -> Effects:
        """A payload came over a link. What nobody of the table signed ends that link."""
        self._wake(now)
        self._take(place, payload, now)
        return self._effects(now)

    def linked(self, place: int, now: float, name: str = "") -> Effects:
        """There is a link, a new one if there was one before; `name` is that of who looks on."""
        self._wake(now)
        if place >= MAX_SEATS:
            self._seen(place, name, now)
            return self._effects(now)
        self._links.add(place)
        if self._started:
            self._link({place}, now)
            self._show_link(owner.Linked(self._seat(place)))
        return self._effects(now)

    def unlinked(self, place: int, why: str, now: float) -> Effects:
        """A link is gone; `why` is one clause."""
        self._wake(now)
        if place >= MAX_SEATS:
            self._seen_no_more(place, why, now)
            return self._effects(now)
        self._links.discard(place)
        if self._started:
            self._playing.lose(self._seat(place), now)
            self._show_link(owner.Unlinked(self._seat(place), why))
        return self._effects(now)

    def decided(self, chosen: owner.Chosen, now: float) -> Effects:
        """The owner's answer to the question that was open. In a pause it waits for the end."""
        self._wake(now)
        self._playing.decide(chosen, now)
        return self._effects(now)

    def wish(self, wish: owner.Wish, now: float) -> Effects:
        """Something that the owner wants by itself."""
        self._wake(now)
        match wish:
            case owner.Say(words):
                self._playing.say(words, now)
            case owner.Pause(on):
                self._playing.pause(on, now)
            case owner.Again():
                self._wants_another = True
            case owner.PutOut(seat):
                self._playing.put_out(seat, now)
            case _:
                assert_never(wish)
        return self._effects(now)

    def tick(self, now: float) -> Effects:
        """Time has gone on, to the deadline perhaps."""
        self._wake(now)
        return self._effects(now)

    def offer(self, now: float) -> Effects:
        """The match has an outcome and the owner has its record: there may be another."""
        self._offered_at = now
        if self.session.closed and not self._playing.left:
            self._out.show(owner.Offered(True))
        else:
            self._give_up(self._playing.left)
        return self._effects(now)

    def leave(self, now: float) -> Effects:
        """The owner leaves this table for good, begun or not: said to all, and the last that is."""
        self._link(() if self._started else self._links, now)
        outcome = self._playing.outcome
        if outcome is None or outcome.kind in ("finished", "unbegun"):
            self._playing.leave()
        return self._effects(now)

    def ahead(self) -> Callable[[], None] | None:
        """What can be made before it is this seat's turn for it, if there is something."""
        return self.session.ahead()

    def _sit_at(self, table: Table) -> None:
        course = Course(table, self._archives(table.id))
        session = self._make(table, self._identity, self._rng, course)
        within = self._within if self._before.table is None else None
        self._playing = Playing(session, self._out, within)
        self._rematch = Rematch(table, session.seat, self._playing.words)
        self._told_wanting: set[int] = {session.seat}
        self._wants_another = self._started = False
        self._offered_at = None

    def _link(self, places: Collection[int], now: float) -> None:
        for place in sorted(places):
            self._playing.link(self._seat(place), now, self._before.owed(place))

    def _seat(self, place: int) -> int:
        return self._out.places.index(place)

    def _seen(self, place: int, name: str, now: float) -> None:
        self._onlookers[place] = name
        if self._started:
            self._playing.talking.be_seen(place)
        self._tell_onlooker(owner.Onlooker(name, len(self._onlookers)), now)

    def _seen_no_more(self, place: int, why: str, now: float) -> None:
        name = self._onlookers.pop(place, "")
        self._playing.talking.be_seen_no_more(place)
        self._tell_onlooker(owner.Onlooker(name, len(self._onlookers), why), now)

    def _tell_onlooker(self, notice: owner.Onlooker, now: float) -> None:
        """Who comes and goes all the time is not told each time."""
        if self._told.take(1, now):
            self._out.show(notice)

    def _show_link(self, notice: owner.Linked | owner.Unlinked) -> None:
        if self._playing.outcome is None:
            self._out.show(notice)

    def _wake(self, now: float) -> None:
        """An input that comes long after the deadline: no program was running here."""
        if now - self._due >= SLEPT_SECONDS and self._ticks:
            self._playing.wake(now - self._due, now)

    @property
    def _ticks(self) -> bool:
        """Whether time means something: in a match, and while another one may be agreed on."""
        waits = self._offered_at is not None and self._following is None
        return self._started and (self._playing.outcome is None or waits)

    def _effects(self, now: float) -> Effects:
        if self._ticks:
            self._playing.tick(now)
            self._playing.settle(now)
        if self._started and self.session.closed:
            self._agree_on_another(now)
        ask, collected = self._playing.question(), self._out.take()
        self._due = self._playing.deadline if self._ticks else math.inf
        return Effects(*collected, ask, self._due, self._playing.outcome, self._following)

    def _take(self, place: int, payload: bytes, now: float) -> None:
        try:
            if place >= MAX_SEATS:
                self._hear_onlooker(place, payload, now)
            else:
                self._sort(place, payload, now)
        except (DecodeError, Suspicion) as error:
            self._out.close(place, f"it sent {error}")

    def _hear_onlooker(self, place: int, payload: bytes, now: float) -> None:
        """What somebody says who has no seat: what it holds, and lines. Raises DecodeError."""
        if place not in self._onlookers or table_of(payload) != self.session.table.id:
            # Nothing counts any more that was about the match before.
            return
        talk = self.session.understand(payload)
        if isinstance(talk, Hold):
            self._playing.talking.show(place, talk, now)
        elif isinstance(talk, Remark):
            self._playing.hear_remark(talk, payload, now)
        else:
            raise DecodeError("what only a seat says")

    def _sort(self, place: int, payload: bytes, now: float) -> None:
        """To the table that a payload is of: this one, the one before, where nothing counts any
        more, or the next, which others may have opened already."""
        table, seat = table_of(payload), self._seat(place)
        if table == self.session.table.id:
            self._before.heard(place)
            if self._started:
                talk = self.session.understand(payload)
                self._playing.hear(seat, talk, payload, now)
            else:
                self._early.add(place, payload)
        elif table == self._before.table:
            return
        elif self._started and self.session.closed and seat in self._rematch.shown:
            self._early.add(place, payload)
        else:
            raise Suspicion("something of another table")

    def _agree_on_another(self, now: float) -> None:
        """Say what is due for another match, and sit down there once everybody has."""
        for seat in sorted(self._rematch.wanting - self._told_wanting):
            self._out.show(owner.AgainWanted(seat))
        self._told_wanting |= self._rematch.wanting
        if self._offered_at is None or self._following is not None:
            return
        if self._playing.words.newest(self.session.seat, Leave) is not None:
            self._following = Following(None)
            return
        if (liar := self._rematch.liar(now)) is not None:
            self._refuse(two_faced(self.session.table.name(liar)))
            return
        if gone := self._playing.gone(self._offered_at, now):
            self._give_up(gone)
            return
        if self._wants_another and self.session.seat not in self._rematch.wanting:
            self._playing.talking.tell(self._rematch.want(self._rng))
        if (nonce := self._rematch.due()) is not None:
            self._playing.talking.tell(nonce)
        self._follow(now)

    def _follow(self, now: float) -> None:
        """When all have shown their nonces, sit down at the next table; the links keep their
        places."""
        if (table := self._rematch.table()) is None:
            return
        before, presence = self.session.table, self._playing.presence
        places = [self._out.places[before.seat_of(person.key)] for person in table.people]
        self._before.follow(before.id, self._rematch.agreed(), places)
        self._out.places = tuple(places)
        self._sit_at(table)
        self._playing.presence.rest_on(presence, now)
        self._following = Following(table)

    def _give_up(self, gone: list[int]) -> None:
        table, gone_by_word = self.session.table, self._playing.left
        left = [table.name(seat) for seat in gone if seat in gone_by_word]
        unheard = [table.name(seat) for seat in gone if seat not in gone_by_word]
        self._refuse(no_other(left, unheard, len(table.seats) - len(gone)))

    def _refuse(self, why: str) -> None:
        self._following = Following(None)
        self._out.show(owner.Offered(False, why))
