"""A line of play laid out straight, which always works: where many spinners crowd each other the
tiles before them keep a distance, and the drawing gets as large as it has to be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cli.screen.line.layout import Laid
from cli.screen.line.shapes import BIG, LEFT, RIGHT, Heading, Rect
from cli.screen.line.tree import Arm, Node, Tree

_NOWHERE: Final = -(10**6)


@dataclass(frozen=True, slots=True)
class Set:
    """A node where it lies; `arm` is the one it is on, None for the root."""

    node: Node
    arm: Arm | None
    laid: Laid


def lay_straight(tree: Tree) -> list[Set]:
    """Every node of a tree, no two over each other; columns and rows may be below 0."""
    right = tree.right.nodes if tree.right else ()
    row: list[tuple[Node, Arm | None]] = [(one, tree.left) for one in reversed(tree.left.nodes)]
    row += [(tree.root, None), *((one, tree.right) for one in right)]
    middles = _spaced([node for node, _ in row], _NOWHERE)
    found: list[Set] = []
    for (node, arm), middle in zip(row, middles, strict=True):
        heading = LEFT if arm is tree.left else RIGHT
        found += _set(node, arm, (middle, 0), heading)
    return found


def _set(node: Node, arm: Arm | None, middle: tuple[int, int], heading: Heading) -> Iterator[Set]:
    """A node with its middle there, and all that grows from it to its sides."""
    x, y = middle
    double = node.tile.is_double
    lies = bool(heading[0]) != double
    w, h = (BIG.across, BIG.upright) if lies else (BIG.upright, BIG.across)
    first = node.outward if sum(heading) < 0 and not double else node.inward
    yield Set(node, arm, Laid(node.tile, Rect(x - w // 2, y - h // 2, w, h), first, not lies))
    across = (0, 1) if heading[0] else (1, 0)
    for sign, side in zip((-1, 1), node.arms, strict=False):
        way = (across[0] * sign, across[1] * sign)
        for one, step in zip(side.nodes, _spaced(side.nodes, 0), strict=True):
            out = BIG.across // 2 + 1 + step
            yield from _set(one, side, (x + way[0] * out, y + way[1] * out), way)


def _spaced(nodes: Sequence[Node], free: int) -> list[int]:
    """The middles of nodes one after another, from 0 on: what grows to the sides of one begins
    behind what grows from those before; `free` is where it may begin first."""
    middles: list[int] = []
    at = 0
    for node in nodes:
        size = BIG.upright if node.tile.is_double else BIG.across
        middle = at + size // 2
        if node.arms:
            half = max(_thickness(arm.nodes) for arm in node.arms)
            middle = max(middle, free + half)
            free = middle + half + 1
        middles.append(middle)
        at = middle + size // 2 + 1
    return middles


def _thickness(nodes: Sequence[Node]) -> int:
    """How far an arm reaches to either side of its middle, at most, with one unit of air."""
    return max((_reach(node) for node in nodes), default=0) + 1


def _reach(node: Node) -> int:
    own = BIG.across // 2 if node.tile.is_double else BIG.upright // 2
    return own + max((_length(arm.nodes) for arm in node.arms), default=0)


def _length(nodes: Sequence[Node]) -> int:
    if not nodes:
        return 0
    last = BIG.upright if nodes[-1].tile.is_double else BIG.across
    return _spaced(nodes, 0)[-1] + last // 2 + 1


__all__ = ["Set", "lay_straight"]
