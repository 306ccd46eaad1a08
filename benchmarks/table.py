"""How a whole table fares: real processes over loopback, bots playing without pause.

    python benchmarks/table.py [--hands H] [--long H] [--json] [KEY ...]

resume_ms: from the start of a program that was killed after H hands (20) of two peers to the table
in view at its full screen; growth_kib_a_hand: resident memory that a peer of four gains in each
hand, from a tenth of the long match (200 hands) to its end, of the peer that gains most.
Linux; the extra `test` must be installed. Without a KEY all are measured.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

# Before this folder, which has an engine.py of its own.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.places import ROOT
from support.process.tables import CODE, Running, bots_of, free_port, started
from support.screen.terminal import on_terminal

# Never reached: matches end when enough was seen.
ENDLESS = ("--target", "1000000", "--set", "match-end=hand")
BOT = ("--auto", "easy", "--json")
IN_VIEW = r"boneyard \d"
KIB = 1024


def wait_hand(running: Running, number: int) -> None:
    """Wait until a hand begins."""
    running.wait_line(f'"event":"hand","hand":{number},')


def resume_ms(folder: Path, hands: int) -> float:
    """Milliseconds from start to the table in view, after so many hands."""
    port, home = free_port(), folder / "joiner"
    host = ["host", "--code", CODE, "--port", str(port), "--bind", "127.0.0.1", "--no-lan"]
    with started(*host, *ENDLESS, *BOT, home=folder / "host") as first:
        first.wait_line("open")
        join = ["join", f"127.0.0.1:{port}", CODE, "--bind", "127.0.0.1"]
        with started(*join, *BOT, home=home) as second:
            wait_hand(second, hands + 1)
            second.end(signal.SIGKILL)
        begun = time.perf_counter()
        with on_terminal(["-m", "cli", "resume", "--data-dir", str(home)]) as terminal:
            terminal.wait(IN_VIEW)
            return 1000 * (time.perf_counter() - begun)


def growth_kib(folder: Path, hands: int) -> float:
    """KiB that the peer of four which gains most gains in a hand."""
    early = max(hands // 10, 1)
    with started("play", "--bots", "3", *ENDLESS, *BOT, home=folder / "home") as owner:
        wait_hand(owner, early + 1)
        before = resident(owner)
        wait_hand(owner, hands + 1)
        after = resident(owner)
    gains = [after[pid] - before[pid] for pid in before if pid in after]
    return max(gains) / (hands - early) / KIB


def resident(owner: Running) -> dict[int, int]:
    """Bytes of resident memory of a process and its bots, by process id (proc(5))."""
    pids = [owner.process.pid, *bots_of(owner)]
    pages = {pid: int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids}
    return {pid: number * os.sysconf("SC_PAGE_SIZE") for pid, number in pages.items()}


def main() -> None:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    keys = ("resume_ms", "growth_kib_a_hand")
    parser.add_argument("keys", metavar="KEY", nargs="*", choices=(*keys, []))
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--long", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.chdir(ROOT)
    figures: dict[str, float] = {}
    for key in options.keys or keys:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if key == "resume_ms":
                figures[key] = round(resume_ms(folder, options.hands), 1)
            else:
                figures[key] = round(growth_kib(folder, options.long), 1)
    if options.json:
        print(json.dumps(figures))
        return
    for key, value in figures.items():
        print(f"{key:20}{value:>12}")


if __name__ == "__main__":
    main()
