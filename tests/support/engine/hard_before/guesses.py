"""Guesses of the tiles that a seat cannot see, as all that is public allows."""

import random
from collections.abc import Sequence
from typing import Final

from support.engine.hard_before.habits import unlikely_tiles

from engine.hand import deal_slots
from engine.strategy.view import SeatView
from engine.tiles import FITTING, LEAD_RANKING, TILE_COUNT

_TRUST: Final = 0.9  # how many of the guesses suppose that opponents play as they seem to
_ATTEMPTS: Final = 8  # before a way of guessing is given up


class Guesses:
    """Deals the hidden tiles of a view at random; what is shown is always kept.

    Slots are filled the most constrained first. What a seat's draws and passes show of a slot they
    show of every older one, so that the tiles of one opponent are dealt evenly.
    """

    def __init__(self, view: SeatView, rng: random.Random) -> None:
        self._rng = rng
        known = view.hand.known
        self._at = [known[slot].index if slot in known else -1 for slot in range(TILE_COUNT)]
        self._hidden = [index for index in range(TILE_COUNT) if index not in self._at]
        impossible, unlikely = impossible_tiles(view), unlikely_tiles(view)
        self._sure = self._order(impossible)
        self._likely = self._order([a | b for a, b in zip(impossible, unlikely, strict=True)])

    def _order(self, excluded: Sequence[int]) -> list[tuple[int, int]]:
        """The hidden slots with the bits of the tiles each may hold, the fewest first."""
        hidden = sum(1 << index for index in self._hidden)
        slots = [slot for slot, index in enumerate(self._at) if index < 0]
        allowed = [(slot, hidden & ~excluded[slot]) for slot in slots]
        return sorted(allowed, key=lambda each: each[1].bit_count())

    def deal(self) -> list[int]:
        """The tile index of every slot."""
        likely = self._rng.random() < _TRUST
        for order in (self._likely, self._sure) if likely else (self._sure,):
            for _ in range(_ATTEMPTS):
                dealt = self._try(order)
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
