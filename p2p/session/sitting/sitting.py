"""A peer's whole life at a table as pure code: one match after the other over the same links.

Each input has its time and gives one value. No input or output, no clock, no tasks. Links are
named by their place, which is the seat at the first table; the seats of later tables are others.
"""

from collections.abc import Callable
from typing import assert_never

from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.session.session import Session
from p2p.session.sitting import owner
from p2p.session.sitting.effects import Collected, Effects, Following
from p2p.session.sitting.playing import Playing
from p2p.session.sitting.rematch import Early, Rematch, no_other
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError
from p2p.wire.talk import Again, Chat, Done, decode_talk, encode_talk

MakeSession = Callable[[Table, IdentityKey, RandomBytes], Session]


class Sitting:
    """One person at one table, from the first match to the last.

    A match goes from `start` to the effects with an `outcome`; `offer` then asks for another, and
    when its effects, or later ones, name the table that follows, `start` begins there.
    """

    def __init__(
        self,
        table: Table,
        identity: IdentityKey,
        rng: RandomBytes,
        make: MakeSession = Session,
        first: Table | None = None,
    ) -> None:
        """`first`: the table that the links were made for, if that is an earlier one."""
        self._identity, self._rng, self._make = identity, rng, make
        self._out = Collected([(first or table).seat_of(person.key) for person in table.people])
        self._early = Early()
        self._following: Following | None = None
        self._before: Table | None = None
        self._sit_at(table)

    @property
    def session(self) -> Session:
        """The session of the match, or of the one that is about to start."""
        return self._playing.session

    def start(self, now: float) -> Effects:
        """Begin the match."""
        self._started, self._following = True, None
        self._out.show(owner.Began(self.session.table, self.session.seat))
        self._playing.start(now)
        for place, payload in self._early.take():
            self._take(place, payload, now)
        return self._effects(now)

    def heard(self, place: int, payload: bytes, now: float) -> Effects:
        """A payload came over a link. What nobody of the table signed ends that link."""
        self._take(place, payload, now)
        return self._effects(now)

    def linked(self, place: int, now: float) -> Effects:
        """A link is there again."""
        if self._playing.outcome is None:
            self._out.show(owner.Linked(self._seat(place)))
        return self._effects(now)

    def unlinked(self, place: int, why: str, now: float) -> Effects:
        """A link is gone; `why` is one clause."""
        seat = self._seat(place)
        if self._playing.outcome is None:
            self._out.show(owner.Unlinked(seat, why))
        self._playing.lose(seat, why)
        if self._offered:
            self._give_up([seat])
        return self._effects(now)

    def decided(self, chosen: owner.Chosen, now: float) -> Effects:
        """The owner's answer to the question that was open. In a pause it waits for the end."""
        self._playing.decide(chosen, now)
        return self._effects(now)

    def wish(self, wish: owner.Wish, now: float) -> Effects:
        """Something that the owner wants by itself."""
        match wish:
            case owner.Say(words):
                self._playing.say(words)
            case owner.Pause(on):
                self._playing.pause(on, now)
            case owner.Again():
                self._want_again()
            case _:
                assert_never(wish)
        return self._effects(now)

    def tick(self, now: float) -> Effects:
        """Time has gone on, to the deadline perhaps."""
        self._playing.tick(now)
        return self._effects(now)

    def offer(self, now: float) -> Effects:
        """The match has an outcome and the owner has its record: there may be another."""
        gone = self._playing.peers.gone
        if gone or not self.session.closed:
            self._give_up(gone)
        else:
            self._offered = True
            self._out.show(owner.Offered(True))
            self._ask_again()
        return self._effects(now)

    def _sit_at(self, table: Table) -> None:
        session = self._make(table, self._identity, self._rng)
        self._playing = Playing(session, self._out)
        self._rematch = Rematch(table)
        self._started = self._offered = False

    def _seat(self, place: int) -> int:
        return self._out.places.index(place)

    def _effects(self, now: float) -> Effects:
        playing = self._playing
        if self._started:
            playing.settle(now)
        ask, collected = playing.question(), self._out.take()
        return Effects(*collected, ask, playing.deadline, playing.outcome, self._following)

    def _take(self, place: int, payload: bytes, now: float) -> None:
        try:
            if self._started:
                self._hear(place, payload, now)
            else:
                self._early.add(place, payload)
        except (DecodeError, Suspicion) as error:
            self._out.close(self._seat(place), f"it sent {error}")

    def _hear(self, place: int, payload: bytes, now: float) -> None:
        """After the match what a seat says is about the past, or, once it has asked for another,
        about that."""
        seat, over = self._seat(place), self._playing.outcome is not None
        next_too = over and seat in self._rematch.nonces
        try:
            talk = self.session.understand(payload)
        except DecodeError:
            if next_too:
                self._early.add(place, payload)
            elif not self._is_late_chat(payload):
                raise
            return
        if isinstance(talk, Again):
            self._hear_again(seat, talk.nonce)
        elif isinstance(talk, Chat):
            self._playing.hear_chat(talk, payload)
        elif not over:
            self._playing.hear(seat, talk, now)
        elif next_too and not isinstance(talk, Done):
            self._early.add(place, payload)

    def _is_late_chat(self, payload: bytes) -> bool:
        """Whether it is a line of the table before: somebody said it, or passed it on, who had not
        heard yet that this one is open. All else that is said there comes before the wish for
        this one."""
        if self._before is None:
            return False
        keys = tuple(person.key for person in self._before.people)
        try:
            return isinstance(decode_talk(payload, self._before.id, keys), Chat)
        except DecodeError:
            return False

    def _hear_again(self, seat: int, nonce: bytes) -> None:
        if not self.session.closed:
            raise Suspicion("a wish for another match before this one was closed")
        if self._rematch.add(seat, nonce):
            self._out.show(owner.AgainWanted(seat))
            self._follow()

    def _want_again(self) -> None:
        if self.session.seat not in self._rematch.nonces:
            self._rematch.add(self.session.seat, self._rng(NONCE_BYTES))
            self._ask_again()

    def _ask_again(self) -> None:
        """Say the own wish, once the match is over for this seat and the owner has it."""
        own = self._rematch.nonces.get(self.session.seat)
        if self._offered and own is not None:
            for seat in self._playing.peers.linked:
                self._out.send(seat, encode_talk(Again(own)))
            self._follow()

    def _follow(self) -> None:
        """When all have asked, sit down at the next table; the links keep their places."""
        table = self._rematch.table()
        if not self._offered or table is None:
            return
        before = self.session.table
        places = [self._out.places[before.seat_of(person.key)] for person in table.people]
        self._out.places, self._before = tuple(places), before
        self._sit_at(table)
        self._following = Following(table)

    def _give_up(self, gone: list[int]) -> None:
        self._offered = False
        self._following = Following(None)
        names = [self._playing.name(seat) for seat in gone]
        self._out.show(owner.Offered(False, no_other(names)))
