"""Random two-player hands a second, beside the PyPI package `dominoes` in the same run.

    python benchmarks/engine.py [--seconds S] [--json]

Both play hands from a shuffled set to the end by random legal moves, through their public
interface with legality checked (ours by options, the cheap form of moves), in short turns one after
the other, so that a machine that slows down slows both. `dominoes` (6.1.0) plays four seats of
seven tiles on a line without spinner; ours is the classic game of two with spinner, draws and
points.
"""

import argparse
import json
import random
import statistics
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

SLICE = 0.1  # seconds that one side plays before the other takes over
WARM_UP = 1.5  # seconds of each before the measuring
RULES = Rules.make("classic", 2)


def our_hand(rng: random.Random) -> None:
    """One classic hand of two seats, settled at its end."""
    chance = rng.random
    deal = dict(enumerate(sorted(ALL_TILES, key=lambda _: chance())))  # cheap and as fair
    hand = Hand(RULES, (0, 1), rng.getrandbits(1), deal)
    while hand.turn is not None:
        options = hand.options()
        if options:
            hand.play(options[int(chance() * len(options))])
        else:
            hand.draw_or_pass()
    hand.settle(deal)


def their_hand(rng: random.Random) -> None:
    """One hand of the package's game; it shuffles by itself."""
    game = dominoes.Game.new(starting_player=rng.getrandbits(2))
    while game.result is None:
        legal = game.valid_moves
        game.make_move(*legal[int(rng.random() * len(legal))])


def rate(play: Callable[[random.Random], None], rng: random.Random, seconds: float) -> float:
    """Hands a second of processor time, played for some seconds of it.

    Processor time, as the machine may be busy with something else in one turn and not in the next.
    """
    begun = time.process_time()
    hands = 0
    while (spent := time.process_time() - begun) < seconds:
        play(rng)
        hands += 1
    return hands / spent


def measure(seconds: float) -> dict[str, float]:
    """Medians over turns of about `seconds` in all: the rates of both, and their ratio."""
    rng = random.Random(5)
    random.seed(5)
    for warm in (our_hand, their_hand):  # what is kept between hands is there from then on
        rate(warm, rng, WARM_UP)
    turns = [
        (rate(our_hand, rng, SLICE), rate(their_hand, rng, SLICE))
        for _ in range(max(1, round(seconds / (2 * SLICE))))
    ]
    return {
        "hands_per_s": round(statistics.median(ours for ours, _ in turns), 1),
        "dominoes_hands_per_s": round(statistics.median(theirs for _, theirs in turns), 1),
        "ratio": round(statistics.median(ours / theirs for ours, theirs in turns), 3),
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
