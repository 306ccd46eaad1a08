"""The hard player: guesses the hidden tiles many times, plays each guess out, compares."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from support.engine.hard_before.guesses import Guesses
from support.engine.hard_before.outlook import Outlook
from support.engine.hard_before.playout import world_of

from engine.moves import Move, Play
from engine.strategy.normal import NormalPlayer
from engine.strategy.view import SeatView

Clock = Callable[[], float]
"""Seconds since some moment."""

_MOST_WORLDS: Final = 4000  # by then the chances are known to a hundredth
_BATCH: Final = 12  # worlds between two looks at which moves are worth going on with
_DEVIATIONS: Final = 2.5  # standard errors behind the best at which a move is given up


class HardPlayer(NormalPlayer):
    """Takes the move with the best chance to win the match, over guessed worlds; claims as normal.

    All moves are tried in the same worlds, until one move is left, or for `worlds` of them; where
    a `clock` is given, for `think` seconds instead.
    """

    def __init__(self, rng: random.Random, worlds: int, think: float, clock: Clock | None) -> None:
        self._rng = rng
        self._worlds = worlds if clock is None else _MOST_WORLDS
        self._think = think
        self._clock = clock

    def choose(self, view: SeatView) -> Move:
        """The move with the best chance; the only move there is without thinking."""
        move = self._best(view) if len(view.legal) > 1 else view.legal[0]
        if isinstance(move, Play) and view.rules.claims:
            return replace(move, claim=view.points_for(move))
        return move

    def _best(self, view: SeatView) -> Move:
        clock = self._clock
        until = math.inf if clock is None else clock() + self._think
        guesses = Guesses(view, self._rng)
        outlook = Outlook(view.rules, view.seat, view.seats)
        chances: list[list[float]] = [[] for _ in view.legal]  # by move: in each world
        alive = list(range(len(view.legal)))
        for number in range(1, self._worlds + 1):
            world = world_of(view.hand, guesses.deal(), view.scores)
            for at in alive:
                chances[at].append(outlook.chance(world.after_move(view.legal[at])))
            if number % _BATCH == 0:
                alive = worth_going_on(alive, chances)
            if len(alive) == 1 or (clock is not None and clock() >= until):
                break
        return view.legal[_leader(alive, chances)]


def _leader(alive: Sequence[int], chances: Sequence[Sequence[float]]) -> int:
    return max(alive, key=lambda at: sum(chances[at]))


def worth_going_on(alive: Sequence[int], chances: Sequence[Sequence[float]]) -> list[int]:
    """The moves of `alive` that are not clearly worse than the best, in two worlds or more."""
    best = _leader(alive, chances)
    kept = []
    for at in alive:
        behind = [a - b for a, b in zip(chances[best], chances[at], strict=True)]
        worlds = len(behind)
        mean = sum(behind) / worlds
        variance = sum([(each - mean) ** 2 for each in behind]) / (worlds - 1)
        if at == best or mean < _DEVIATIONS * math.sqrt(variance / worlds):
            kept.append(at)
    return kept
