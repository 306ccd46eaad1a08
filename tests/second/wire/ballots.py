"""The form of what a vote says (14.6)."""

from dataclasses import dataclass

from second.refusing import demand
from second.wire.values import Value, integer, listed, octets, strictly_ascending, text

REASONS = ("fault", "left", "idle", "absent")
"""In the order in which they count."""

Out = dict[int, tuple[str, tuple[bytes, ...]]]


@dataclass(frozen=True)
class Ballot:
    """A round, who goes by seat, ids of what is held, how far the voter has come."""

    round: int
    out: Out
    held: tuple[bytes, ...]
    reach: int


def ids_of(value: Value, most: int) -> tuple[bytes, ...]:
    """Ids, ascending, at most so many."""
    ids = tuple(octets(item, 32) for item in listed(value))
    demand(len(ids) <= most and strictly_ascending(ids), "no such ids")
    return ids


def out_of(value: Value) -> Out:
    """The list of seats with reason and proof, as in a wish."""
    out: Out = {}
    seats = []
    for item in listed(value):
        seat, reason, proof = listed(item, 3)
        seats.append(integer(seat, 0, 3))
        demand(text(reason) in REASONS, "no reason")
        out[seat] = (reason, ids_of(proof, 2))
    demand(strictly_ascending(seats), "seats out of order")
    return out


def ballot_of(body: list[Value]) -> Ballot:
    """What the body of a vote says; refused if it says nothing by its shape."""
    number, out, held, reach = listed(body, 4)
    return Ballot(
        integer(number, 1, 16), out_of(out), ids_of(held, 8), integer(reach, 0, 2**32 - 1)
    )
