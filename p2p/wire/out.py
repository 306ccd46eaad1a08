"""Who is to go out of a match, and why: in a wish (talk) and in a vote (messages) the same."""

from functools import partial
from typing import Annotated, Literal, TypeAlias

from engine.seats import MAX_SEATS
from p2p.wire.codec import DecodeError, integer, list_of, octets
from p2p.wire.envelope import HASH_BYTES
from p2p.wire.shape import Shape

Reason: TypeAlias = Literal["left", "fault", "absent", "idle"]
REASONS: dict[str, Reason] = {
    "left": "left",
    "fault": "fault",
    "absent": "absent",
    "idle": "idle",
}
# The leave, or the one or two messages of the evidence.
PROOFS_MOST = 2


def _reason(value: object) -> Reason:
    if not isinstance(value, str) or value not in REASONS:
        raise DecodeError("a reason to go out that is none")
    return REASONS[value]


def _proof(value: object) -> tuple[bytes, ...]:
    ids = tuple(list_of(value, partial(octets, size=HASH_BYTES), high=PROOFS_MOST))
    if list(ids) != sorted(set(ids)):
        raise DecodeError("proofs that are not in order")
    return ids


class Out(Shape):
    """A seat to go out, the reason, and the ids of what proves it, ascending ([] for none)."""

    seat: Annotated[int, partial(integer, high=MAX_SEATS - 1)]
    reason: Annotated[Reason, _reason]
    proof: Annotated[tuple[bytes, ...], _proof]


def read_outs(value: object) -> tuple[Out, ...]:
    """A list of seats to go out, ascending; it may be empty. Raises DecodeError."""
    outs = tuple(list_of(value, Out.read, high=MAX_SEATS))
    seats = [one.seat for one in outs]
    if seats != sorted(set(seats)):
        raise DecodeError("seats to go out that are not in order")
    return outs
