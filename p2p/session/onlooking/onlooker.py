"""Somebody's life at a table that they look on at: one match after the other, over one link at a
time to whichever seat. A verifier that listens: all is judged here from the record so far on.

As a sitting it is pure: each input has its time and gives one value. Links are named by the place
of the seat, at the first table, that they lead to.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

from p2p.crypto.identity import IdentityKey
from p2p.session.listening import Listening
from p2p.session.onlooking.hearing import Hearing
from p2p.session.sitting import owner
from p2p.session.sitting.effects import Collected, Effects, Following
from p2p.session.sitting.owner import Chosen, Outcome
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Table, TableError
from p2p.wire.chat import make_remark
from p2p.wire.codec import DecodeError
from p2p.wire.talk import At, Hold, decode_at, decode_talk, encode_talk, table_of

TICK_SECONDS = 1.0
# What a seat would have sent at once, and did not, is asked for again.
ASK_SECONDS = 5.0
# After a match, without a link to anybody for so long: they have gone. In a match they may come
# back within the grace of the table, and at least so long.
GONE_SECONDS = 20.0
_ONLY_PLAYERS: Final = "You look on: those who play decide about that."
_UNHEARD: Final = "There is no link to the table now; try again in a moment."
_MISSED: Final = "The table went on to another match before this one was seen to its end."
_GONE: Final = "Nobody of this table is there any more, so the match was not seen to its end."

_NOBODY: Final = "Nobody of this table answers, so there is nothing to see."


class Onlooker:
    """`people`: the keys of those who play, by the places of links. `start` waits for a table, and
    goes on to the effects with an `outcome`; then `offer` waits for the next match."""

    def __init__(
        self, people: Sequence[bytes], identity: IdentityKey, name: str, first: int = 0
    ) -> None:
        """`first`: the number of the first own line, above those of earlier programs."""
        self._people = tuple(people)
        self._identity, self._name = identity, name
        self._out = Collected(())
        self._place: int | None = None
        self._alone_since = 0.0
        self._hearing: Hearing | None = None
        self._next: Table | None = None
        self._said: Hold | None = None
        self._said_at = -math.inf
        self._remarks = first
        self._offered = False
        self._following: Following | None = None
        self._outcome: Outcome | None = None

    @property
    def session(self) -> Listening | None:
        """What is heard of the match, once there is one."""
        return None if self._hearing is None else self._hearing.session

    # The inputs

    def start(self, now: float) -> Effects:
        """Begin with the table that follows, or wait for the first."""
        self._offered, self._following, self._outcome = False, None, None
        self._alone_since = now
        if self._next is not None:
            self._sit_before(self._next, now)
        return self._effects(now)

    def linked(self, place: int, now: float, name: str = "") -> Effects:
        """There is a link to that seat, which says first what is played. It has no `name` here."""
        self._place, self._said = place, None
        if self._hearing is not None:
            self._hearing.link_again()
        if (seat := self._seat(place)) is not None:
            self._out.show(owner.Linked(seat))
        return self._effects(now)

    def unlinked(self, place: int, why: str, now: float) -> Effects:
        """The link is gone; `why` is one clause. Others are tried."""
        self._place, self._alone_since = None, now
        if (seat := self._seat(place)) is not None:
            self._out.show(owner.Unlinked(seat, why))
        return self._effects(now)

    def repeats(self, place: int, payload: bytes) -> bool:
        """Everything is looked at: it comes over one link."""
        return False

    def heard(self, place: int, payload: bytes, now: float) -> Effects:
        """A payload of the seat. What it cannot honestly say ends that link."""
        try:
            at = decode_at(payload)
            if at is None:
                self._hear(payload, now)
            else:
                self._shown(at, now)
        except (DecodeError, Suspicion, TableError) as error:
            self._out.close(place, f"it sent {error}")
        return self._effects(now)

    def decided(self, chosen: Chosen, now: float) -> Effects:
        """Nothing is ever asked of who looks on."""
        raise AssertionError("a decision of somebody who looks on")

    def wish(self, wish: owner.Wish, now: float) -> Effects:
        """Something that the person wants: all that one can do is to write a line."""
        if isinstance(wish, owner.Say):
            self._remark(wish.words)
        else:
            self._out.show(owner.Refused(_ONLY_PLAYERS))
        return self._effects(now)

    def tick(self, now: float) -> Effects:
        """Time has gone on."""
        hearing = self._hearing
        if hearing is not None and self._outcome is None:
            hearing.tick(now, None if self._place is None else self._seat(self._place))
            lacks = bool(hearing.session.parked) or not hearing.told
            lacks = lacks or hearing.session.course.known.lacks
            if lacks and now - self._said_at >= ASK_SECONDS:
                self._say_hold(now)
        return self._effects(now)

    def offer(self, now: float) -> Effects:
        """The match has an outcome, and its record is kept: there may be another."""
        self._offered, self._alone_since = True, max(self._alone_since, now)
        return self._effects(now)

    def leave(self, now: float) -> Effects:
        """The person looks on no more, and need not tell anybody."""
        return self._effects(now)

    def ahead(self) -> Callable[[], None] | None:
        """Who signs nothing makes nothing."""
        return None

    # What comes of them

    def _seat(self, place: int) -> int | None:
        """The seat of a link, while its match is told."""
        hearing = self._hearing
        if hearing is None or not hearing.told or hearing.outcome is not None:
            return None
        return hearing.session.table.seat_of(self._people[place])

    def _shown(self, at: At, now: float) -> None:
        """What is played now. Raises TableError, and Suspicion for a table of other people."""
        table = Table.decode(at.description)
        if {person.key for person in table.people} != set(self._people) or not table.terms.watch:
            raise Suspicion("a table of other people")
        hearing = self._hearing
        if hearing is None:
            self._sit_before(table, now)
        elif table.id == hearing.session.table.id:
            self._say_hold(now)
        else:
            self._next = table
            if hearing.outcome is None:
                hearing.break_off(_MISSED)

    def _sit_before(self, table: Table, now: float) -> None:
        self._hearing, self._next = Hearing(table, self._out), None
        self._said = None
        self._say_hold(now)

    def _hear(self, payload: bytes, now: float) -> None:
        """What is said at the table that is looked at; what is of another is past, or to come when
        that is begun."""
        hearing = self._hearing
        if hearing is None or table_of(payload) != hearing.session.table.id:
            return
        keys = tuple(person.key for person in hearing.session.table.people)
        talk = decode_talk(payload, hearing.session.table.id, keys)
        if hearing.hear(talk, now) and hearing.hold != self._said:
            # There is more, and what was asked for is here.
            self._say_hold(now)

    def _say_hold(self, now: float) -> None:
        hearing = self._hearing
        if hearing is None or self._place is None:
            return
        self._said, self._said_at = hearing.hold, now
        self._out.send_there(self._place, encode_talk(self._said))

    def _remark(self, words: str) -> None:
        if self._hearing is None or self._place is None:
            self._out.show(owner.Refused(_UNHEARD))
            return
        table = self._hearing.session.table.id
        try:
            remark = make_remark(self._identity, table, self._name, self._remarks, words)
        except ValueError as refusal:
            self._out.show(owner.Refused(str(refusal)))
            return
        self._remarks += 1
        self._out.send_there(self._place, encode_talk(remark))

    def _alone_for(self, now: float) -> float:
        return 0.0 if self._place is not None else now - self._alone_since

    def _settle(self, now: float) -> None:
        hearing, alone = self._hearing, self._alone_for(now)
        if hearing is not None and self._outcome is None:
            if alone >= max(hearing.session.table.terms.grace, GONE_SECONDS):
                hearing.break_off(_GONE)
            self._outcome = hearing.outcome
        elif hearing is None and alone >= GONE_SECONDS:
            self._outcome = Outcome("broken", _NOBODY)
        if self._offered and self._following is None:
            gone = hearing is None or bool(hearing.left) or alone >= GONE_SECONDS
            if self._next is not None:
                self._following = Following(self._next)
            elif gone:
                self._following = Following(None)
                self._out.show(owner.Offered(False))

    def _effects(self, now: float) -> Effects:
        self._settle(now)
        store, send, close, notices = self._out.take()
        ends = self._outcome is not None and not self._offered
        deadline = math.inf if ends or self._following is not None else now + TICK_SECONDS
        return Effects(store, send, close, notices, None, deadline, self._outcome, self._following)
