"""One try to find a place for every piece of a line: depth first, with a bound on its steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cli.screen.line import shapes
from cli.screen.line.plan import Piece
from cli.screen.line.shapes import Heading, Rect, Spot, TileShape
from engine.line import End

_SPARE_STEPS: Final = 40
# Free cells, bridged by a dash, that a tile may keep from the one before where it is crowded.
_GAPS: Final = (2, 4)
_NO_WAY: Final[Heading] = (0, 0)


@dataclass(frozen=True, slots=True)
class Way:
    """How to try: the middle of the root, which way arms turn first, and whether arms keep a cell
    of air between them; if not, tiles may keep gaps instead."""

    x: int
    y: int
    clockwise: bool
    airy: bool


def label_text(end: End) -> str:
    """What names an open end on the table: "R:3"."""
    return f"{end.name}:{end.value}"


class _Full(Exception):
    """The steps of a try are used up."""


class Try:
    """Places the pieces of a plan one after another in `width` x `height` cells.

    `spots` are the places found, `deepest` is the piece that was hardest to place.
    """

    def __init__(
        self, plan: Sequence[Piece], width: int, height: int, shape: TileShape, way: Way
    ) -> None:
        self.plan, self.spots = plan, list[Spot]()
        self.deepest = 1
        self._width, self._height, self._shape, self._way = width, height, shape, way
        self._rows = [0] * height  # bit x of row y is set where something lies
        # By piece: the ways in which its arm last went across, and up or down.
        self._went: list[tuple[Heading, Heading]] = []
        self._steps = len(plan) + _SPARE_STEPS

    def run(self) -> bool:
        """Whether every piece has found its place."""
        root = self.plan[0].node
        assert root is not None, "a plan begins with the root"
        spot = shapes.root_spot(self._shape, root, self._way.x, self._way.y)
        if not self._inside(spot.rect):
            return False
        self._flip(spot)
        self.spots.append(spot)
        self._went.append((_NO_WAY, _NO_WAY))
        try:
            return self._place(1)
        except _Full:
            return False

    def _place(self, index: int) -> bool:
        if index == len(self.plan):
            return True
        self.deepest = max(self.deepest, index)
        self._steps -= 1
        if not self._steps:
            raise _Full
        piece = self.plan[index]
        before = self.spots[piece.parent].rect
        for spot in self._options(piece):
            if not self._free(spot, before, piece.node is not None):
                continue
            self._flip(spot)
            self.spots.append(spot)
            self._went.append(self._going(piece, spot))
            if self._place(index + 1):
                return True
            self._flip(spot)
            self.spots.pop()
            self._went.pop()
        return False

    # Where a piece could go

    def _options(self, piece: Piece) -> Iterator[Spot]:
        spot = self.spots[piece.parent]
        if piece.side is not None:
            spot = shapes.leave(spot, _side_heading(spot, piece))
        if piece.node is None:
            width = len(label_text(piece.arm.end)) + 2
            yield from (
                Spot(rect, spot.heading, 0, True) for rect in shapes.label_rects(spot, width)
            )
            return
        double = piece.node.tile.is_double
        if double:
            yield shapes.straight(self._shape, spot, True)
        else:
            yield from self._tile_options(piece, spot)
        if not self._way.airy:
            yield from (shapes.straight(self._shape, spot, double, gap) for gap in _GAPS)

    def _tile_options(self, piece: Piece, spot: Spot) -> Iterator[Spot]:
        across, _ = self._before(piece)
        first, second = self._turns(piece, spot.heading)
        in_bend = spot.heading[1] and across != _NO_WAY and spot.along
        if not in_bend:
            yield shapes.straight(self._shape, spot, False)
        yield from self._turning(spot, first)
        if in_bend:
            yield shapes.straight(self._shape, spot, False)
        yield from self._turning(spot, second)

    def _turning(self, spot: Spot, turn: Heading) -> Iterator[Spot]:
        if spot.along and spot.heading[1]:
            yield shapes.beside(self._shape, spot, turn)
        yield shapes.elbow(self._shape, spot, turn)
        if spot.along and spot.heading[0]:
            yield shapes.beside(self._shape, spot, turn)

    def _turns(self, piece: Piece, heading: Heading) -> tuple[Heading, Heading]:
        """Which way to turn first, and which then: a snake goes back, and on in the same sense."""
        across, upright = self._before(piece)
        x, y = heading
        if y and across != _NO_WAY:
            first = (-across[0], 0)
        elif x and upright != _NO_WAY:
            first = upright
        else:
            first = (-y, x) if self._way.clockwise else (y, -x)
        return first, (-first[0], -first[1])

    def _before(self, piece: Piece) -> tuple[Heading, Heading]:
        return self._went[piece.parent] if piece.side is None else (_NO_WAY, _NO_WAY)

    def _going(self, piece: Piece, spot: Spot) -> tuple[Heading, Heading]:
        across, upright = self._before(piece)
        return (spot.heading, upright) if spot.heading[0] else (across, spot.heading)

    # What is free

    def _inside(self, rect: Rect) -> bool:
        x, y, w, h = rect
        return x >= 0 and y >= 0 and x + w <= self._width and y + h <= self._height

    def _free(self, spot: Spot, before: Rect, is_tile: bool) -> bool:
        """Whether nothing lies there, nor, where it is airy, around a tile but the one `before`."""
        if not self._inside(spot.rect):
            return False
        if self._way.airy and is_tile:
            return self._free_around(spot.rect, before)
        return self._empty(spot.rect) and (spot.dash is None or self._empty(spot.dash))

    def _empty(self, rect: Rect) -> bool:
        mask = ((1 << rect.w) - 1) << rect.x
        return not any(row & mask for row in self._rows[rect.y : rect.y + rect.h])

    def _free_around(self, rect: Rect, before: Rect) -> bool:
        x, y, w, h = rect
        around = ((1 << (w + 2)) - 1) << x >> 1
        others = ~(((1 << before.w) - 1) << before.x)
        for at in range(max(0, y - 1), min(self._height, y + h + 1)):
            touches = before.y <= at < before.y + before.h
            if self._rows[at] & (around & others if touches else around):
                return False
        return True

    def _flip(self, spot: Spot) -> None:
        """Take the cells of a piece, or give them back."""
        for rect in (spot.rect, spot.dash):
            if rect is not None:
                mask = ((1 << rect.w) - 1) << rect.x
                for at in range(rect.y, rect.y + rect.h):
                    self._rows[at] ^= mask


def _side_heading(parent: Spot, piece: Piece) -> Heading:
    """The way an arm leaves a spinner: up or down from a row, left or right from a column.

    The main row leaves the root to both sides.
    """
    assert piece.side is not None, "an arm that does not leave a spinner"
    if piece.main:
        return shapes.RIGHT if piece.side > 0 else shapes.LEFT
    return (0, piece.side) if parent.heading[0] else (piece.side, 0)
