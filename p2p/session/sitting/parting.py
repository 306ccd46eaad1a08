"""Going on without somebody: what this seat's program wishes by itself, and when it votes.

A wish binds nothing and the newest counts. A vote is given when all who stay wish the same; it is
given again when another votes in a later round, or after a while.
"""

import math
from collections.abc import Collection, Iterable

from p2p.session.leaving.counting import counts
from p2p.session.leaving.ground import PROVEN, Ground, may_go, rounds_for
from p2p.session.leaving.sets import is_beyond
from p2p.session.leaving.votes import Vote
from p2p.session.output import Output
from p2p.session.session import Session
from p2p.session.sitting.attendance import TWO_SIDES, Attendance
from p2p.session.sitting.owner import OutWished, Refused
from p2p.session.sitting.presence import Presence
from p2p.session.sitting.talking import Talking
from p2p.wire.envelope import MATCH_LADDER
from p2p.wire.out import Out
from p2p.wire.talk import Leave, Wished

# A wish is said anew so seldom, and a vote in the next round.
WISH_SECONDS = 10.0
ROUND_SECONDS = 30.0


class Parting:
    """The wishes and votes of one seat in one match."""

    def __init__(
        self, session: Session, presence: Presence, attendance: Attendance, talking: Talking
    ) -> None:
        self._session, self._presence = session, presence
        self._attendance, self._talking = attendance, talking
        self._idle: set[int] = set()
        self._told: dict[int, tuple[int, ...]] = {}
        self._wished_at = -WISH_SECONDS
        self._voted_at = 0.0
        self._voted: tuple[bytes, int] | None = None
        self._by_proof_since: float | None = None
        self._by_proof: frozenset[int] = frozenset()

    @property
    def _may_vote(self) -> bool:
        session = self._session
        here = session.seat in session.state.seats and not session.mute
        return here and not session.finished and not session.referee.two_sides

    def holds(self, now: float) -> bool:
        """Whether what is decided here waits, a while: a list by proof stands, and all who stay can
        only vote where nobody plays on meanwhile."""
        since = self._by_proof_since
        return self._may_vote and since is not None and now - since < ROUND_SECONDS

    def put_out(self, seat: int, now: float) -> OutWished | Refused:
        """The owner would go on without a person who is waited for; or why it cannot be."""
        if self._session.referee.two_sides:
            return Refused("Two sides cannot go on without one of them.")
        if self._session.seat not in self._session.state.seats:
            return Refused("You are out of this match: those who play decide who goes on.")
        seconds = self._attendance.wait_left(seat, now)
        if seconds > 0:
            minutes, rest = divmod(math.ceil(seconds), 60)
            name = self._session.table.name(seat)
            more = f"{minutes}:{rest:02} more of waiting"
            return Refused(f"{name} may be put out only after {more}.")
        self._idle.add(seat)
        return OutWished(self._session.seat, (seat,))

    def wished(self, seat: int) -> OutWished | None:
        """Whom a seat would not wait for any longer, if that is news."""
        word = self._talking.words.newest(seat, Wished)
        said = () if word is None or not isinstance(word.said, Wished) else word.said.out
        idle = tuple(out.seat for out in said if out.reason == "idle")
        if idle == self._told.get(seat, ()):
            return None
        self._told[seat] = idle
        return OutWished(seat, idle)

    def tick(self, now: float, paused: bool) -> Output | None:
        """Wish what is to be wished; vote, when all who stay wish it. What the session gave; in a
        pause, and after a sleep of this machine, nothing."""
        if not self._may_vote or paused or not self._presence.rested(now):
            self._attendance.owe_votes((), now)
            return None
        step = self._step()
        ground = self._session.course.ground(step)
        outs = self._list(ground, now)
        self._wish(ground, outs, now)
        stay = ground.stay(out.seat for out in outs)
        self._attendance.owe_votes(self._owing(ground, outs, now), now)
        if not outs or not all(self._wishes_it(seat, ground, outs) for seat in stay):
            return None
        if not self._is_time(ground, outs, now):
            return None
        self._voted, self._voted_at = (ground.root, ground.step), now
        return self._session.vote(outs, step)

    def given_up(self, now: float) -> str | None:
        """Why the match does not go on without those who are away: one clause, if it does not. One
        that is decided has not to go on, and who is out only looks on."""
        state, used = self._session.state, self._attendance.used_up(now)
        minutes, seconds = divmod(int(self._attendance.grace.limit), 60)
        heard = f"heard for {minutes}:{seconds:02} in all, as seen from here"
        if state.is_decided() or self._session.seat not in state.seats or self._is_led(now):
            return None
        if used and not self._possible(now):
            return f"{self._session.table.name(used[0])} was not {heard}"
        two = len(state.seats) == TWO_SIDES
        if two and self._attendance.alone(now) and self._attendance.lost(now):
            # It owes nothing, as far as is seen here: it may have ended the match.
            return f"Nobody else of this match was {heard}"
        return None

    def _is_led(self, now: float) -> bool:
        """Whether it is a bot whose person is there: that one gives up for both."""
        own = self._session.seat
        owner = self._session.table.owners[own]
        return owner != own and owner in self._presence.heard(now)

    def unsigned(self, now: float) -> str | None:
        """Why a decided match ends without the result of all: one sentence, once nobody is waited
        for any longer, neither who owes something nor who is away and may lack something."""
        referee, own = self._session.referee, self._session.seat
        if not referee.state.is_decided():
            return None
        others = [seat for seat in referee.state.seats if seat != own]
        left = {seat for seat in others if self._talking.words.newest(seat, Leave)}
        gone = left.union(self._attendance.lost(now))
        heard = self._presence.heard(now)
        there = [seat for seat in others if seat not in gone]
        owed = [seat for seat in others if seat in gone and referee.owes(seat)]
        if any(seat not in heard or referee.owes(seat) for seat in there):
            return None
        if there and referee.owes(own):
            # It has come back, and speaks as soon as they have shown what they have of it.
            return None
        if owed:
            name = self._session.table.name(owed[0])
            how = "left" if owed[0] in left else "was away"
            return f"{name} {how} before signing the result."
        return None if there else "All others were gone before your seat had signed the result."

    def _possible(self, now: float) -> bool:
        """Whether the others that are heard can go on without those that are not: with or without
        those too who are to go by proof, who count as no absence then."""
        if not self._may_vote:
            return False
        ground = self._session.course.ground(self._step())
        used = self._attendance.used_up(now)
        away = [Out(seat, "absent", ()) for seat in used if seat in ground.seats]
        # Of two reasons for a seat the last counts.
        lists = (away, [*away, *self._proven(ground)])
        return any(may_go(self._with_bots(one, ground), ground) for one in lists)

    # What is wished

    def _list(self, ground: Ground, now: float) -> tuple[Out, ...]:
        """Who is to go, each with the reason and the proof that this seat has."""
        proven = self._with_bots(self._proven(ground), ground)
        by_proof = proven if may_go(proven, ground) else ()
        since = self._by_proof_since
        self._by_proof_since = (now if since is None else since) if by_proof else None
        self._by_proof = frozenset(out.seat for out in by_proof)
        gone = {out.seat for out in proven}
        said = [Out(seat, "absent", ()) for seat in self._absent(ground, now, gone)]
        gone |= {out.seat for out in said}
        said += [Out(seat, "idle", ()) for seat in self._idle_now(ground, now) if seat not in gone]
        whole = self._with_bots([*proven, *said], ground)
        stay = set(ground.stay(out.seat for out in whole)) - {self._session.seat}
        right = said and may_go(whole, ground) and stay <= self._presence.heard(now)
        return whole if right else by_proof

    def _proven(self, ground: Ground) -> list[Out]:
        known, found = self._session.course.known, []
        for seat in ground.seats:
            faults = known.faults(seat, ground.root, ground.step)
            if seat == self._session.seat:
                continue
            if faults:
                found.append(Out(seat, "fault", faults[0]))
            elif seat in known.leaves and ground.winners is None:
                found.append(Out(seat, "left", (known.leaves[seat].id,)))
        return found

    def _absent(self, ground: Ground, now: float, gone: set[int]) -> list[int]:
        """The seats that are away, have no grace left, and owe something: the step, or, where
        another owes that or a list by proof has stood for a while, their wish and vote."""
        if ground.winners is not None:
            return []
        stands = self._by_proof_since
        by_proof = stands is not None and now - stands >= ROUND_SECONDS
        faulty = any(self._session.course.known.faults(seat, ground.root) for seat in ground.seats)
        late = self._attendance.late(now)
        votes = by_proof or bool(self._attendance.used_up(now))
        used = set(self._attendance.used_up(now, also_idle=votes))
        # A seat that is heard may only stand on the other version, while its signer is in.
        excused = late if faulty else frozenset()
        return [seat for seat in ground.seats if seat in used - gone - excused]

    def _idle_now(self, ground: Ground, now: float) -> list[int]:
        """The persons that this seat's person would not wait for any longer; of a bot, those for
        whom no person who stays waits any longer."""
        owes = set(self._session.referee.missing(MATCH_LADDER)) if ground.person else set()
        self._idle &= owes
        if ground.owners[self._session.seat] == self._session.seat:
            return sorted(seat for seat in self._idle if self._attendance.wait_left(seat, now) <= 0)
        return sorted(seat for seat in owes if self._all_persons_wish(seat, ground))

    def _all_persons_wish(self, seat: int, ground: Ground) -> bool:
        persons = [one for one in ground.stay((seat,)) if ground.owners[one] == one]
        wishes = (self._wish_of(one, ground) for one in persons)
        return bool(persons) and all(
            any(out.seat == seat and out.reason == "idle" for out in outs) for outs in wishes
        )

    def _with_bots(self, outs: Iterable[Out], ground: Ground) -> tuple[Out, ...]:
        """The list, with the bots of those who go, each for the reason of its owner."""
        by_seat = {out.seat: out for out in outs}
        for seat in ground.seats:
            owner = by_seat.get(ground.owners[seat])
            if owner is not None and seat not in by_seat:
                by_seat[seat] = Out(seat, owner.reason, owner.proof)
        return tuple(by_seat[seat] for seat in sorted(by_seat))

    def _step(self) -> int:
        """The open step; or the earliest of this era at which somebody said two things, of which
        each may be the one that others go on from, while one who stays has said nothing after it on
        the way that this seat goes."""
        referee, course = self._session.referee, self._session.course
        ladder = referee.ladders[MATCH_LADDER]
        for place in course.known.doubled(referee.root):
            if ladder.first <= place.step < ladder.step:
                spoken = ladder.steps.speakers(place.step).union(ladder.open)
                stay = {seat for seat in referee.state.seats if seat != place.seat}
                both = course.fitting(course.ground(place.step), place.seat)
                if len(both) > 1 and not stay <= spoken:
                    return place.step
        return ladder.step

    # What is said

    def _wish(self, ground: Ground, outs: tuple[Out, ...], now: float) -> None:
        newest = self._talking.words.newest(self._session.seat, Wished)
        said = newest.said if newest is not None else None
        old = said.out if isinstance(said, Wished) else ()
        wished = Wished(ground.root, ground.step, ground.previous, outs)
        if (outs or old) and said != wished and now - self._wished_at >= WISH_SECONDS:
            self._wished_at = now
            self._talking.tell(wished)

    def _wish_of(self, seat: int, ground: Ground) -> tuple[Out, ...]:
        """What a seat wishes for that very step; what is proven is so at every step of the era."""
        word = self._talking.words.newest(seat, Wished)
        said = None if word is None else word.said
        if not isinstance(said, Wished):
            return ()
        proven = all(out.reason in PROVEN for out in said.out) and said.root == ground.root
        here = (said.root, said.step, said.previous)
        return said.out if proven or here == (ground.root, ground.step, ground.previous) else ()

    def _wishes_it(self, seat: int, ground: Ground, outs: tuple[Out, ...]) -> bool:
        wished = self._wish_of(seat, ground)
        return {out.seat for out in wished} == {out.seat for out in outs}

    def _owing(self, ground: Ground, outs: tuple[Out, ...], now: float) -> list[int]:
        """Where a list by proof has stood for a while: who does not wish that, or what is wished
        now; or, if all do, who has not voted so last."""
        since = self._by_proof_since
        if since is None or now - since < ROUND_SECONDS:
            return []
        lists = (self._by_proof, frozenset(one.seat for one in outs))
        stay = ground.stay(self._by_proof)
        wishes = {seat: {out.seat for out in self._wish_of(seat, ground)} for seat in stay}
        behind = [seat for seat in stay if wishes[seat] not in lists]
        return behind or [seat for seat in stay if not self._votes_for(seat, ground, lists)]

    def _votes_for(self, seat: int, ground: Ground, lists: Collection[frozenset[int]]) -> bool:
        """Whether the newest vote of a seat on that step is for one of these, and counts here: who
        names in it what it shows nobody, or speaks behind it, has given none."""
        known = self._session.course.known
        votes = known.votes(ground.root, ground.step)
        newest = max((vote for vote in votes if vote.seat == seat), key=_round, default=None)
        if newest is None or newest.out not in lists or is_beyond(newest, known):
            return False
        return newest.round <= rounds_for(newest.out, ground) and counts(newest, ground, known)

    def _is_time(self, ground: Ground, outs: tuple[Out, ...], now: float) -> bool:
        """Whether this seat has not voted there yet, or may vote in the next round."""
        votes = self._session.course.known.votes(ground.root, ground.step)
        own = max((vote.round for vote in votes if vote.seat == self._session.seat), default=0)
        if self._voted != (ground.root, ground.step):
            # After a start the time of a vote begins anew.
            self._voted, self._voted_at = (ground.root, ground.step), now
        out = frozenset(one.seat for one in outs)
        last = rounds_for(out, ground)
        later = any(own < vote.round <= last for vote in votes if vote.out == out)
        if own >= last:
            return False
        return own == 0 or later or now - self._voted_at >= ROUND_SECONDS


def _round(vote: Vote) -> int:
    return vote.round
