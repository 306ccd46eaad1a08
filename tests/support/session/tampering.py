"""Every way to alter one value of a proof that tests try, and every place a proof is moved to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.group import Point, Q, encode_scalar, hash_to_point

FIELD = 32
STRANGER = hash_to_point(b"a point that belongs to no statement")
# An even number below P that has no point: what only decoding, or multiplying, finds.
NO_POINT = b"" + bytes(FIELD - 1)


def _with(data: bytes, at: int, value: bytes) -> bytes:
    return data[: at * FIELD] + value + data[(at + 1) * FIELD :]


def altered(data: bytes, points: int) -> Iterator[bytes]:
    """The proof with each field altered in each way; the first `points` fields are points.

    A point becomes another valid one, ff..ff, the identity, a number without a point, and both
    itself and the identity with the top bit set, which some decoders ignore; a scalar becomes its
    successor, ff..ff, zero, and its own value plus the group order.
    """
    for at in range(len(data) // FIELD):
        field = data[at * FIELD : (at + 1) * FIELD]
        values = [b"\xff" * FIELD, bytes(FIELD)]
        if at < points:
            values.append(NO_POINT)
            values.append((Point(field) + STRANGER).raw)
            values += [with_top_bit(field), with_top_bit(bytes(FIELD))]
        else:
            number = int.from_bytes(field, "little")
            values.append(encode_scalar(number + 1))
            values.append((number + Q).to_bytes(FIELD, "little"))
        yield from (_with(data, at, value) for value in values if value != field)


def with_top_bit(field: bytes) -> bytes:
    """The 32 bytes with their last bit set: no encoding, whatever they encoded before."""
    return field[:-1] + bytes([field[-1] | 0x80])


def misshapen(data: bytes) -> Iterator[bytes]:
    """The proof empty, cut, lengthened, doubled, and with its fields in another order."""
    fields = [data[at : at + FIELD] for at in range(0, len(data), FIELD)]
    yield from (b"", data[:-1], data[:-FIELD], data + b"\x00", data + bytes(FIELD), data + data)
    yield b"".join(fields[1:] + fields[:1])
    yield b"".join([*fields[:-2], fields[-1], fields[-2]])


CONTEXT = DealContext(1, b"T" * 32, 7, (0, 1, 3))
SEAT, STEP, KIND = 1, b"ladder/12", b"kind"


def place() -> Challenge:
    """The challenge of the place where tests make their proofs."""
    return Challenge(CONTEXT, SEAT, STEP, KIND)


def other_places() -> dict[str, Challenge]:
    """The same proof at another seat, deal, table, step and so on, by what differs."""
    return {
        "version": Challenge(replace(CONTEXT, version=2), SEAT, STEP, KIND),
        "table": Challenge(replace(CONTEXT, root=b"U" * 32), SEAT, STEP, KIND),
        "deal": Challenge(replace(CONTEXT, deal=8), SEAT, STEP, KIND),
        "seats": Challenge(replace(CONTEXT, seats=(0, 1)), SEAT, STEP, KIND),
        "seat": Challenge(CONTEXT, 3, STEP, KIND),
        "step": Challenge(CONTEXT, SEAT, b"ladder/13", KIND),
        "kind": Challenge(CONTEXT, SEAT, STEP, b"king"),
    }


def again(challenge: Challenge) -> Challenge:
    """A second object in the same state, for the same proof checked in another way."""
    copy = object.__new__(Challenge)
    copy._hash, copy._said = challenge._taken().copy(), []
    return copy
