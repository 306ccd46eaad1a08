"""The line of play laid out in a rectangle of character cells: no overlap, every end labelled.

Arms run straight, then snake. Where the root lies, which way arms turn and how large tiles are is
found by trying, in a fixed order, so the same line always lies the same way.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cli.screen.plan import Piece, make_plan
from cli.screen.shapes import (
    BIG,
    COMPACT,
    LEFT,
    RIGHT,
    Heading,
    Rect,
    Shape,
    Spot,
    beside,
    elbow,
    label_rects,
    leave,
    root_spot,
    straight,
)
from cli.screen.tree import Tree
from engine.line import End
from engine.tiles import Tile

# A rectangle in which a line does not fit after so many steps is tried in another way.
_STEPS_A_TRY: Final = 100


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile where it lies; `first` is its left half, or its upper half if it stands."""

    tile: Tile
    rect: Rect
    first: int

    @property
    def stands(self) -> bool:
        """Whether its halves lie one above the other."""
        return self.rect.w == 3

    @property
    def second(self) -> int:
        """The other half."""
        return self.tile.pips - self.first


@dataclass(frozen=True, slots=True)
class Label:
    """An open end where it is named, with a cell left and right of the text."""

    end: End
    rect: Rect


@dataclass(frozen=True, slots=True)
class Layout:
    """Every tile and every open end in a rectangle of `width` x `height` cells."""

    width: int
    height: int
    shape: Shape
    tiles: tuple[Laid, ...]
    labels: tuple[Label, ...]


def label_text(end: End) -> str:
    """What names an open end on the table: "R:3"."""
    return f"{end.name}:{end.value}"


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to try: where the root lies, which way arms turn first, and how much air there is."""

    x: int
    y: int
    clockwise: bool
    airy: bool


class _Full(Exception):
    """The steps of a try are used up."""


class _Try:
    """A depth-first search for places of the pieces of a plan, one after another."""

    def __init__(self, plan: list[Piece], width: int, height: int, shape: Shape, way: _Way) -> None:
        self.plan, self.width, self.height, self.shape, self.way = plan, width, height, shape, way
        self.rows = [0] * height
        self.spots: list[Spot] = []
        self.turned: list[tuple[Heading, Heading]] = []  # by piece: last ways across and up or down
        self.steps = 0
        self.deepest = 1

    def run(self) -> bool:
        """Whether every piece has found its place."""
        way = self.way
        root = self.plan[0].node
        assert root is not None, "a plan begins with the root"
        spot = root_spot(self.shape, root, way.x, way.y)
        if not self._inside(spot.rect):
            return False
        self._set(spot.rect)
        self.spots.append(spot)
        self.turned.append(((0, 0), (0, 0)))
        try:
            return self._place(1)
        except _Full:
            return False

    def _place(self, index: int) -> bool:
        if index == len(self.plan):
            return True
        self.steps += 1
        self.deepest = max(self.deepest, index)
        if self.steps > _STEPS_A_TRY:
            raise _Full
        piece = self.plan[index]
        before = self.spots[piece.parent].rect
        for spot in self._options(piece):
            if not self._free(spot.rect, before, piece.node is not None):
                continue
            self._set(spot.rect)
            self.spots.append(spot)
            self.turned.append(self._turns(piece, spot))
            if self._place(index + 1):
                return True
            self._set(spot.rect)
            self.spots.pop()
            self.turned.pop()
        return False

    def _start(self, piece: Piece) -> Spot:
        parent = self.spots[piece.parent]
        return parent if piece.side is None else leave(parent, side_heading(parent, piece))

    def _options(self, piece: Piece) -> Iterator[Spot]:
        spot = self._start(piece)
        if piece.node is None:
            width = len(label_text(piece.arm.end)) + 2
            yield from (Spot(rect, spot.heading, 0, True) for rect in label_rects(spot, width))
            return
        if piece.node.tile.is_double:
            yield straight(self.shape, spot, True)
            return
        across, upright = self.turned[piece.parent] if piece.side is None else ((0, 0), (0, 0))
        first, second = self._ways(spot.heading, across, upright)
        snakes = spot.heading[1] and across != (0, 0) and spot.along
        if not snakes:
            yield straight(self.shape, spot, False)
        yield from self._turning(spot, first)
        if snakes:
            yield straight(self.shape, spot, False)
        yield from self._turning(spot, second)

    def _turning(self, spot: Spot, turn: Heading) -> Iterator[Spot]:
        if spot.along and spot.heading[1]:
            yield beside(self.shape, spot, turn)
        yield elbow(self.shape, spot, turn)
        if spot.along and spot.heading[0]:
            yield beside(self.shape, spot, turn)

    def _ways(self, h: Heading, across: Heading, upright: Heading) -> tuple[Heading, Heading]:
        """Which way to turn first, and which then: snakes go back, and on in the same sense."""
        if h[1] and across != (0, 0):
            first = (-across[0], 0)
        elif h[0] and upright != (0, 0):
            first = upright
        else:
            first = (-h[1], h[0]) if self.way.clockwise else (h[1], -h[0])
        return first, (-first[0], -first[1])

    def _turns(self, piece: Piece, spot: Spot) -> tuple[Heading, Heading]:
        across, upright = self.turned[piece.parent] if piece.side is None else ((0, 0), (0, 0))
        return (spot.heading, upright) if spot.heading[0] else (across, spot.heading)

    def _inside(self, rect: Rect) -> bool:
        x, y, w, h = rect
        return x >= 0 and y >= 0 and x + w <= self.width and y + h <= self.height

    def _free(self, rect: Rect, before: Rect, is_tile: bool) -> bool:
        if not self._inside(rect):
            return False
        x, y, w, h = rect
        if not (self.way.airy and is_tile):
            mask = ((1 << w) - 1) << x
            return not any(row & mask for row in self.rows[y : y + h])
        mask = ((1 << w + 2) - 1) << x >> 1
        beside_before = ~(((1 << before.w) - 1) << before.x)
        for at in range(max(0, y - 1), min(self.height, y + h + 1)):
            own = mask & beside_before if before.y <= at < before.y + before.h else mask
            if self.rows[at] & own:
                return False
        return True

    def _set(self, rect: Rect) -> None:
        """Take the cells of `rect`, or give them back."""
        mask = ((1 << rect.w) - 1) << rect.x
        for at in range(rect.y, rect.y + rect.h):
            self.rows[at] ^= mask

    def result(self) -> Layout:
        """The layout that `run` found."""
        tiles: list[Laid] = []
        labels: list[Label] = []
        for index, (piece, spot) in enumerate(zip(self.plan, self.spots, strict=True)):
            if piece.node is None:
                labels.append(Label(piece.arm.end, spot.rect))
            else:
                backwards = index > 0 and sum(spot.heading) < 0
                first = piece.node.outward if backwards else piece.node.inward
                tiles.append(Laid(piece.node.tile, spot.rect, first))
        return Layout(self.width, self.height, self.shape, tuple(tiles), tuple(labels))


def side_heading(parent: Spot, piece: Piece) -> Heading:
    """The way an arm leaves a spinner: up and down from a row, left and right from a column.

    The main row leaves the root to both sides.
    """
    assert piece.side is not None, "an arm that does not leave a spinner"
    if piece.main:
        return RIGHT if piece.side > 0 else LEFT
    return (0, piece.side) if parent.heading[0] else (piece.side, 0)


def _ways(tree: Tree, width: int, height: int) -> Iterator[_Way]:
    left = 3 + 5 * len(tree.left.nodes)
    right = 3 + 5 * (len(tree.right.nodes) if tree.right else 0)
    best = width // 2 if left + right < width - 6 else round(width * left / (left + right))
    columns = [best, *(width * part // 8 for part in (4, 3, 5, 2, 6, 1, 7))]
    rows = [height * part // 8 for part in (4, 3, 5, 2, 6, 1, 7)]
    for airy in (True, False):
        for column in columns:
            for row in rows:
                for clockwise in (True, False):
                    yield _Way(max(8, min(width - 9, column)), row, clockwise, airy)


@lru_cache(maxsize=64)
def lay_out(tree: Tree, width: int, height: int, shape: Shape) -> Layout | None:
    """The line in `width` x `height` cells with tiles of this shape; None if no way was found."""
    seen: set[_Way] = set()
    failed: Counter[str] = Counter()
    for way in _ways(tree, width, height):
        if way in seen:
            continue
        seen.add(way)
        attempt = _Try(make_plan(tree, width, way.x, failed), width, height, shape, way)
        if attempt.run():
            return attempt.result()
        failed[attempt.plan[attempt.deepest].arm.end.name] += 1
    return None


SHAPES: Final = (BIG, COMPACT)
