"""Weighs the moves of a view: what each comes to over the deals that can be."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.moves import Move, Play
from engine.strategy.ahead.budget import Budget, OutOfBudget
from engine.strategy.ahead.shapes import Shape, Way, shapes_of
from engine.strategy.guesses import Guess, Guesses
from engine.strategy.playout import CAREFUL, PLAIN, World, world_of
from engine.strategy.search import TO_THE_END, Search
from engine.strategy.stakes import M, Stake
from engine.strategy.view import SeatView
from engine.tiles import WHOLE_SET

_MOST_DEALS: Final = 120  # so many are gone through one by one, more are sampled
_SMALL: Final = 8  # tiles in play: so few are played out at once
_SMALL_TIMES: Final = 2.0  # so much of the budget of positions is then spent, which is hardly ever
_TIMES: Final = 0.2  # so much else where all deals are searched: deeper brings little
_PLAYED_OUT: Final = 20  # positions that playing a hand out takes as long as
_BATCH: Final = 16  # worlds between two looks at which moves are worth going on with
_DEVIATIONS: Final = 2.5  # standard errors behind the best at which a move is given up


_Start = tuple[int, Shape] | None
"""A placement: the bit of its tile, and what it leads to; None for a draw or a pass."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """By legal move: what it comes to, by the stake; that of a move given up is of fewer guesses.

    `exact`: all deals that can be were played out to the end. `alive`: places of the moves that
    were not given up, of which the best is one.
    """

    values: tuple[float, ...]
    alive: tuple[int, ...]
    exact: bool

    def best(self) -> int:
        """The place of the best move among the legal ones, the first of equal ones."""
        return max(self.alive, key=lambda at: (self.values[at], -at))


def weigh(
    view: SeatView, stake: Stake[M], rng: random.Random, worlds: int, budget: Budget
) -> Weighed:
    """Where few deals can be, all of them, deeper and deeper; else up to `worlds` guesses.

    Ends when the budget is used up, if need be with what is seen at first sight.
    """
    first = at_first_sight(view, stake)
    try:
        budget.look()
        guesses = Guesses(view, rng, budget)
        deals = guesses.every(_MOST_DEALS)
        if deals:
            return _deepened(view, stake, deals, budget, first)
        return _sampled(view, stake, guesses, worlds, budget) or first
    except OutOfBudget:
        return first


def at_first_sight(view: SeatView, stake: Stake[M]) -> Weighed:
    """What moves come to if nothing follows, and alive the one by the rule of thumb."""
    values = []
    for move in view.legal:
        made = stake.start()
        if isinstance(move, Play) and (points := view.points_for(move)):
            made = stake.add(made, view.seat, points)
        values.append(stake.value(made, (0,) * view.rules.players))
    held = sum(1 << tile.index for _, tile in view.tiles)
    others = WHOLE_SET & ~(held | view.line.tiles)
    shape = shapes_of(view.rules).of(view.line)
    best = 0
    if shape.fitting & held and len(view.legal) > 1:
        bit, after = shape.choose(
            CAREFUL[view.rules.play_points], shape.fitting & held, held, others
        )
        names = [(at[0], at[1].name) if (at := _start(view, move)) else () for move in view.legal]
        best = names.index((bit, after.name))
    return Weighed(tuple(values), (best,), exact=False)


def _searched(
    view: SeatView, stake: Stake[M], tiles: Sequence[int], depth: int, budget: Budget
) -> Search[M]:
    return Search(world_of(view.hand, tiles, view.scores), stake, budget, depth)


def _deepened(
    view: SeatView, stake: Stake[M], deals: Sequence[Guess], budget: Budget, weighed: Weighed
) -> Weighed:
    """All deals, as deep as the budget allows; weighted, and all moves are looked at as deep."""
    everything = tuple(range(len(view.legal)))
    depths: Iterable[int] = range(2, TO_THE_END)
    times = _TIMES
    if sum(view.tile_counts) + view.drawable <= _SMALL:
        depths = (TO_THE_END,)
        times = _SMALL_TIMES
    budget = Budget(times * budget.positions, budget.over)
    try:
        for depth in depths:
            values, exact = _round(view, stake, deals, depth, budget)
            weighed = Weighed(values, everything, exact)
            if exact:
                break
    except OutOfBudget:
        pass
    return weighed


def _round(
    view: SeatView, stake: Stake[M], deals: Sequence[Guess], depth: int, budget: Budget
) -> tuple[tuple[float, ...], bool]:
    sums, whole, exact = [0.0] * len(view.legal), 0.0, True
    for deal in deals:
        search = _searched(view, stake, deal.tiles, depth, budget)
        for at, move in enumerate(view.legal):
            sums[at] += deal.weight * search.value(move)
        whole += deal.weight
        exact = exact and search.exact
    return tuple(each / whole for each in sums), exact


def _start(view: SeatView, move: Move) -> _Start:
    if not isinstance(move, Play):
        return None
    return 1 << move.tile.index, shapes_of(view.rules).after(view.line, move.option)


def _sampled(
    view: SeatView, stake: Stake[M], guesses: Guesses, worlds: int, budget: Budget
) -> Weighed | None:
    """Guess after guess, all moves in the same; those clearly behind are given up. None if not one
    guess was looked at.

    The rest of the hand is played out by rules of thumb, by the others like `normal` where their
    choices so far look like that: to search it would make use of tiles that nobody can know, and
    tells less even where the others look ahead.
    """
    careful = CAREFUL[view.rules.play_points]
    starts = [_start(view, move) for move in view.legal]
    values: list[list[float]] = [[] for _ in starts]
    alive = list(range(len(starts)))
    try:
        for number in range(1, worlds + 1):
            world = world_of(view.hand, guesses.deal(), view.scores)
            ways = [PLAIN if at else careful for at in guesses.plain()]
            found = []
            for at in alive:
                budget.spend(_PLAYED_OUT)
                found.append(_played_out(world, stake, starts[at], ways))
            for at, value in zip(alive, found, strict=True):
                values[at].append(value)
            if number % _BATCH == 0:
                alive = worth_going_on(alive, values)
                if len(alive) == 1:
                    break
    except OutOfBudget:
        pass
    if not values[0]:
        return None
    means = tuple(sum(each) / len(each) for each in values)
    return Weighed(means, tuple(alive), exact=False)


def _played_out(world: World, stake: Stake[M], start: _Start, ways: Sequence[Way]) -> float:
    """What comes of a move in a world, which stays as it is, if all play on in these ways."""
    then = world.copy()
    over = False
    if start is not None:
        over = then.placed(*start)
    elif not then.held[then.turn] & then.shape.fitting and then.next == then.stop:
        over = then.skipped()
    if not over:
        then.finish(ways)
    made = [now - was for now, was in zip(then.scores, world.scores, strict=True)]
    return stake.value(stake.start(), made, then.out)


def worth_going_on(alive: Sequence[int], values: Sequence[Sequence[float]]) -> list[int]:
    """The moves of `alive` that are not clearly worse than the best, in two worlds or more."""
    best = max(alive, key=lambda at: sum(values[at]))
    kept = []
    for at in alive:
        behind = [a - b for a, b in zip(values[best], values[at], strict=True)]
        worlds = len(behind)
        mean = sum(behind) / worlds
        variance = sum([(each - mean) ** 2 for each in behind]) / (worlds - 1)
        if at == best or mean < _DEVIATIONS * math.sqrt(variance / worlds):
            kept.append(at)
    return kept
