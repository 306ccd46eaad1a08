"""The easy player: any legal move."""

import random
from dataclasses import replace
from typing import Final

from engine.moves import Move, Play
from engine.strategy.view import SeatView

_NOTICES: Final = 0.5  # where points must be claimed: how often it sees them


class EasyPlayer:
    """Plays a legal move at random, and claims what a count scores every other time."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: SeatView) -> Move:
        """Any of the legal moves, each as likely."""
        move = self._rng.choice(view.legal)
        if isinstance(move, Play) and view.rules.claims and self._rng.random() < _NOTICES:
            return replace(move, claim=view.points_for(move))
        return move

    def claim(self, view: SeatView) -> int:
        """What the count scores if the placer has not claimed it, when noticed; else 0."""
        real = view.points_on_table()
        if view.awaiting is None or view.awaiting.claim == real:
            return 0
        return real if self._rng.random() < _NOTICES else 0
