"""`python -m second.compare [--count N] [--seed S] RECORD...`: does the program say the same?

Alters whole records N times, lets `allfives verify --json` and the checker judge each, and prints
what they differ in; the exit code is the number of differences, at most 1. `--forge` plays matches
of its own in which somebody with a right key says something wrong.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from second.forging.alter import ALTERATIONS, source_of
from second.forging.forge import forged
from second.record.verdict import Verdict
from second.record.verify import check

Told = dict[str, Any] | None
PROGRAM = str(Path(sys.executable).parent / "allfives")


def program_says(records: Sequence[bytes]) -> list[Told]:
    """What the program says of each, in order; shorter where it cannot read one."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, data in enumerate(records):
            paths.append(Path(folder) / f"record-{number}")
            paths[-1].write_bytes(data)
        done = subprocess.run(
            [PROGRAM, "verify", "--json", "--data-dir", folder + "/home", *map(str, paths)],
            capture_output=True,
            text=True,
            check=False,
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def both_say(records: Sequence[bytes]) -> list[tuple[Verdict, Told]]:
    """The verdict of each, and what the program says; nothing if it cannot read the record."""
    verdicts = [check(data) for data in records]
    told: list[Told] = [None] * len(records)
    for readable in (True, False):
        numbers = [i for i, verdict in enumerate(verdicts) if (verdict.exit != 2) == readable]
        said = program_says([records[i] for i in numbers]) if numbers else []
        if len(said) != (len(numbers) if readable else 0):
            said = [next(iter(program_says([records[i]])), None) for i in numbers]
        for i, one in zip(numbers, said, strict=False):
            told[i] = one
    return list(zip(verdicts, told, strict=True))


def difference(verdict: Verdict, told: Told) -> str:
    """What differs, empty if nothing does.

    The scores of a faulty record are not compared: where votes close a step and those of the next
    are no set, the program reports the scores before both.
    """
    ours = None if verdict.exit == 2 else verdict.json()
    if ours is None or told is None:
        return "" if ours == told else "one of them cannot read it"
    for seat in told["absent"]:
        del seat["name"]
    if told["fault"]:
        told["fault"] = {key: told["fault"][key] for key in ("seat", "hand", "message")}
    keys = sorted(set(ours) - ({"scores"} if verdict.faulty else set()))
    return ", ".join(f"{k}: {ours[k]} / {told[k]}" for k in keys if ours[k] != told[k])


def altered(records: Sequence[bytes], count: int, seed: int) -> list[tuple[str, bytes]]:
    """Alterations with the name of each; the same for the same seed."""
    sources = [source_of(data) for data in records]
    rng = random.Random(seed)
    made = []
    for number in range(count):
        alteration = ALTERATIONS[number % len(ALTERATIONS)]
        one, other = rng.choice(sources), rng.choice(sources)
        made.append((alteration.__name__, alteration(one, other, rng)))
    return made


def differences(made: Sequence[tuple[str, bytes]]) -> list[tuple[int, str]]:
    """Where the two do not agree: the number and what differs."""
    found = []
    for number, (verdict, told) in enumerate(both_say([data for _, data in made])):
        what = difference(verdict, told)
        if what:
            found.append((number, f"{made[number][0]}: {what} ({verdict.why})"))
    return found


def main(arguments: Sequence[str]) -> int:
    """Compare in batches, keep what differs."""
    parser = argparse.ArgumentParser(prog="second.compare")
    parser.add_argument("records", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--forge", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder for the records that they differ in")
    chosen = parser.parse_args(arguments)
    records = [path.read_bytes() for path in chosen.records]
    kinds: Counter[str] = Counter()
    wrong = 0
    for first in range(0, chosen.count, 60):
        seed, count = chosen.seed + first, min(60, chosen.count - first)
        made = forged(count, seed) if chosen.forge else altered(records, count, seed)
        kinds.update(name for name, _ in made)
        for number, what in differences(made):
            wrong += 1
            print(f"seed {seed}, number {number}: {what}", flush=True)
            if chosen.keep:
                chosen.keep.mkdir(exist_ok=True)
                (chosen.keep / f"{seed}-{number}").write_bytes(made[number][1])
    print(f"{sum(kinds.values())} compared, {wrong} differ: {dict(kinds)}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
