"""Searching a world in which every tile is known: the best that all can do to the end of a hand.

Minimax with alpha-beta and a table of positions met before. Two sides play against each other;
where more than two play for themselves, the others are taken to play together against one (the
paranoid assumption of N. Sturtevant and R. Korf, "On Pruning Techniques for Multi-Player Games",
2000): it keeps the pruning, and errs on the side of care.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from engine.ends import END_KEYS
from engine.line import Line
from engine.moves import Move, Pass, Play
from engine.scoring import settle
from engine.strategy.playout import Way, World, worth
from engine.strategy.stakes import M, Stake
from engine.tiles import ALL_TILES, TILE_COUNT, WHOLE_SET, tiles_in

TO_THE_END: Final = TILE_COUNT
"""A depth, in placements, that no hand exceeds."""

_DOUBLES: Final = sum(1 << tile.index for tile in ALL_TILES if tile.is_double)
_SLICE: Final = 64  # positions between two looks at the clock
_PLAYED_ON: Final = 12  # positions that playing a hand out takes as long as

# What held tiles are worth where a search goes no deeper, in points: found by least squares over
# 15,000 positions of hands that were played with all tiles in view. Pips told nothing.
_FITTING_NOW: Final = 3
_DOUBLE: Final = -4
_ANY_TILE: Final = 1


class OutOfBudget(Exception):
    """A search was stopped before it was through."""


@dataclass(slots=True)
class Budget:
    """Ends searches with `OutOfBudget`: after so many positions, or when `over` says so, which is
    asked every few positions."""

    positions: float = math.inf
    over: Callable[[], bool] = lambda: False
    used: int = 0
    asked: int = -_SLICE  # how many were used when `over` was asked last

    def spend(self, positions: int = 1) -> None:
        """Takes positions in."""
        self.used += positions
        if self.used >= self.positions:
            raise OutOfBudget
        if self.used >= self.asked + _SLICE:
            self.asked = self.used
            if self.over():
                raise OutOfBudget


class Search(Generic[M]):
    """Values of the moves of a world, `depth` placements deep; what follows is estimated, or, with
    `ways`, played on, each seat in its way.

    Inside, the tiles of all seats are bits of one integer, 28 for each seat.
    """

    def __init__(
        self,
        world: World,
        stake: Stake[M],
        budget: Budget,
        depth: int = TO_THE_END,
        ways: Sequence[Way] = (),
    ) -> None:
        self._world, self._rules, self._stake = world, world.rules, stake
        self._budget, self._depth = budget, depth
        self._ways = ways
        self._after, self._order, self._last = world.after, world.order, world.stop
        self._fives = world.rules.play_points == "fives"
        self._shift = [TILE_COUNT * seat for seat in range(world.rules.players)]
        self._known: dict[object, tuple[float, float]] = {}  # bounds of values, by position
        self._settled: dict[tuple[int, int | None], tuple[int, ...]] = {}
        self.exact = True  # nothing was estimated so far

    def value(self, move: Move) -> float:
        """What a legal move of the seat to move comes to, by the stake."""
        world = self._world
        held = sum(tiles << self._shift[seat] for seat, tiles in enumerate(world.held))
        made, turn, depth = self._stake.start(), world.turn, self._depth
        if isinstance(move, Play):
            option = (move.tile.index, END_KEYS[move.end])
            return self._place(
                world.line, option, held, world.next, turn, made, -math.inf, math.inf, depth
            )
        passes = 0
        if isinstance(move, Pass):
            passes, turn = 1, self._after[turn]
        return self._position(
            world.line, held, world.next, turn, passes, made, -math.inf, math.inf, depth
        )

    def _place(
        self,
        line: Line,
        option: tuple[int, int],
        held: int,
        at: int,
        turn: int,
        made: M,
        low: float,
        high: float,
        depth: int,
    ) -> float:
        """The value once the seat to move has placed a tile, given as index and end key."""
        line = line.copy()
        line.put(option)
        held ^= 1 << option[0] + self._shift[turn]
        if self._fives and line.total and line.total % 5 == 0:
            made = self._stake.add(made, turn, line.total)
            if self._stake.reached(made, turn):
                return self._stake.value(made, (0,) * self._rules.players)
        if not held >> self._shift[turn] & WHOLE_SET:
            return self._end(held, turn, made)
        return self._position(line, held, at, self._after[turn], 0, made, low, high, depth - 1)

    def _position(
        self,
        line: Line,
        held: int,
        at: int,
        turn: int,
        passes: int,
        made: M,
        low: float,
        high: float,
        depth: int,
    ) -> float:
        """The value with that seat to move, which first draws and passes as it must."""
        self._budget.spend()
        fits = line.fitting
        while True:
            shift = self._shift[turn]
            fitting = held >> shift & fits
            while not fitting and at < self._last:
                bit = 1 << self._order[at]
                at += 1
                held |= bit << shift
                fitting = bit & fits
            if fitting:
                break
            passes += 1
            if passes == len(self._after):
                return self._end(held, None, made)
            turn = self._after[turn]
        if depth <= 0:
            self.exact = False
            if self._ways:
                return self._played_on(line, held, at, turn, made)
            return self._estimate(held, fits, made)
        return self._best(line, held, at, turn, fitting, made, low, high, depth)

    def _best(
        self,
        line: Line,
        held: int,
        at: int,
        turn: int,
        fitting: int,
        made: M,
        low: float,
        high: float,
        depth: int,
    ) -> float:
        """The value of the best placement of a tile that fits, or a bound outside low to high."""
        level = self._stake.level(made)
        position = (line.shape(), held, at, turn, depth, self._stake.context(made))
        least, most = self._known.get(position, (-math.inf, math.inf))
        least, most = least + level, most + level
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        ours = self._stake.weights[turn] > 0
        best = -math.inf if ours else math.inf
        alpha, beta = low, high
        for option in self._options(line, fitting):
            value = self._place(line, option, held, at, turn, made, alpha, beta, depth)
            if ours:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        self._known[position] = (
            (least if best <= low else best) - level,
            (most if best >= high else best) - level,
        )
        return best

    def _options(self, line: Line, fitting: int) -> list[tuple[int, int]]:
        """The placements, the likely best first, so that the others are refuted soon."""
        options = line.outcomes(fitting)
        if len(options) > 1:
            rules = self._rules
            options.sort(key=lambda each: worth(rules, each[0], each[2]), reverse=True)
        return [(index, key) for index, key, _ in options]

    def _end(self, held: int, out: int | None, made: M) -> float:
        points = self._settled.get((held, out))
        if points is None:
            left = tuple([tiles_in(held >> shift & WHOLE_SET) for shift in self._shift])
            points = settle(self._rules, tuple(self._after), out, left).points
            self._settled[held, out] = points
        return self._stake.value(made, points, out)

    def _played_on(self, line: Line, held: int, at: int, turn: int, made: M) -> float:
        """What comes of it if all play in their ways; the target ends nothing on the way."""
        self._budget.spend(_PLAYED_ON)
        by_seat = [held >> shift & WHOLE_SET for shift in self._shift]
        world = World(
            rules=self._rules,
            line=line.copy(),
            held=by_seat,
            hidden=[0] * len(by_seat),
            order=self._order,
            next=at,
            stop=self._last,
            turn=turn,
            passes=0,
            after=self._after,
            scores=[0] * len(by_seat),
        )
        world.finish(self._ways)
        return self._stake.value(made, world.scores, world.out)

    def _estimate(self, held: int, fits: int, made: M) -> float:
        """What comes of it, as far as the tiles held tell."""
        expected = []
        for shift in self._shift:
            tiles = held >> shift & WHOLE_SET
            expected.append(
                _FITTING_NOW * (tiles & fits).bit_count()
                + _DOUBLE * (tiles & _DOUBLES).bit_count()
                + _ANY_TILE * tiles.bit_count()
            )
        if self._rules.partners:
            expected = [sum(expected[side::2]) for side in (0, 1, 0, 1)]
        return self._stake.value(made, expected)
