"""Whole matches of sittings in memory, with every kind of fault, told by a number: the seed.

    python tests/simulate.py --seeds 0:10000              with a stand-in for the group: fast
    python tests/simulate.py --seeds 0:200 --real-deck    with the real one
    python tests/simulate.py --seeds 17:18 --show 17      every step of one seed
    python tests/simulate.py --seeds 0:1000 --faults cut,kill
    python tests/simulate.py --seeds 0:1000 --plant lost-message
    python tests/simulate.py --seeds 0:1000 --plant all
    python tests/simulate.py --kill-everywhere 2 3

Links, disks, people and clocks are simulated or driven by one seeded scheduler; sittings, sessions
and stores are the product's. Printed are the faults that were made, by kind, a hash of all that
happened, and for a seed in which something did not hold, what, and the command that shows it.
"""

import argparse
import hashlib
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from support.simulate.run import Result


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", default="0:100", metavar="A:B", help="from A up to, not with, B")
    everywhere = "of so many players, kill each at each of its messages"
    parser.add_argument(
        "--kill-everywhere", type=int, nargs="+", metavar="PLAYERS", help=everywhere
    )
    parser.add_argument("--real-deck", action="store_true", help="no stand-in for the group")
    parser.add_argument("--show", type=int, metavar="SEED", help="print every step of this seed")
    bug = "a bug of support/simulate/planted.py, among the faults that show it soon, or `all`"
    parser.add_argument("--plant", metavar="NAME", help=bug)
    parser.add_argument("--faults", help="only these kinds, with commas between")
    return parser.parse_args(words)


def _command(seed: int, given: argparse.Namespace) -> str:
    """What shows a seed again, step by step."""
    faults = [f"--faults {shlex.quote(given.faults)}"] if given.faults else []
    deck = ["--real-deck"] if given.real_deck else []
    seeds = f"--seeds {seed}:{seed + 1} --show {seed}"
    plant = [f"--plant {given.plant}"] if given.plant else []
    return " ".join(["python tests/simulate.py", seeds, *deck, *faults, *plant])


def main(words: Sequence[str]) -> int:
    """Exit code 1 if a seed failed; with a planted bug, if none did."""
    given = _arguments(words)
    if not given.real_deck:
        from support.simulate import stand_in

        stand_in.install()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        if given.kill_everywhere:
            failed = _killed(given, Path(folder))
        elif given.plant == "all":
            failed = _all_planted(words)
        elif given.plant:
            failed = _planted(given, Path(folder))
        else:
            failed = _all(given, Path(folder))
    print(f"{time.process_time() - began:.1f} s of processor time", file=sys.stderr)
    return 1 if failed else 0


def _seeds(given: argparse.Namespace) -> range:
    return range(*map(int, given.seeds.split(":")))


def _results(given: argparse.Namespace, folder: Path) -> Iterator[tuple[int, "Result"]]:
    from support.simulate.plan import KINDS
    from support.simulate.run import run

    kinds = tuple(given.faults.split(",")) if given.faults else KINDS
    for seed in _seeds(given):
        result = run(seed, folder, kinds, keep=seed == given.show)
        print(*result.lines, sep="\n", end="\n" if result.lines else "")
        if result.failures:
            command = _command(seed, given)
            print(f"seed {seed} failed:", *result.failures, command, sep="\n  ", flush=True)
        yield seed, result


def _all(given: argparse.Namespace, folder: Path) -> bool:
    """Play all seeds; whether one failed."""
    made: Counter[str] = Counter()
    traces = hashlib.sha256()
    count = failed = hands = 0
    for _, result in _results(given, folder):
        traces.update(result.digest.encode())
        made += result.made
        hands += result.hands
        count += 1
        failed += bool(result.failures)
    print(f"{count} seeds, {hands} hands, {failed} failed; trace {traces.hexdigest()}")
    print("faults made:", ", ".join(f"{kind} {made[kind]}" for kind in sorted(+made)))
    return failed > 0


def _killed(given: argparse.Namespace, folder: Path) -> bool:
    """Kill each seat at each of its messages; whether something did not hold."""
    from support.simulate.run import kill_everywhere

    failed = kills = 0
    for players in given.kill_everywhere:
        for place, number, result in kill_everywhere(players, folder):
            kills += 1
            if result.failures:
                failed += 1
                where = f"{players} players, seat {place} killed at store {number}:"
                print(where, *result.failures, sep="\n  ")
    print(f"{kills} kills, {failed} failed")
    return failed > 0


def _holds_without(given: argparse.Namespace, seed: int) -> bool:
    """Whether a seed fails for the planted bug alone: nothing is planted in another process."""
    words = ["--seeds", f"{seed}:{seed + 1}", *(["--real-deck"] if given.real_deck else [])]
    words += ["--faults", given.faults] if given.faults else []
    command = [sys.executable, __file__, *words]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _planted(given: argparse.Namespace, folder: Path) -> bool:
    """Plant a bug and play until a seed finds it; whether none does."""
    from support.simulate.planted import PLANTED

    plant = PLANTED[given.plant]
    plant.put()
    given.faults = given.faults or ",".join(plant.faults)
    for seed, result in _results(given, folder):
        if result.failures and _holds_without(given, seed):
            print(f"{given.plant}: found by seed {seed}")
            return False
    print(f"{given.plant}: not found")
    return True


def _all_planted(words: Sequence[str]) -> bool:
    """Plant one bug after the other, each in a process of its own; whether one was not found."""
    from support.simulate.planted import PLANTED

    missed = 0
    for name in PLANTED:
        command = [sys.executable, __file__, *words, "--plant", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        missed += done.returncode != 0
        print(done.stdout.splitlines()[-1] if done.stdout else done.stderr, flush=True)
    print(f"{len(PLANTED) - missed} of {len(PLANTED)} bugs were found")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
