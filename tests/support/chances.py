"""How likely chance gives what was counted: Pearson's chi-square and its tail."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

# Chance gives less, or more, twice in a hundred thousand tests; samples are seeded, so that a test
# that has passed does not fail by chance.
LEAST_LIKELY: Final = 1e-5
# What a planted bias must be below: far from all that chance gives.
IMPOSSIBLE: Final = 1e-9


def tail(statistic: float, freedom: int) -> float:
    """How likely a chi-square variable of that freedom is so large, or larger, by the cube root's
    normal approximation (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    root: float = (statistic / freedom) ** (1 / 3)
    return NormalDist().cdf((1 - spread - root) / math.sqrt(spread))


def fits(counts: Sequence[int], shares: Sequence[float]) -> float:
    """How likely independent draws, each with these shares of the whole, differ so much or more."""
    total = sum(counts)
    expected = [total * share for share in shares]
    return tail(_distance(counts, expected), len(counts) - 1)


def even(counts: Sequence[int]) -> float:
    """The same where all are equally likely."""
    return fits(counts, [1 / len(counts)] * len(counts))


def dealt(counts: Sequence[Sequence[int]], sizes: Sequence[int]) -> float:
    """How likely fair deals differ so much or more: `counts[tile][place]` of all tiles, each deal
    of which puts `sizes[place]` into a place.

    In one deal a tile is in one place and a place has its number, so the counts are not independent
    of each other: the covariance of a random permutation's matrix is (I - J / n) x (I - J / n) /
    (n - 1), by which the statistic is n / (n - 1) times a chi-square variable of freedom
    (n - 1)(places - 1).
    """
    tiles, deals = len(counts), sum(counts[0])
    expected = [deals * size / tiles for size in sizes]
    distance = sum(_distance(row, expected) for row in counts)
    return tail(distance * (tiles - 1) / tiles, (tiles - 1) * (len(sizes) - 1))


def plausible(likelihood: float) -> bool:
    """Whether chance may well give that: neither too far from what is expected nor too near."""
    return LEAST_LIKELY < likelihood < 1 - LEAST_LIKELY


def _distance(counts: Sequence[int], expected: Sequence[float]) -> float:
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))
