"""Hostile inputs without end: decoder, door, link and sitting, half of them rightly signed.

    python tests/fuzz.py --inputs 10000000 --seed 1

Pure code: no sockets, no clock. A seed gives the same inputs each time. Printed are how many came
to what, and how much memory was held after a tenth of them and at the end. What raises anything is
printed with the command that shows it again; the exit code is 1 then.
"""

import argparse
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from support.fuzz.targets import Door, Frames, Sittings, Target

# Of the memory that is held after a tenth of the inputs.
MOST_GROWTH = 1.5
_KIB = 1024


@dataclass
class Found:
    """What became of a run: inputs by target, KiB held early and late, what was raised."""

    counts: Counter[str]
    early: int
    late: int
    held: int
    failed: str | None = None


def run(inputs: int, seed: int) -> Found:
    """Feed so many inputs."""
    rng = random.Random(seed)
    sittings = Sittings(rng)
    targets: dict[str, Target] = {"decoder": Frames(rng), "door": Door(rng), "sitting": sittings}
    names, found = list(targets), Found(Counter(), 0, 0, 0)
    for number in range(inputs):
        name, signed = names[number % len(names)], rng.random() < 0.5
        try:
            targets[name].feed(signed)
        except Exception:
            found.failed = f"input {number}, {name}:\n{traceback.format_exc()}"
            break
        found.counts[name] += 1
        found.counts["rightly signed"] += signed
        if number == inputs // 10:
            found.early = memory()
    found.late, found.held = memory(), sittings.held
    return found


def memory() -> int:
    """The most KiB that this process has held (getrusage(2), Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(words: Sequence[str]) -> int:
    """Exit code 1 if anything was raised, or memory grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    begun = time.process_time()
    found = run(given.inputs, given.seed)
    each = ", ".join(f"{name} {count:,}" for name, count in found.counts.items())
    print(f"{each}; {time.process_time() - begun:.0f} s of processor time")
    print(f"memory {found.early / _KIB:.1f} MiB after a tenth, {found.late / _KIB:.1f} at the end")
    print(f"messages held by the sittings: {found.held}")
    if found.failed:
        print(f"{found.failed}python tests/fuzz.py --inputs {given.inputs} --seed {given.seed}")
    return int(found.failed is not None or found.late > MOST_GROWTH * found.early)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
