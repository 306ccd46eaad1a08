"""What a placement would count, beside what it counts once it is made."""

import random

import pytest

from engine.ends import END_KEYS, LEAD
from engine.line import Line
from engine.rules import Rules
from engine.tiles import ALL_TILES, tile

WHOLE_SET = (1 << len(ALL_TILES)) - 1

KINDS = [
    {"spinner": spinner, "arms": arms, "bare-arms": bare}
    for spinner in ("none", "first", "every")
    for arms in ("after-sides", "at-once")
    for bare in ("0", "half")
]


def by_placing(line: Line) -> list[tuple[int, int, int]]:
    """Every placement there is, each made on a copy, in canonical order."""
    found = []
    for one in sorted(ALL_TILES, reverse=True):
        if line.tiles >> one.index & 1:
            continue
        for end in line.fits(one) if line.lead else (None,):
            after = line.copy()
            after.place(one, end)
            found.append((one.index, END_KEYS[end], after.count()))
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind.values()))
def test_every_outcome_is_what_placing_counts(kind: dict[str, str]) -> None:
    rules = Rules.make("classic", 2, kind)
    for seed in range(25):
        rng = random.Random(seed)
        line = Line(rules)
        while expected := by_placing(line):
            assert line.outcomes(WHOLE_SET & ~line.tiles) == expected
            index, key, count = rng.choice(expected)
            line.put((index, key))
            assert line.count() == count


def test_only_the_tiles_that_are_asked_for() -> None:
    line = Line(Rules.make("classic", 2))
    six_four = tile(6, 4).index
    assert line.outcomes(1 << six_four) == [(six_four, LEAD, 10)]
    line.place(tile(6, 4), None)
    six_one = tile(6, 1).index
    assert line.outcomes(1 << six_one | 1 << tile(5, 1).index) == [(six_one, END_KEYS["L"], 5)]
    assert line.outcomes(0) == []
