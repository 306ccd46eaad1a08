"""Guesses of the tiles that a seat cannot see, as all that is public allows."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.hand import deal_slots
from engine.strategy.ahead.budget import Budget
from engine.strategy.habits import habits_of
from engine.strategy.view import SeatView
from engine.tiles import FITTING, LEAD_RANKING, TILE_COUNT

_FIRST_STEPS, _STEPS = 100, 5  # of a walk through the guesses: to its beginning, to the next one
_MANY: Final = 12  # hidden tiles, of which there are as good as never few deals
_ATTEMPTS: Final = 8  # before a way of guessing is given up


@dataclass(frozen=True, slots=True)
class Guess:
    """The tile index of every slot, and how likely that is beside other guesses."""

    tiles: list[int]
    weight: float


class Guesses:
    """Deals the hidden tiles of a view at random; what is shown is always kept.

    Slots are filled the most constrained first. What a seat's draws and passes show of a slot they
    show of every older one, so that the tiles of one opponent are dealt evenly.
    """

    def __init__(self, view: SeatView, rng: random.Random, budget: Budget | None = None) -> None:
        self._rng = rng
        self._budget = budget or Budget()
        self._players = view.rules.players
        known = view.hand.known
        self._at = [known[slot].index if slot in known else -1 for slot in range(TILE_COUNT)]
        self._hidden = [index for index in range(TILE_COUNT) if index not in self._at]
        self._slots = [slot for slot, index in enumerate(self._at) if index < 0]
        self._impossible = impossible_tiles(view)
        self._habits = habits_of(view, self._budget)
        self._sure = self._order(self._impossible)
        told = {
            slot for each in self._habits.choices.values() for one in each for slot in one.slots
        }
        self._telling = [slot for slot in self._slots if slot in told]
        self._boneyard = TILE_COUNT - view.boneyard_count
        self._walked: list[int] | None = None  # a guess,
        self._explained: dict[int, tuple[float, float, float]] = {}  # and its choices by seat
        self._holder = {
            slot: seat for seat in self._habits.choices for slot in view.hand.slots(seat)
        }
        self._groups = _alike(view, self._slots, self._impossible)

    def _order(self, excluded: Sequence[int]) -> list[tuple[int, int]]:
        """The hidden slots with the bits of the tiles each may hold, the fewest first."""
        hidden = sum(1 << index for index in self._hidden)
        allowed = [(slot, hidden & ~excluded[slot]) for slot in self._slots]
        return sorted(allowed, key=lambda each: each[1].bit_count())

    def deal(self) -> list[int]:
        """The tile index of every slot.

        Where plays tell something, guesses come by a walk in which two slots change their tiles,
        after N. Metropolis and others, "Equation of State Calculations by Fast Computing Machines",
        1953: in the long run each guess comes as often as it is likely.
        """
        if not self._telling:
            tiles = self._guess()
            self._explain(tiles)
            return tiles
        if self._walked is None:
            self._walked = self._guess()
            self._explain(self._walked)
            self._walk(self._walked, _FIRST_STEPS)
        self._walk(self._walked, _STEPS)
        return self._shuffled(self._walked)

    def plain(self) -> list[bool]:
        """By seat of the table: whether it is guessed to play like `normal`, where tiles lie
        as they were dealt last."""
        return [
            seat in self._explained
            and self._rng.random() * sum(self._explained[seat]) < self._explained[seat][0]
            for seat in range(self._players)
        ]

    def _explain(self, tiles: Sequence[int]) -> None:
        habits = self._habits
        self._explained = {seat: habits.explained(seat, tiles) for seat in habits.choices}

    def _walk(self, tiles: list[int], steps: int) -> None:
        chance, impossible, explained = self._rng.random, self._impossible, self._explained
        telling, slots, holder = self._telling, self._slots, self._holder
        for _ in range(steps):
            self._budget.look()
            one = telling[int(chance() * len(telling))]
            other = slots[int(chance() * len(slots))]
            if impossible[one] >> tiles[other] & 1 or impossible[other] >> tiles[one] & 1:
                continue
            tiles[one], tiles[other] = tiles[other], tiles[one]
            before = after = 1.0
            changed = {}
            for seat in {holder.get(one), holder.get(other)}:
                if seat is not None:
                    changed[seat] = found = self._habits.explained(seat, tiles)
                    before *= sum(explained[seat])
                    after *= sum(found)
            if after < before * chance():
                tiles[one], tiles[other] = tiles[other], tiles[one]
            else:
                explained |= changed

    def _shuffled(self, tiles: Sequence[int]) -> list[int]:
        """The same with the tiles of the boneyard in any other order."""
        dealt = list(tiles)
        dealt[self._boneyard :] = self._rng.sample(
            dealt[self._boneyard :], TILE_COUNT - self._boneyard
        )
        return dealt

    def _guess(self) -> list[int]:
        for _ in range(_ATTEMPTS):
            dealt = self._try(self._sure)
            if dealt is not None:
                return dealt
        return matched(self._at, self._sure, self._rng.sample(self._hidden, len(self._hidden)))

    def _try(self, order: list[tuple[int, int]]) -> list[int] | None:
        """Fills the slots in that order; None if a slot finds no tile that it may hold."""
        dealt, left = self._at[:], self._hidden[:]
        self._rng.shuffle(left)
        for slot, allowed in order:
            for place, index in enumerate(left):
                if allowed >> index & 1:
                    dealt[slot] = index
                    del left[place]
                    break
            else:
                return None
        return dealt

    def every(self, most: int) -> list[Guess] | None:
        """All deals that can be, each once, with their weights; None if they are more than `most`
        (or not known to be fewer, with many tiles hidden in more than one place).

        Slots whose tiles can be changed for each other are filled in one order only.
        """
        if len(self._groups) > 1 and len(self._hidden) > _MANY:
            return None
        found: list[Guess] = []
        for tiles in self._fill(self._at[:], self._groups, self._hidden):
            if len(found) == most:
                return None
            self._budget.look()
            found.append(Guess(tiles, self._habits.likelihood(tiles)))
        return found

    def _fill(
        self, dealt: list[int], groups: Sequence[Sequence[int]], hidden: Sequence[int]
    ) -> Iterator[list[int]]:
        """Every way to fill groups of slots with the hidden tiles."""
        if not groups:
            yield dealt[:]
            return
        slots, *rest = groups
        fitting = [index for index in hidden if not self._impossible[slots[0]] >> index & 1]
        for tiles in combinations(fitting, len(slots)):
            for slot, index in zip(slots, tiles, strict=True):
                dealt[slot] = index
            yield from self._fill(dealt, rest, [at for at in hidden if at not in tiles])


def _alike(
    view: SeatView, slots: Sequence[int], impossible: Sequence[int]
) -> list[tuple[int, ...]]:
    """The slots in groups whose tiles can be changed for each other: those of one seat that may
    hold the same, and those that nobody will draw."""
    holder = {slot: seat for seat, lacks in enumerate(view.lacks) for slot in lacks}
    first = TILE_COUNT - view.boneyard_count
    groups: dict[object, tuple[int, ...]] = {}
    for slot in slots:
        drawable = first <= slot < first + view.drawable
        name = (holder.get(slot), slot if drawable else None, impossible[slot])
        groups[name] = (*groups.get(name, ()), slot)
    # The most constrained first, as when guessing: so few ways lead to no deal.
    return sorted(groups.values(), key=lambda group: -impossible[group[0]].bit_count())


def matched(at: list[int], order: list[tuple[int, int]], tiles: Sequence[int]) -> list[int]:
    """Fills the slots where filling them one by one is a matter of luck: a tile moves on to
    another slot where its own is needed (augmenting paths, as in H. W. Kuhn's method)."""
    allowed = dict(order)
    holder: dict[int, int] = {}  # by tile index: slot

    def seat(slot: int, tried: set[int]) -> bool:
        for index in tiles:
            if allowed[slot] >> index & 1 and index not in tried:
                tried.add(index)
                if index not in holder or seat(holder[index], tried):
                    holder[index] = slot
                    return True
        return False

    for slot in allowed:
        if not seat(slot, set()):
            raise AssertionError("what was shown allows no deal at all")
    dealt = at[:]
    for index, slot in holder.items():
        dealt[slot] = index
    return dealt


def impossible_tiles(view: SeatView) -> list[int]:
    """By slot: bits of the tiles that draws, passes and the lead have shown it not to hold."""
    impossible = [0] * TILE_COUNT
    lead = view.hand.lead
    if lead is not None:  # nobody was dealt a tile that ranks above it
        above = sum(1 << tile.index for tile in LEAD_RANKING[: LEAD_RANKING.index(lead)])
        for slots in deal_slots(view.rules, view.seats).values():
            for slot in slots:
                impossible[slot] = above
    for lacks in view.lacks:
        for slot, pips in lacks.items():
            impossible[slot] |= FITTING[sum(1 << pip for pip in pips)]
    return impossible
