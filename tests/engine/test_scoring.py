"""Points at the end of a hand, for placements and for claims."""

import itertools
import json
from typing import Any

import pytest
from support.places import VECTORS

from engine.rules import Rules
from engine.scoring import judge_claims, placement_points, rounded, settle
from engine.tiles import ALL_TILES, Tile, pips_of

CASES: list[dict[str, Any]] = json.loads((VECTORS / "hand_end.json").read_text())["cases"]


def hands(pips: list[int], counts: list[int] | None = None) -> tuple[tuple[Tile, ...], ...]:
    """Hands of different tiles with these pips (and numbers of tiles)."""
    free = set(ALL_TILES)
    found = []
    for at, want in enumerate(pips):
        sizes = [counts[at]] if counts else [0] if want == 0 else [1, 2, 3, 4]
        hand = next(
            hand
            for size in sizes
            for hand in itertools.combinations(sorted(free), size)
            if pips_of(hand) == want
        )
        free -= set(hand)
        found.append(hand)
    return tuple(found)


@pytest.mark.parametrize("preset", ["classic", "online", "pagat"])
@pytest.mark.parametrize("case", CASES)
def test_hand_end_vectors(case: dict[str, Any], preset: str) -> None:
    left = hands(case["pips"], case.get("tiles"))
    seats = len(left)
    settled = settle(Rules.make(preset, seats), range(seats), case["out"], left)
    assert list(settled.points) == case[preset]
    assert settled.left == left
    if case["out"] is not None:
        assert settled.winner == case["out"]


def test_rounding_to_the_nearest_five() -> None:
    assert [rounded(pips) for pips in (0, 2, 3, 7, 8, 12, 13)] == [0, 0, 5, 5, 10, 10, 15]


PARTNERS = {"partners": "yes"}
POINTS_OF_FOUR = [
    # seats 0 and 2 against 1 and 3; pips, who went out, points by hand-end, winner
    ("subtract-own", [0, 13, 7, 8], 0, (-5, -25, -5, -25), 0),
    ("collect-each", [0, 13, 7, 8], 0, (25, 0, 25, 0), 0),
    ("collect-sum", [0, 13, 7, 8], 0, (20, 0, 20, 0), 0),
    ("collect-raw", [0, 13, 7, 8], 0, (21, 0, 21, 0), 0),
    ("subtract-own", [12, 12, 3, 6], None, (-15, -15, -15, -15), None),
    ("collect-raw", [12, 12, 3, 6], None, (18, 0, 18, 0), 0),
    ("collect-raw", [12, 6, 9, 3], None, (0, 21, 0, 21), 1),
    ("collect-each", [9, 6, 9, 12], None, (0, 0, 0, 0), None),
]


@pytest.mark.parametrize(("hand_end", "pips", "out", "points", "winner"), POINTS_OF_FOUR)
def test_partners(
    hand_end: str, pips: list[int], out: int | None, points: tuple[int, ...], winner: int | None
) -> None:
    rules = Rules.make("pagat", 4, {"partners": "yes", "hand-end": hand_end})
    settled = settle(rules, range(4), out, hands(pips))
    assert (settled.points, settled.winner) == (points, winner)


def test_a_blocked_side_with_level_pips_wins_by_tiles() -> None:
    left = hands([9, 6, 9, 12], [2, 1, 1, 1])
    for rule, winner in (("pips", None), ("pips-tiles", 1)):
        rules = Rules.make("pagat", 4, PARTNERS | {"block-winner": rule})
        assert settle(rules, range(4), None, left).winner == winner


def test_a_block_of_three_level_between_the_best_two() -> None:
    left = hands([7, 20, 7], [2, 3, 1])
    for rule, points in (("pips", (0, 0, 0)), ("pips-tiles", (0, 0, 25))):
        rules = Rules.make("pagat", 3, {"block-winner": rule})
        assert settle(rules, range(3), None, left).points == points


def test_a_seat_that_left_takes_no_part() -> None:
    left = (*hands([0, 13]), ())
    assert settle(Rules.make("classic", 3), (0, 1), 0, left).points == (0, -15, 0)
    assert settle(Rules.make("pagat", 3), (0, 1), 0, left).points == (15, 0, 0)


@pytest.mark.parametrize(("count", "points"), [(0, 0), (4, 0), (5, 5), (10, 10), (35, 35), (36, 0)])
def test_placement_points(count: int, points: int) -> None:
    assert placement_points(Rules.make("classic", 2), count) == points
    assert placement_points(Rules.make("draw", 2), count) == 0


@pytest.mark.parametrize(
    ("real", "placer", "answers", "brought"),
    [
        (10, 10, [0, 0], (10, [0, 0])),
        (10, 10, [10, 0], (10, [-10, 0])),  # taken by the placer: as wrong as any other number
        (10, 0, [10, 10], (0, [10, 0])),  # a later right claim brings and costs nothing
        (10, 0, [0, 10], (0, [0, 10])),
        (10, 5, [15, 10], (-5, [-15, 10])),
        (0, 5, [0, 5], (-5, [0, -5])),
        (0, 0, [0, 0], (0, [0, 0])),
    ],
)
def test_claims(real: int, placer: int, answers: list[int], brought: tuple[int, list[int]]) -> None:
    assert judge_claims(real, placer, answers) == brought
