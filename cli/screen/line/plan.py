"""The order in which the pieces of a line look for their places.

First the main row as far as it goes straight, then the arms, small ones first, each with the label
of its open end: so a long arm winds around what is there, and short ones are never shut in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cli.screen.line.shapes import TileShape
from cli.screen.line.tree import Arm, Node, Tree

_LABEL_ROOM: Final = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile (`node`), or the label of the end of `arm`, next to the piece at index `parent`.

    `side` is None on the way on; -1 or +1 where an arm leaves its spinner up (left) or down
    (right), or, with `main`, where the main row leaves the root to the left or right.
    """

    arm: Arm
    node: Node | None
    parent: int
    side: int | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of an arm from its tile number `begin` on."""

    arm: Arm
    begin: int
    parent: int
    side: int | None
    main: bool

    @property
    def size(self) -> int:
        return len(self.arm.nodes) - self.begin


class _Planner:
    def __init__(self, tree: Tree) -> None:
        self.pieces = [Piece(tree.left, tree.root, -1)]
        self.waiting: list[_Rest] = []
        self._open(tree.root, 0)

    def _open(self, node: Node, index: int) -> None:
        for side, arm in zip((-1, 1), node.arms, strict=False):
            self.waiting.append(_Rest(arm, 0, index, side, False))

    def go(self, rest: _Rest, tiles: int) -> None:
        """Plan so many tiles of an arm; its label too if these are all, else the rest waits."""
        parent, side, main = rest.parent, rest.side, rest.main
        for node in rest.arm.nodes[rest.begin : rest.begin + tiles]:
            self.pieces.append(Piece(rest.arm, node, parent, side, main))
            parent, side, main = len(self.pieces) - 1, None, False
            self._open(node, parent)
        if tiles >= rest.size:
            self.pieces.append(Piece(rest.arm, None, parent, side, main))
        else:
            self.waiting.append(_Rest(rest.arm, rest.begin + tiles, parent, side, main))

    def go_on(self, failed: Mapping[str, int]) -> None:
        """Plan what waits: what failed most often before, then the smallest first."""
        while self.waiting:
            rest = min(self.waiting, key=lambda one: (-failed.get(one.arm.end.name, 0), one.size))
            self.waiting.remove(rest)
            self.go(rest, rest.size)


def make_plan(
    tree: Tree, width: int, shape: TileShape, column: int, failed: Mapping[str, int]
) -> list[Piece]:
    """The pieces of a line whose root lies at `column` of `width` columns.

    `failed` counts by the name of its end how often an arm found no place in earlier tries.
    """
    planner = _Planner(tree)
    half = (shape.upright if tree.root.tile.is_double else shape.across) // 2 + 1
    if tree.right is not None:
        planner.go(
            _Rest(tree.right, 0, 0, 1, True), _straight(tree.right, shape, width - column - half)
        )
    planner.go(_Rest(tree.left, 0, 0, -1, True), _straight(tree.left, shape, column - half))
    planner.go_on(failed)
    return planner.pieces


def _straight(arm: Arm, shape: TileShape, room: int) -> int:
    """How many tiles go straight in `room` columns, with room left for a turn or the label."""
    used = 0
    for count, node in enumerate(arm.nodes):
        used += shape.upright if node.tile.is_double else shape.across
        if used + _LABEL_ROOM > room:
            return count
    return len(arm.nodes)
