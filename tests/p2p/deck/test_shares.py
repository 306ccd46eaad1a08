"""Messages of shares: exactly the slots asked for, proven together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.deck_table import make_deal, seeded
from support.session.tampering import STRANGER, altered

from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point
from p2p.deck.errors import DeckFault
from p2p.deck.pairs import Deck
from p2p.deck.shares import check_shares, make_shares

DEAL = make_deal("shares", (0, 1))
SLOTS = [4, 9, 2]
STEP = b"match/9"


def made(slots: Sequence[int], seat: int = 1, step: bytes = STEP) -> bytes:
    """An honest message."""
    secret = DEAL.secrets[seat]
    return make_shares(DEAL.context, seat, step, secret, DEAL.deck, slots, seeded("made"))


DATA = made(SLOTS)


def refused(
    data: bytes = DATA,
    slots: Sequence[int] = SLOTS,
    seat: int = 1,
    step: bytes = STEP,
    key: Point = DEAL.openings[1].key,
    deck: Deck = DEAL.deck,
    context: DealContext = DEAL.context,
) -> str:
    """The check refuses and names the seat; what it says."""
    with pytest.raises(DeckFault) as caught:
        check_shares(context, seat, step, key, deck, slots, data)
    assert caught.value.seat == seat
    return caught.value.what


@settings(max_examples=10)
@given(st.lists(st.integers(0, 27), min_size=1, max_size=9, unique=True))
def test_true_shares_are_accepted(slots: list[int]) -> None:
    data = made(slots)
    assert len(data) == 32 * len(slots) + 64
    key = DEAL.openings[1].key
    shares = check_shares(DEAL.context, 1, STEP, key, DEAL.deck, slots, data)
    assert list(shares) == slots
    for slot, share in shares.items():
        assert share == DEAL.secrets[1].key * DEAL.deck.pairs[slot][0]


def test_every_altered_field_is_refused() -> None:
    for data in altered(DATA, len(SLOTS)):
        assert refused(data) == "the shares for slots 4, 9, 2 are not proven"


def test_one_slot_is_named_alone() -> None:
    assert refused(made([3]), [7]) == "the share for slot 7 is not proven"


def test_wrong_slots_are_refused() -> None:
    refused(slots=[4, 2, 9])
    refused(slots=[4, 9, 3])
    refused(made([4, 2, 9]))


@pytest.mark.parametrize(
    "data", [b"", DATA[:-1], DATA[:-32], DATA[32:], DATA + bytes(32), DATA + DATA, DATA[:96]]
)
def test_a_wrong_count_is_refused(data: bytes) -> None:
    assert refused(data) == "it sent no 3 shares for slots 4, 9, 2"


def test_two_shares_exchanged_are_refused() -> None:
    refused(DATA[32:64] + DATA[:32] + DATA[64:])


def test_a_moved_message_is_refused() -> None:
    refused(seat=0)
    refused(seat=0, key=DEAL.openings[0].key)
    refused(step=b"match/10")
    refused(key=STRANGER)
    refused(deck=DEAL.chain[0].deck)
    refused(context=replace(DEAL.context, deal=2))
    refused(context=replace(DEAL.context, version=2))
    refused(context=replace(DEAL.context, root=b"x" * 32))
    refused(context=replace(DEAL.context, seats=(0, 1, 2)))


@pytest.mark.parametrize("slots", [[], [1, 1], [28], [-1]])
def test_impossible_slots_are_our_mistake(slots: list[int]) -> None:
    with pytest.raises(Misuse):
        made(slots)
    with pytest.raises(Misuse):
        check_shares(DEAL.context, 1, STEP, STRANGER, DEAL.deck, slots, DATA)
