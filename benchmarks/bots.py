"""The hard player against others, match by match; goes on where it was stopped.

    python benchmarks/bots.py FILE [--contest NAME] [--matches N] [--seed N] [--worlds N] [--cheat]
        [--json]

Each match adds a line to FILE, and those that FILE has already are not played again. `before` is
the hard player as it was before it searched, `defender` takes the move with
the most points after taking off the most that the next player may make then. Sides change seats
with each match. Times are those of the moves of `hard` that had a choice, in processor time.
With `--cheat` the hard player is shown all tiles, which says how much there is to be won at most.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.engine.hard_before.hard import HardPlayer as HardBefore

from cli.arena.matches import interval, play_match
from engine.moves import Move, Play
from engine.rules import Rules
from engine.seats import USUAL_WORLDS
from engine.strategy import Player, SeatView, make_player
from engine.strategy.advice import leaves
from engine.strategy.normal import NormalPlayer
from engine.tiles import Tile


class Defender(NormalPlayer):
    """Most points after taking off the most that the next player may make."""

    def choose(self, view: SeatView) -> Move:
        """The first of the best moves."""
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return view.legal[0]
        return max(plays, key=lambda move: view.points_for(move) - leaves(view, move))


@dataclass
class Timed(NormalPlayer):
    """A player whose moves are timed."""

    player: Player
    seconds: list[float] = field(default_factory=list)

    def choose(self, view: SeatView) -> Move:
        """What the player chooses."""
        begun = time.process_time()
        move = self.player.choose(view)
        if len(view.legal) > 1:
            self.seconds.append(time.process_time() - begun)
        return move


_WORLDS_BEFORE = 200  # guesses of the hard player as it was, in the arena


class Dealer(random.Random):
    """Remembers how the tiles lie that it has shuffled last."""

    dealt: Sequence[Tile] = ()

    def sample(self, population: Sequence[Any], k: int, **others: Any) -> list[Any]:
        """As ever; the only sample that a match asks for is its next deal."""
        self.dealt = drawn = super().sample(population, k, **others)
        return drawn


@dataclass
class Cheat(NormalPlayer):
    """A player that is shown the tile of every slot."""

    player: Player
    dealer: Dealer

    def choose(self, view: SeatView) -> Move:
        """What the player chooses."""
        hand = view.hand.copy()
        for slot, tile in enumerate(self.dealer.dealt):
            hand.learn(slot, tile)
        return self.player.choose(replace(view, hand=hand))


OTHERS: dict[str, Callable[[random.Random], Player]] = {
    "before": lambda rng: HardBefore(rng, _WORLDS_BEFORE, 1.0, None),
    "normal": lambda rng: make_player("normal", rng),
    "defender": lambda rng: Defender(),
}


@dataclass(frozen=True)
class Run:
    """What all matches of a run have in common."""

    seed: int
    worlds: int
    cheat: bool

    @property
    def name(self) -> list[int]:
        """As each line of the file has it."""
        return [self.seed, self.worlds, int(self.cheat)]


@dataclass(frozen=True)
class Contest:
    """Who plays against whom by which rules."""

    name: str
    other: str
    rules: Rules


CONTESTS = (
    Contest("before, online", "before", Rules.make("online", 2)),
    Contest("before, pagat", "before", Rules.make("pagat", 2)),
    Contest("before, pagat 14", "before", Rules.make("pagat", 2, {"hand-size": "14/9/7"})),
    Contest("normal, online", "normal", Rules.make("online", 2)),
    Contest("normal, partners", "normal", Rules.make("online", 4, {"partners": "yes"})),
    Contest("defender, online", "defender", Rules.make("online", 2)),
)


def play(contest: Contest, run: Run, number: int) -> dict[str, object]:
    """One match: whether hard won it, and the times of its moves."""
    sides = number % 2
    dealer = Dealer(f"{run.seed}/{contest.name}/{number}")
    seats: list[Player] = []
    for seat in range(contest.rules.players):
        rng = random.Random(f"{run.seed}/{contest.name}/{number}/{seat}")
        if seat % 2 == sides:
            hard = make_player("hard", rng, worlds=run.worlds)
            seats.append(Timed(Cheat(hard, dealer) if run.cheat else hard))
        else:
            seats.append(OTHERS[contest.other](rng))
    match = play_match(contest.rules, seats, dealer)
    if match.result is None:
        raise AssertionError("a match ended without a result")
    taken = [second for one in seats if isinstance(one, Timed) for second in one.seconds]
    return {
        "contest": contest.name,
        "run": run.name,
        "number": number,
        "won": sides in match.result.winners,
        "median_s": round(statistics.median(taken), 4),
        "worst_s": round(max(taken), 4),
    }


def played(path: Path) -> Iterator[dict[str, object]]:
    """The matches that the file has."""
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def summary(path: Path, run: list[int]) -> dict[str, dict[str, object]]:
    """By contest: matches, wins, the rate with its 95 % interval, and the times of moves."""
    every = list(played(path))
    found: dict[str, dict[str, object]] = {}
    for contest in CONTESTS:
        rows = [row for row in every if (row["contest"], row["run"]) == (contest.name, run)]
        if not rows:
            continue
        won = sum(bool(row["won"]) for row in rows)
        low, high = interval(won, len(rows))
        found[contest.name] = {
            "matches": len(rows),
            "wins": won,
            "rate": round(won / len(rows), 3),
            "ci95": [round(low, 3), round(high, 3)],
            "median_s": statistics.median(float(str(row["median_s"])) for row in rows),
            "worst_s": max(float(str(row["worst_s"])) for row in rows),
        }
    return found


def main() -> None:
    """Plays what is missing in the file, then prints what all of it comes to."""
    parser = argparse.ArgumentParser(description="the hard player against others")
    parser.add_argument("file", type=Path)
    names = [contest.name for contest in CONTESTS]
    parser.add_argument("--contest", action="append", choices=names, help="all, unless said")
    parser.add_argument("--matches", type=int, default=400, help="of each contest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=USUAL_WORLDS, help="guesses of hard")
    parser.add_argument("--cheat", action="store_true", help="hard is shown all tiles")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    run = Run(chosen.seed, chosen.worlds, chosen.cheat)
    every = [row for row in played(chosen.file) if row["run"] == run.name]
    done = {(row["contest"], row["number"]) for row in every}
    for number in range(chosen.matches):
        for contest in CONTESTS:
            asked = not chosen.contest or contest.name in chosen.contest
            if not asked or (contest.name, number) in done:
                continue
            row = play(contest, run, number)
            with chosen.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    found = summary(chosen.file, run.name)
    if chosen.json:
        print(json.dumps(found))
        return
    for name, row in found.items():
        print(f"{name:<20}" + ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
