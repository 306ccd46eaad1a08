"""The hard player: searches the deals that can be, and takes the move that is best over them."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.moves import Move, Play
from engine.strategy.ahead.budget import Budget, OutOfBudget
from engine.strategy.normal import NormalPlayer
from engine.strategy.outlook import pace, start_worth
from engine.strategy.stakes import Chances, Points
from engine.strategy.view import SeatView
from engine.strategy.weighing import Weighed, at_first_sight, weigh

Clock = Callable[[], float]
"""Seconds since some moment."""

POSITIONS: Final = 30_000  # that are looked at for a move, in a quarter of a second at most
_FAR: Final = 2.5  # hands of the usual pace to the target, from which points are played for
_ENDLESS: Final = 12  # such hands, from which only those of this hand are


class HardPlayer(NormalPlayer):
    """Takes the move that brings its side most, over the deals that can be; claims as normal.

    Near the target it takes the best chance to win instead. It looks at `worlds` guesses or at
    `POSITIONS` positions, whichever comes first; where a `clock` is given, for `think` seconds at
    most.
    """

    def __init__(self, rng: random.Random, worlds: int, think: float, clock: Clock | None) -> None:
        self._rng = rng
        self._worlds = worlds
        self._think = think
        self._clock = clock

    def choose(self, view: SeatView) -> Move:
        """The best move; the only move there is, or one that wins the match, without thinking."""
        move = winning(view)
        if move is None:
            move = view.legal[self.weigh(view).best() if len(view.legal) > 1 else 0]
        if isinstance(move, Play) and view.rules.claims:
            return replace(move, claim=view.points_for(move))
        return move

    def weigh(self, view: SeatView, budget: Budget | None = None) -> Weighed:
        """What each legal move comes to: in points, or in chances near the target. The budget is
        that of the player, unless one is given that has begun already."""
        budget = budget or self.budget()
        try:
            start = points_to_play_for(view, budget)
        except OutOfBudget:
            return at_first_sight(view, Points(view.rules, view.seat, view.seats))
        if start is not None:
            points = Points(view.rules, view.seat, view.seats, start)
            return weigh(view, points, self._rng, self._worlds, budget)
        chances = Chances(view.rules, view.seat, view.seats, view.scores)
        return weigh(view, chances, self._rng, self._worlds, budget)

    def budget(self) -> Budget:
        clock = self._clock
        if clock is None:
            return Budget(POSITIONS)
        until = clock() + self._think
        return Budget(POSITIONS, lambda: clock() >= until)


def winning(view: SeatView) -> Move | None:
    """A legal move that wins the match at once, if there is one. Guesses do not tell it from others
    that win in each of them."""
    return next(filter(view.wins_with, view.legal), None)


def points_to_play_for(view: SeatView, budget: Budget | None = None) -> float | None:
    """What going out is worth beside the points of the hand, in points, as it brings the lead of
    the next hand; None if the target is so near that points are not what is played for.

    Where the target is many hands away only the points of the hand count. Raises `OutOfBudget`.
    """
    missing = view.rules.target - max(view.scores[seat] for seat in view.seats)
    hands = missing / pace(view.rules, budget).points
    if hands > _ENDLESS:
        return 0.0
    return start_worth(view.rules, len(view.seats)) if hands > _FAR else None
