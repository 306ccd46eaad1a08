"""Whether a vote counts, for who has what it rests on."""

from collections.abc import Iterable

from p2p.session.leaving.ground import Ground, by_seat, may_go
from p2p.session.leaving.known import VERSIONS, Known
from p2p.session.leaving.votes import Vote
from p2p.wire.envelope import MATCH_LADDER, Message, Place
from p2p.wire.out import Out


def counts(vote: Vote, ground: Ground, known: Known) -> bool:
    """Whether a vote counts for who has `known`: it names this very step, has a right list with its
    proofs, and holds only messages of that step that one has."""
    message = vote.message
    here = (message.root, message.ladder, message.step, message.previous)
    if here != (ground.root, MATCH_LADDER, ground.step, ground.previous):
        return False
    if vote.seat not in ground.stay(vote.out) or not may_go(vote.body.out, ground):
        return False
    held = [known.messages.get(one) for one in vote.body.held]
    there = [one for one in held if one is not None and _is_of(one, ground)]
    if len(there) < len(held) or (ground.opens and vote.seat not in by_seat(there)):
        return False
    if not all(_proven(one, vote.body.out, ground, known) for one in vote.body.out):
        return False
    idle = [one for one in vote.body.out if one.reason == "idle"]
    if not all(
        _goes_with_owner(one, vote.body.out, ground) or _is_idle(one.seat, ground, there)
        for one in idle
    ):
        return False
    return vote.body.reach <= ground.step or _has_two_versions(vote.body.out, ground, known)


def _is_of(message: Message, ground: Ground) -> bool:
    """Whether it is a message of the step: of one who must speak there, and of the right form."""
    place = Place(ground.root, MATCH_LADDER, ground.step, message.seat)
    there = message.place == place and message.previous == ground.previous
    return there and message.seat in ground.speakers and ground.fits(message)


def _goes_with_owner(one: Out, outs: tuple[Out, ...], ground: Ground) -> bool:
    """Whether it is a bot that goes for the reason of its owner, with the owner's proof."""
    owner = ground.owners[one.seat]
    return owner != one.seat and any(
        other.seat == owner and (other.reason, other.proof) == (one.reason, one.proof)
        for other in outs
    )


def _proven(one: Out, outs: tuple[Out, ...], ground: Ground, known: Known) -> bool:
    if _goes_with_owner(one, outs, ground):
        return True
    if one.reason == "left":
        left = known.leave_of(one.proof[0]) if len(one.proof) == 1 else None
        return left is not None and left.seat == one.seat
    if one.reason == "fault":
        return bool(one.proof) and known.proves_fault(one.seat, one.proof, ground.root)
    return not one.proof


def _is_idle(seat: int, ground: Ground, held: Iterable[Message]) -> bool:
    """Whether this very step waits for the decision of that seat, a person's or a bot's."""
    owes = ground.person and seat in ground.speakers
    return owes and all(message.seat != seat for message in held)


def _has_two_versions(outs: tuple[Out, ...], ground: Ground, known: Known) -> bool:
    """Whether somebody goes who said two things at this step: only then later ones are undone."""

    def here(seat: int) -> set[bytes]:
        place = Place(ground.root, MATCH_LADDER, ground.step, seat)
        return {version.id for version in known.versions(place)}

    return any(
        one.reason == "fault" and len(one.proof) == VERSIONS and set(one.proof) <= here(one.seat)
        for one in outs
    )
