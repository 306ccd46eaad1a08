"""How a whole table fares: real processes over loopback, bots playing without pause.

    python benchmarks/table.py [--hands H] [--long H] [--json] [KEY ...]

seated_ms: from the start of a joiner's program to its place at the table, beyond the start of an
interpreter; first_hand_ms: from there, at the last of four, to the first hand at all of them;
placement_ms: from what a person types to its line at the slowest of four seats (median), and
placement_worst_ms the longest of them; resume_ms: from the start of a program that was killed
after H hands (20) of two peers to the table in view at its full screen; growth_kib_a_hand: resident
memory that a peer of four gains in each hand, from a tenth of the long match (200 hands) to its
end, of the peer that gains most; strangers_ratio: how many moves two bots make while so many
strangers a second (1,800) knock at the host, as a share of those that they make while the same
crowd is at an idle listener; flood_ratio: the same of three, of whom one floods the others.
Linux; the extra `test` must be installed. Without a KEY all are measured, in about four minutes on
a quiet machine; each is told on standard error as soon as it is known.
"""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

# Before this folder, which has an engine.py of its own.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.places import ROOT, TESTS
from support.process.tables import CODE, Running, bots_of, free_port, started
from support.screen.terminal import on_terminal

# Never reached: matches end when enough was seen.
ENDLESS = ("--target", "1000000", "--set", "match-end=hand")
BOT = ("--auto", "easy", "--json")
IN_VIEW = r"boneyard \d"
KIB = 1024
STRANGERS_A_SECOND = 1800
# Ratios: how long each time, and how often, at the table and beside it.
PHASE_SECONDS = 4.0
SETTLE_SECONDS = 0.5
PHASES = 4
PLACEMENTS = 25
# Slow enough that nothing else happens when the person types, who needs a moment to do so: what the
# others still pass on of the move before is over then.
CALM = ("--pace", "0.15")
MOMENT_SECONDS = 0.1
WITH_TESTS = {**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{ROOT}"}
MOVE = re.compile(r'"event":"(?:play|draw|pass)"')
OFFER = re.compile(r"You can play: ([^,(.]+?)(?: \((?:\+|count )\d+\))?[,.]")


def wait_hand(running: Running, number: int) -> None:
    """Wait until a hand begins."""
    running.wait_line(f'"event":"hand","hand":{number},')


class Seats:
    """A table of processes on loopback, of which the first one is the host."""

    def __init__(self, stack: ExitStack, folder: Path, players: int) -> None:
        self._stack, self._folder, self.port = stack, folder, free_port()
        self.running: list[Running] = []
        self._table = ["--players", str(players), "--code", CODE, "--port", str(self.port)]

    def host(self, *flags: str, typed: bool = False) -> Running:
        """Open the table."""
        words = ["host", *self._table, "--bind", "127.0.0.1", "--no-lan", *ENDLESS, *flags]
        host = self._start(*words, typed=typed)
        host.wait_line("open|Others join")
        return host

    def join(
        self, *flags: str, typed: bool = False, program: tuple[str, ...] = ("-m", "cli")
    ) -> Running:
        """Somebody joins it."""
        words = ["join", f"127.0.0.1:{self.port}", CODE, "--bind", "127.0.0.1", *flags]
        return self._start(*words, typed=typed, program=program)

    def _start(
        self, *words: str, typed: bool = False, program: tuple[str, ...] = ("-m", "cli")
    ) -> Running:
        home = self._folder / str(len(self.running))
        one = self._stack.enter_context(started(*words, home=home, typed=typed, program=program))
        self.running.append(one)
        return one


def seated_and_first_hand(folder: Path, tries: int) -> dict[str, float]:
    """Medians of both, over so many tables."""
    seated, first = [], []
    for number in range(tries):
        with ExitStack() as stack:
            seats = Seats(stack, folder / str(number), 4)
            seats.host(*BOT)
            for _ in range(3):
                begun = time.perf_counter()
                one = seats.join("--plain", typed=True)
                one.wait_line("You are at|The match begins")
                there = time.perf_counter()
                seated.append(1000 * (there - begun - _interpreter()))
            seats.running[0].wait_line('"event":"hand"')
            for one in seats.running[1:]:
                one.wait_line("Hand 1")
            first.append(1000 * (time.perf_counter() - there))
    return {
        "seated_ms": statistics.median(seated),
        "first_hand_ms": statistics.median(first),
    }


def _interpreter() -> float:
    """Seconds that Python takes to start and do nothing."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", ""], check=True)
    return time.perf_counter() - begun


def placement(folder: Path, tries: int) -> dict[str, float]:
    """From what a person types to its line at the slowest seat."""
    with ExitStack() as stack:
        seats = Seats(stack, folder, 4)
        person = seats.host("--plain", typed=True)
        for _ in range(3):
            seats.join("--auto", "easy", *CALM)
        seen: list[float] = []
        while len(seen) < tries:
            asked = person.wait_line("^Your turn")
            offered = OFFER.search(asked)
            if offered is None:
                person.type("")
                continue
            time.sleep(MOMENT_SECONDS)
            marks = [len(one.out) for one in seats.running]
            begun = time.perf_counter()
            person.type(offered.group(1))
            seen.append(1000 * (_shown_at(seats.running, marks) - begun))
    return {"placement_ms": statistics.median(seen), "placement_worst_ms": max(seen)}


def _shown_at(everybody: list[Running], marks: list[int]) -> float:
    """When the slowest has the next line about a placement or about what the ends count."""
    waiting = dict(zip(everybody, marks, strict=True))
    while waiting:
        for one, mark in list(waiting.items()):
            if any(re.search(r"\bplay(?:s|ed)?\b|The ends", line) for line in one.out[mark:]):
                del waiting[one]
        time.sleep(0.0002)
    return time.perf_counter()


def resume_ms(folder: Path, hands: int) -> dict[str, float]:
    """Milliseconds from start to the table in view, after so many hands."""
    with ExitStack() as stack:
        seats = Seats(stack, folder, 2)
        seats.host(*BOT)
        second = seats.join(*BOT)
        wait_hand(second, hands + 1)
        second.end(signal.SIGKILL)
        begun = time.perf_counter()
        with on_terminal(["-m", "cli", "resume", "--data-dir", str(second.home)]) as terminal:
            terminal.wait(IN_VIEW)
            return {"resume_ms": 1000 * (time.perf_counter() - begun)}


def growth_kib(folder: Path, hands: int) -> dict[str, float]:
    """KiB that the peer of four which gains most gains in a hand."""
    early = max(hands // 10, 1)
    with started("play", "--bots", "3", *ENDLESS, *BOT, home=folder / "home") as owner:
        wait_hand(owner, early + 1)
        before = resident(owner)
        wait_hand(owner, hands + 1)
        after = resident(owner)
    gains = [after[pid] - before[pid] for pid in before if pid in after]
    return {"growth_kib_a_hand": max(gains) / (hands - early) / KIB}


def resident(owner: Running) -> dict[int, int]:
    """Bytes of resident memory of a process and its bots, by process id (proc(5))."""
    pids = [owner.process.pid, *bots_of(owner)]
    pages = {pid: int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids}
    return {pid: number * os.sysconf("SC_PAGE_SIZE") for pid, number in pages.items()}


@contextmanager
def idle_listener(*words: str) -> Iterator[int]:
    """The port of a process that takes what comes and lets it go."""
    command = [sys.executable, "-m", "support.process.idle", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=WITH_TESTS) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def ratio(table: Running, at: Callable[[bool], None]) -> float:
    """Moves at a table with something `at` it, as a share of those with the same beside it."""
    moves = {True: 0, False: 0}
    for _ in range(PHASES):
        for there in (False, True):
            at(there)
            time.sleep(SETTLE_SECONDS)
            mark = len(table.out)
            time.sleep(PHASE_SECONDS)
            moves[there] += sum(MOVE.search(line) is not None for line in table.out[mark:])
    return moves[True] / moves[False]


def strangers_ratio(folder: Path) -> dict[str, float]:
    """The pace of two beside strangers at the host's door."""
    with ExitStack() as stack:
        seats = Seats(stack, folder, 2)
        host = seats.host(*BOT)
        wait_hand(seats.join(*BOT), 2)
        idle = stack.enter_context(idle_listener())
        crowd = [sys.executable, "-m", "support.process.crowd", "0", str(STRANGERS_A_SECOND)]
        process = stack.enter_context(
            subprocess.Popen(crowd, stdin=subprocess.PIPE, text=True, env=WITH_TESTS)
        )
        stack.callback(process.kill)
        assert process.stdin is not None

        def at(table: bool) -> None:
            assert process.stdin is not None
            process.stdin.write(f"{seats.port if table else idle}\n")
            process.stdin.flush()

        return {"strangers_ratio": ratio(host, at)}


def flood_ratio(folder: Path) -> dict[str, float]:
    """The pace of three, of whom one floods the others as much as no link is ended for."""
    place = folder / "flood"
    folder.mkdir(exist_ok=True)
    place.write_text("")
    with ExitStack() as stack:
        seats = Seats(stack, folder, 3)
        host = seats.host(*BOT)
        seats.join(*BOT)
        os.environ["ALLFIVES_FLOOD"] = str(place)
        os.environ["PYTHONPATH"] = WITH_TESTS["PYTHONPATH"]
        stack.callback(os.environ.pop, "ALLFIVES_FLOOD")
        flooder = seats.join(*BOT, program=("-m", "support.process.flooding_seat"))
        wait_hand(flooder, 2)
        idle = stack.enter_context(idle_listener("tls"))

        def at(table: bool) -> None:
            place.write_text("table" if table else str(idle))

        found = ratio(host, at)
        assert all(one.process.poll() is None for one in seats.running), "somebody has left"
        return {"flood_ratio": found}


MEASURES: dict[str, Callable[[Path, argparse.Namespace], dict[str, float]]] = {
    "seated_ms": lambda folder, given: seated_and_first_hand(folder, given.tables),
    "first_hand_ms": lambda folder, given: seated_and_first_hand(folder, given.tables),
    "placement_ms": lambda folder, given: placement(folder, PLACEMENTS),
    "placement_worst_ms": lambda folder, given: placement(folder, PLACEMENTS),
    "resume_ms": lambda folder, given: resume_ms(folder, given.hands),
    "growth_kib_a_hand": lambda folder, given: growth_kib(folder, given.long),
    "strangers_ratio": lambda folder, given: strangers_ratio(folder),
    "flood_ratio": lambda folder, given: flood_ratio(folder),
}


def main() -> None:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", metavar="KEY", nargs="*", choices=(*MEASURES, []))
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--long", type=int, default=200)
    parser.add_argument("--tables", type=int, default=3, help="for seated_ms")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.chdir(ROOT)
    figures: dict[str, float] = {}
    for key in options.keys or MEASURES:
        if key not in figures:
            with tempfile.TemporaryDirectory() as name:
                begun, found = time.perf_counter(), MEASURES[key](Path(name), options)
            took = time.perf_counter() - begun
            figures |= {one: _rounded(one, value) for one, value in found.items()}
            for one in found:
                print(f"{one} {figures[one]} ({took:.0f} s)", file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(figures))
        return
    for key, value in figures.items():
        print(f"{key:20}{value:>12}")


def _rounded(key: str, value: float) -> float:
    return round(value, 2 if key.endswith("ratio") else 1)


if __name__ == "__main__":
    main()
