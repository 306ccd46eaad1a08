"""The line: vectors, each rule of the table, and what a misplaced tile is told."""

import json
from typing import Any

import pytest
from support.places import VECTORS

from engine.errors import IllegalMove
from engine.line import Line
from engine.notation import parse_tile
from engine.rules import Rules
from engine.scoring import placement_points
from engine.tiles import ALL_TILES


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text())["cases"]
    return found


def lay(moves: list[tuple[str, str | None]], preset: str = "classic", **options: str) -> Line:
    overrides = {name.replace("_", "-"): value for name, value in options.items()}
    line = Line(Rules.make(preset, 2, overrides))
    for text, end in moves:
        line.place(parse_tile(text), end)
    return line


def ends(line: Line) -> list[tuple[str, int, int]]:
    return [(end.name, end.value, end.counts) for end in line.ends()]


@pytest.mark.parametrize("case", cases("layout.json"), ids=lambda case: case["name"])
def test_layout_vectors(case: dict[str, Any]) -> None:
    rules = Rules.make("classic", 2)
    line = Line(rules)
    for (text, end), count, points in zip(
        case["moves"], case["counts"], case["points"], strict=True
    ):
        line.place(parse_tile(text), end)
        assert (line.count(), placement_points(rules, line.count())) == (count, points)


@pytest.mark.parametrize("case", cases("variants.json"), ids=lambda c: c["options"]["preset"])
def test_variant_vectors(case: dict[str, Any]) -> None:
    line = Line(Rules.make(case["options"]["preset"], 2))
    counts = []
    for text, end in case["moves"]:
        line.place(parse_tile(text), end)
        counts.append(line.count())
    assert counts == case["counts"]


@pytest.mark.parametrize("case", cases("moves.json"), ids=lambda case: case["name"])
def test_move_vectors(case: dict[str, Any]) -> None:
    line = lay(case["line"])
    assert case["hand"] == sorted(case["hand"], key=parse_tile, reverse=True)
    legal = [[text, end] for text in case["hand"] for end in line.fits(parse_tile(text))]
    assert legal == case["legal"]


def test_an_empty_table() -> None:
    line = lay([])
    assert (line.ends(), line.count(), line.lead, line.placements) == ((), 0, None, ())
    assert line.fits(parse_tile("6-6")) == ()


def test_a_single_tile_counts_both_halves() -> None:
    assert ends(lay([("4-1", None)])) == [("L", 4, 4), ("R", 1, 1)]
    assert ends(lay([("5-5", None)])) == [("L", 5, 10)]


def test_six_six_then_six_three() -> None:
    line = lay([("6-6", None), ("6-3", "L")])
    assert ends(line) == [("L", 3, 3), ("R", 6, 12)]
    assert line.count() == 15


def test_a_spinner_counts_until_both_sides_are_covered() -> None:
    line = lay([("6-6", None), ("6-3", "L"), ("6-1", "R")])
    assert ends(line) == [("L", 3, 3), ("R", 1, 1), ("U", 6, 0), ("D", 6, 0)]
    assert [end.bare for end in line.ends()] == [False, False, True, True]


def test_the_first_double_played_onto_the_line_is_the_spinner() -> None:
    line = lay([("6-3", None), ("3-3", "R")])
    assert ends(line) == [("L", 6, 6), ("R", 3, 6)]
    line.place(parse_tile("3-1"), "R")
    assert ends(line) == [("L", 6, 6), ("R", 1, 1), ("U", 3, 0), ("D", 3, 0)]
    line.place(parse_tile("6-6"), "L")
    line.place(parse_tile("6-2"), "L")
    assert [end.name for end in line.ends()] == ["L", "R", "U", "D"], "a second double has no arms"


def test_without_a_spinner_there_are_two_ends() -> None:
    line = lay([("6-6", None), ("6-3", "L"), ("6-1", "R"), ("3-3", "L")], "muggins")
    assert ends(line) == [("L", 3, 6), ("R", 1, 1)]
    assert line.spinners() == ()


def test_arms_at_once() -> None:
    line = lay([("6-3", None), ("3-3", "R")], arms="at-once")
    assert ends(line) == [("L", 6, 6), ("R", 3, 6), ("U", 3, 0), ("D", 3, 0)]
    assert line.fits(parse_tile("3-1")) == ("R", "U")
    line.place(parse_tile("3-1"), "U")
    assert line.count() == 6 + 6 + 1, "the spinner still counts"
    assert line.fits(parse_tile("3-2")) == ("R", "D")
    line.place(parse_tile("3-2"), "R")
    assert line.count() == 6 + 2 + 1


def test_bare_arms_count_half_once_both_sides_are_covered() -> None:
    line = lay([("4-4", None), ("6-4", "L")], arms="at-once", bare_arms="half")
    assert line.count() == 6 + 8
    line.place(parse_tile("4-2"), "U")
    assert line.count() == 6 + 8 + 2
    line.place(parse_tile("4-1"), "R")
    assert line.count() == 6 + 1 + 2 + 4


def test_every_double_a_spinner_with_named_arms() -> None:
    line = lay([("5-5", None), ("5-4", "L"), ("4-4", "L"), ("4-2", "L"), ("5-1", "R")], "five-up")
    assert [end.name for end in line.ends()] == ["L", "R", "U", "D", "4U", "4D"]
    for text, end in [("1-1", "R"), ("6-1", "R")]:
        line.place(parse_tile(text), end)
    assert [end.name for end in line.ends()] == ["L", "R", "U", "D", "1U", "1D", "4U", "4D"]
    assert line.fits(parse_tile("4-1")) == ("1U", "4U")
    spinners = [(s.pip, s.end, s.depth, s.arms, s.open) for s in line.spinners()]
    assert spinners == [
        (5, None, 0, ("U", "D"), True),
        (4, "L", 1, ("4U", "4D"), True),
        (1, "R", 1, ("1U", "1D"), True),
    ]


def test_where_the_tiles_lie() -> None:
    line = lay(
        [("4-1", None), ("1-1", "R"), ("4-3", "L"), ("2-1", "R"), ("5-1", "U"), ("5-5", "U")]
    )
    arms = {
        name: [(str(placed.tile), placed.outward) for placed in arm]
        for name, arm in line.arms().items()
    }
    assert str(line.lead) == "4-1"
    assert arms == {
        "L": [("4-3", 3)],
        "R": [("1-1", 1), ("2-1", 2)],
        "U": [("5-1", 5), ("5-5", 5)],
        "D": [],
    }
    assert [(str(p.tile), p.end) for p in line.placements][:2] == [("4-1", None), ("1-1", "R")]
    assert [(s.pip, s.end, s.depth, s.open) for s in line.spinners()] == [(1, "R", 0, True)]


def test_a_spinner_whose_arms_are_closed() -> None:
    assert [s.open for s in lay([("6-6", None), ("6-1", "L")]).spinners()] == [False]


def test_a_copy_is_independent() -> None:
    line = lay([("6-6", None), ("6-1", "L")], "five-up")
    copy = line.copy()
    copy.place(parse_tile("6-2"), "R")
    assert [end.name for end in line.ends()] == ["L", "R"]
    assert [end.name for end in copy.ends()] == ["L", "R", "U", "D"]
    line.place(parse_tile("6-2"), "R")
    assert (line.ends(), line.placements) == (copy.ends(), copy.placements)


SIX = [("6-6", None), ("6-1", "L"), ("6-2", "R")]


@pytest.mark.parametrize(
    ("moves", "text", "end", "sentence"),
    [
        ([], "6-4", "L", "the table is empty: 6-4 is led without an end"),
        ([("5-3", None)], "6-2", "L", "6-2 does not match an open end (5 on L, 3 on R)"),
        ([("5-3", None)], "6-5", "R", "6-5 does not match 3 on R (it fits L)"),
        ([("5-3", None)], "5-3", "L", "5-3 is on the table already"),
        ([("5-3", None)], "6-5", None, "6-5 needs an end: open are 5 on L, 3 on R"),
        ([("5-3", None)], "6-4", None, "6-4 does not match an open end (5 on L, 3 on R)"),
        ([("5-3", None)], "6-5", "U", "there is no open end 'U' (open: 5 on L, 3 on R)"),
        ([("5-3", None)], "6-5", "4U", "there is no open end '4U' (open: 5 on L, 3 on R)"),
        ([("5-3", None)], "6-5", "left", "there is no open end 'left' (open: 5 on L, 3 on R)"),
        ([("6-6", None)], "6-1", "R", "R is the same as L while a double lies alone: say L"),
        (SIX, "6-3", "D", "D is the same as U while both are bare: say U"),
        (SIX, "3-1", "D", "3-1 does not match 6 on D (it fits L)"),
        (
            SIX,
            "4-3",
            "U",
            "4-3 does not match an open end (1 on L, 2 on R, 6 on U, 6 on D)",
        ),
    ],
)
def test_a_misplaced_tile_is_told_why(
    moves: list[tuple[str, str | None]], text: str, end: str | None, sentence: str
) -> None:
    line = lay(moves)
    before = (line.ends(), line.placements, line.count())
    with pytest.raises(IllegalMove) as refused:
        line.place(parse_tile(text), end)
    assert str(refused.value) == sentence
    assert (line.ends(), line.placements, line.count()) == before


def test_named_arms_are_symmetric_too() -> None:
    line = lay([("5-5", None), ("5-4", "L"), ("4-4", "L"), ("4-2", "L")], "five-up")
    with pytest.raises(IllegalMove, match=r"^4D is the same as 4U while both are bare: say 4U$"):
        line.place(parse_tile("4-3"), "4D")


def fewest(line: Line, end: str, most: int) -> int | None:
    """By trying all that can be placed, up to so many tiles; None: no end of that name by then."""
    if any(one.name == end for one in line.ends()):
        return 0
    found = []
    placed = {one.tile for one in line.placements}
    for one in set(ALL_TILES) - placed if most else ():
        for name in line.fits(one) if placed else (None,):
            after = line.copy()
            after.place(one, name)
            needed = fewest(after, end, most - 1)
            found += [] if needed is None else [needed + 1]
    return min(found, default=None)


@pytest.mark.parametrize("preset", ["classic", "muggins", "five-up", "pagat"])
@pytest.mark.parametrize(
    "moves",
    [
        "5-3 | 5-5 L | 3-1 R",
        "6-6 | 6-5 L | 6-3 R",
        "5-3 | 5-5 L | 6-5 L | 6-6 L",
    ],
)
def test_how_soon_an_end_can_come(preset: str, moves: str) -> None:
    line = Line(Rules.make(preset, 2))
    for move in moves.split(" | "):
        one, _, end = move.partition(" ")
        line.place(parse_tile(one), end or None)
        for name in ("L", "R", "U", "D", "5U", "6D"):
            needed = line.moves_until(name)
            tried = fewest(line, name, 2)
            if name == "R" and len(line.ends()) == 1:
                assert needed == 0, "both sides of a double alone"
            elif tried is not None:
                assert needed is not None
                assert needed <= tried
            else:
                assert needed is None or needed > 2 or name[0] in "56"
            if preset in ("muggins", "classic") and name[0] in "56":
                assert needed is None
    assert Line(Rules.make(preset, 2)).moves_until("L") == 1
    assert line.moves_until("left") is None


def lying(rules: Rules, *placings: str) -> Line:
    """A line after placings as "6-4" or "6-4 L"."""
    line = Line(rules)
    for placing in placings:
        name, *end = placing.split()
        line.place(parse_tile(name), end[0] if end else None)
    return line


FIRST = Rules.make("classic", 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("6-4", "4-1 R", "6-2 L"), ("6-4", "6-2 L", "4-1 R")),  # in another order
        (("4-1", "6-4 L", "1-0 R"), ("6-4", "4-1 R", "1-0 R")),  # from another lead
        (("5-5", "5-1 L", "5-2 R"), ("5-5", "5-2 L", "5-1 R")),  # L and R the other way round
        (
            ("5-5", "5-1 L", "5-2 R", "5-3 U", "5-4 D"),
            ("5-5", "5-1 L", "5-2 R", "5-4 U", "5-3 D"),
        ),
    ],
)
def test_lines_that_leave_the_same_to_do_have_one_shape(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert lying(FIRST, *one).shape() == lying(FIRST, *other).shape()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("5-5", "5-1 L"), ("5-1",)),
        # The same pips and counts at both ends, but once the spinner is one of them.
        (("3-2", "3-3 L", "2-2 R"), ("3-2", "2-2 R", "3-3 L")),
        (("5-5", "5-1 L", "5-2 R"), ("5-5", "5-1 L", "5-2 R", "5-3 U")),
    ],
)
def test_lines_that_differ_in_what_may_follow_have_not(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert lying(FIRST, *one).shape() != lying(FIRST, *other).shape()


def test_where_every_double_is_a_spinner_the_first_one_tells_shapes_apart() -> None:
    """Its arms are U and D; in one of these lines 5-5 can still come, and has arms of its own."""
    rules = Rules.make("five-up", 2)
    one = lying(rules, "3-3", "3-1 L", "3-2 R", "4-3 U", "6-3 D")
    other = lying(rules, "5-5", "5-1 L", "5-2 R", "5-4 U", "6-5 D")
    assert ends(one) == ends(other)
    assert one.shape() != other.shape()
    for text, end in (("5-4", "U"), ("5-5", "U"), ("5-0", "U")):
        one.place(parse_tile(text), end)
    assert {"5U", "5D"} <= {name for name, _, _ in ends(one)}
