"""What it costs a table of four that twenty look on: real processes, bots at a person's pace.

    python benchmarks/watch.py [--onlookers N] [--target T] [--json]

watched_placement_ms: from the line that tells a placement at who makes it to that line at the
slowest of the other three players, while N (20) look on, who judge every proof as the players do,
at the lowest priority (they would be on machines of their own); the median, and the worst in
watched_placement_worst_ms. placement_alone_ms: the median with nobody who looks on. whole: how many
of the N have the players' record at the end, byte for byte. Linux; the extra `test` must be there.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

# Before this folder, which has an engine.py of its own.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.limits import HANG_SECONDS
from support.process.tables import CODE, free_port

PLAYERS = 4
NAMES = ("Ana", "Ben", "Cem", "Dot")
LOWEST = 19


class Program:
    """A process whose lines of events are kept with the time at which they came."""

    def __init__(self, home: Path, *arguments: str, nice: int = 0) -> None:
        command = [sys.executable, "-m", "cli", *arguments, "--data-dir", str(home)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=(home.parent / f"{home.name}.err").open("w"),
            preexec_fn=lambda: os.nice(nice) and None,
        )
        self.events: list[tuple[float, dict[str, object]]] = []
        self.seen = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            came = time.perf_counter()
            with self.seen:
                self.events.append((came, json.loads(line)))
                self.seen.notify_all()

    def wait_for(self, event: str) -> None:
        """Wait until an event of that kind has come."""
        with self.seen:
            found = self.seen.wait_for(
                lambda: any(one["event"] == event for _, one in self.events), HANG_SECONDS
            )
        assert found, f"no {event}"

    def end(self) -> None:
        """Wait for the end."""
        self.process.wait(20 * HANG_SECONDS)
        self._thread.join()

    def plays(self) -> dict[tuple[object, ...], float]:
        """When each placement was told."""
        told = [(came, one) for came, one in self.events if one["event"] == "play"]
        return {(one["hand"], one["seat"], one["tile"]): came for came, one in told}


@contextmanager
def running(program: Program) -> Iterator[Program]:
    """It, ended with the block."""
    try:
        yield program
    finally:
        program.process.kill()
        program.process.wait()


def play(folder: Path, onlookers: int, target: int) -> tuple[list[float], int]:
    """Milliseconds of each placement in a match, and how many onlookers have its record."""
    at, common = f"127.0.0.1:{free_port()}", ["--auto", "easy", "--json", "--pace", "0.4"]
    ip, _, port = at.partition(":")
    table = ["--players", str(PLAYERS), "--code", CODE, "--bind", ip, "--port", port, "--no-lan"]
    with ExitStack() as stack:

        def start(name: str, *arguments: str, nice: int = 0) -> Program:
            record = ["--record", str(folder / f"{name}.fives")]
            made = Program(folder / name, *arguments, *record, nice=nice)
            return stack.enter_context(running(made))

        first = start(NAMES[0], "host", *table, *common, "--target", str(target))
        first.wait_for("open")
        # Many of one address wait for each other at the code, and not at the invite.
        watch = ["watch", str(first.events[0][1]["invite"]), "--json"]
        looking = [start(f"w{n}", *watch, nice=LOWEST) for n in range(onlookers)]
        players = [first, *(start(name, "join", at, CODE, *common) for name in NAMES[1:])]
        for program in (*players, *looking):
            program.end()
    record = (folder / f"{NAMES[0]}.fives").read_bytes()
    same = sum(has(folder / f"w{n}", record) for n in range(onlookers))
    return delays(players), same


def has(home: Path, record: bytes) -> bool:
    """Whether somebody who looked on has that record; says what it said, if not."""
    kept = home.with_name(f"{home.name}.fives")
    if kept.exists() and kept.read_bytes() == record:
        return True
    print(home.with_name(f"{home.name}.err").read_text(), file=sys.stderr)
    return False


def delays(players: list[Program]) -> list[float]:
    """Milliseconds from the first who told a placement, who made it, to the last."""
    told = [program.plays() for program in players]
    found = []
    for placement in set.intersection(*map(set, told)):
        times = [one[placement] for one in told]
        found.append(1000 * (max(times) - min(times)))
    return found


def main() -> None:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--onlookers", type=int, default=20)
    parser.add_argument("--target", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        watched, whole = play(Path(folder), said.onlookers, said.target)
    with tempfile.TemporaryDirectory() as folder:
        alone, _ = play(Path(folder), 0, said.target)
    figures = {
        "watched_placement_ms": round(statistics.median(watched), 1),
        "watched_placement_worst_ms": round(max(watched), 1),
        "placement_alone_ms": round(statistics.median(alone), 1),
        "onlookers": said.onlookers,
        "whole": whole,
    }
    if said.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:28} {figure:>8}")


if __name__ == "__main__":
    main()
