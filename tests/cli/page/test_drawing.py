"""The drawing of a hand: nothing over anything else at any step, whichever way it was laid."""

import os
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.engine.lines import random_line

from cli.page import drawing
from cli.page.drawing import NARROW, WIDE, Drawing, draw_line
from cli.screen.line.shapes import Rect
from engine.line import Line
from engine.rules import Rules

# The full size: ALLFIVES_SCREENS=5000.
EXAMPLES = int(os.environ.get("ALLFIVES_SCREENS", "60")) // 2


def units(rects: list[Rect]) -> Counter[tuple[int, int]]:
    """How often each unit is taken."""
    return Counter(
        (x, y)
        for rect in rects
        for x in range(rect.x, rect.x + rect.w)
        for y in range(rect.y, rect.y + rect.h)
    )


def check(line: Line, drawn: Drawing) -> None:
    """What must hold of every drawing."""
    tiles = [one.rect for one in drawn.tiles]
    taken = units([*tiles, *(rect for _, rect in drawn.beyond)])
    assert max(taken.values()) == 1, "two things overlap"
    assert {x for x, _ in taken} <= set(range(drawn.width))
    assert {y for _, y in taken} <= set(range(drawn.height))
    assert [one.tile for one in drawn.tiles] == [one.tile for one in line.placements]
    assert {name for name, _ in drawn.beyond} == {end.name for end in line.ends()}
    assert all(
        (one.rect.w, one.rect.h) == ((3, 5) if one.stands else (5, 3)) for one in drawn.tiles
    )
    assert all(one.first + one.second == one.tile.pips for one in drawn.tiles)


def touching(drawn: Drawing) -> list[tuple[int, int]]:
    """The halves that meet, of tiles behind one another along a row that neither bends nor ends:
    the right one of the left tile, and the left one of the right."""
    lying = {(one.rect.x, one.rect.y): one for one in drawn.tiles if not one.stands}
    pairs = ((one, lying.get((one.rect.x + 5, one.rect.y))) for one in lying.values())
    return [(one.second, other.first) for one, other in pairs if other is not None]


@settings(max_examples=EXAMPLES)
@given(
    seed=st.integers(0, 2**32),
    spinner=st.sampled_from(["first", "none", "every"]),
    arms=st.sampled_from(["after-sides", "at-once"]),
    tiles=st.integers(1, 28),
    columns=st.sampled_from([WIDE, NARROW]),
)
def test_nothing_overlaps_in_any_line(
    seed: int, spinner: str, arms: str, tiles: int, columns: int
) -> None:
    line = random_line(seed, spinner, arms, tiles)
    check(line, draw_line(line, columns))


def test_nor_where_it_is_laid_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_snaking", lambda *_: [])
    for seed in range(60):
        line = random_line(seed, ("first", "none", "every")[seed % 3], "at-once", 28)
        drawn = draw_line(line, NARROW)
        check(line, drawn)
        assert all(one == other for one, other in touching(drawn))


def test_an_end_is_named_where_its_next_tile_will_lie() -> None:
    line = random_line(7, "first", "after-sides", 20)
    drawn = draw_line(line, WIDE)
    before = Line(Rules.make("classic", 2))
    for at, placed in enumerate(line.placements):
        if placed.end is not None:
            assert drawn.next_place(line, placed.end, at) == drawn.tiles[at].rect
        before.place(placed.tile, placed.end)
        shown = [one.rect for one in drawn.tiles[: at + 1]]
        named = [drawn.next_place(line, end.name, at + 1) for end in before.ends()]
        assert max(units([*shown, *named]).values()) == 1
    assert [drawn.next_place(line, name, 20) for name, _ in drawn.beyond] == [
        rect for _, rect in drawn.beyond
    ]


def test_an_empty_table_has_a_size() -> None:
    drawn = draw_line(Line(Rules.make("classic", 2)), NARROW)
    assert (drawn.width, drawn.tiles, drawn.beyond) == (NARROW, (), ())
