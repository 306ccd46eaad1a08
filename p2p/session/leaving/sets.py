"""Sets of votes: one of each who stays. Which of several counts, and whether any does."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from p2p.session.leaving.counting import counts
from p2p.session.leaving.ground import PROVEN, Ground, by_seat
from p2p.session.leaving.known import Known, agrees_to_votes
from p2p.session.leaving.voices import enough, voices
from p2p.session.leaving.votes import Vote
from p2p.wire.envelope import MATCH_LADDER, Message, Place
from p2p.wire.messages import AgreeBody
from p2p.wire.out import Out

RETIRE_LABEL = b"allfives retire\0"
# A set that shares so many voices with a final one of an earlier round takes its place.
SHARED_VOICES = 2


@dataclass(frozen=True)
class VoteSet:
    """The votes of all who stay, by seat, on one step and in one round, for one list of seats; and
    the messages of that step that they hold together, by seat and id."""

    votes: tuple[Vote, ...]
    union: tuple[Message, ...]

    @property
    def step(self) -> int:
        """The step that they close."""
        return self.votes[0].message.step

    @property
    def era(self) -> bytes:
        """The root of that step."""
        return self.votes[0].message.root

    @property
    def round(self) -> int:
        """Of the votes."""
        return self.votes[0].round

    @property
    def by(self) -> tuple[int, ...]:
        """The voters: those who stay."""
        return tuple(vote.seat for vote in self.votes)

    @cached_property
    def root(self) -> bytes:
        """T of the step, and the root of the era that begins: 32 bytes."""
        previous = self.votes[0].message.previous
        ids = b"".join(vote.message.id for vote in self.votes)
        return hashlib.sha256(RETIRE_LABEL + previous + ids).digest()

    @cached_property
    def outs(self) -> tuple[Out, ...]:
        """Who goes, by seat, with the reason and the proof of least ids that any vote gives."""
        found = [min(self._given(seat), key=_rank) for seat in sorted(self.votes[0].out)]
        return tuple(found)

    def _given(self, seat: int) -> Iterator[Out]:
        return (one for vote in self.votes for one in vote.body.out if one.seat == seat)

    @cached_property
    def proofs(self) -> frozenset[bytes]:
        """The ids of all that the votes name as proof."""
        return frozenset(one for vote in self.votes for out in vote.body.out for one in out.proof)

    @property
    def reasons(self) -> Mapping[int, str]:
        """Why each goes."""
        return {one.seat: one.reason for one in self.outs}


def _rank(out: Out) -> tuple[int, tuple[bytes, ...]]:
    """What is proven goes before what is only said."""
    return ("fault", "left", "idle", "absent").index(out.reason), out.proof


def sets_of(ground: Ground, known: Known) -> list[VoteSet]:
    """All sets on a step that leave it incomplete."""
    votes = [one for one in known.votes(ground.root, ground.step) if counts(one, ground, known)]
    found: list[VoteSet] = []
    for chosen in _together(votes, ground):
        union = _union(chosen, known)
        if _leaves_open(union, ground, chosen[0].out) and _still_idle(chosen, union):
            found.append(VoteSet(chosen, union))
    return found


def _together(votes: Sequence[Vote], ground: Ground) -> Iterator[tuple[Vote, ...]]:
    """Votes of all who stay, in one round and for one list."""
    for number, out in sorted({(vote.round, tuple(sorted(vote.out))) for vote in votes}):
        alike = [vote for vote in votes if (vote.round, vote.out) == (number, frozenset(out))]
        yield from product(
            *([vote for vote in alike if vote.seat == seat] for seat in ground.stay(out))
        )


def _union(votes: Iterable[Vote], known: Known) -> tuple[Message, ...]:
    ids = {one for vote in votes for one in vote.body.held}
    return tuple(sorted((known.messages[one] for one in ids), key=lambda one: (one.seat, one.id)))


def _leaves_open(union: Sequence[Message], ground: Ground, out: Collection[int]) -> bool:
    """Whether the step stays incomplete, and no one who stays has said two things."""
    twice = [seat for seat, said in by_seat(union).items() if len(said) > 1]
    return not ground.completed_by(union) and set(twice) <= set(out)


def _still_idle(votes: Iterable[Vote], union: Sequence[Message]) -> bool:
    """Whether nobody who goes for saying nothing has said what it owes, as another voter knows."""
    idle = {one.seat for vote in votes for one in vote.body.out if one.reason == "idle"}
    return not idle & {message.seat for message in union}


Finals = dict[tuple[bytes, int], VoteSet]
"""By root and step the final set that one saw."""


def agreed(one: VoteSet, seat: int, known: Known) -> bool:
    """Whether a voter has said, under the new root, that it goes on from there."""
    place = Place(one.root, MATCH_LADDER, one.step + 1, seat)
    said = known.versions(place)
    return any(message.kind == AgreeBody.kind and message.previous == one.root for message in said)


def is_agreed_to(message: Message, known: Known) -> bool:
    """Whether somebody goes on from votes of which this one is a part: then it is wanted, however
    many others its signer has shown in that round. DecodeError if it says nothing."""
    mine = Vote.read(message)
    alike = [
        one
        for one in known.votes(message.root, message.step)
        if (one.round, one.out) == (mine.round, mine.out) and one.seat != mine.seat
    ]
    seats = sorted({one.seat for one in alike} - mine.out)
    each = [[one for one in alike if one.seat == seat] for seat in seats]
    sets = (sorted((mine, *others), key=lambda one: one.seat) for others in product(*each))
    return any(VoteSet(tuple(one), ()).root in known.roots for one in sets)


def is_final(one: VoteSet, known: Known) -> bool:
    """Whether all voters have agreed."""
    return all(agreed(one, seat, known) for seat in one.by)


def is_settled(one: VoteSet, ground: Ground, known: Known) -> bool:
    """Whether a set of votes on that ground is final, or one behind it is that puts out who has not
    agreed: those who stay then have gone on from both, and nothing that the others show of these
    votes, however late, takes that back."""
    if is_final(one, known):
        return True
    behind = _behind(one, ground)
    return any(is_settled(later, behind, known) for later in sets_of(behind, known))


def _behind(one: VoteSet, ground: Ground) -> Ground:
    """The first step under the root of a set that is not final: `agree` by all who stay. What it
    decides of the match is left out: those who went on from there have weighed it."""
    return Ground(
        root=one.root,
        step=one.step + 1,
        previous=one.root,
        seats=one.by,
        final=ground.final,
        lost=(*ground.lost, *(seat for seat, why in one.reasons.items() if why in PROVEN)),
        owners=ground.owners,
        speakers=one.by,
        sides=ground.sides,
        fits=agrees_to_votes,
    )


def is_beyond(vote: Vote, known: Known) -> bool:
    """Whether a voter spoke in that era above the step, and above what it said it had spoken."""
    era, step = vote.message.root, vote.message.step
    return known.highest.get((era, vote.seat), 0) > max(step, vote.body.reach)


def is_spoiled(one: VoteSet, known: Known) -> bool:
    """Whether a voter is seen with two votes in the round or one of a later round, or beyond the
    step; or has left before it agreed."""
    return any(
        is_beyond(vote, known)
        or _voted_otherwise(one, vote, known)
        or (vote.seat in known.leaves and not agreed(one, vote.seat, known))
        for vote in one.votes
    )


def _voted_otherwise(one: VoteSet, vote: Vote, known: Known) -> bool:
    own = [other for other in known.votes(one.era, one.step) if other.seat == vote.seat]
    return any(other.round > one.round for other in own) or any(
        other.round == one.round and other.message.id != vote.message.id for other in own
    )


def is_dead(one: VoteSet, known: Known, finals: Finals) -> bool:
    """Whether every voter went on: spoke beyond the step, or was put out behind it for good. Then
    no `agree` that was kept back brings the set to life."""
    return all(is_beyond(vote, known) or _went_later(one, vote.seat, finals) for vote in one.votes)


def _went_later(one: VoteSet, seat: int, finals: Finals) -> bool:
    return any(
        root == one.era and step > one.step and seat in final.reasons
        for (root, step), final in finals.items()
    )


def _finals_behind(ground: Ground, known: Known) -> Finals:
    """The final sets of later steps of that era, also where one went another way and cannot weigh
    what they rest on: whoever stays has agreed, and they are more than half of all voices."""
    found: Finals = {}
    for root, step in known.voted():
        if root == ground.root and step > ground.step:
            sets = (VoteSet(one, ()) for one in _together(known.votes(root, step), ground) if one)
            many = (one for one in sets if enough(one.by, ground.final, (), ground.owners))
            found.update(((root, step), one) for one in many if is_settled(one, ground, known))
    return found


def choose(ground: Ground, known: Known, finals: Finals) -> VoteSet | None:
    """The set that closes a step, if one does: a final one or one that a final one rests on, else
    of those that nobody spoiled the one of the latest round. Notes in `finals` what is settled."""
    seen = {**_finals_behind(ground, known), **finals}
    alive = [one for one in sets_of(ground, known) if not is_dead(one, known, seen)]
    final = [one for one in alive if is_settled(one, ground, known)]
    if final:
        chosen = _final(final, finals.get((ground.root, ground.step)), ground)
        finals[ground.root, ground.step] = chosen
        return chosen
    whole = [one for one in alive if not is_spoiled(one, known)]
    return max(whole, key=lambda one: (one.round, one.root), default=None)


def _final(final: Sequence[VoteSet], seen: VoteSet | None, ground: Ground) -> VoteSet:
    """The first final set that was seen; one of a later round that shares two voices with it
    replaces it."""
    latest = max(final, key=lambda one: (one.round, one.root))
    if seen is None or all(one.root != seen.root for one in final):
        return latest
    shared = voices(seen.by, ground.owners) & voices(latest.by, ground.owners)
    return latest if latest.round > seen.round and len(shared) >= SHARED_VOICES else seen
