"""What the scores at the end of a hand are worth: the chance to win the match from there."""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from engine.rules import Rules
from engine.strategy.ahead.budget import Budget
from engine.strategy.playout import random_hand

_HANDS: Final = 120  # played once for each set of rules, in some milliseconds
# What leading a hand is worth, by `play-points` and seats: found by playing some thousand hands,
# and nearly the same for all rules; with partners as for four.
_START: Final = {"fives": {2: 5.7, 3: 7.0, 4: 10.0}, "none": {2: 2.3, 3: 2.7, 4: 3.8}}
_STEEPNESS: Final = 1.7  # makes the logistic function nearly the normal distribution


@dataclass(frozen=True, slots=True)
class Pace:
    """Points of the better side in a usual hand, and the standard deviation of the lead."""

    points: float
    spread: float


class _Pacing:
    """Hands by some rules, which depend on nothing else, and what they say in the end."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._rng = random.Random(1)
        self._brought: list[list[int]] = []

    def play(self, budget: Budget) -> None:
        while len(self._brought) < _HANDS:
            budget.look()
            self._brought.append(random_hand(self._rules, self._rng))

    @cached_property
    def pace(self) -> Pace:
        points = statistics.fmean(max(one) for one in self._brought)
        spread = math.sqrt(statistics.fmean((one[0] - one[1]) ** 2 for one in self._brought))
        return Pace(max(points, 1.0), max(spread, 1.0))


_pacing = cache(_Pacing)


def pace(rules: Rules, budget: Budget | None = None) -> Pace:
    """How fast matches by these rules go.

    Raises `OutOfBudget` if that is not known in time; what has been found until then is kept.
    """
    found = _pacing(rules)
    found.play(budget or Budget())
    return found.pace


def start_worth(rules: Rules, seats: int) -> float:
    """What leading a hand of so many seats is worth, in points more than the others make on
    average; 0 where who goes out does not lead the next."""
    return _START[rules.play_points][seats] if rules.next_starter == "out" else 0.0


class Outlook:
    """The chance of a seat (with partners: its side) to win, from scores at a hand's end.

    `seats` are those in the deal: who has left cannot win.
    """

    def __init__(self, rules: Rules, seat: int, seats: Sequence[int]) -> None:
        self._target = rules.target
        self._own = seat
        mates = rules.side(seat)
        self._others = [other for other in seats if other not in mates]
        self._pace = pace(rules)
        start = start_worth(rules, len(seats))
        self._starts = {seat: start if seat in mates else -start for seat in seats}

    def chance(self, scores: Sequence[float], out: int | None = None) -> float:
        """Against the best opponent; the lead over it is taken to grow as in a random walk. `out`
        leads the next hand, if there is one (None: nobody knows who)."""
        own = scores[self._own]
        other = max([scores[seat] for seat in self._others])
        lead, top = own - other, max(own, other)
        if lead and top >= self._target:
            return 1.0 if lead > 0 else 0.0
        lead += self._starts.get(out, 0.0) if out is not None else 0.0
        hands = max(1.0, (self._target - top) / self._pace.points)
        return 1 / (1 + math.exp(-_STEEPNESS * lead / (self._pace.spread * math.sqrt(hands))))
