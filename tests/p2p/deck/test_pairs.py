"""Decks as bytes, the open deck, the deck key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import G, multiply_base
from p2p.deck.pairs import DECK_BYTES, TILE_POINTS, TILES, Deck, deck_key, open_deck, tile_index

KEY = multiply_base(99)
DECK = open_deck(KEY)


def test_the_open_deck_hides_nothing() -> None:
    assert len(DECK.pairs) == TILES == 28
    for tile, (first, second) in enumerate(DECK.pairs):
        assert first == G
        assert tile_index(second - 99 * first) == tile


def test_bytes_round_trip() -> None:
    data = DECK.to_bytes()
    assert len(data) == DECK_BYTES == 28 * 64
    assert Deck.from_bytes(data) == DECK


@pytest.mark.parametrize("change", [-64, -1, 1, 64])
def test_a_deck_has_exactly_28_pairs(change: int) -> None:
    data = DECK.to_bytes()
    with pytest.raises(DecodeError):
        Deck.from_bytes(data[:change] if change < 0 else data + data[:change])


@settings(max_examples=20)
@given(st.integers(0, 55), st.sampled_from([bytes(32), b"\xff" * 32, b"\x01" + bytes(31)]))
def test_every_point_of_a_deck_is_checked(at: int, bad: bytes) -> None:
    data = DECK.to_bytes()
    with pytest.raises(DecodeError):
        Deck.from_bytes(data[: at * 32] + bad + data[(at + 1) * 32 :])


def test_the_deck_key_is_the_sum() -> None:
    keys = {0: multiply_base(5), 2: multiply_base(7), 3: multiply_base(-2)}
    assert deck_key(keys) == multiply_base(10)


def test_a_deck_key_that_hides_nothing_is_our_mistake() -> None:
    with pytest.raises(Misuse):
        deck_key({0: multiply_base(5), 1: multiply_base(-5)})


def test_a_point_that_is_no_tile_blames_nobody() -> None:
    assert [tile_index(point) for point in TILE_POINTS] == list(range(28))
    with pytest.raises(Misuse, match="no tile"):
        tile_index(G)
