"""Commitment bases: points of fixed labels, so that nobody knows a relation between them.

The shuffle commits over H_1..H_N, the one-of-many argument over K_1..K_n and K'_1..K'_n
(`arguments`: Groth, J. Cryptology 2010; Bootle and others, ESORICS 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from p2p.crypto.group import Point, combine, hash_to_point


@cache
def _family(name: str, size: int) -> tuple[Point, ...]:
    return tuple(hash_to_point(f"allfives base {name} {at}".encode()) for at in range(1, size + 1))


def shuffle_bases(size: int) -> tuple[Point, ...]:
    """H_1..H_size."""
    return _family("H", size)


def selector_bases(size: int) -> tuple[Point, ...]:
    """K_1..K_size, for the selectors themselves."""
    return _family("K", size)


def product_bases(size: int) -> tuple[Point, ...]:
    """K'_1..K'_size, for the products that show a selector to be 0 or 1."""
    return _family("K'", size)


def commit(values: Sequence[int], randomness: int, size: int) -> Point:
    """com(values; randomness) = randomness * G + sum of values[i] * H_(i+1).

    At most `size` values; the missing ones are 0.
    """
    return combine(values, shuffle_bases(size)[: len(values)], randomness)


def commit_permutation(order: Sequence[int], randomness: int) -> Point:
    """com(order; randomness) for a permutation of 1..N, by running sums alone.

    Adding the bases in descending order of their values and summing the partial sums counts each
    base as often as its value says: 2 N additions in place of N multiplications.
    """
    bases = shuffle_bases(len(order))
    by_value = sorted(range(len(order)), key=order.__getitem__, reverse=True)
    partial = bases[by_value[0]]
    total = combine([], [], randomness) + partial
    for at in by_value[1:]:
        partial += bases[at]
        total += partial
    return total
