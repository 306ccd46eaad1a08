"""`python -m second.matches`: at tables of the program, of every preset and of two to four seats.

Opens a table with `allfives host --auto`, joins it, and compares both records and the program's
verdict. `--arena` lets the program play alone, under many options, and judges its records.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import trio

from second.compare import PROGRAM, difference, program_says
from second.join import play
from second.record.verify import check

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
    """The records of a match that the program plays alone, and what differs in the verdicts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, kept = ["--data-dir", str(folder / "home")], ["--record", str(folder / "kept")]
        command = [PROGRAM, "arena", *home, "--players", ",".join(levels), "--matches", "1"]
        command += ["--secure", *kept, "--json", *arguments]
        subprocess.run(command, check=True, capture_output=True)
        records = [path.read_bytes() for path in sorted((folder / "kept").iterdir())]
        verdicts = [check(record) for record in records]
        told = program_says(records)
        found = [difference(v, t) for v, t in zip(verdicts, told, strict=True)]
        wrong = ["not closed" for verdict in verdicts if verdict.exit != 0]
        return records, ", ".join([one for one in found if one] + wrong)


def main(arguments: Sequence[str]) -> int:
    """Matches at each kind of table."""
    parser = argparse.ArgumentParser(prog="second.matches")
    parser.add_argument("--arena", action="store_true")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4])
    parser.add_argument("--first", type=int, default=len(TABLES), help="so many tables alone")
    chosen = parser.parse_args(arguments)
    played = wrong = 0
    for seats in chosen.seats:
        for number, table in enumerate(TABLES[: chosen.first]):
            partners = ["--partners"] if seats == 4 and number % 2 == 0 else []
            if chosen.arena:
                _, what = arena([*table, *partners], ["easy"] * seats)
            else:
                bots = ["--players", str(seats), "--bots", str(seats - 2), "--level", "easy"]
                what = joined([*bots, *table, *partners], by_invite=number % 2 == 1)
            played += 1
            wrong += bool(what)
            print(f"{seats} seats, {' '.join([*table, *partners])}: {what or 'the same'}")
    print(f"{played} matches, {wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
