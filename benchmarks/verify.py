"""How long `verify` takes a hand, in units of one rbcl scalar multiplication.

    python benchmarks/verify.py [--json] [--rounds N]

Bots play one match of two seats and one of four, of fifty hands and more, in memory; their records
stay in the folder for temporary files for the next run. units_a_hand_...: processor time of one
core, without start-up, by the unit timed around it, median over the rounds; mult_a_hand_... and
adds_a_hand_...: calls of the group's functions, without multiplications of G. jobs_ratio: how many
times faster two processes check the one record of four than one does, by the clock on the wall,
the start of the second counted but not that of the program; peak_mib: resident memory of the
command, which `cd tests && python -m support.simulate.long_record 10 1000` shows to be the same for
records of any length.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cli.arena.contest import Contest
from cli.arena.peers import play_peers
from cli.commands.checking import check_all
from engine.rules import Rules
from p2p.crypto import group
from p2p.crypto.sodium import rbcl
from p2p.session.record import RecordUnreadable
from p2p.session.referee import Referee, Verdict
from p2p.session.verify import Report, verify_record
from p2p.wire.envelope import Message

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(tempfile.gettempdir()) / "allfives-benchmark-verify"
LEAST_HANDS = 50
# By the number of seats: what bots need some sixty hands for.
TARGETS = {2: "2500", 4: "700"}
UNIT_BATCH = 20
# The unit is timed anew after so many messages: machines drift by half within one run.
MESSAGES_A_UNIT = 20
ADDITIONS = ("_add", "_sub")
RECEIVE = Referee.receive


def record_path(seats: int) -> Path:
    """Where the record of so many seats is kept."""
    return FOLDER / f"{seats}.fives"


def record_of(seats: int) -> bytes:
    """A decided match of bots, of at least fifty hands."""
    path = record_path(seats)
    if not path.exists() or not _long_enough(path.read_bytes()):
        _play(seats, path)
    return path.read_bytes()


def _long_enough(data: bytes) -> bool:
    try:
        return verify_record(data).hands >= LEAST_HANDS
    except RecordUnreadable:
        return False


def _play(seats: int, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    rules = Rules.make("classic", seats, {"target": TARGETS[seats]})
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        contest = Contest(rules, ("normal",) * seats, 1, 1, 4, True, Path(folder))
        while play_peers(contest, 0).hand_number < LEAST_HANDS:
            pass
        os.replace(Path(folder) / "0001.fives", path)


def checked(data: bytes) -> Report:
    """The report on a record, which must be in order."""
    report = verify_record(data)
    assert report.closed, report
    return report


def unit_seconds() -> float:
    """Seconds of processor time of one multiplication, its Python call included."""
    scalar = rbcl.crypto_core_ristretto255_scalar_random()
    point = rbcl.crypto_core_ristretto255_random()
    begun = time.process_time()
    for _ in range(UNIT_BATCH):
        rbcl.crypto_scalarmult_ristretto255(scalar, point)
    return (time.process_time() - begun) / UNIT_BATCH


class Meter:
    """Processor time of a run in units, each stretch of it by the unit at its end."""

    def __init__(self) -> None:
        self.units = 0.0
        self.seen: list[float] = []
        self._messages = 0
        self._begun = time.process_time()

    def stop(self) -> None:
        """End a stretch, and begin the next when the unit has been timed."""
        spent = time.process_time() - self._begun
        unit = unit_seconds()
        self.seen.append(unit)
        self.units += spent / unit
        self._begun = time.process_time()

    def receive(self, referee: Referee, message: Message) -> Verdict:
        """What a referee does with a message, in which a stretch may end."""
        self._messages += 1
        if self._messages % MESSAGES_A_UNIT == 0:
            self.stop()
        return RECEIVE(referee, message)


def measure(data: bytes) -> tuple[float, float]:
    """One round: units of processor time a hand, and the unit in seconds."""
    meter = Meter()
    with mock.patch.object(Referee, "receive", lambda *given: meter.receive(*given)):
        hands = checked(data).hands
    meter.stop()
    return meter.units / hands, statistics.median(meter.seen)


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Counts the calls of the group's functions in this block by their names."""
    counts: Counter[str] = Counter()

    def counted(name: str, plain: Callable[..., bytes]) -> Callable[..., bytes]:
        def call(*operands: bytes) -> bytes:
            counts[name] += 1
            return plain(*operands)

        return call

    with ExitStack() as stack:
        for name in ("_multiply", *ADDITIONS):
            plain = getattr(group, name)
            stack.enter_context(mock.patch.object(group, name, counted(name, plain)))
        yield counts


def calls_a_hand(data: bytes) -> tuple[float, float]:
    """Multiplications and additions a hand."""
    with counting() as counts:
        hands = checked(data).hands
    return counts["_multiply"] / hands, sum(counts[name] for name in ADDITIONS) / hands


def seconds(seats: int, jobs: int) -> float:
    """What the record takes with so many processes, by the clock on the wall."""
    begun = time.monotonic()
    (checked,) = check_all([str(record_path(seats))], jobs)
    spent = time.monotonic() - begun
    assert checked.report is not None
    assert checked.report.ok
    return spent


def peak_mib(seats: int) -> float:
    """Resident memory of the command for that record."""
    command = [sys.executable, "-m", "cli", "verify", "--json", str(record_path(seats))]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    # Kilobytes, but bytes on macOS.
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def run(rounds: int) -> dict[str, float]:
    """All figures of `--json`."""
    figures: dict[str, float] = {}
    seen: list[float] = []
    for seats in TARGETS:
        data = record_of(seats)
        mult, adds = calls_a_hand(data)
        units, unit = zip(*(measure(data) for _ in range(rounds)), strict=True)
        seen += unit
        figures[f"units_a_hand_{seats}"] = round(statistics.median(units), 1)
        figures[f"mult_a_hand_{seats}"] = round(mult, 1)
        figures[f"adds_a_hand_{seats}"] = round(adds, 1)
    times = [seconds(max(TARGETS), jobs) for jobs in (1, 2) * rounds]
    figures["jobs_ratio"] = round(min(times[::2]) / min(times[1::2]), 2)
    figures["peak_mib"] = peak_mib(max(TARGETS))
    return {"unit_us": round(statistics.median(seen) * 1e6, 1), **figures}


def print_table(figures: dict[str, float]) -> None:
    """The same figures for people."""
    for name, figure in figures.items():
        print(f"{name:<20}{figure:>9.1f}")


def main() -> None:
    """Read the flags, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--rounds", type=int, default=3, help="rounds a record (default 3)")
    flags = parser.parse_args()
    figures = run(flags.rounds)
    if flags.json:
        print(json.dumps(figures))
    else:
        print_table(figures)


if __name__ == "__main__":
    main()
