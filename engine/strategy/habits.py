"""What opponents' plays tell of the tiles they kept: a better one would have been played.

Three ways of playing are supposed of every opponent, and the guesses that one of them explains
better are the likelier ones: that it plays like `normal`; that it weighs points against what it
leaves to others, so that a placement is the more likely the more it is worth (a conditional logit
after D. McFadden, "Conditional Logit Analysis of Qualitative Choice Behavior", 1974); and that it
plays anything.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.hand import deal_slots
from engine.line import Line
from engine.moves import Draw, Play
from engine.rules import Rules
from engine.scoring import placement_points
from engine.strategy.ahead.budget import Budget
from engine.strategy.playout import worth
from engine.strategy.view import SeatView
from engine.tiles import ALL_TILES, TILE_COUNT, WHOLE_SET

# What a placement is worth to somebody who looks ahead, fitted to 800 choices of two such players:
_POINT: Final = 0.23  # for each point it makes,
_PIP: Final = 0.035  # for each pip that is got rid of,
_DOUBLE: Final = 0.9  # if it is a double,
_REPLY: Final = -0.46  # for each point of the mean reply of all tiles not on the table,
_OPEN: Final = -3.0  # times the share of those tiles that fit then

_MOST_KEPT: Final = 128  # lines of which the options are kept, some kilobytes each
_PLAIN: Final = 0.8  # how likely somebody plays like `normal`, before anything is seen
_ANYHOW: Final = 0.05  # how likely somebody plays at random
_SLIP: Final = 0.01  # how likely such a player does otherwise all the same


@dataclass(frozen=True, slots=True)
class Choice:
    """A placement of an opponent, and what else it could have been.

    `slots` it held and could play from, that of the tile it placed included. `made` is the weight
    of the placement, `weights` has by tile index the weights of all placements of that tile (0: it
    did not fit), `ways` how many they are. `better` has the bits of the tiles that `normal` would
    rather have placed.
    """

    slots: tuple[int, ...]
    made: float
    weights: list[float]
    ways: list[int]
    better: int


@dataclass(frozen=True, slots=True)
class Habits:
    """The choices of each other seat in the running hand."""

    choices: dict[int, list[Choice]]

    def likelihood(self, tiles: Sequence[int]) -> float:
        """How likely the others' choices were if slot s held the tile of index `tiles[s]`."""
        return math.prod([sum(self.explained(seat, tiles)) for seat in self.choices])

    def explained(self, seat: int, tiles: Sequence[int]) -> tuple[float, float, float]:
        """How likely it is that a seat plays like `normal`, or looks ahead, or plays anything, each
        times how likely its choices were then."""
        plain, looking, anyhow = _PLAIN, 1 - _PLAIN - _ANYHOW, _ANYHOW
        for choice in self.choices[seat]:
            held = [tiles[slot] for slot in choice.slots]
            weights, ways, better = choice.weights, choice.ways, choice.better
            looking *= choice.made / sum([weights[index] for index in held])
            anyhow /= sum([ways[index] for index in held])
            for index in held:
                if better >> index & 1:
                    plain *= _SLIP
                    break
        return plain, looking, anyhow


def habits_of(view: SeatView, budget: Budget | None = None) -> Habits:
    """What the plays of the others in the running hand tell.

    Of a tile placed after a draw it tells nothing more than the draw, which shows that no tile held
    then fits. Raises `OutOfBudget`.
    """
    rules, budget = view.rules, budget or Budget()
    held = {seat: list(slots) for seat, slots in deal_slots(rules, view.seats).items()}
    undealt = len(view.seats) * rules.hand_size_for(len(view.seats))
    others = frozenset(view.seats) - {view.seat}
    choices: dict[int, list[Choice]] = {seat: [] for seat in others}
    placed: tuple[tuple[int, int], ...] = ()
    drawn = False  # in this turn
    for move in view.moves:
        if isinstance(move, Draw):
            drawn = True
            held[move.seat].append(undealt)
            undealt += 1
            continue
        if isinstance(move, Play):
            forced = move.end is None and view.hand.lead is not None
            if move.seat in others and not (forced or drawn):
                budget.look()
                choice = _choice(_options(rules, placed), move, tuple(held[move.seat]))
                choices[move.seat].append(choice)
            held[move.seat].remove(move.slot)
            placed += (move.option,)
        drawn = False
    return Habits(choices)


@dataclass(frozen=True, slots=True)
class _Option:
    """A placement of the tile of an index: how `normal` ranks it, how much it weighs in choices."""

    option: tuple[int, int]
    rank: float
    weight: float


def _choice(options: Sequence[_Option], move: Play, slots: tuple[int, ...]) -> Choice:
    made = next(each for each in options if each.option == move.option)
    weights, ways, better = [0.0] * TILE_COUNT, [0] * TILE_COUNT, 0
    for each in options:
        index = each.option[0]
        weights[index] += each.weight
        ways[index] += 1
        if each.rank > made.rank:
            better |= 1 << index
    return Choice(slots, made.weight, weights, ways, better)


@lru_cache(maxsize=_MOST_KEPT)
def _options(rules: Rules, placed: tuple[tuple[int, int], ...]) -> tuple[_Option, ...]:
    """All placements of the tiles not on the table, after these: each is asked for many times."""
    line = Line(rules)
    for option in placed:
        line.put(option)
    found = []
    for index, key, count in line.outcomes(WHOLE_SET & ~line.tiles):
        after = line.copy()
        after.put((index, key))
        value = _POINT * placement_points(rules, count) + _value(rules, after, index)
        found.append(_Option((index, key), worth(rules, index, count), math.exp(value)))
    return tuple(found)


def _value(rules: Rules, after: Line, index: int) -> float:
    """What a placement is worth, beside its points, to somebody who looks ahead and knows no other
    tiles; `after` is the line with it."""
    left = WHOLE_SET & ~after.tiles
    best: dict[int, int] = {}
    for reply, _, count in after.outcomes(left):
        best[reply] = max(best.get(reply, 0), placement_points(rules, count))
    many = max(1, left.bit_count())
    return (
        _PIP * ALL_TILES[index].pips
        + _DOUBLE * ALL_TILES[index].is_double
        + _REPLY * sum(best.values()) / many
        + _OPEN * (left & after.fitting).bit_count() / many
    )
