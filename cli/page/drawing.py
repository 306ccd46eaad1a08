"""The line of play of a whole hand, laid out once: no tile moves while the hand is stepped through.

It is laid as at the terminal, with the largest tiles and as much room as it takes, or straight
where that finds no way. Units are the terminal's cells, taken as squares: a lying tile has 5 x 3,
a standing one 3 x 5. Each arm has room for a tile more than lie on it: an open end is named where
the next tile will lie, so that nothing ever overlaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cli.page.straight import Set, lay_straight
from cli.screen.line import shapes
from cli.screen.line.layout import Laid, Layout, find_places, laid
from cli.screen.line.shapes import Rect
from cli.screen.line.tree import Arm, Node, Tree, tree_of
from engine.line import Line
from engine.tiles import TOP_PIP, Tile, tile

# Columns beside the words of a wide window, and on a phone, where a tile has then 45 pixels.
WIDE: Final = 64
NARROW: Final = 40
# So many columns and rows are tried one after another, with so many ways each.
_ROOMS: Final = {
    WIDE: ((WIDE, (16, 22, 30, 40)), (84, (30, 44))),
    NARROW: ((NARROW, (16, 22, 30, 40, 54, 72)), (52, (40, 60)), (68, (48, 72))),
}
_TRIES: Final = 12
_EMPTY_ROWS: Final = 9


@dataclass(frozen=True, slots=True)
class Drawing:
    """The tiles of a hand in the order of placing, and by end the place that stays free behind
    them, all in `width` x `height` units."""

    width: int
    height: int
    tiles: tuple[Laid, ...] = ()
    beyond: tuple[tuple[str, Rect], ...] = ()

    def next_place(self, line: Line, end: str, placed: int) -> Rect:
        """Where the next tile on that end of the whole `line` lies, when so many tiles lie."""
        later = zip(line.placements[placed:], self.tiles[placed:], strict=True)
        found = next((one.rect for put, one in later if put.end == end), None)
        return found or dict(self.beyond)[end]


def draw_line(line: Line, columns: int) -> Drawing:
    """The drawing of a line as it lies at the end of a hand; `columns` (one of the two) wide if
    there is a way."""
    tree = tree_of(line)
    if tree is None:
        return Drawing(columns, _EMPTY_ROWS)
    roomy = Tree(
        _node(tree.root), _with_room(tree.left), _with_room(tree.right) if tree.right else None
    )
    sets = _snaking(roomy, columns) or lay_straight(roomy)
    return _cropped(line, sets)


def _snaking(tree: Tree, columns: int) -> list[Set]:
    """The way of the terminal; nothing if it finds none."""
    rooms = ((width, height) for width, heights in _ROOMS[columns] for height in heights)
    for width, height in rooms:
        found = find_places(tree, Layout(width, height, shapes.BIG), _TRIES)
        if found is not None:
            return [
                Set(one.node, one.arm if at else None, laid(one, spot, shapes.BIG))
                for at, (one, spot) in enumerate(found)
                if one.node is not None
            ]
    return []


def _with_room(arm: Arm) -> Arm:
    """The arm with a place more than it has tiles."""
    value = arm.end.value
    other = (value + 1) % (TOP_PIP + 1)  # that it is no double is all that matters
    free = Node(tile(value, other), value, other)
    return Arm(arm.end, (*map(_node, arm.nodes), free))


def _node(node: Node) -> Node:
    return replace(node, arms=tuple(map(_with_room, node.arms)))


def _cropped(line: Line, sets: Sequence[Set]) -> Drawing:
    """Without what is empty around it."""
    rects = [one.laid.rect for one in sets]
    left, top = min(one.x for one in rects), min(one.y for one in rects)
    width = max(one.x + one.w for one in rects) - left
    height = max(one.y + one.h for one in rects) - top
    tiles: dict[Tile, Laid] = {}
    beyond: list[tuple[str, Rect]] = []
    for one in sets:
        x, y, w, h = one.laid.rect
        moved = replace(one.laid, rect=Rect(x - left, y - top, w, h))
        if one.arm is not None and one.node is one.arm.nodes[-1]:
            beyond.append((one.arm.end.name, moved.rect))
        else:
            tiles[one.node.tile] = moved
    placed = tuple(tiles[put.tile] for put in line.placements)
    return Drawing(width, height, placed, tuple(beyond))
