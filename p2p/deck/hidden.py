"""The public state of a dealt deck, and what can be read from it.

A value: `add_shares` returns the next state. It holds nothing secret; a seat's own tiles are read
with its secret, which is passed in and not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point, add_up
from p2p.deck.keys import DealSecret
from p2p.deck.pairs import TILES, Deck, tile_index


@dataclass(frozen=True)
class HiddenDeck:
    """Public keys by seat, the deck after the last shuffle, and the proven shares by slot and seat.

    `shares[slot][seat]` holds only what `check_shares` (or the seat's own `make_shares`) gave.
    """

    keys: Mapping[int, Point]
    deck: Deck
    shares: Mapping[int, Mapping[int, Point]] = field(default_factory=dict)

    def add_shares(self, seat: int, shares: Mapping[int, Point]) -> HiddenDeck:
        """The state with these proven shares of a seat, by slot. `Misuse` for a foreign seat."""
        if seat not in self.keys:
            raise Misuse("a share of a seat that has no key in this deal")
        merged = {slot: dict(by_seat) for slot, by_seat in self.shares.items()}
        for slot, share in shares.items():
            merged.setdefault(slot, {})[seat] = share
        return HiddenDeck(self.keys, self.deck, merged)

    def missing(self, slot: int) -> tuple[int, ...]:
        """The seats whose share of a slot is not public yet, in ascending order."""
        present = self.shares.get(slot, {})
        return tuple(seat for seat in sorted(self.keys) if seat not in present)

    def without_others(self, slot: int, seat: int) -> Point:
        """b minus the shares of all seats but this one; `Misuse` while one of them is missing."""
        if set(self.missing(slot)) - {seat}:
            raise Misuse(f"shares of slot {slot} are missing")
        others = [share for owner, share in self.shares.get(slot, {}).items() if owner != seat]
        return self.deck.pairs[slot][1] - add_up(others)

    def tile_of(self, slot: int) -> int:
        """The tile in a slot whose shares are all public: an index 0..27.

        `Misuse` while a share is missing, or if the slot decrypts to no tile, which proven shares
        exclude.
        """
        if self.missing(slot):
            raise Misuse(f"shares of slot {slot} are missing")
        return tile_index(self.deck.pairs[slot][1] - add_up(self.shares[slot].values()))

    def own_tile(self, slot: int, secret: DealSecret) -> int:
        """The tile in a slot of which only the holder of `secret` has given no share."""
        missing = self.missing(slot)
        if not missing:
            return self.tile_of(slot)
        rest = self.without_others(slot, missing[0])
        return tile_index(rest - secret.key * self.deck.pairs[slot][0])


def open_all(hidden: HiddenDeck, secrets: Mapping[int, int]) -> list[int]:
    """The tiles of all 28 slots, from the opened secret keys x by seat (`check_final_opening`).

    `Misuse` if a seat is missing or the 28 tiles are not there once each: after proven shuffles
    and fitting keys that is nobody's fault but ours.
    """
    if set(secrets) != set(hidden.keys):
        raise Misuse("the keys of all seats are needed to open the deck")
    total = sum(secrets.values())
    tiles = [tile_index(second - total * first) for first, second in hidden.deck.pairs]
    if sorted(tiles) != list(range(TILES)):
        raise Misuse("the opened deck does not hold every tile once")
    return tiles
