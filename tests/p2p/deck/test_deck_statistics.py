"""One honest shuffler is enough: every tile is equally likely in every position.

The others use the identity permutation, wherever the honest seat stands in the chain. The sample
is small; ALLFIVES_DECK_HANDS=5000 makes it thousands.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import pytest
from support.session.deck_table import context_of, seeded

from p2p.crypto.challenge import Challenge
from p2p.crypto.group import Point, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle import Pair, Statement
from p2p.crypto.shuffle_prover import Prepared, apply, prepare, prove
from p2p.deck.pairs import TILES, Deck, open_deck, tile_index
from p2p.deck.shuffles import check_shuffle, shuffle_challenge

HANDS = int(os.environ.get("ALLFIVES_DECK_HANDS", "60"))
SECRET = 2026
KEY = multiply_base(SECRET)


class OnlyReencrypts(Prepared):
    """A seat that leaves the order as it is; without the masks, which a statistic does not need."""

    def __init__(self, key: Point, nonces: Nonces) -> None:
        self.order = list(range(1, TILES + 1))
        self.factors = nonces.take(TILES)
        self.shifts = [(multiply_base(rho), rho * key) for rho in self.factors]


def identity_shuffle(pairs: Sequence[Pair], deal: int, rng: RandomBytes) -> list[Pair]:
    """The deck re-encrypted in the same order."""
    challenge = Challenge(context_of(deal=deal), 1, b"", b"identity")
    return apply(pairs, OnlyReencrypts(KEY, Nonces(challenge, b"", rng)))


def honest_shuffle(pairs: Sequence[Pair], deal: int, rng: RandomBytes) -> list[Pair]:
    """The deck shuffled as the product does it."""
    challenge = Challenge(context_of(deal=deal), 0, b"", b"honest")
    return apply(pairs, prepare(challenge, KEY, TILES, rng))


def positions(order: str, hands: int) -> list[list[int]]:
    """How often each tile came to each position, the seats shuffling in this order."""
    counts = [[0] * TILES for _ in range(TILES)]
    rng = seeded(f"statistics {order}")
    steps = {"h": honest_shuffle, "i": identity_shuffle}
    for deal in range(hands):
        pairs: Sequence[Pair] = open_deck(KEY).pairs
        for step in order:
            pairs = steps[step](pairs, deal, rng)
        for position, (first, second) in enumerate(pairs):
            counts[tile_index(second - SECRET * first)][position] += 1
    return counts


@pytest.mark.parametrize("order", ["hi", "ih"])
def test_every_tile_is_equally_likely_everywhere(order: str) -> None:
    counts = positions(order, HANDS)
    expected = HANDS / TILES
    chi_square = sum((count - expected) ** 2 / expected for row in counts for count in row)
    freedom = (TILES - 1) ** 2
    deviation = (chi_square * (TILES - 1) / TILES - freedom) / math.sqrt(2 * freedom)
    assert abs(deviation) < 4.5
    assert all(sum(row) == HANDS for row in counts)
    assert all(0 < max(row) < 6 * expected + 9 for row in counts)


def test_the_identity_permutation_alone_would_be_noticed() -> None:
    counts = positions("ii", 2)
    assert all(counts[tile][tile] == 2 for tile in range(TILES))


def test_an_identity_shuffler_passes_the_check() -> None:
    """It breaks no rule, so it must be harmless: that is what one honest seat is for."""
    context, rng = context_of(), seeded("lazy")
    nonces = Nonces(Challenge(context, 1, b"", b"lazy"), b"", rng)
    lazy = Prepared(KEY, list(range(1, TILES + 1)), nonces)
    before = open_deck(KEY)
    after = Deck(tuple(apply(before.pairs, lazy)))
    statement = Statement(KEY, before.pairs, after.pairs)
    proof = prove(shuffle_challenge(context, 1), statement, lazy, rng)
    check_shuffle(context, 1, KEY, before, after, proof.to_bytes())
    assert [tile_index(b - SECRET * a) for a, b in after.pairs] == list(range(TILES))
