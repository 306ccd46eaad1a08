"""Weighs the moves of a view: what each comes to over the deals that can be."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.strategy.guesses import Guess, Guesses
from engine.strategy.playout import CAREFUL, PLAIN, world_of
from engine.strategy.search import TO_THE_END, Budget, OutOfBudget, Search
from engine.strategy.stakes import M, Stake
from engine.strategy.view import SeatView

_MOST_DEALS: Final = 120  # so many are gone through one by one, more are sampled
_SMALL: Final = 8  # tiles in play: so few are played out at once
_SMALL_TIMES: Final = 2.0  # so much of the budget of positions is then spent, which is hardly ever
_TIMES: Final = 0.2  # so much else where all deals are searched: deeper brings little
_BATCH: Final = 16  # worlds between two looks at which moves are worth going on with
_DEVIATIONS: Final = 2.5  # standard errors behind the best at which a move is given up


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

    Ends early when the budget is used up: at the least one guess has been looked at by then, no
    deeper than the move itself.
    """
    guesses = Guesses(view, rng)
    deals = guesses.every(_MOST_DEALS)
    if deals:
        return _deepened(view, stake, deals, budget)
    return _sampled(view, stake, guesses, worlds, budget)


def _searched(
    view: SeatView, stake: Stake[M], tiles: Sequence[int], depth: int, budget: Budget
) -> Search[M]:
    return Search(world_of(view.hand, tiles, view.scores), stake, budget, depth)


def _deepened(view: SeatView, stake: Stake[M], deals: Sequence[Guess], budget: Budget) -> Weighed:
    """All deals, as deep as the budget allows; weighted, and all moves are looked at as deep."""
    everything = tuple(range(len(view.legal)))
    depths: Iterable[int] = range(2, TO_THE_END)
    times = _TIMES
    if sum(view.tile_counts) + view.drawable <= _SMALL:
        depths = (TO_THE_END,)
        times = _SMALL_TIMES
    budget = Budget(times * budget.positions, budget.over)
    values, exact = _round(view, stake, deals[:1], 0, Budget())
    try:
        for depth in depths:
            values, exact = _round(view, stake, deals, depth, budget)
            if exact:
                break
    except OutOfBudget:
        pass
    return Weighed(values, everything, exact)


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


def _sampled(
    view: SeatView, stake: Stake[M], guesses: Guesses, worlds: int, budget: Budget
) -> Weighed:
    """Guess after guess, all moves in the same; those clearly behind are given up.

    The rest of the hand is played out by simple rules, by the others like `normal` where their
    choices so far look like that: to search it would make use of tiles that
    nobody can know, and tells less even where the others look ahead.
    """
    legal = view.legal
    plain, careful = PLAIN[view.rules.play_points], CAREFUL[view.rules.play_points]
    values: list[list[float]] = [[] for _ in legal]
    alive = list(range(len(legal)))
    first = _searched(view, stake, guesses.deal(), 0, Budget())
    instead = tuple(first.value(move) for move in legal)
    try:
        for number in range(1, worlds + 1):
            tiles = guesses.deal()
            ways = [plain if at else careful for at in guesses.plain()]
            world = world_of(view.hand, tiles, view.scores)
            search = Search(world, stake, budget, 1, ways)
            for at, value in [(at, search.value(legal[at])) for at in alive]:
                values[at].append(value)
            if number % _BATCH == 0:
                alive = worth_going_on(alive, values)
                if len(alive) == 1:
                    break
    except OutOfBudget:
        pass
    if not values[0]:
        return Weighed(instead, tuple(alive), exact=False)
    means = tuple(sum(each) / len(each) for each in values)
    return Weighed(means, tuple(alive), exact=False)


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
