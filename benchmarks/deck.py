"""How long the deck's proofs take, in units of one rbcl scalar multiplication.

    python benchmarks/deck.py [--json] [--rounds N]

Every step runs on fresh input each round, between two batches of the unit, and counts as the
median over the rounds of its time by the unit around it. `_floor` is the number of
multiplications (other than of the base point) that the step itself makes, counted in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from p2p.crypto import group
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.crypto.sodium import rbcl
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import DealSecret
from p2p.deck.pairs import TILES, Deck, deck_key, open_deck
from p2p.deck.shares import check_shares, make_shares
from p2p.deck.shuffles import (
    Shuffled,
    check_shuffle,
    check_shuffles,
    make_shuffle,
    prepare_shuffle,
)
from p2p.deck.unplayable import check_unplayable, make_unplayable

Timed = Callable[[], object]
UNIT_BATCH = 40
CANDIDATES = 20
# All but one: so many there are where the lead was the lowest that could be called for.
MOST_CANDIDATES = 27


@dataclass(frozen=True)
class Step:
    """A step to time: `fresh` makes new input and returns what is timed, `repeat` times over."""

    name: str
    fresh: Callable[[], Timed]
    repeat: int = 1


class Bench:
    """Fresh deals of two to four seats, and the steps that play on them."""

    def __init__(self, seats: int) -> None:
        self.context = DealContext(1, os.urandom(32), 1, tuple(range(seats)))
        self.secrets = [DealSecret.make(self.context, seat, os.urandom) for seat in range(seats)]
        self.keys: dict[int, Point] = {
            seat: secret.public for seat, secret in enumerate(self.secrets)
        }
        self.key = deck_key(self.keys)

    def chain(self) -> list[Shuffled]:
        """All seats shuffle in turn."""
        deck, links = open_deck(self.key), []
        for seat in self.context.seats:
            deck, proof = make_shuffle(self.context, seat, self.key, deck, os.urandom)
            links.append(Shuffled(seat, deck, proof))
        return links

    def dealt(self) -> tuple[HiddenDeck, list[int]]:
        """A deck of which seat 1 has given every share, and the tiles that seat 0 sees in it."""
        deck = self.chain()[-1].deck
        secret = self.secrets[1]
        shares = {slot: secret.key * deck.pairs[slot][0] for slot in range(TILES)}
        hidden = HiddenDeck(self.keys, deck).add_shares(1, shares)
        return hidden, [hidden.own_tile(slot, self.secrets[0]) for slot in range(TILES)]


def prove() -> Timed:
    """Re-encrypt, permute and prove, on a deck that was shuffled before."""
    bench = Bench(2)
    before = bench.chain()[-1].deck
    return lambda: make_shuffle(bench.context, 0, bench.key, before, os.urandom)


def prove_after_deck() -> Timed:
    """The same where all that needs no deck was made ahead."""
    bench = Bench(2)
    before = bench.chain()[-1].deck
    place = (bench.context, 0, bench.key)
    ready = prepare_shuffle(*place, os.urandom)
    return lambda: make_shuffle(*place, before, os.urandom, ready)


def verify() -> Timed:
    """Check one shuffle in the middle of a chain."""
    bench = Bench(2)
    first, second = bench.chain()
    args = (bench.context, 1, bench.key, first.deck, second.deck, second.proof)
    return lambda: check_shuffle(*args)


def verify_four() -> Timed:
    """Check a chain of four from the open deck together."""
    bench = Bench(4)
    chain = bench.chain()
    return lambda: check_shuffles(bench.context, bench.key, chain)


def _deck_alone() -> tuple[Bench, Deck]:
    bench = Bench(2)
    return bench, bench.chain()[-1].deck


def share_make() -> Timed:
    """One share with its proof."""
    bench, deck = _deck_alone()
    args = (bench.context, 0, b"step", bench.secrets[0], deck, [3], os.urandom)
    return lambda: make_shares(*args)


def share_check() -> Timed:
    """Check one share."""
    bench, deck = _deck_alone()
    data = make_shares(bench.context, 0, b"step", bench.secrets[0], deck, [3], os.urandom)
    args = (bench.context, 0, b"step", bench.keys[0], deck, [3], data)
    return lambda: check_shares(*args)


@dataclass(frozen=True)
class Unplayable:
    """A proof over the first `slots` slots of seat 0 against 20 candidates."""

    bench: Bench
    hidden: HiddenDeck
    slots: range
    candidates: list[int]

    @staticmethod
    def of(slots: int, candidates: int = CANDIDATES) -> Unplayable:
        """A fresh statement that is true."""
        bench = Bench(2)
        hidden, tiles = bench.dealt()
        return Unplayable(bench, hidden, range(slots), sorted(tiles[:candidates]))

    def make(self) -> bytes:
        """What the prover does."""
        bench, secret = self.bench, self.bench.secrets[0]
        place = (bench.context, 0, b"step", secret, self.hidden)
        return make_unplayable(*place, self.slots, self.candidates, os.urandom)

    def check(self) -> Timed:
        """What the others do with a fresh proof."""
        data = self.make()
        place = (self.bench.context, 0, b"step", self.hidden, self.slots, self.candidates)
        return lambda: check_unplayable(*place, data)


STEPS = (
    Step("prove", prove),
    Step("prove_after_deck", prove_after_deck),
    Step("verify", verify),
    Step("verify4", verify_four),
    Step("share_make", share_make, repeat=20),
    Step("share_check", share_check, repeat=20),
    Step("unplayable_make", lambda: Unplayable.of(1).make, repeat=2),
    Step("unplayable_check1", lambda: Unplayable.of(1).check(), repeat=2),
    Step("unplayable_check9", lambda: Unplayable.of(9).check()),
    Step("unplayable_make_27", lambda: Unplayable.of(1, MOST_CANDIDATES).make, repeat=2),
    Step("unplayable_check1_27", lambda: Unplayable.of(1, MOST_CANDIDATES).check(), repeat=2),
    Step("unplayable_check9_27", lambda: Unplayable.of(9, MOST_CANDIDATES).check()),
)


def unit_seconds() -> float:
    """Seconds of one multiplication of a fresh point, its Python call included."""
    scalar = rbcl.crypto_core_ristretto255_scalar_random()
    point = rbcl.crypto_core_ristretto255_random()
    begun = time.perf_counter()
    for _ in range(UNIT_BATCH):
        rbcl.crypto_scalarmult_ristretto255(scalar, point)
    return (time.perf_counter() - begun) / UNIT_BATCH


def measure(step: Step) -> tuple[float, float]:
    """One round of a step: its time in units, and the unit in seconds."""
    timed = step.fresh()
    before = unit_seconds()
    begun = time.perf_counter()
    for _ in range(step.repeat):
        timed()
    spent = (time.perf_counter() - begun) / step.repeat
    unit = (before + unit_seconds()) / 2
    return spent / unit, unit


def multiplications(timed: Timed) -> int:
    """How many multiplications of points other than G a run makes."""
    plain = rbcl.crypto_scalarmult_ristretto255
    count = 0

    def counted(scalar: bytes, point: bytes) -> bytes:
        nonlocal count
        count += 1
        return bytes(plain(scalar, point))

    with mock.patch.object(group, "_multiply", counted):
        timed()
    return count


def run(rounds: int) -> dict[str, float]:
    """All figures of `--json`."""
    units: list[float] = []
    figures: dict[str, float] = {}
    for step in STEPS:
        times, seen = zip(*(measure(step) for _ in range(rounds)), strict=True)
        units += seen
        figures[step.name] = round(statistics.median(times), 1)
        figures[f"{step.name}_floor"] = multiplications(step.fresh())
    bench = Bench(2)
    figures["unplayable_bytes9"] = len(Unplayable.of(9).make())
    figures["unplayable_bytes9_27"] = len(Unplayable.of(9, MOST_CANDIDATES).make())
    figures["shuffle_bytes"] = len(bench.chain()[0].proof)
    return {"unit_us": round(statistics.median(units) * 1e6, 1), **figures}


def print_table(figures: dict[str, float]) -> None:
    """The same figures for people."""
    print(f"unit: {figures['unit_us']} microseconds (one multiplication)")
    print(f"{'step':<20}{'units':>9}{'multiplications':>18}")
    for step in STEPS:
        print(f"{step.name:<20}{figures[step.name]:>9.1f}{figures[step.name + '_floor']:>18}")
    for name in ("unplayable_bytes9", "unplayable_bytes9_27", "shuffle_bytes"):
        print(f"{name:<20}{figures[name]:>9}")


def main() -> None:
    """Read the flags, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--rounds", type=int, default=15, help="rounds a step (default 15)")
    flags = parser.parse_args()
    figures = run(flags.rounds)
    if flags.json:
        print(json.dumps(figures))
    else:
        print_table(figures)


if __name__ == "__main__":
    main()
