"""Counted games: the moves from fixed hands, pinned, and counted again by the slow game.

With ALLFIVES_FULL=1 to depth 10.
"""

import random

import pytest
from support.engine.slow_dominoes import Game, Shape, Table
from support.engine.slow_dominoes import perft as slow_perft
from support.limits import FULL

from engine.hand import Hand
from engine.rules import Rules
from engine.tiles import ALL_TILES


def perft(hand: Hand, depth: int) -> int:
    if depth == 0 or hand.turn is None:
        return 1
    total = 0
    for move in hand.legal_moves(hand.turn):
        after = hand.copy()
        after.apply(move)
        total += perft(after, depth - 1)
    return total


def fixed(spinner: str, seed: int) -> tuple[Hand, Game]:
    tiles = list(ALL_TILES)
    random.Random(seed).shuffle(tiles)
    pairs = [(tile.high, tile.low) for tile in tiles]
    rules = Rules.make("pagat", 2, {"spinner": spinner, "hand-size": "7"})
    hand = Hand(rules, (0, 1), 0, dict(enumerate(tiles)))
    game = Game(Table(Shape(spinner)), [pairs[:7], pairs[7:14]], pairs[14:])
    return hand, game


PINNED = {
    ("none", 1): [7, 17, 47, 109, 273, 470, 867, 1297, 2025, 2739],
    ("first", 1): [7, 17, 47, 109, 289, 526, 1182, 2040, 3941, 6145],
    ("every", 1): [7, 17, 47, 109, 289, 526, 1195, 2065, 4159, 6580],
    ("none", 2): [7, 21, 52, 139, 306, 666, 1280, 2458, 4219, 7671],
    ("first", 2): [7, 21, 52, 151, 390, 1194, 3520, 11236, 32256, 86415],
    ("every", 2): [7, 21, 52, 151, 390, 1194, 3526, 11281, 32586, 88046],
}


@pytest.mark.parametrize(("spinner", "seed"), list(PINNED))
def test_games_to_depth_n(spinner: str, seed: int) -> None:
    hand, game = fixed(spinner, seed)
    pinned = PINNED[spinner, seed][: 10 if FULL else 8]
    assert [perft(hand, depth) for depth, _ in enumerate(pinned, 1)] == pinned
    assert [slow_perft(game, depth) for depth in range(1, 7)] == pinned[:6]
