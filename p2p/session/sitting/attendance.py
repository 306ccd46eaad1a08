"""Who of a match is away or late, for how long, and whose grace is used up; who is waited for."""

import math
from collections.abc import Collection

from p2p.session.leaving.voices import voices
from p2p.session.output import Batch
from p2p.session.session import Session
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.grace import Grace
from p2p.session.sitting.owner import Alone, Away, Back, Waiting
from p2p.session.sitting.presence import Presence
from p2p.session.state.state import Phase
from p2p.wire.envelope import MATCH_LADDER

# Messages that need no person are due within this while their sender is heard.
DUE_SECONDS = 30.0
# A link that comes back at once is not told,
TOLD_SECONDS = 3.0
# and after a sleep of this machine the others have time to find it again.
ASLEEP_TOLD_SECONDS = 10.0
# How often it is told that a person is waited for.
WAITING_SECONDS = 60.0
# How long a person is waited for before the others may go on: two turns, and at least a minute.
TURNS_TO_WAIT = 2
SHORTEST_WAIT = 60.0
WAIT_WITHOUT_CLOCK = 300.0
TWO_SIDES = 2
# How much grace somebody may get back by a crash of this program.
KEEP_SECONDS = 5.0


class Attendance:
    """The other seats of a match; what is to be told of them goes to `out`.

    `within`: so many seconds all are waited for until they have agreed to the table; None: as long
    as in the match.
    """

    def __init__(
        self,
        session: Session,
        presence: Presence,
        grace: Grace,
        out: Collected,
        within: float | None = None,
    ) -> None:
        self._session, self._presence, self._out = session, presence, out
        self._within = within
        self.grace = grace
        self._others = [seat for seat in session.table.seats if seat != session.seat]
        self._told: set[int] = set()
        self._told_alone = False
        self._due_at = math.inf
        self._ticked = 0.0
        self._person_since: float | None = None
        # What this machine has slept through since then.
        self._slept = 0.0
        self._person_step = 0
        self._minutes = 0
        self._ripe = False
        self._kept_at: dict[int, float] = {}
        self._owed: dict[int, float] = {}

    def begin(self, now: float) -> None:
        """The match begins."""
        self._ticked = now
        self._presence.begin(now)

    def expect(self, now: float, paused: bool) -> None:
        """From now on what needs no person is due in its time; and a person who is waited for is
        waited for since now."""
        session = self._session
        person = not session.finished and session.referee.waiting().for_person
        waits = session.finished or paused or person
        self._due_at = math.inf if waits else now + DUE_SECONDS
        step = session.referee.ladder(MATCH_LADDER).step
        if not person or paused:
            self._person_since = None
        elif self._person_since is None or step != self._person_step:
            self._person_since, self._person_step, self._minutes = now, step, 0
            self._ripe, self._slept = False, 0.0

    def wake(self, seconds: float, now: float, paused: bool) -> None:
        """This machine was asleep for so long: that is nobody's doing, and what is due has its time
        again."""
        self._presence.wake(now)
        self._ticked = now
        self._slept += seconds
        self.expect(now, paused)

    def owe_votes(self, seats: Collection[int], now: float) -> None:
        """These, and no others, owe the vote that puts somebody out who has left or broken the
        rules: it is due in its time."""
        self._owed = {seat: self._owed.get(seat, now + DUE_SECONDS) for seat in seats}

    def heard(self, now: float) -> frozenset[int]:
        """The seats that play and are heard, the own one too."""
        heard = {self._session.seat, *self._presence.heard(now)}
        return frozenset(heard.intersection(self._session.state.seats))

    def late(self, now: float) -> frozenset[int]:
        """The seats that are heard and do not say what is due."""
        return frozenset(self._late_since(now))

    def _late_since(self, now: float) -> dict[int, float]:
        late = {seat: at for seat, at in self._owed.items() if now >= at}
        late |= self._overdue(now)
        return {seat: at for seat, at in late.items() if self._presence.hears(seat, now)}

    def _overdue(self, now: float) -> dict[int, float]:
        """Who has not said what the match, or the coming deal, waits for in its time."""
        if now < self._due_at or self._session.finished:
            return {}
        return dict.fromkeys(self._session.referee.waiting().seats, self._due_at)

    def since(self, seat: int, now: float) -> float | None:
        """Since when a seat is away, or late; None if it is neither."""
        unheard = self._presence.unheard_since(seat, now)
        return self._late_since(now).get(seat) if unheard is None else unheard

    @property
    def begins(self) -> bool:
        """Whether the match has not begun: not all have agreed to the table, and where one of them
        is gone it is nobody's loss to seat others."""
        referee = self._session.referee
        first = referee.phase is Phase.AGREE and referee.root == self._session.table.id
        return first and self._within is not None

    def not_come(self, now: float) -> list[int]:
        """The seats that are waited for no longer before the match has begun."""
        if self._within is None or not self.begins:
            return []
        since = {seat: self.since(seat, now) for seat in self._others}
        return [seat for seat, at in since.items() if at is not None and now - at >= self._within]

    def gone(self, since: float, now: float) -> list[int]:
        """The seats that nobody waits for any longer when nothing is played since then."""
        quiet = {seat: self._presence.unheard_since(seat, now) for seat in self._others}
        return [
            seat
            for seat, at in quiet.items()
            if at is not None and now - max(at, since) >= DUE_SECONDS
        ]

    def used_up(self, now: float, also_idle: bool = False) -> list[int]:
        """The seats that are away, are waited for, and may be away no longer; `also_idle`: those
        too that nobody waits for."""
        return [
            seat
            for seat in self._in
            if not self.grace.left(seat)
            and self.since(seat, now) is not None
            and (also_idle or self._session.referee.owes(seat))
        ]

    def lost(self, now: float) -> list[int]:
        """The seats that are away, have no grace left, and did not lose a link just now. A vote
        that is late is none of it: where the match is to end, nobody is put out any more."""
        since = {seat: self._presence.unheard_since(seat, now) for seat in self._others}
        overdue = self._overdue(now)
        return [
            seat
            for seat in self.used_up(now, also_idle=True)
            if (seat in overdue if (at := since[seat]) is None else now - at >= DUE_SECONDS)
        ]

    def alone(self, now: float) -> bool:
        """Whether nobody else who plays has been heard for so long that nobody may come any more: a
        whole grace, or a while where all have used theirs or left."""
        since = [self._presence.unheard_since(seat, now) for seat in self._in]
        away = [now - at for at in since if at is not None]
        if not away or len(away) < len(since):
            return False
        leaves = self._session.course.known.leaves
        gone = all(seat in leaves or not self.grace.left(seat) for seat in self._in)
        return min(away) >= (DUE_SECONDS if gone else max(self.grace.limit, DUE_SECONDS))

    @property
    def _in(self) -> list[int]:
        """The others that were not put out."""
        seats = self._session.state.seats
        return [seat for seat in self._others if seat in seats]

    def person_waited(self, seat: int, now: float) -> float:
        """For how many seconds the match has waited for that person's decision."""
        since = self._person_since
        heard = self._presence.hears(seat, now)
        waits = since is not None and heard and seat in self._session.referee.waiting().seats
        return now - since if since is not None and waits else 0.0

    def wait_left(self, seat: int, now: float) -> float:
        """How many seconds a person must still be waited for; 0 or less: it may be put out."""
        return self._least - self.person_waited(seat, now)

    @property
    def _least(self) -> float:
        """How many seconds a person is waited for, at least."""
        turn = self._session.table.rules.turn_seconds
        return WAIT_WITHOUT_CLOCK if turn is None else max(TURNS_TO_WAIT * turn, SHORTEST_WAIT)

    def tick(self, now: float, paused: bool) -> None:
        """Time has gone on: count what is to be counted, tell what is to be told."""
        away = [seat for seat in self._in if self.since(seat, now) is not None]
        if self._counts(now) and not paused:
            self.grace.count(now - self._ticked, away)
            self._keep_used()
        self._ticked = now
        self._tell_away(now)
        self._tell_waiting(now)

    def _keep_used(self) -> None:
        """Have the store keep what was used, for a start anew."""
        used = self.grace.used
        more = {seat: used[seat] for seat in used if used[seat] >= self._kept_at.get(seat, 0.0)}
        if more:
            self._kept_at |= {seat: seconds + KEEP_SECONDS for seat, seconds in more.items()}
            self._out.store(Batch(grace=more))

    def tell_back(self, now: float) -> None:
        """Who was told to be away, and is not any more."""
        for seat in sorted(self._told):
            if self.since(seat, now) is None:
                self._told.discard(seat)
                self._out.show(Back(seat))

    def tell_alone(self, now: float, paused: bool) -> None:
        """That nobody else may come any more; in a pause all may come another day."""
        alone = self.alone(now) and not paused
        if alone and not self._told_alone:
            self._out.show(Alone())
        self._told_alone = alone

    def _counts(self, now: float) -> bool:
        """Whether the absence of others is counted: not by a few of many voices, who may be those
        that nobody hears; one of two has nobody else to ask, and after the decision nobody need be.
        A bot that hears no person may be the one that is cut off. As in votes, who has left or is
        at fault has no voice where most of them are to be there."""
        session, owners = self._session, self._session.table.owners
        heard = self._presence.heard(now).intersection(session.state.seats)
        there, inside = voices({session.seat, *heard}, owners), voices(session.state.seats, owners)
        alone = (there and len(inside) <= TWO_SIDES) or session.state.is_decided()
        most = 2 * len(there - self._lost) > len(inside - self._lost)
        return self._presence.rested(now) and (bool(alone) or most)

    @property
    def _lost(self) -> frozenset[int]:
        """The others that have left, or are proven at fault, and are in still."""
        known, root = self._session.course.known, self._session.state.root
        gone = (seat for seat in self._in if seat in known.leaves or known.faults(seat, root))
        return frozenset(gone)

    def _tell_away(self, now: float) -> None:
        told_after = TOLD_SECONDS if self._presence.rested(now) else ASLEEP_TOLD_SECONDS
        slow = self.late(now)
        for seat in self._in:
            since, late = self.since(seat, now), seat in slow
            if since is not None and (late or now - since >= told_after):
                self._told.add(seat)
                self._out.show(Away(seat, now - since, self._left(seat, now - since), late))

    def _left(self, seat: int, away: float) -> float:
        """The seconds that a seat may be away still."""
        if self._within is not None and self.begins:
            return max(0.0, self._within - away)
        return self.grace.left(seat)

    def _tell_waiting(self, now: float) -> None:
        """Who is waited for; of the own seat what it should know: that its time is nearly over."""
        since, own = self._person_since, self._session.seat
        if since is None:
            return
        # Nobody knows here what was decided while this machine slept.
        waited = now - since - self._slept
        wait = self._least - waited
        votes = own in self._session.state.seats
        may = votes and not self._session.referee.two_sides
        told = self._presence.heard(now) | ({own} if may and wait <= WAITING_SECONDS else set())
        seats = tuple(seat for seat in self._session.referee.waiting().seats if seat in told)
        minute = waited >= WAITING_SECONDS * (self._minutes + 1)
        ripe = wait <= 0 and not self._ripe
        if not seats or not (minute or ripe):
            return
        self._minutes, self._ripe = int(waited // WAITING_SECONDS), wait <= 0
        self._out.show(Waiting(seats, waited, max(0.0, wait) if may else None))
