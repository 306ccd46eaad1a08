"""`python -m second.compare [--count N] [--seed S] [RECORD...]`: does the program say the same?

Makes so many records that are not right: matches are played, and altered without their keys, or
changed and said otherwise by a seat that cheats with its own; records of others are altered too.
`allfives verify --json` and the checker judge each. They must agree, and both must say what the
maker knows to be true: a match is closed only if it is the one that was played; whoever broke a
rule for certain is named, and nobody else. The exit code is 1 if anything else was said.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from second.forging.forge import forged
from second.forging.made import Made, breach, judged_source
from second.record.verdict import Verdict
from second.record.verify import check
from second.vectors import small_records

Told = dict[str, Any] | None
BATCH = 400
"""Records that one process of the program is given."""

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
    """What differs, empty if nothing does."""
    ours = None if verdict.exit == 2 else verdict.json()
    if ours is None or told is None:
        return "" if ours == told else "one of them cannot read it"
    for seat in told["absent"]:
        del seat["name"]
    if told["fault"]:
        told["fault"] = {key: told["fault"][key] for key in ("seat", "hand", "message")}
    return ", ".join(f"{k}: {ours[k]} / {told[k]}" for k in ours if ours[k] != told[k])


@dataclass
class Tally:
    """How many records there were, of which sorts, and what was said of them."""

    kinds: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)

    def add(self, made: Made, verdict: Verdict) -> None:
        """One more."""
        self.kinds[made.kind] += 1
        if verdict.exit == 2:
            self.said["unreadable"] += 1
        elif verdict.closed:
            self.said["closed, and the same match"] += 1
        elif verdict.fault and made.named is not None:
            self.said["faults, the right seat named"] += 1
        elif verdict.fault:
            self.said["other faults of a seat that cheats"] += 1
        elif verdict.faulty:
            self.said["faulty, nobody named"] += 1
        else:
            self.said["decided, not closed" if verdict.decided else "undecided"] += 1

    def __str__(self) -> str:
        said = ", ".join(f"{number} {what}" for what, number in self.said.most_common())
        kinds = ", ".join(f"{name} {number}" for name, number in sorted(self.kinds.items()))
        return f"{said}.\n{len(self.kinds)} kinds: {kinds}"


@dataclass(frozen=True)
class Found:
    """A record of which something untrue was said, or not the same by both."""

    made: Made
    what: str


def compared(made: Sequence[Made], tally: Tally) -> Iterator[Found]:
    """What is wrong with the verdicts on these. Where both agree, what holds of the checker's holds
    of the program's."""
    for one, (verdict, told) in zip(made, both_say([one.data for one in made]), strict=True):
        untrue = breach(one, verdict)
        if untrue:
            yield Found(one, f"{one.kind}: {untrue} ({verdict.why})")
            continue
        tally.add(one, verdict)
        what = difference(verdict, told)
        if what:
            yield Found(one, f"{one.kind}: {what} ({verdict.why})")


def batches(made: Iterable[Made], count: int, size: int) -> Iterator[list[Made]]:
    """So many records, in lists of this size at most."""
    some = itertools.islice(made, count)
    while batch := list(itertools.islice(some, size)):
        yield batch


def main(arguments: Sequence[str]) -> int:
    """Compare in batches, keep what differs."""
    parser = argparse.ArgumentParser(prog="second.compare")
    parser.add_argument("records", nargs="*", type=Path, help="instead of those of record.json")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other records")
    parser.add_argument("--keep", type=Path, help="a folder for the records that they differ in")
    chosen = parser.parse_args(arguments)
    given = [path.read_bytes() for path in chosen.records]
    sources = [judged_source(data) for data in given or small_records()]
    tally, wrong = Tally(), 0
    for batch in batches(forged(chosen.seed, sources), chosen.count, BATCH):
        for found in compared(batch, tally):
            wrong += 1
            print(f"{wrong}: {found.what}", flush=True)
            if chosen.keep:
                chosen.keep.mkdir(exist_ok=True)
                (chosen.keep / f"{chosen.seed}-{wrong}").write_bytes(found.made.data)
        done = tally.kinds.total()
        print(f"{done} records, {wrong} wrong: {tally}", file=sys.stderr, flush=True)
    print(f"{chosen.count} records, {wrong} wrong: {tally}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
