"""Where a tile can lie next to another: footprints in character cells, headings, and turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from cli.screen.line.tree import Node

Heading = tuple[int, int]
RIGHT: Final[Heading] = (1, 0)
LEFT: Final[Heading] = (-1, 0)


class Rect(NamedTuple):
    """Cells from column x and row y on, w wide and h high."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True, slots=True)
class TileShape:
    """How large tiles are drawn.

    `lying` and `standing` are heights in rows, `across` and `upright` the widths in columns of a
    lying tile and of a standing one; `half` is the row of a standing tile's upper half, `column`
    that of a lying tile's left half; the other half mirrors it.
    """

    name: str
    lying: int
    standing: int
    half: int
    across: int = 5
    upright: int = 3
    column: int = 1


LARGE: Final = TileShape("large", lying=3, standing=5, half=1, across=9, upright=5, column=2)
BIG: Final = TileShape("big", lying=3, standing=5, half=1)
COMPACT: Final = TileShape("compact", lying=1, standing=3, half=0)
SMALL: Final = TileShape("small", lying=1, standing=2, half=0)


class Spot(NamedTuple):
    """A tile laid: its cells, the way its arm goes on, and the row (or column) of the arm's axis.

    `along` says whether it lies along that way; doubles lie across. `dash` are the cells between
    it and the tile before, if it keeps a gap.
    """

    rect: Rect
    heading: Heading
    axis: int
    along: bool
    dash: Rect | None = None


def root_spot(shape: TileShape, node: Node, x: int, y: int) -> Spot:
    """The root with its middle at column x and row y; the main row goes through it."""
    if node.tile.is_double:
        w, h = shape.upright, shape.standing
    else:
        w, h = shape.across, shape.lying
    rect = Rect(x - w // 2, y - h // 2, w, h)
    return Spot(rect, RIGHT, y, not node.tile.is_double)


def leave(spot: Spot, heading: Heading) -> Spot:
    """The same tile for an arm that leaves it in the direction `heading` from its middle."""
    rect = spot.rect
    axis = rect.x + rect.w // 2 if heading[1] else rect.y + rect.h // 2
    return Spot(rect, heading, axis, False)


def straight(shape: TileShape, spot: Spot, double: bool, gap: int = 0) -> Spot:
    """The next tile in the same direction, after `gap` free cells; a double lies across."""
    lies = bool(spot.heading[0]) != double
    w, h = _size(shape, lies)
    (dx, dy), before = spot.heading, spot.rect
    if dx:
        x = before.x + before.w + gap if dx > 0 else before.x - w - gap
        rect = Rect(x, spot.axis - h // 2, w, h)
        dash = Rect(x - gap if dx > 0 else x + w, spot.axis, gap, 1)
    else:
        y = before.y + before.h + gap if dy > 0 else before.y - h - gap
        rect = Rect(spot.axis - w // 2, y, w, h)
        dash = Rect(spot.axis, y - gap if dy > 0 else y + h, 1, gap)
    return Spot(rect, spot.heading, spot.axis, not double, dash if gap else None)


def elbow(shape: TileShape, spot: Spot, turn: Heading) -> Spot:
    """The next tile begins where a straight one would, and lies in the direction `turn`."""
    rect = spot.rect
    if turn[1]:
        w, h = shape.upright, shape.standing
        x = rect.x + rect.w if spot.heading[0] > 0 else rect.x - w
        y = spot.axis - shape.half if turn[1] > 0 else spot.axis + shape.half - h + 1
        return Spot(Rect(x, y, w, h), turn, x + w // 2, True)
    w, h = shape.across, shape.lying
    y = rect.y + rect.h if spot.heading[1] > 0 else rect.y - h
    x = spot.axis - shape.column if turn[0] > 0 else spot.axis + shape.column - w + 1
    return Spot(Rect(x, y, w, h), turn, y + h // 2, True)


def beside(shape: TileShape, spot: Spot, turn: Heading) -> Spot:
    """The next tile lies at the side of the outer half of a tile that lies along its arm."""
    rect = spot.rect
    if turn[1]:
        column = rect.x + (rect.w - 1 - shape.column if spot.heading[0] > 0 else shape.column)
        w, h = shape.upright, shape.standing
        y = rect.y + rect.h if turn[1] > 0 else rect.y - h
        return Spot(Rect(column - w // 2, y, w, h), turn, column, True)
    row = rect.y + (rect.h - 1 - shape.half if spot.heading[1] > 0 else shape.half)
    w, h = shape.across, shape.lying
    x = rect.x + rect.w if turn[0] > 0 else rect.x - w
    return Spot(Rect(x, row - h // 2, w, h), turn, row, True)


def label_rects(spot: Spot, width: int) -> Iterator[Rect]:
    """Where the label of an open end can stand: beyond the last tile, or else at its side."""
    (dx, dy), (x, y, w, h) = spot.heading, spot.rect
    if dx:
        out = x + w if dx > 0 else x - width
        yield Rect(out, spot.axis, width, 1)
        near = x + w - width if dx > 0 else x
        if spot.along:
            yield Rect(near, y - 1, width, 1)
            yield Rect(near, y + h, width, 1)
        return
    yield Rect(spot.axis - width // 2, y + h if dy > 0 else y - 1, width, 1)
    row = y + h - 1 if dy > 0 else y
    yield Rect(x + w, row, width, 1)
    yield Rect(x - width, row, width, 1)


def _size(shape: TileShape, lies: bool) -> tuple[int, int]:
    return (shape.across, shape.lying) if lies else (shape.upright, shape.standing)
