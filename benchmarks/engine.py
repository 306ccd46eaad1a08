"""Random two-player hands a second, beside the PyPI package `dominoes` in the same run.

    python benchmarks/engine.py [--seconds S] [--json]

Both play hands from a shuffled set to the end by random legal moves, through their public
interface with legality checked, in short turns one after the other, so that a machine that slows
down slows both. `dominoes` (6.1.0) plays four seats of seven tiles on a line without spinner; ours
is the classic game of two with spinner, draws and points.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import dominoes

# This file has the name of the package it measures, and its own folder comes first on the path.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.hand import Hand
from engine.rules import Rules
from engine.tiles import ALL_TILES

SLICE = 0.25  # seconds that one side plays before the other takes over
RULES = Rules.make("classic", 2)


def our_hand(rng: random.Random) -> None:
    """One classic hand of two seats, settled at its end."""
    tiles = list(ALL_TILES)
    rng.shuffle(tiles)
    deal = dict(enumerate(tiles))
    hand = Hand(RULES, (0, 1), rng.randrange(2), deal)
    while hand.turn is not None:
        legal = hand.legal_moves(hand.turn)
        hand.apply(legal[int(rng.random() * len(legal))])
    hand.settle(deal)


def their_hand(rng: random.Random) -> None:
    """One hand of the package's game; it shuffles by itself."""
    game = dominoes.Game.new(starting_player=rng.randrange(4))
    while game.result is None:
        legal = game.valid_moves
        game.make_move(*legal[int(rng.random() * len(legal))])


def timed(play: Callable[[random.Random], None], rng: random.Random) -> tuple[int, float]:
    """Hands played within one slice, and the seconds they took."""
    begun = time.perf_counter()
    hands = 0
    while (spent := time.perf_counter() - begun) < SLICE:
        play(rng)
        hands += 1
    return hands, spent


def rate(runs: list[tuple[int, float]]) -> float:
    """Hands a second over all slices."""
    return sum(hands for hands, _ in runs) / sum(seconds for _, seconds in runs)


def measure(seconds: float) -> dict[str, float]:
    """Hands a second of both, timed in turn for `seconds` in all, and their ratio."""
    rng = random.Random(5)
    random.seed(5)
    ours: list[tuple[int, float]] = []
    theirs: list[tuple[int, float]] = []
    for _ in range(max(1, round(seconds / (2 * SLICE)))):
        ours.append(timed(our_hand, rng))
        theirs.append(timed(their_hand, rng))
    mine, other = rate(ours), rate(theirs)
    return {
        "hands_per_s": round(mine, 1),
        "dominoes_hands_per_s": round(other, 1),
        "ratio": round(mine / other, 3),
    }


def main() -> None:
    """Prints the rates as a table, or with `--json` as one object."""
    parser = argparse.ArgumentParser(description="random hands a second, beside `dominoes`")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long to measure in all")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    result = measure(chosen.seconds)
    if chosen.json:
        print(json.dumps(result))
        return
    print(f"{'allfives, classic, 2 seats':<30}{result['hands_per_s']:>10.0f} hands/s")
    print(f"{'dominoes 6.1.0, 4 seats':<30}{result['dominoes_hands_per_s']:>10.0f} hands/s")
    print(f"{'ratio':<30}{result['ratio']:>10.2f}")


if __name__ == "__main__":
    main()
