"""Faults of peers that the deck finds. Our own mistakes are `p2p.crypto.errors.Misuse`."""

from __future__ import annotations

from collections.abc import Sequence


class DeckFault(ValueError):
    """A seat sent something that is refuted by what it sent.

    `seat`: the seat at fault; `what`: one clause for people, without secrets, such as
    "the share for slot 7 is not proven".
    """

    def __init__(self, seat: int, what: str) -> None:
        super().__init__(f"seat {seat}: {what}")
        self.seat = seat
        self.what = what


def slots_in_words(slots: Sequence[int]) -> str:
    """The slots as words: slot 7; slots 1, 2, 3."""
    return f"slot{'s' if len(slots) != 1 else ''} {', '.join(map(str, slots))}"
