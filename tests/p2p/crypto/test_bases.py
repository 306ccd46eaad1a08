"""Commitment bases and commitments."""

from __future__ import annotations

from support.session.deck_table import seeded
from support.session.tampering import place

from p2p.crypto.bases import (
    commit,
    commit_permutation,
    product_bases,
    selector_bases,
    shuffle_bases,
)
from p2p.crypto.group import IDENTITY, G, add_up, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.deck.pairs import TILE_POINTS


def test_all_bases_and_tiles_are_different_points() -> None:
    families = [shuffle_bases(28), selector_bases(11), product_bases(11), TILE_POINTS, (G,)]
    points = [point for family in families for point in family]
    assert len(set(points)) == 28 + 11 + 11 + 28 + 1
    assert IDENTITY not in points


def test_a_smaller_family_is_a_prefix() -> None:
    assert shuffle_bases(28)[:5] == shuffle_bases(5)


def test_a_commitment_is_its_sum() -> None:
    h = shuffle_bases(4)
    expected = add_up([multiply_base(9), 2 * h[0], 3 * h[1]])
    assert commit([2, 3], 9, 4) == expected == commit([2, 3, 0, 0], 9, 4)


def test_running_sums_commit_to_a_permutation() -> None:
    nonces = Nonces(place(), b"", seeded("order"))
    for size in (1, 2, 5, 28):
        order = nonces.permutation(size)
        assert commit_permutation(order, 77) == commit(order, 77, size)
