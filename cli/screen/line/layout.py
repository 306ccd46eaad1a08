"""The line of play laid out in a rectangle of character cells: no overlap, every end labelled.

Arms run straight, then snake. Where the root lies, which way arms turn and how large tiles are is
found by trying in a fixed order, so the same line always lies the same way. A line for which no
way is found (many arms, little room) is listed arm by arm instead.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from cli.screen.line import shapes
from cli.screen.line.look import TileSize
from cli.screen.line.plan import Piece, make_plan
from cli.screen.line.search import Try, Way, label_text
from cli.screen.line.shapes import Rect, Spot, TileShape
from cli.screen.line.tree import Arm, Node, Tree
from engine.line import End
from engine.tiles import Tile

# How many ways are tried with each shape: a try takes about two milliseconds, most lines one.
_TRIES: Final = {shapes.LARGE: 12, shapes.BIG: 12, shapes.COMPACT: 120, shapes.SMALL: 80}
# How many cells there must be a tile, that a try is worth it: a large tile takes 27, a big one 15,
# and as many again for the air around it.
_CELLS: Final = {shapes.LARGE: 48, shapes.BIG: 24}
# Unless somebody asks for large tiles they lie only where there is room for most of a hand.
_ROOMY: Final = 2000
_ROOMY_CELLS: Final = 90
_EIGHTHS: Final = (4, 3, 5, 2, 6, 1, 7)
_MARGIN: Final = 8


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile where it lies; `first` is its left half, or its upper half if it `stands`."""

    tile: Tile
    rect: Rect
    first: int
    stands: bool = False

    @property
    def second(self) -> int:
        """The other half."""
        return self.tile.pips - self.first


@dataclass(frozen=True, slots=True)
class EndLabel:
    """An open end where it is named, with a cell left and right of the text."""

    end: End
    rect: Rect


@dataclass(frozen=True, slots=True)
class Note:
    """Words in the picture that are neither a tile nor an open end."""

    text: str
    rect: Rect


@dataclass(frozen=True, slots=True)
class Layout:
    """Every tile and every open end in a rectangle of `width` x `height` cells.

    `dashes` bridge the gaps between tiles of one arm. `listed` says that the arms stand in a list.
    """

    width: int
    height: int
    shape: TileShape
    tiles: tuple[Laid, ...] = ()
    labels: tuple[EndLabel, ...] = ()
    dashes: tuple[Rect, ...] = ()
    notes: tuple[Note, ...] = ()
    listed: bool = False


@lru_cache(maxsize=64)
def lay_out(tree: Tree | None, width: int, height: int, size: TileSize = "auto") -> Layout:
    """The line of play in `width` x `height` cells, at least 58 x 8."""
    if tree is None:
        return Layout(width, height, shapes.BIG)
    count = sum(1 for _ in tree.nodes())
    for shape, tries in _TRIES.items():
        if not _is_worth_it(shape, count, width * height, size):
            continue
        found = find_places(tree, Layout(width, height, shape), tries)
        if found is not None:
            return _drawn(found, Layout(width, height, shape))
    return _list_arms(tree, width, height)


def _is_worth_it(shape: TileShape, count: int, room: int, size: TileSize) -> bool:
    """Whether so many tiles of that shape may fit into so many cells, and are wanted."""
    if size == "small" and shape in _CELLS:
        return False
    if size == "auto" and shape is shapes.LARGE:
        return room >= max(_ROOMY, count * _ROOMY_CELLS)
    return room >= count * _CELLS.get(shape, 0)


def find_places(tree: Tree, empty: Layout, tries: int) -> tuple[tuple[Piece, Spot], ...] | None:
    """Every tile and label with its place in an empty layout; None if none of so many tries gives
    one."""
    width, height, shape = empty.width, empty.height, empty.shape
    failed: Counter[str] = Counter()
    ways = dict.fromkeys(_ways(tree, width, height, shape))
    for way in islice(ways, tries):
        plan = make_plan(tree, width, shape, way.x, failed)
        attempt = Try(plan, width, height, shape, way)
        if attempt.run():
            return tuple(zip(plan, attempt.spots, strict=True))
        failed[plan[attempt.deepest].arm.end.name] += 1
    return None


def _ways(tree: Tree, width: int, height: int, shape: TileShape) -> Iterator[Way]:
    left = 3 + shape.across * len(tree.left.nodes)
    right = 3 + shape.across * (len(tree.right.nodes) if tree.right else 0)
    even = left + right < width - _MARGIN
    best = (width + left - right) // 2 if even else round(width * left / (left + right))
    columns = [best, *(width * part // 8 for part in _EIGHTHS)]
    for some in (columns[:3], columns[3:]):
        for airy in (True, False):
            for column in some:
                for part in _EIGHTHS:
                    x = max(_MARGIN, min(width - _MARGIN - 1, column))
                    for clockwise in (True, False):
                        yield Way(x, height * part // 8, clockwise, airy)


def _drawn(places: Sequence[tuple[Piece, Spot]], empty: Layout) -> Layout:
    tiles: list[Laid] = []
    labels: list[EndLabel] = []
    dashes: list[Rect] = []
    for piece, spot in places:
        if piece.node is None:
            labels.append(EndLabel(piece.arm.end, spot.rect))
            continue
        tiles.append(laid(piece, spot, empty.shape))
        if spot.dash is not None:
            dashes.append(spot.dash)
    return Layout(
        empty.width, empty.height, empty.shape, tuple(tiles), tuple(labels), tuple(dashes)
    )


def laid(piece: Piece, spot: Spot, shape: TileShape) -> Laid:
    """A tile in its place."""
    assert piece.node is not None, "a label is no tile"
    backwards = piece.parent >= 0 and sum(spot.heading) < 0
    first = piece.node.outward if backwards else piece.node.inward
    return Laid(piece.node.tile, spot.rect, first, spot.rect.w == shape.upright)


class _Lister:
    """Writes tiles, labels and notes like words of a text."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._x = self._y = 0
        self.tiles: list[Laid] = []
        self.labels: list[EndLabel] = []
        self.notes: list[Note] = []

    def room(self, width: int) -> Rect:
        if self._x + width > self._width:
            self._x, self._y = 0, self._y + 1
        rect = Rect(self._x, self._y, width, 1)
        self._x += width
        return rect

    def label(self, end: End) -> None:
        self.labels.append(EndLabel(end, self.room(len(label_text(end)) + 2)))

    def tile(self, node: Node, first: int) -> None:
        self.tiles.append(Laid(node.tile, self.room(shapes.SMALL.across), first))

    def note(self, text: str, room: int) -> None:
        """A note that stays in one row with the next `room` cells."""
        if self._x + len(text) + room > self._width:
            self._x, self._y = 0, self._y + 1
        self.notes.append(Note(text, self.room(len(text))))

    def arm(self, arm: Arm, spinner: Node) -> None:
        """An arm from its spinner outward; one without a tile is its label alone."""
        if arm.nodes:
            self.note(f" {spinner.tile}>", shapes.SMALL.across)
        for node in arm.nodes:
            self.tile(node, node.inward)
        self.label(arm.end)


def _list_arms(tree: Tree, width: int, height: int) -> Layout:
    """The main row as a text from L to R, then each arm from its spinner to its end."""
    write = _Lister(width)
    write.label(tree.left.end)
    for node in reversed(tree.left.nodes):
        write.tile(node, node.outward)
    write.tile(tree.root, tree.root.inward)
    for node in tree.right.nodes if tree.right else ():
        write.tile(node, node.inward)
    if tree.right:
        write.label(tree.right.end)
    for node in tree.nodes():
        for arm in node.arms:
            write.arm(arm, node)
    tiles, labels, notes = tuple(write.tiles), tuple(write.labels), tuple(write.notes)
    return Layout(width, height, shapes.SMALL, tiles, labels, notes=notes, listed=True)
