"""How much a player may look at for a move."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_SLICE: Final = 8  # positions between two looks at the clock, less than a tenth of a millisecond


class OutOfBudget(Exception):
    """Looking ahead was stopped before it was through."""


@dataclass(slots=True)
class Budget:
    """Ends looking ahead with `OutOfBudget`: after so many positions, or when `over` says so, which
    is asked every few positions."""

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
            self.look()

    def look(self) -> None:
        """Asks `over` alone: for what takes time and is no position."""
        if self.over():
            raise OutOfBudget
