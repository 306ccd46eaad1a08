"""The line of play in its rectangle: no overlap, nothing outside, every end labelled."""

import os
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.engine.lines import random_line

from cli.screen.line.layout import Layout, lay_out
from cli.screen.line.look import TILE_SIZES, TileSize
from cli.screen.line.shapes import BIG, COMPACT, LARGE, Rect
from cli.screen.line.tree import tree_of
from engine.line import Line
from engine.rules import Rules
from engine.tiles import Tile, tile

# The full size: ALLFIVES_SCREENS=5000.
EXAMPLES = int(os.environ.get("ALLFIVES_SCREENS", "60"))


def laid(line: Line, width: int, height: int, size: TileSize = "auto") -> Layout:
    """The layout of a line."""
    return lay_out(tree_of(line), width, height, size)


def rects(layout: Layout) -> list[Rect]:
    """Everything that takes cells."""
    tiles = [one.rect for one in layout.tiles]
    labels = [one.rect for one in layout.labels]
    return tiles + labels + list(layout.dashes) + [note.rect for note in layout.notes]


def check(line: Line, layout: Layout) -> None:
    """What must hold of every layout."""
    taken = Counter(
        (x, y)
        for rect in rects(layout)
        for x in range(rect.x, rect.x + rect.w)
        for y in range(rect.y, rect.y + rect.h)
    )
    assert max(taken.values()) == 1, "two things overlap"
    assert all(0 <= x < layout.width and 0 <= y < layout.height for x, y in taken), "outside"
    assert sorted(one.tile for one in layout.tiles) == sorted(p.tile for p in line.placements)
    assert {one.end for one in layout.labels} == set(line.ends())
    assert len(layout.labels) == len(line.ends())
    assert all(one.first + one.second == one.tile.pips for one in layout.tiles)
    assert all(one.first in one.tile for one in layout.tiles)


@settings(max_examples=EXAMPLES)
@given(
    seed=st.integers(0, 2**32),
    spinner=st.sampled_from(["first", "none", "every", "first"]),
    arms=st.sampled_from(["after-sides", "at-once"]),
    tiles=st.integers(1, 28),
    width=st.integers(60, 130),
    height=st.integers(8, 34),
    size=st.sampled_from(TILE_SIZES),
)
def test_any_line_in_any_room(
    seed: int, spinner: str, arms: str, tiles: int, width: int, height: int, size: TileSize
) -> None:
    line = random_line(seed, spinner, arms, tiles)
    layout = laid(line, width, height, size)
    check(line, layout)
    assert size != "small" or layout.shape not in (BIG, LARGE)


def test_large_tiles_lie_where_they_are_wanted_or_there_is_much_room() -> None:
    line = random_line(3, "first", "after-sides", 6)
    assert laid(line, 80, 12).shape is BIG
    assert laid(line, 80, 12, "large").shape is LARGE
    assert laid(line, 80, 26).shape is LARGE
    assert laid(line, 80, 26, "small").shape is COMPACT
    crowded = random_line(3, "first", "after-sides", 28)
    assert laid(crowded, 60, 9, "large") == laid(crowded, 60, 9)


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_set_with_one_spinner_is_drawn_and_never_listed(seed: int) -> None:
    line = random_line(seed, "first", "after-sides", 28)
    layout = laid(line, 60, 9)
    check(line, layout)
    assert not layout.listed


def test_tiles_touch_with_equal_halves_along_the_row() -> None:
    line = random_line(3, "none", "after-sides", 6)
    layout = laid(line, 80, 12)
    row = sorted(layout.tiles, key=lambda one: one.rect.x)
    for before, after in pairwise(row):
        assert before.rect.x + before.rect.w == after.rect.x
        assert before.second == after.first


def test_doubles_lie_across_and_others_along() -> None:
    line = Line(Rules.make("classic", 2))
    for one, end in (("66", None), ("64", "L"), ("61", "R"), ("44", "L"), ("63", "U")):
        line.place(tile(int(one[0]), int(one[1])), end)
    layout = laid(line, 80, 20)
    standing = {one.tile for one in layout.tiles if one.stands}
    assert {Tile(6, 6), Tile(4, 4)} <= standing
    assert {Tile(6, 4), Tile(6, 1)}.isdisjoint(standing)
    assert layout.shape is BIG
    assert {label.end.name for label in layout.labels} == {"L", "R", "U", "D"}


def test_an_empty_table_has_nothing_to_lay() -> None:
    assert rects(lay_out(None, 60, 9)) == []


def test_many_arms_in_little_room_are_listed_with_every_end() -> None:
    listed = 0
    for seed in range(12, 12 + max(4, EXAMPLES // 100)):
        line = random_line(seed, "every", "at-once", 28)
        layout = laid(line, 58, 8)
        check(line, layout)
        listed += layout.listed
    assert listed > 0
