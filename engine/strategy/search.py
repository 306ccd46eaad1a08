"""Searching a world in which every tile is known: the best that all can do to the end of a hand.

Minimax with alpha-beta and a table of positions met before. Two sides play against each other;
where more than two play for themselves, the others are taken to play together against one (the
paranoid assumption of N. Sturtevant and R. Korf, "On Pruning Techniques for Multi-Player Games",
2000): it keeps the pruning, and errs on the side of care.
"""

import math
from typing import Final, Generic

from engine.moves import Move, Pass, Play
from engine.scoring import settle
from engine.strategy.ahead.budget import Budget
from engine.strategy.ahead.shapes import Shape, shapes_of
from engine.strategy.playout import World
from engine.strategy.stakes import M, Stake
from engine.tiles import ALL_TILES, TILE_COUNT, WHOLE_SET, tiles_in

TO_THE_END: Final = TILE_COUNT
"""A depth, in placements, that no hand exceeds."""

_DOUBLES: Final = sum(1 << tile.index for tile in ALL_TILES if tile.is_double)

# What held tiles are worth where a search goes no deeper, in points: found by least squares over
# 15,000 positions of hands that were played with all tiles in view. Pips told nothing.
_FITTING_NOW: Final = 3
_DOUBLE: Final = -4
_ANY_TILE: Final = 1


class Search(Generic[M]):
    """Values of the moves of a world, `depth` placements deep; what follows is estimated.

    Inside, the tiles of all seats are bits of one integer, 28 for each seat.
    """

    def __init__(
        self, world: World, stake: Stake[M], budget: Budget, depth: int = TO_THE_END
    ) -> None:
        self._world, self._rules, self._stake = world, world.rules, stake
        self._budget, self._depth = budget, depth
        self._after, self._order, self._last = world.after, world.order, world.stop
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
            held ^= 1 << move.tile.index + self._shift[turn]
            after = shapes_of(self._rules).after(world.line, move.option)
            return self._placed(after, held, world.next, turn, made, -math.inf, math.inf, depth)
        passes = 0
        if isinstance(move, Pass):
            passes, turn = 1, self._after[turn]
        return self._position(
            world.shape, held, world.next, turn, passes, made, -math.inf, math.inf, depth
        )

    def _placed(
        self,
        after: Shape,
        held: int,
        at: int,
        turn: int,
        made: M,
        low: float,
        high: float,
        depth: int,
    ) -> float:
        """The value once that seat has placed a tile, which has led to that shape."""
        if after.points:
            made = self._stake.add(made, turn, after.points)
            if self._stake.reached(made, turn):
                return self._stake.value(made, (0,) * self._rules.players)
        if not held >> self._shift[turn] & WHOLE_SET:
            return self._end(held, turn, made)
        return self._position(after, held, at, self._after[turn], 0, made, low, high, depth - 1)

    def _position(
        self,
        shape: Shape,
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
        fits = shape.fitting
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
            return self._estimate(held, fits, made)
        return self._best(shape, held, at, turn, fitting, made, low, high, depth)

    def _best(
        self,
        shape: Shape,
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
        position = (shape, held, at, turn, depth, self._stake.context(made))
        least, most = self._known.get(position, (-math.inf, math.inf))
        least, most = least + level, most + level
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        ours = self._stake.weights[turn] > 0
        best = -math.inf if ours else math.inf
        alpha, beta, shift = low, high, self._shift[turn]
        for bit, after in _likely(shape, fitting):
            left = held ^ bit << shift
            value = self._placed(after, left, at, turn, made, alpha, beta, depth)
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

    def _end(self, held: int, out: int | None, made: M) -> float:
        points = self._settled.get((held, out))
        if points is None:
            left = tuple([tiles_in(held >> shift & WHOLE_SET) for shift in self._shift])
            points = settle(self._rules, tuple(self._after), out, left).points
            self._settled[held, out] = points
        return self._stake.value(made, points, out)

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


def _likely(shape: Shape, fitting: int) -> list[tuple[int, Shape]]:
    """The placements of tiles by their bits, and what each leads to: the likely best first, so
    that the others are refuted soon."""
    found = []
    while fitting:
        bit = 1 << fitting.bit_length() - 1  # the heavy ones first, roughly
        fitting ^= bit
        found += [(bit, after) for after in shape.after(bit)]
    if len(found) > 1:
        found.sort(key=_points, reverse=True)
    return found


def _points(placement: tuple[int, Shape]) -> int:
    return placement[1].points
