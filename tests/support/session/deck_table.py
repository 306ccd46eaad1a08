"""A whole deal in memory for tests: seats, keys, chain of shuffles, dealt deck."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.crypto.randomness import RandomBytes
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import DealSecret, KeyOpening, check_key_opening, commitment, open_key
from p2p.deck.pairs import Deck, deck_key, open_deck
from p2p.deck.shares import check_shares, make_shares
from p2p.deck.shuffles import Shuffled, check_shuffles, make_shuffle


def seeded(seed: str) -> RandomBytes:
    """A deterministic source of random bytes: SHA-512 in counter mode over the seed."""
    count = 0

    def rng(size: int) -> bytes:
        nonlocal count
        count += 1
        block = f"{seed}/{count}".encode()
        blocks = [
            hashlib.sha512(block + at.to_bytes(4, "big")).digest() for at in range(size // 64 + 1)
        ]
        return b"".join(blocks)[:size]

    return rng


@dataclass(frozen=True)
class Deal:
    """A deal of `seats` after its shuffles were checked; no share is public yet."""

    context: DealContext
    secrets: dict[int, DealSecret]
    openings: dict[int, KeyOpening]
    key: Point
    chain: list[Shuffled]

    @property
    def deck(self) -> Deck:
        """The deck after the last shuffle."""
        return self.chain[-1].deck

    @property
    def hidden(self) -> HiddenDeck:
        """The dealt deck without shares."""
        return HiddenDeck({seat: o.key for seat, o in self.openings.items()}, self.deck)


def context_of(seats: Sequence[int] = (0, 1), deal: int = 1) -> DealContext:
    """A context of one fixed table."""
    return DealContext(1, hashlib.sha256(b"table").digest(), deal, tuple(seats))


def make_deal(seed: str, seats: Sequence[int] = (0, 1), deal: int = 1) -> Deal:
    """Commit, open, shuffle and check, every seat honest."""
    context, rng = context_of(seats, deal), seeded(seed)
    secrets = {seat: DealSecret.make(context, seat, rng) for seat in seats}
    openings = {seat: open_key(context, seat, secrets[seat]) for seat in seats}
    for seat in seats:
        committed = commitment(context, seat, secrets[seat])
        check_key_opening(context, seat, committed, openings[seat])
    key = deck_key({seat: opening.key for seat, opening in openings.items()})
    deck, chain = open_deck(key), []
    for seat in seats:
        deck, proof = make_shuffle(context, seat, key, deck, rng)
        chain.append(Shuffled(seat, deck, proof))
    check_shuffles(context, key, chain)
    return Deal(context, secrets, openings, key, chain)


def give_shares(
    deal: Deal, hidden: HiddenDeck, seat: int, slots: Sequence[int], step: bytes = b"deal"
) -> HiddenDeck:
    """The state after a seat's shares of these slots were made and checked."""
    rng = seeded(f"shares {seat} {slots}")
    made = make_shares(deal.context, seat, step, deal.secrets[seat], deal.deck, slots, rng)
    key = deal.openings[seat].key
    checked = check_shares(deal.context, seat, step, key, deal.deck, slots, made)
    return hidden.add_shares(seat, checked)


def deal_out(deal: Deal, count: int) -> HiddenDeck:
    """Every seat is dealt `count` slots, seat by seat: the others' shares are public."""
    hidden, seats = deal.hidden, deal.context.seats
    for at, owner in enumerate(seats):
        slots = list(range(at * count, (at + 1) * count))
        for seat in seats:
            if seat != owner:
                hidden = give_shares(deal, hidden, seat, slots)
    return hidden
