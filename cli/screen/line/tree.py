"""The line of play as a tree, for whoever draws it: from one tile arms grow, and on arms spinners.

The root is the first spinner, or else the lead; the main row runs through it from L to R.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.line import End, Line, Placed, Spinner
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Node:
    """A tile on an arm: the half towards the root, the half away from it, and the arms that it
    has itself, none or two, if it is a spinner whose arms are open."""

    tile: Tile
    inward: int
    outward: int
    arms: tuple["Arm", ...] = ()


@dataclass(frozen=True, slots=True)
class Arm:
    """A way outward: its tiles from the root on, and the open end after them."""

    end: End
    nodes: tuple[Node, ...]

    @property
    def size(self) -> int:
        """Tiles on it, and on the arms of its spinners."""
        return sum(1 + sum(arm.size for arm in node.arms) for node in self.nodes)


@dataclass(frozen=True, slots=True)
class Tree:
    """The whole line. For the root `inward` is the half on the left and `outward` on the right.

    `right` is None while a double lies alone, which has one end.
    """

    root: Node
    left: Arm
    right: Arm | None

    def arms(self) -> Iterable[Arm]:
        """Every arm with its open end."""
        waiting = [arm for arm in (self.left, self.right, *self.root.arms) if arm is not None]
        while waiting:
            arm = waiting.pop(0)
            yield arm
            waiting += [side for node in arm.nodes for side in node.arms]

    def nodes(self) -> Iterable[Node]:
        """Every tile."""
        yield self.root
        for arm in self.arms():
            yield from arm.nodes


class _Builder:
    def __init__(self, line: Line) -> None:
        self._lying = line.arms()
        self._ends = {end.name: end for end in line.ends()}
        self._spinners: dict[int, Spinner] = {one.pip: one for one in line.spinners() if one.open}

    def node(self, tile: Tile, inward: int) -> Node:
        spinner = self._spinners.get(tile.high) if tile.is_double else None
        names = spinner.arms if spinner else ()
        return Node(tile, inward, tile.pips - inward, tuple(self._arm(name) for name in names))

    def _arm(self, name: str) -> Arm:
        return Arm(self._ends[name], self.outward(self._lying[name]))

    def outward(self, placed: Iterable[Placed]) -> tuple[Node, ...]:
        return tuple(self.node(one.tile, one.tile.pips - one.outward) for one in placed)

    def end(self, name: str) -> End:
        return self._ends[name]

    def main(self, lead: Tile) -> list[tuple[Tile, int, int]]:
        """The tiles of the main row from left to right with their left and right halves."""
        left = [(one.tile, one.outward, one.tile.pips - one.outward) for one in self._lying["L"]]
        right = [(p.tile, p.tile.pips - p.outward, p.outward) for p in self._lying.get("R", ())]
        return [*reversed(left), (lead, lead.high, lead.low), *right]


def tree_of(line: Line) -> Tree | None:
    """The tree of a line; None while the table is empty."""
    if line.lead is None:
        return None
    build = _Builder(line)
    row = build.main(line.lead)
    at = _root_index(row, line.spinners(), line.lead)
    tile, left, _ = row[at]
    lefts = tuple(build.node(one, right_half) for one, _, right_half in reversed(row[:at]))
    rights = tuple(build.node(one, left_half) for one, left_half, _ in row[at + 1 :])
    lone = len(line.ends()) == 1
    return Tree(
        build.node(tile, left),
        Arm(build.end("L"), lefts),
        None if lone else Arm(build.end("R"), rights),
    )


def _root_index(
    row: Sequence[tuple[Tile, int, int]], spinners: Sequence[Spinner], lead: Tile
) -> int:
    tiles = [tile for tile, _, _ in row]
    on_row = [tile for tile in tiles if tile.is_double and spinners]
    first = [tile for tile in on_row if tile.high == spinners[0].pip]
    return tiles.index(first[0] if first else lead)
