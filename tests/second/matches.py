"""`python -m second.matches`: at tables of the program, of every preset and of two to four seats.

Opens a table with `allfives host --auto`, joins it, and compares both records and the program's
verdict. `--arena` has the program play alone with real decks (`arena --secure`), under all presets
and options, and works each match out again from its record: every step must be as `replay --json`
tells it, and the verdict as `verify --json` has it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import trio

from second.compare import PROGRAM, Told, difference, program_says
from second.join import play
from second.options import sampled
from second.record.rescored import rescored
from second.record.verify import check
from second.refusing import RefusedError

CODE = "guitar orbit lunar"
TABLES = (
    ["--target", "15"],
    ["--rules", "online", "--target", "15"],
    ["--rules", "pagat", "--target", "30"],
    ["--rules", "muggins", "--target", "15"],
    ["--rules", "five-up", "--target", "15"],
    ["--rules", "sniff", "--target", "15"],
    ["--rules", "draw", "--target", "15"],
    ["--rules", "block", "--target", "15"],
    ["--set", "claims=yes", "--target", "10"],
    ["--set", "starter=highest-double", "--set", "next-starter=starter", "--target", "30"],
    ["--set", "claims=yes", "--set", "starter=highest-double", "--target", "10"],
    ["--set", "reserve=2", "--hand-size", "7", "--target", "20"],
    ["--set", "draws=none", "--set", "block-winner=pips-tiles", "--target", "15"],
    ["--set", "hand-end=collect-raw", "--set", "match-end=hand", "--target", "30"],
    ["--set", "spinner=every", "--set", "arms=at-once", "--set", "bare-arms=half"],
    ["--rules", "pagat", "--hand-size", "1", "--target", "10"],
)


@contextmanager
def hosted(folder: Path, arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A table of the program: its address and its invite. It ends by itself, or is ended."""
    home = folder / "home"
    home.mkdir(mode=0o700, exist_ok=True)
    home_arguments = ["--data-dir", str(home)]
    named = [PROGRAM, "id", *home_arguments, "--name", "Host"]
    subprocess.run(named, check=True, capture_output=True)
    network = ["--bind", "127.0.0.1", "--port", "0", "--no-lan", "--code", CODE]
    record = ["--record", str(folder / "host.fives")]
    command = [PROGRAM, "host", *home_arguments, "--json", "--auto", "easy", *network, *record]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        try:
            opened = json.loads(host.stdout.readline())
            # A full pipe would stop the host.
            drained = threading.Thread(target=host.stdout.read)
            drained.start()
            yield f"127.0.0.1:{opened['port']}", opened["invite"]
            assert host.wait(60) == 0
            drained.join()
        finally:
            host.kill()


def joined(arguments: Sequence[str], by_invite: bool = False) -> str:
    """Play one match; what is wrong with it, empty if nothing is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with hosted(folder, arguments) as (address, invite):
            where, code = (invite, "") if by_invite else (address, CODE)
            record = trio.run(play, where, code, "Second")
        if record != (folder / "host.fives").read_bytes():
            return "two records"
        verdict = check(record)
        if verdict.exit != 0:
            return verdict.why or "not closed"
        return difference(verdict, program_says([record])[0])


def arena(arguments: Sequence[str], levels: Sequence[str]) -> tuple[list[bytes], str]:
    """The record of a match that the program plays alone, and what is wrong with what it says."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, kept = ["--data-dir", str(folder / "home")], ["--record", str(folder / "kept")]
        command = [PROGRAM, "arena", *home, "--players", ",".join(levels), "--matches", "1"]
        command += ["--secure", *kept, "--json", *arguments]
        subprocess.run(command, check=True, capture_output=True)
        paths = sorted((folder / "kept").iterdir())
        records = [path.read_bytes() for path in paths]
        found = [
            wrong_verdict(record, told) or wrong_steps(record, program_tells(path))
            for path, record, told in zip(paths, records, program_says(records), strict=True)
        ]
        return records, ", ".join(one for one in found if one)


def wrong_verdict(record: bytes, told: Told) -> str:
    """What the program says otherwise of a match that must be closed, empty if nothing."""
    verdict = check(record)
    return "not closed" if verdict.exit != 0 else difference(verdict, told)


def program_tells(path: Path) -> list[dict[str, Any]]:
    """The events of a record as the program tells them."""
    home = ["--data-dir", str(path.parent / "home")]
    command = [PROGRAM, "replay", "--json", *home, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong_steps(record: bytes, told: Sequence[dict[str, Any]]) -> str:
    """The first step that is worked out otherwise, empty if there is none."""
    try:
        ours = rescored(record)
    except RefusedError as error:
        return str(error)
    nothing: dict[str, Any] = {}
    for mine, theirs in zip_longest(ours, map(in_order, told), fillvalue=nothing):
        if mine != theirs:
            keys = [key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
            return f"{mine} / {[(key, theirs.get(key)) for key in keys]}"
    return ""


def in_order(told: dict[str, Any]) -> dict[str, Any]:
    """A line with the tiles of each seat in one order: it is not said which."""
    lists = [key for key in ("hands", "left") if key in told]
    return {**told, **{key: [sorted(one) for one in told[key]] for key in lists}}


def play_arena(count: int, seed: int) -> int:
    """So many matches of the program alone; the number of those that differ."""
    used: Counter[str] = Counter()
    steps = wrong = 0
    for number in range(count):
        table = sampled(number, seed)
        records, what = arena(table.arguments(), ["easy"] * table.seats)
        used += table.used()
        steps += len(rescored(records[0])) if not what else 0
        wrong += bool(what)
        said = f"{number}: {table.seats} seats, {' '.join(table.arguments())}: {what or 'the same'}"
        print(said, file=sys.stdout if what else sys.stderr, flush=True)
    counted = ", ".join(f"{name} {times}" for name, times in sorted(used.items()))
    print(f"{count} matches, {steps} steps, {wrong} differ: {counted}")
    return wrong


def play_joined(seat_counts: Sequence[int], first: int) -> int:
    """A match at each kind of table; the number of those that differ."""
    played = wrong = 0
    for seats in seat_counts:
        for number, table in enumerate(TABLES[:first]):
            partners = ["--partners"] if seats == 4 and number % 2 == 0 else []
            bots = ["--players", str(seats), "--bots", str(seats - 2), "--level", "easy"]
            what = joined([*bots, *table, *partners], by_invite=number % 2 == 1)
            played += 1
            wrong += bool(what)
            print(f"{seats} seats, {' '.join([*table, *partners])}: {what or 'the same'}")
    print(f"{played} matches, {wrong} differ")
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Matches at each kind of table."""
    parser = argparse.ArgumentParser(prog="second.matches")
    parser.add_argument("--arena", action="store_true")
    parser.add_argument("--count", type=int, default=200, help="so many in the arena")
    parser.add_argument("--seed", type=int, default=0, help="other options in the arena")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4], help="at tables")
    parser.add_argument("--first", type=int, default=len(TABLES), help="so many tables alone")
    chosen = parser.parse_args(arguments)
    if chosen.arena:
        return min(play_arena(chosen.count, chosen.seed), 1)
    return min(play_joined(chosen.seats, chosen.first), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
