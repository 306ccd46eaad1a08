"""What can be said of the moves of a view in numbers: what each brings, leaves and comes to."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.moves import Draw, Move, Play
from engine.scoring import placement_points
from engine.seats import USUAL_WORLDS
from engine.strategy.ahead.budget import Budget, OutOfBudget
from engine.strategy.guesses import impossible_tiles
from engine.strategy.hard import HardPlayer, points_to_play_for, winning
from engine.strategy.stakes import Points
from engine.strategy.view import SeatView
from engine.strategy.weighing import Weighed, weigh
from engine.tiles import WHOLE_SET

# Of a chance to win the match. In some 300 positions near the target where fewer points were taken,
# each played on 8 times by `normal`, less than this, and even twice as much, won no more matches.
CLEARLY: Final = 0.03
_CERTAIN: Final = 0.995


@dataclass(frozen=True, slots=True)
class Advice:
    """The best of the legal moves of a view, by `hard`; near the target, of those that are about as
    good for the match, the one that brings most points, but any that wins it at once before them.

    `points`: what it scores at once. `leaves`: the most that the next player may make then, as far
    as the seat can know. `expected`: by legal move, the points that its side makes in the rest of
    the hand more than the others (with more than two sides: more than they make on average).
    `chances`: by legal move, how likely its side wins the match then; None where the target is so
    far that points are played for.
    """

    move: Move
    points: int
    leaves: int
    expected: dict[Move, float]
    chances: dict[Move, float] | None = None

    def better_than(self, move: Move) -> float:
        """How many points more the advice is expected to bring than another legal move.

        It may be less than none: near the target points are not what is played for, and before
        that going out is worth more than its points, as it brings the lead of the next hand.
        """
        return self.expected[self.move] - self.expected[move]

    @property
    def rival(self) -> Move | None:
        """The legal move that is expected to bring most points, where that is another one."""
        most = max(self.expected, key=lambda move: (self.expected[move], move == self.move))
        return None if most == self.move else most

    @property
    def lead(self) -> float | None:
        """How much better it is than the next best move; None if it is the only one."""
        others = [value for move, value in self.expected.items() if move != self.move]
        return self.expected[self.move] - max(others) if others else None


def advise(
    view: SeatView,
    rng: random.Random,
    *,
    worlds: int = USUAL_WORLDS,
    think: float = 1.0,
    clock: Callable[[], float] | None = None,
) -> Advice:
    """Advice to the seat to move, which says nothing of claims; the budget is as for a player.

    Raises `ValueError` if the seat is not to move.
    """
    if not view.legal:
        raise ValueError(f"seat {view.seat} is not to move")
    best, chances, near = None, None, list[int]()
    # Half the time for the choice, half for what it means in points.
    player = HardPlayer(rng, worlds, think / 2, clock)
    budget = player.budget()
    played_for = _played_for(view, budget)
    if played_for != 0.0:
        chosen = player.weigh(view, budget)
        best = chosen.best()
        if played_for is None:
            chances = dict(zip(view.legal, chosen.values, strict=True))
            near = _about_as_good(chosen)
    stake = Points(view.rules, view.seat, view.seats)
    weighed = weigh(view, stake, rng, worlds, player.budget())
    if near:
        best = max(near, key=lambda at: (weighed.values[at], -at))
    elif best is not None and played_for is not None:
        # The lead of the next hand is worth no more than this: the rest is that few guesses erred.
        least = weighed.values[weighed.best()] - played_for * stake.scale
        best = best if weighed.values[best] >= least else weighed.best()
    move = winning(view) or view.legal[weighed.best() if best is None else best]
    points = view.points_for(move) if isinstance(move, Play) else 0
    values = [value / stake.scale for value in weighed.values]
    expected = dict(zip(view.legal, values, strict=True))
    return Advice(move, points, leaves(view, move), expected, chances)


def _played_for(view: SeatView, budget: Budget) -> float | None:
    try:
        return points_to_play_for(view, budget)
    except OutOfBudget:
        return 0.0


def _about_as_good(chances: Weighed) -> list[int]:
    """The places of the moves that guesses cannot tell from the best: of these the points decide,
    which nobody has to believe in."""
    best = chances.values[chances.best()]
    least = best if chances.exact or best >= _CERTAIN else best - CLEARLY
    return [at for at in chances.alive if chances.values[at] >= least]


def leaves(view: SeatView, move: Move) -> int:
    """The most points the next player may make after `move`, with any tile that it may hold, or
    may draw, for all that the seat knows; 0 if the hand is over then, or the turn is not."""
    line = view.line
    if isinstance(move, Draw) or view.wins_with(move):
        return 0
    if isinstance(move, Play):
        if len(view.tiles) == 1:
            return 0
        line = line.copy()
        line.place(move.tile, move.end)
    options = line.outcomes(_within_reach(view) & ~line.tiles)
    return max([placement_points(view.rules, count) for _, _, count in options], default=0)


def _within_reach(view: SeatView) -> int:
    """Bits of the tiles that the next player may hold or draw."""
    known = sum(1 << tile.index for tile in view.hand.known.values())
    following = view.seats[(view.seats.index(view.seat) + 1) % len(view.seats)]
    slots = set(view.hand.slots(following)) | set(view.hand.boneyard[: view.drawable])
    impossible = impossible_tiles(view)
    reach = 0
    for slot in slots:
        reach |= WHOLE_SET & ~known & ~impossible[slot]
    return reach
