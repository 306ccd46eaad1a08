"""Whole matches of sittings in memory, with every kind of fault, told by a number: the seed.

    python tests/simulate.py --seeds 0:10000              with a stand-in for the group: fast
    python tests/simulate.py --seeds 0:200 --real-deck    with the real one
    python tests/simulate.py --seeds 17:18 --show 17      every step of one seed
    python tests/simulate.py --seeds 0:1000 --faults cut,kill

Links, disks, people and clocks are simulated or driven by one seeded scheduler; sittings, sessions
and stores are the product's. Printed are the faults that were made, by kind, a hash of all that
happened, and for a seed in which something did not hold, what, and the command that shows it.
"""

import argparse
import hashlib
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", required=True, metavar="A:B", help="from A up to, not with, B")
    parser.add_argument("--real-deck", action="store_true", help="no stand-in for the group")
    parser.add_argument("--show", type=int, metavar="SEED", help="print every step of this seed")
    parser.add_argument("--faults", help="only these kinds, with commas between")
    return parser.parse_args(words)


def _command(seed: int, given: argparse.Namespace) -> str:
    """What shows a seed again, step by step."""
    faults = [f"--faults {shlex.quote(given.faults)}"] if given.faults else []
    deck = ["--real-deck"] if given.real_deck else []
    seeds = f"--seeds {seed}:{seed + 1} --show {seed}"
    return " ".join(["python tests/simulate.py", seeds, *deck, *faults])


def main(words: Sequence[str]) -> int:
    """Exit code 1 if a seed failed."""
    given = _arguments(words)
    if not given.real_deck:
        from support.simulate import stand_in

        stand_in.install()
    from support.simulate.plan import BORNE
    from support.simulate.run import run

    kinds = tuple(given.faults.split(",")) if given.faults else BORNE
    first, last = map(int, given.seeds.split(":"))
    made: Counter[str] = Counter()
    traces = hashlib.sha256()
    failed, hands, began = 0, 0, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last):
            result = run(seed, Path(folder), kinds, keep=seed == given.show)
            traces.update(result.digest.encode())
            made += result.made
            hands += result.hands
            for line in result.lines:
                print(line)
            if result.failures:
                failed += 1
                print(f"seed {seed} failed:", *result.failures, sep="\n  ")
                print("  " + _command(seed, given))
    spent = time.process_time() - began
    print(f"{last - first} seeds, {hands} hands, {failed} failed; trace {traces.hexdigest()}")
    print("faults made:", ", ".join(f"{kind} {made[kind]}" for kind in sorted(+made)))
    print(f"{spent:.1f} s of processor time, {(last - first) / spent:.2f} seeds/s", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
