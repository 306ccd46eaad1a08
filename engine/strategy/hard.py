"""The hard player: searches the deals that can be, and takes the move that is best over them."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.moves import Move, Play
from engine.strategy.normal import NormalPlayer
from engine.strategy.outlook import pace
from engine.strategy.search import Budget
from engine.strategy.stakes import Chances, Points
from engine.strategy.view import SeatView
from engine.strategy.weighing import Weighed, weigh

Clock = Callable[[], float]
"""Seconds since some moment."""

POSITIONS: Final = 30_000  # that are looked at for a move, in a quarter of a second at most
_FAR: Final = 2.5  # hands of the usual pace to the target, from which points count alone


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
        """The best move; the only move there is without thinking."""
        move = view.legal[0]
        if len(view.legal) > 1:
            move = view.legal[self.weigh(view).best()]
        if isinstance(move, Play) and view.rules.claims:
            return replace(move, claim=view.points_for(move))
        return move

    def weigh(self, view: SeatView) -> Weighed:
        """What each legal move comes to: in points, or in chances near the target."""
        budget = self.budget()
        if is_far(view):
            points = Points(view.rules, view.seat, view.seats)
            return weigh(view, points, self._rng, self._worlds, budget)
        chances = Chances(view.rules, view.seat, view.seats, view.scores)
        return weigh(view, chances, self._rng, self._worlds, budget)

    def budget(self) -> Budget:
        clock = self._clock
        if clock is None:
            return Budget(POSITIONS)
        until = clock() + self._think
        return Budget(POSITIONS, lambda: clock() >= until)


def is_far(view: SeatView) -> bool:
    """Whether so much is missing to the target that points are as good as chances."""
    missing = view.rules.target - max(view.scores[seat] for seat in view.seats)
    return missing > _FAR * pace(view.rules).points
