"""The line and the moves of All Fives a second time, slow and plain, from the words of the rules.

It shares no code with engine/: tiles are pairs, the table is a list of (tile, end) in the order of
placing, and every question is answered by looking at the whole list again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

Pair = tuple[int, int]
Placing = tuple[Pair, str | None]


@dataclass(frozen=True)
class Shape:
    """The options that shape the line."""

    spinner: str = "first"
    arms: str = "after-sides"
    bare_arms: str = "0"


@dataclass(frozen=True)
class OpenEnd:
    """An open end as the rules speak of it."""

    name: str
    value: int
    counts: int
    bare: bool


@dataclass
class Table:
    """What lies on the table."""

    shape: Shape
    placed: list[Placing] = field(default_factory=list)

    def arm(self, name: str) -> list[Pair]:
        """The tiles on one arm, outward."""
        return [pair for pair, end in self.placed if end == name]

    def spinners(self) -> list[int]:
        """The pips of the spinners, in the order of placing."""
        doubles = [pair[0] for pair, _ in self.placed if pair[0] == pair[1]]
        if self.shape.spinner == "none":
            return []
        return doubles[:1] if self.shape.spinner == "first" else doubles

    def sides_covered(self, pip: int) -> int:
        """How many of the two sides of the double of `pip` have a tile."""
        (at,) = [i for i, (pair, _) in enumerate(self.placed) if pair == (pip, pip)]
        end = self.placed[at][1]
        if end is None:
            return bool(self.arm("L")) + bool(self.arm("R"))
        return 1 + any(other == end for _, other in self.placed[at + 1 :])

    def outward(self, name: str, start: int) -> int:
        """The outer half at the end of an arm that starts at a half showing `start`."""
        value = start
        for high, low in self.arm(name):
            assert value in (high, low)
            value = low if value == high else high
        return value

    def ends(self) -> list[OpenEnd]:
        """The open ends, in their order."""
        if not self.placed:
            return []
        (high, low), _ = self.placed[0]
        found = [self._side("L", high)]
        if high != low or self.arm("L"):
            found.append(self._side("R", low))
        pips = self.spinners()
        for pip in pips[:1] + sorted(pips[1:]):
            prefix = "" if pip == pips[0] else str(pip)
            found += self._arms(pip, prefix)
        return found

    def _side(self, name: str, lead_half: int) -> OpenEnd:
        (high, low), _ = self.placed[0]
        arm = self.arm(name)
        value = self.outward(name, lead_half)
        outermost = arm[-1] if arm else (high, low)
        double = outermost[0] == outermost[1]
        return OpenEnd(name, value, sum(outermost) if double else value, False)

    def _arms(self, pip: int, prefix: str) -> list[OpenEnd]:
        covered = self.sides_covered(pip)
        if covered < (1 if self.shape.arms == "at-once" else 2):
            return []
        found = []
        for name in (prefix + "U", prefix + "D"):
            arm = self.arm(name)
            if arm:
                value = self.outward(name, pip)
                double = arm[-1][0] == arm[-1][1]
                found.append(OpenEnd(name, value, 2 * value if double else value, False))
            else:
                half = self.shape.bare_arms == "half" and covered == 2
                found.append(OpenEnd(name, pip, pip if half else 0, True))
        return found

    def count(self) -> int:
        """The sum of the ends."""
        if len(self.placed) == 1:
            return sum(self.placed[0][0])
        return sum(end.counts for end in self.ends())

    def fits(self, pair: Pair) -> list[str]:
        """The names of the moves with one tile, each move once."""
        ends = self.ends()
        bare = {end.name for end in ends if end.bare}
        return [
            end.name
            for end in ends
            if end.value in pair
            and not (end.name[-1] == "D" and end.bare and end.name[:-1] + "U" in bare)
        ]


@dataclass
class Game:
    """A hand with all tiles in view: hands by seat, the boneyard in drawing order."""

    table: Table
    hands: list[list[Pair]]
    boneyard: list[Pair]
    turn: int = 0
    drawing: bool = True
    reserve: int = 0
    drawn: Pair | None = None
    passes: int = 0
    over: bool = False

    def copy(self) -> "Game":
        """The same hand, independent."""
        table = Table(self.table.shape, list(self.table.placed))
        hands = [list(hand) for hand in self.hands]
        return Game(
            table,
            hands,
            list(self.boneyard),
            self.turn,
            self.drawing,
            self.reserve,
            self.drawn,
            self.passes,
            self.over,
        )

    def moves(self) -> list[tuple[Pair, str | None] | str]:
        """What the seat to move may do, in canonical order."""
        if self.over:
            return []
        hand = sorted(self.hands[self.turn], reverse=True)
        if not self.table.placed:
            return [(pair, None) for pair in hand]
        if self.drawn is not None:
            hand = [self.drawn]
        plays: list[tuple[Pair, str | None] | str] = [
            (pair, end) for pair in hand for end in self.table.fits(pair)
        ]
        if plays:
            return plays
        return ["draw" if self.drawing and len(self.boneyard) > self.reserve else "pass"]

    def make(self, move: tuple[Pair, str | None] | str) -> None:
        """Makes one of `moves`."""
        hand = self.hands[self.turn]
        if move == "draw":
            self.drawn = self.boneyard.pop(0)
            hand.append(self.drawn)
            return
        if isinstance(move, str):
            self.passes += 1
            self.over = self.passes == len(self.hands)
        else:
            self.passes = 0
            hand.remove(move[0])
            self.table.placed.append(move)
            self.over = not hand
        self.drawn = None
        self.turn = (self.turn + 1) % len(self.hands)


def perft(game: Game, depth: int) -> int:
    """How many different games there are of `depth` moves (fewer where a hand ends before)."""
    if depth == 0 or game.over:
        return 1
    total = 0
    for move in game.moves():
        after = game.copy()
        after.make(move)
        total += perft(after, depth - 1)
    return total


def pips(tiles: Sequence[Pair]) -> int:
    """Spots on all tiles."""
    return sum(map(sum, tiles))
