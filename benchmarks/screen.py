"""How soon the screen answers a key beside three bots that think, and how much it draws and works.

    python benchmarks/screen.py [--keys N] [--seconds S] [--json]

`allfives play --bots 3 --level hard` at a pseudo-terminal of 80x24 (Linux; the extra `test` must be
installed); lines of chat are written all along, mostly while the bots think, and dropped. key_ms:
from a key to the chunk of output with which its letter stands on the screen, the median of N;
key_worst_ms: the longest of them; bytes_a_move: what is written to the terminal for each move of
anybody; idle_percent: processor time of the program in S seconds of waiting for the person.
"""

import argparse
import json
import os
import select
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.places import ROOT
from support.screen.terminal import Terminal, on_terminal

TABLE = ["-m", "cli", "play", "--bots", "3", "--level", "hard", "--target", "1000", "--no-bell"]
LETTERS = string.ascii_lowercase[:20]


def answer(terminal: Terminal, letter: str, wanted: str) -> float:
    """Seconds from a key to the chunk of output after which `wanted` stands on the screen."""
    handle = terminal.child.child_fd
    begun = time.perf_counter()
    os.write(handle, letter.encode())
    while True:
        select.select([handle], [], [])
        now = time.perf_counter()
        terminal.read()
        if wanted in terminal.text:
            return now - begun


def answers(terminal: Terminal, keys: int) -> list[float]:
    """That many answers, playing on by Enter where the person is to move."""
    times: list[float] = []
    while len(times) < keys:
        terminal.send("c")
        terminal.wait("Write to the others")
        for at, letter in enumerate(LETTERS, 1):
            times.append(answer(terminal, letter, f"> {LETTERS[:at]}_"))
        terminal.send("\x1b")
        terminal.wait("h hint|Enter goes on")
        terminal.send("\r")
        terminal.read()
    return times


def processor_seconds(pid: int | None) -> float:
    """User and system time of a process so far (proc(5), fields 14 and 15 of stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_share(terminal: Terminal, seconds: float) -> float:
    """The share of a processor that the program takes while it waits for the person."""
    while "Your turn" not in terminal.text:
        terminal.read()
    pid, begun = terminal.child.pid, time.monotonic()
    before = processor_seconds(pid)
    while time.monotonic() < begun + seconds:
        terminal.read()
    return (processor_seconds(pid) - before) / (time.monotonic() - begun)


def moves_of(record: Path) -> int:
    """How many placements, draws and passes a record tells."""
    told = run([sys.executable, "-m", "cli", "replay", str(record), "--json"])
    events = (json.loads(line)["event"] for line in told.splitlines())
    return sum(event in ("play", "draw", "pass") for event in events)


def run(command: list[str]) -> str:
    """What a command of the checkout prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@contextmanager
def at_table(record: Path) -> Iterator[Terminal]:
    """A table with three bots that think; the person leaves it at the end."""
    table = [*TABLE, "--data-dir", str(record.with_suffix(".home")), "--record", str(record)]
    with on_terminal(table) as terminal:
        terminal.wait("Your turn|Enter goes on|plays")
        yield terminal
        terminal.send("\x03")
        terminal.wait("Ctrl-C again")
        terminal.send("\x03")
        terminal.end()


def bytes_a_move(record: Path) -> float:
    """What is written to the terminal for each move of a hand, Enter alone being pressed."""
    with at_table(record) as terminal:
        while "Hand 2" not in terminal.text:
            if "Your turn" in terminal.text or "Enter goes on" in terminal.text:
                terminal.send("\r")
            terminal.read()
        drawn = len(terminal.raw.encode())
    return drawn / moves_of(record)


def measure(keys: int, seconds: float) -> dict[str, float]:
    """All figures by name."""
    with tempfile.TemporaryDirectory() as folder:
        with at_table(Path(folder, "keys.fives")) as terminal:
            times = [1000 * one for one in answers(terminal, keys)]
            idle = idle_share(terminal, seconds)
        return {
            "key_ms": round(statistics.median(times), 2),
            "key_worst_ms": round(max(times), 2),
            "bytes_a_move": round(bytes_a_move(Path(folder, "moves.fives"))),
            "idle_percent": round(100 * idle, 2),
        }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=201)
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
