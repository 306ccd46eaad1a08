"""Guesses of the tiles that a seat cannot see, as all that is public allows."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.hand import deal_slots
from engine.strategy.habits import habits_of
from engine.strategy.view import SeatView
from engine.tiles import FITTING, LEAD_RANKING, TILE_COUNT

_TRUST: Final = 0.9  # how many of the guesses suppose that opponents play as they seem to
_DECLINED: Final = 0.25  # how likely a tile is held that would have made more points before
_MANY: Final = 12  # hidden tiles, of which there are as good as never few deals
_ATTEMPTS: Final = 8  # before a way of guessing is given up


@dataclass(frozen=True, slots=True)
class Guess:
    """The tile index of every slot, and how likely that is beside other guesses."""

    tiles: list[int]
    weight: float


class Guesses:
    """Deals the hidden tiles of a view at random; what is shown is always kept.

    `plain` are the seats that have played like `normal` so far.
    Slots are filled the most constrained first. What a seat's draws and passes show of a slot they
    show of every older one, so that the tiles of one opponent are dealt evenly.
    """

    def __init__(self, view: SeatView, rng: random.Random) -> None:
        self._rng = rng
        known = view.hand.known
        self._at = [known[slot].index if slot in known else -1 for slot in range(TILE_COUNT)]
        self._hidden = [index for index in range(TILE_COUNT) if index not in self._at]
        self._slots = [slot for slot, index in enumerate(self._at) if index < 0]
        self._impossible = impossible_tiles(view)
        self._habits = habits_of(view)
        self.plain = self._habits.plain
        self._sure = self._order(self._impossible)
        self._groups = _alike(view, self._slots, self._impossible)

    def _order(self, excluded: Sequence[int]) -> list[tuple[int, int]]:
        """The hidden slots with the bits of the tiles each may hold, the fewest first."""
        hidden = sum(1 << index for index in self._hidden)
        allowed = [(slot, hidden & ~excluded[slot]) for slot in self._slots]
        return sorted(allowed, key=lambda each: each[1].bit_count())

    def deal(self) -> list[int]:
        """The tile index of every slot."""
        for order in (self._order(self._believed()), self._sure):
            for _ in range(_ATTEMPTS):
                dealt = self._try(order)
                if dealt is not None:
                    return dealt
        return matched(self._at, self._sure, self._rng.sample(self._hidden, len(self._hidden)))

    def _believed(self) -> list[int]:
        """By slot: bits of the tiles that one guess leaves out."""
        chance = self._rng.random
        out = sum(1 << index for index in self._hidden if chance() >= _DECLINED)
        habits = self._habits
        trusted = habits.unlikely if chance() < _TRUST else [0] * TILE_COUNT
        return [
            impossible | unlikely | declined & out
            for impossible, unlikely, declined in zip(
                self._impossible, trusted, habits.declined, strict=True
            )
        ]

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
            found.append(Guess(tiles, self._weight(tiles)))
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

    def _weight(self, tiles: Sequence[int]) -> float:
        habits, weight = self._habits, 1.0
        unlikely = any(habits.unlikely[slot] >> tiles[slot] & 1 for slot in self._slots)
        if unlikely:
            weight = 1 - _TRUST
        for slot in self._slots:
            if habits.declined[slot] >> tiles[slot] & 1:
                weight *= _DECLINED
        return weight


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
