"""ristretto255 over rbcl (section 2): points are their 32 bytes, scalars are integers mod Q.

The library's traps: it ignores the top bit of a point, clears the top bit of a scalar, and takes
neither zero nor the identity as a factor. So points are checked as numbers first, scalars are
reduced, and products with 0 and the identity are made here.
"""

import functools
import hashlib
from collections.abc import Iterable

import rbcl

from second.refusing import RefusedError, demand

Q = 2**252 + 27742317777372353535851937790883648493
IDENTITY = bytes(32)


def point(data: bytes) -> bytes:
    """The point that a peer sent: in its one encoding and not the identity, else refused."""
    demand(len(data) == 32, "a point is 32 bytes")
    number = int.from_bytes(data, "little")
    demand(number < 2**255 - 19 and number % 2 == 0 and number != 0, "a point in no valid encoding")
    demand(bool(rbcl.crypto_core_ristretto255_is_valid_point(data)), "no point")
    return data


def scalar(data: bytes) -> int:
    """The scalar in 32 little-endian bytes; Q or more is refused."""
    demand(len(data) == 32, "a scalar is 32 bytes")
    number = int.from_bytes(data, "little")
    demand(number < Q, "a scalar of q or more")
    return number


def scalar_bytes(number: int) -> bytes:
    """32 little-endian bytes of a number mod Q."""
    return (number % Q).to_bytes(32, "little")


def add(left: bytes, right: bytes) -> bytes:
    """The sum of two points."""
    result: bytes = rbcl.crypto_core_ristretto255_add(left, right)
    return result


def subtract(left: bytes, right: bytes) -> bytes:
    """left - right."""
    result: bytes = rbcl.crypto_core_ristretto255_sub(left, right)
    return result


def multiply(number: int, base: bytes) -> bytes:
    """number * base."""
    number %= Q
    if number == 0 or base == IDENTITY:
        return IDENTITY
    if number == 1:
        return base
    result: bytes = rbcl.crypto_scalarmult_ristretto255(number.to_bytes(32, "little"), base)
    return result


def times_base(number: int) -> bytes:
    """number * G."""
    number %= Q
    if number == 0:
        return IDENTITY
    result: bytes = rbcl.crypto_scalarmult_ristretto255_base(number.to_bytes(32, "little"))
    return result


def total(points: Iterable[bytes]) -> bytes:
    """The sum of points."""
    return functools.reduce(add, points, IDENTITY)


def combine(terms: Iterable[tuple[int, bytes]]) -> bytes:
    """The sum of number * point; terms of one point are joined first."""
    joined: dict[bytes, int] = {}
    for number, base in terms:
        joined[base] = (joined.get(base, 0) + number) % Q
    return total(
        times_base(number) if base == BASE else multiply(number, base)
        for base, number in joined.items()
    )


@functools.cache
def mapped(label: str) -> bytes:
    """map(label): the element that SHA-512(label) is mapped to (RFC 9496, section 4.3.4)."""
    digest = hashlib.sha512(label.encode()).digest()
    result: bytes = rbcl.crypto_core_ristretto255_from_hash(digest)
    return result


def tile_point(tile: int) -> bytes:
    """M_t (11.2)."""
    return mapped(f"allfives tile {tile}")


def base_h(index: int) -> bytes:
    """H_i, from 1."""
    return mapped(f"allfives base H {index}")


def base_k(index: int) -> bytes:
    """K_j, from 1."""
    return mapped(f"allfives base K {index}")


def base_k_prime(index: int) -> bytes:
    """K'_j, from 1."""
    return mapped(f"allfives base K' {index}")


@functools.cache
def tiles_by_point() -> dict[bytes, int]:
    """From M_t to t."""
    return {tile_point(tile): tile for tile in range(28)}


def tile_of(element: bytes) -> int:
    """The tile whose point this is; refused if there is none."""
    if element not in tiles_by_point():
        raise RefusedError("a slot of no tile")
    return tiles_by_point()[element]


BASE = times_base(1)
