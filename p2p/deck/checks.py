"""How the proofs of a deal are checked: `Checks` takes each by itself and at once, as players do.

`JointChecks` (joint.py) has the same methods for who has a whole record before it.
`TrustedChecks` are for what one has checked before, `ClaimedChecks` for what is checked elsewhere
at the same time (noted.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import (
    KeyOpening,
    check_final_opening,
    check_key_opening,
    read_final_opening,
)
from p2p.deck.pairs import TILES, Deck, open_deck
from p2p.deck.shares import check_shares, decode_shares
from p2p.deck.shuffles import check_shuffle
from p2p.deck.unplayable import check_unplayable


class Checks:
    """Each proof by itself. Every method is the function of its name and raises what that does."""

    def open_deck(self, key: Point) -> Deck:
        """`pairs.open_deck`."""
        return open_deck(key)

    def read_deck(self, data: bytes) -> Deck:
        """`Deck.from_bytes`."""
        return Deck.from_bytes(data)

    def key_opening(
        self, context: DealContext, seat: int, commitment: bytes, opening: KeyOpening
    ) -> None:
        """`keys.check_key_opening`."""
        check_key_opening(context, seat, commitment, opening)

    def shuffle(
        self,
        context: DealContext,
        seat: int,
        deck_key: Point,
        before: Deck,
        after: Deck,
        proof: bytes,
    ) -> None:
        """`shuffles.check_shuffle`."""
        check_shuffle(context, seat, deck_key, before, after, proof)

    def shares(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        key: Point,
        deck: Deck,
        slots: Sequence[int],
        data: bytes,
    ) -> dict[int, Point]:
        """`shares.check_shares`."""
        return check_shares(context, seat, step_label, key, deck, slots, data)

    def unplayable(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        hidden: HiddenDeck,
        slots: Sequence[int],
        candidates: Sequence[int],
        data: bytes,
    ) -> None:
        """`unplayable.check_unplayable`."""
        check_unplayable(context, seat, step_label, hidden, slots, candidates, data)

    def holds(self, hidden: HiddenDeck, slot: int, tile: int) -> bool:
        """Whether the shares of a slot, which are all there, show this tile."""
        return hidden.tile_of(slot) == tile

    def final_opening(
        self, context: DealContext, seat: int, opening: KeyOpening, data: bytes
    ) -> tuple[int, bytes]:
        """`keys.check_final_opening`."""
        return check_final_opening(context, seat, opening, data)

    def open_all(
        self,
        hidden: HiddenDeck,
        secrets: Mapping[int, int],
        known: Mapping[int, int],
        held: Collection[int],
    ) -> list[int]:
        """`hidden.open_all`; `secrets` fit the keys. `known`: the tiles of slots that were shown;
        `held`: the slots that are in a hand now."""
        return open_all(hidden, secrets)


class TrustedChecks(Checks):
    """For what was checked before it was stored: nothing is checked, it is only read."""

    def key_opening(
        self, context: DealContext, seat: int, commitment: bytes, opening: KeyOpening
    ) -> None:
        """It was proven."""

    def shuffle(
        self,
        context: DealContext,
        seat: int,
        deck_key: Point,
        before: Deck,
        after: Deck,
        proof: bytes,
    ) -> None:
        """It was proven."""

    def shares(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        key: Point,
        deck: Deck,
        slots: Sequence[int],
        data: bytes,
    ) -> dict[int, Point]:
        """The shares, which were proven."""
        return dict(zip(slots, decode_shares(data)[0], strict=True))

    def unplayable(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        hidden: HiddenDeck,
        slots: Sequence[int],
        candidates: Sequence[int],
        data: bytes,
    ) -> None:
        """It was proven."""


class ClaimedChecks(TrustedChecks):
    """For who goes through a deal whose proofs are checked elsewhere: points are what bytes say, a
    slot holds the tile that is claimed, and of the deck only what hands still hold is opened."""

    def open_deck(self, key: Point) -> Deck:
        """No deck: only its shuffle is proven with it."""
        return Deck(())

    def read_deck(self, data: bytes) -> Deck:
        """The deck as it is claimed."""
        return Deck.from_bytes(data, Point)

    def shares(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        key: Point,
        deck: Deck,
        slots: Sequence[int],
        data: bytes,
    ) -> dict[int, Point]:
        """The shares as they are claimed."""
        return dict(zip(slots, decode_shares(data, Point)[0], strict=False))

    def holds(self, hidden: HiddenDeck, slot: int, tile: int) -> bool:
        """It is claimed."""
        return True

    def final_opening(
        self, context: DealContext, seat: int, opening: KeyOpening, data: bytes
    ) -> tuple[int, bytes]:
        """The key and coin as they are claimed."""
        return read_final_opening(seat, data)

    def open_all(
        self,
        hidden: HiddenDeck,
        secrets: Mapping[int, int],
        known: Mapping[int, int],
        held: Collection[int],
    ) -> list[int]:
        """The tiles that were played, and those in hands; the others in any order."""
        shown = dict(known)
        for slot in held:
            if slot not in shown:
                shown[slot] = hidden.tile_with(slot, secrets)
        left = iter(sorted(set(range(TILES)) - set(shown.values())))
        return [shown[slot] if slot in shown else next(left) for slot in range(TILES)]
