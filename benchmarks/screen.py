"""How soon the screen answers a key, and how much it works while nobody presses one.

    python benchmarks/screen.py [--keys N] [--seconds S] [--json]

A table of four in memory at a pseudo-terminal (Linux; the extra `test` must be installed).
answer_ms: from a key that chooses another tile to the first byte drawn, the median of N;
answer_ms_most: the longest of them; idle_percent: processor time of the program in S seconds of
waiting for the person.
"""

import argparse
import json
import os
import select
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.places import SUPPORT
from support.screen.terminal import Terminal, on_terminal

RIGHT = "\x1b[C"
TABLE = [str(SUPPORT / "screen" / "table.py"), "late", "players=4"]


def play_on(terminal: Terminal) -> None:
    """Late in a hand: a long line on the table, and a choice of tiles."""
    while True:
        text = terminal.wait("Your turn|Enter goes on")
        if "another tile" in text and "boneyard 0" not in text and text.count("plays") > 3:
            return
        terminal.send("\r")
        terminal.wait_other_than(text)


def answer(terminal: Terminal) -> float:
    """Seconds from a key press until something is drawn; all of it has been read then."""
    before, handle = terminal.text, terminal.child.child_fd
    begun = time.perf_counter()
    os.write(handle, RIGHT.encode())
    select.select([handle], [], [])
    taken = time.perf_counter() - begun
    terminal.wait_other_than(before)
    return taken


def processor_seconds(pid: int | None) -> float:
    """User and system time of a process so far (proc(5), fields 14 and 15 of stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_share(terminal: Terminal, seconds: float) -> float:
    """The share of a processor that the program takes while it waits."""
    pid, begun = terminal.child.pid, time.monotonic()
    before = processor_seconds(pid)
    while time.monotonic() < begun + seconds:
        terminal.read()
    return (processor_seconds(pid) - before) / (time.monotonic() - begun)


def measure(keys: int, seconds: float) -> dict[str, float]:
    """All figures by name."""
    with on_terminal(TABLE) as terminal:
        play_on(terminal)
        times = [1000 * answer(terminal) for _ in range(keys)]
        return {
            "answer_ms": round(statistics.median(times), 2),
            "answer_ms_most": round(max(times), 2),
            "idle_percent": round(100 * idle_share(terminal, seconds), 2),
        }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=101)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.keys, options.seconds)
    if options.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:>16} {figure}")


if __name__ == "__main__":
    main()
