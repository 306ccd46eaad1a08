"""How often a level's move in an endgame is not the best, beside a minimax that shares no code.

    python benchmarks/endgames.py [--seed N] [--positions N] [--seating S] [--level LEVEL] [--json]

Positions come from random play without a boneyard (hand-size 14/9/7), with at most 8 tiles held in
all, of two seats and of partners, in four presets, far from the target. Two seats know all tiles.
Of partners a move is judged by what it comes to on average over all deals that can be: those that
the passes so far allow, each as likely. A loss is in points of the hand, against the other side.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.engine.slow_dominoes import Game, Pair, Shape, Table
from support.engine.slow_minimax import Minimax, Scoring

from engine.hand import Hand
from engine.match import Match
from engine.moves import Move, Pass, Play
from engine.rules import Rules
from engine.strategy import LEVELS, make_player, make_view
from engine.tiles import ALL_TILES

PRESETS = ("classic", "pagat", "block", "draw")
SEATINGS = {"two": 2, "partners": 4}
MOST_HELD = 8
OPTIONS = {"hand-size": "14/9/7", "target": "1000000", "starter": "lot"}


@dataclass
class Losses:
    """What the moves judged so far have lost."""

    decisions: int = 0
    not_best: int = 0
    lost_10: int = 0
    lost: float = 0.0

    def add(self, loss: float) -> None:
        """Takes a move in. What is less than a thousandth of a point is a matter of rounding."""
        self.decisions += 1
        self.not_best += loss > 1e-3
        self.lost_10 += loss >= 10
        self.lost += loss

    def shown(self) -> dict[str, float]:
        """As the JSON has it; the loss is the mean over all decisions."""
        mean = round(self.lost / max(1, self.decisions), 4)
        return {
            "decisions": self.decisions,
            "not_best": self.not_best,
            "lost_10": self.lost_10,
            "mean_loss": mean,
        }


def positions(rules: Rules, rng: random.Random) -> Iterator[tuple[Match, Hand]]:
    """Hands of random play, each time a choice is to be made with few tiles left."""
    while True:
        match = Match(rules, rules.players)
        known = dict(enumerate(rng.sample(ALL_TILES, len(ALL_TILES))))
        hand = match.begin_hand(rng.randrange(rules.players), known=known)
        while hand.turn is not None:
            held = sum(hand.held_count(seat) for seat in hand.seats)
            legal = hand.legal_moves(hand.turn)
            if held <= MOST_HELD and len(legal) > 1:
                yield match, hand
            match.apply(rng.choice(legal))


class Judge:
    """Values of moves for the side of the seat to move, from what that seat may know."""

    def __init__(self, match: Match, hand: Hand) -> None:
        if hand.turn is None:
            raise AssertionError("nobody is to move")
        rules = match.rules
        self._seat, self._players = hand.turn, rules.players
        self._counts = [hand.held_count(seat) for seat in range(rules.players)]
        self._own = _held(hand, hand.turn)
        self._shape = Shape(rules.spinner, rules.arms, rules.bare_arms)
        self._placed: list[tuple[Pair, str | None]] = []
        self._lacking: list[set[int]] = [set() for _ in range(rules.players)]
        for move in match.moves:
            if isinstance(move, Play):
                self._placed.append(((move.tile.high, move.tile.low), move.end))
            elif isinstance(move, Pass):
                ends = Table(self._shape, self._placed).ends()
                self._lacking[move.seat] |= {end.value for end in ends}
        self._minimax = Minimax(
            Scoring(rules.play_points, rules.hand_end, rules.block_winner, rules.partners)
        )

    def values(self, legal: tuple[Move, ...]) -> list[float]:
        """The mean of each over the deals that can be."""
        sums, deals = [0] * len(legal), 0
        for hands in self._deals():
            table = Table(self._shape, list(self._placed))
            game = Game(table, hands, [], self._seat, drawing=False)
            for at, move in enumerate(legal):
                if not isinstance(move, Play):
                    raise AssertionError("who passes has no choice")
                made = ((move.tile.high, move.tile.low), move.end)
                sums[at] += self._minimax.after(game, made) * (-1 if self._seat % 2 else 1)
            deals += 1
        return [each / deals for each in sums]

    def _deals(self) -> Iterator[list[list[Pair]]]:
        lying = {pair for pair, _ in self._placed}
        every = [(high, low) for high in range(7) for low in range(high + 1)]
        hidden = [pair for pair in every if pair not in lying and pair not in self._own]
        yield from self._fill([], hidden)

    def _fill(self, hands: list[list[Pair]], hidden: list[Pair]) -> Iterator[list[list[Pair]]]:
        seat = len(hands)
        if seat == self._players:
            yield [list(hand) for hand in hands]
        elif seat == self._seat:
            yield from self._fill([*hands, self._own], hidden)
        else:
            may = [pair for pair in hidden if not self._lacking[seat] & set(pair)]
            for taken in combinations(may, self._counts[seat]):
                left = [pair for pair in hidden if pair not in taken]
                yield from self._fill([*hands, list(taken)], left)


def _held(hand: Hand, seat: int) -> list[Pair]:
    return [(hand.known[slot].high, hand.known[slot].low) for slot in hand.slots(seat)]


def measure(preset: str, players: int, level: str, seed: int, count: int) -> Losses:
    """The losses of a level's moves in so many positions."""
    partners = "yes" if players == 4 else "no"
    rules = Rules.make(preset, players, OPTIONS | {"partners": partners})
    rng = random.Random(f"{seed}/{preset}/{players}")
    player = make_player(level, random.Random(seed))
    losses = Losses()
    for match, hand in positions(rules, rng):
        if losses.decisions == count or hand.turn is None:
            break
        view = make_view(match, hand.turn)
        values = Judge(match, hand).values(view.legal)
        losses.add(max(values) - values[view.legal.index(player.choose(view))])
    return losses


def main() -> None:
    """Prints a line for each preset and way of sitting, or with `--json` all as one object."""
    parser = argparse.ArgumentParser(description="moves in endgames beside plain minimax")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=1000, help="for each preset and seating")
    parser.add_argument("--seating", choices=SEATINGS, action="append", help="both, unless said")
    parser.add_argument("--level", choices=LEVELS, default="hard")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found: dict[str, dict[str, dict[str, float]]] = {}
    for seating in chosen.seating or SEATINGS:
        players = SEATINGS[seating]
        found[seating] = {}
        for preset in PRESETS:
            losses = measure(preset, players, chosen.level, chosen.seed, chosen.positions).shown()
            found[seating][preset] = losses
            if not chosen.json:
                words = ", ".join(f"{name} {value}" for name, value in losses.items())
                print(f"{seating:<10}{preset:<10}{words}", flush=True)
    if chosen.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
