"""How the proofs of a deal are checked: `Checks` takes each by itself and at once, as players do.

`JointChecks` (joint.py) has the same methods for who has a whole record before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import KeyOpening, check_key_opening
from p2p.deck.pairs import Deck
from p2p.deck.shares import check_shares, decode_shares
from p2p.deck.shuffles import check_shuffle
from p2p.deck.unplayable import check_unplayable


class Checks:
    """Each proof by itself. Every method is the function of its name and raises what that does."""

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

    def open_all(self, hidden: HiddenDeck, secrets: Mapping[int, int]) -> list[int]:
        """`hidden.open_all`; `secrets` fit the keys."""
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
