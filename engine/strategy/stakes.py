"""What a search plays for: points, or, near the target, the chance to win the match.

A search carries what has been *made* since its start, and asks a stake what that comes to.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from engine.rules import Rules
from engine.strategy.outlook import Outlook

M = TypeVar("M")


class Stake(Protocol[M]):
    """Values are for the side of one seat: the larger, the better for it."""

    weights: tuple[int, ...]
    """By seat: above zero for those of that side, below for the others."""

    def start(self) -> M:
        """Nothing made yet."""
        ...

    def add(self, made: M, seat: int, points: int) -> M:
        """With the points of a placement of a seat."""
        ...

    def reached(self, made: M, seat: int) -> bool:
        """Whether that seat has just reached the target of a match that ends at once."""
        ...

    def value(self, made: M, settled: Sequence[float], out: int | None = None) -> float:
        """What it comes to if the hand ends with these points, by seat, on top, and `out` has gone
        out (None: nobody)."""
        ...

    def level(self, made: M) -> float:
        """What `made` adds to the value of a position, whatever follows."""
        ...

    def context(self, made: M) -> object:
        """What of `made` changes what is best to do."""
        ...


def weights_for(rules: Rules, own: int, seats: Sequence[int]) -> tuple[int, ...]:
    """By seat of the table: how its points weigh for the side of `own`, an opponent's -1."""
    mates = rules.side(own)
    others = len({rules.side(seat) for seat in seats} - {mates})
    return tuple(others if seat in mates else -1 for seat in range(rules.players))


class Points:
    """Points more than the other side makes; where more than two play for themselves, more than
    all others make on average, times their number (`scale`). Who goes out gets `start` on top, what
    leading the next hand is worth; 0 for the points of this hand alone."""

    def __init__(self, rules: Rules, own: int, seats: Sequence[int], start: float = 0.0) -> None:
        self.weights = weights_for(rules, own, seats)
        self.scale = self.weights[own]
        self._starts = [weight * start for weight in self.weights]
        # Both partners get what their side gets: it counts once.
        firsts = {rules.side(seat)[0] for seat in seats}
        self._once = [w if at in firsts else 0 for at, w in enumerate(self.weights)]

    def start(self) -> int:
        return 0

    def add(self, made: int, seat: int, points: int) -> int:
        return made + self.weights[seat] * points

    def reached(self, made: int, seat: int) -> bool:
        return False

    def value(self, made: int, settled: Sequence[float], out: int | None = None) -> float:
        start = 0.0 if out is None else self._starts[out]
        points = sum([w * points for w, points in zip(self._once, settled, strict=True)])
        return made + start + points

    def level(self, made: int) -> float:
        return made

    def context(self, made: int) -> object:
        return None


class Chances:
    """The chance to win the match, from the scores at the end of the hand."""

    scale = 1

    def __init__(self, rules: Rules, own: int, seats: Sequence[int], scores: Sequence[int]) -> None:
        self.weights = weights_for(rules, own, seats)
        self._outlook = Outlook(rules, own, seats)
        self._scores = tuple(scores)
        self._sides = [rules.side(seat) for seat in range(rules.players)]
        self._target = rules.target if rules.match_end == "at-once" else None

    def start(self) -> tuple[int, ...]:
        return self._scores

    def add(self, made: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
        side = self._sides[seat]
        return tuple([score + points if at in side else score for at, score in enumerate(made)])

    def reached(self, made: tuple[int, ...], seat: int) -> bool:
        return self._target is not None and made[seat] >= self._target

    def value(
        self, made: tuple[int, ...], settled: Sequence[float], out: int | None = None
    ) -> float:
        return self._outlook.chance([a + b for a, b in zip(made, settled, strict=True)], out)

    def level(self, made: tuple[int, ...]) -> float:
        return 0.0

    def context(self, made: tuple[int, ...]) -> object:
        return made
