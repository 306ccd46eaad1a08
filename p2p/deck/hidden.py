"""The public state of a dealt deck, and what can be read from it.

A value: `add_shares` returns the next state. It holds nothing secret; a seat's own tiles are read
with its secret, which is passed in and not kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point
from p2p.deck.keys import DealSecret
from p2p.deck.pairs import TILES, Deck, tile_index

# A slot and the shares that were taken off its second component, in the order in which they came.
Taken = tuple[int, tuple[bytes, ...]]


@dataclass(frozen=True)
class HiddenDeck:
    """Public keys by seat, the deck after the last shuffle, and the proven shares by slot and seat.

    `shares[slot][seat]` holds only what `check_shares` (or the seat's own `make_shares`) gave.
    """

    keys: Mapping[int, Point]
    deck: Deck
    shares: Mapping[int, Mapping[int, Point]] = field(default_factory=dict)
    # What was computed already: of each slot's shares only the new ones need an addition.
    _rests: dict[Taken, Point] = field(default_factory=dict, repr=False, compare=False)

    def add_shares(self, seat: int, shares: Mapping[int, Point]) -> HiddenDeck:
        """The state with these proven shares of a seat, by slot. `Misuse` for a foreign seat."""
        if seat not in self.keys:
            raise Misuse("a share of a seat that has no key in this deal")
        merged = dict(self.shares)
        for slot, share in shares.items():
            merged[slot] = {**merged.get(slot, {}), seat: share}
        return HiddenDeck(self.keys, self.deck, merged, self._rests)

    def missing(self, slot: int) -> tuple[int, ...]:
        """The seats whose share of a slot is not public yet, in ascending order."""
        present = self.shares.get(slot, {})
        return tuple([seat for seat in sorted(self.keys) if seat not in present])

    def without_others(self, slot: int, seat: int) -> Point:
        """b minus the shares of all seats but this one; `Misuse` while one of them is missing."""
        if set(self.missing(slot)) - {seat}:
            raise Misuse(f"shares of slot {slot} are missing")
        return self._rest(slot, [owner for owner in self.keys if owner != seat])

    def tile_of(self, slot: int) -> int:
        """The tile in a slot whose shares are all public: an index 0..27.

        `Misuse` while a share is missing, or if the slot decrypts to no tile, which proven shares
        exclude.
        """
        return self.tile_with(slot, {})

    def own_tile(self, slot: int, secret: DealSecret) -> int:
        """The tile in a slot of which only the holder of `secret` has given no share."""
        missing = self.missing(slot)
        return self.tile_with(slot, dict.fromkeys(missing[:1], secret.key))

    def tile_with(self, slot: int, secrets: Mapping[int, int]) -> int:
        """The tile in a slot of which all but these seats have given their shares; `secrets` are
        their keys x by seat. `Misuse` as in `tile_of`."""
        missing = self.missing(slot)
        if set(missing) - set(secrets):
            raise Misuse(f"shares of slot {slot} are missing")
        # With all keys one multiplication stands for every share, also for those that are there.
        opened = tuple(self.keys) if missing and set(secrets) == set(self.keys) else missing
        rest = self._rest(slot, [seat for seat in self.keys if seat not in opened])
        if opened:
            rest -= sum(secrets[seat] for seat in opened) * self.deck.pairs[slot][0]
        return tile_index(rest)

    def forget(self) -> None:
        """Let go of what was computed: the deal is over, and its shares are kept."""
        self._rests.clear()

    def _rest(self, slot: int, seats: Collection[int]) -> Point:
        """b minus the shares of these seats, which are there."""
        rest = self.deck.pairs[slot][1]
        taken: tuple[bytes, ...] = ()
        # Who holds a slot gives its share last: the others' are taken off once.
        for seat, share in self.shares.get(slot, {}).items():
            if seat in seats:
                taken = (*taken, share.raw)
                known = self._rests.get((slot, taken))
                rest = self._rests[slot, taken] = rest - share if known is None else known
        return rest


def open_all(hidden: HiddenDeck, secrets: Mapping[int, int]) -> list[int]:
    """The tiles of all 28 slots, from the opened secret keys x by seat (`check_final_opening`).

    `Misuse` if a seat is missing or the 28 tiles are not there once each: after proven shuffles
    and fitting keys that is nobody's fault but ours.
    """
    if set(secrets) != set(hidden.keys):
        raise Misuse("the keys of all seats are needed to open the deck")
    tiles = [hidden.tile_with(slot, secrets) for slot in range(TILES)]
    hidden.forget()
    if sorted(tiles) != list(range(TILES)):
        raise Misuse("the opened deck does not hold every tile once")
    return tiles
