"""`allfives` in processes of their own, over loopback: lines with deadlines, and no sleeping."""

import io
import json
import os
import queue
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import IO, Any

from support.limits import HANG_SECONDS

from cli.command_line import run

CODE = "guitar-orbit-lunar"

# How a person is asked in plain lines: for one of several moves, or for the only one.
CAN_PLAY = r"Your turn\. You can play: ([^,\r\n]+?)(?: \((?:\+|count )\d+\))?[,.]"
ONE_THING = r"Enter (?:plays it|draws|passes)[^\r\n]*"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Running:
    """One process; its lines are kept, and read by threads so that it never blocks."""

    def __init__(
        self,
        *arguments: str,
        home: Path,
        typed: bool = False,
        program: tuple[str, ...] = ("-m", "cli"),
        before: tuple[str, ...] = (),
    ) -> None:
        """`before`: a command that runs the one which follows it."""
        self.home = home
        self.process = subprocess.Popen(
            [*before, sys.executable, *program, *arguments, "--data-dir", str(home)],
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "COLUMNS": "200"},
        )
        self.out: list[str] = []
        self.err: list[str] = []
        self._fresh: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._threads = [
            self._reading(self.process.stdout, self.out),
            self._reading(self.process.stderr, self.err),
        ]

    def _reading(self, pipe: IO[bytes] | None, lines: list[str]) -> threading.Thread:
        assert pipe is not None

        def read() -> None:
            for line in pipe:
                lines.append(line.decode().rstrip("\n"))
                self._fresh.put(lines[-1])
            self._fresh.put(None)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    def lines(self) -> Iterator[str]:
        """Every line of both streams, as it comes, until the process has ended."""
        for _ in range(2):
            while (line := self._fresh.get()) is not None:
                yield line

    def wait_line(self, pattern: str) -> str:
        """The next line, of either stream, in which `pattern` is found."""
        ended = 0
        while ended < 2:
            line = self._fresh.get(timeout=HANG_SECONDS)
            if line is None:
                ended += 1
            elif re.search(pattern, line):
                return line
        raise AssertionError(f"no line {pattern!r} in {self.out} and {self.err}")

    def next_line(self, pattern: str, seconds: float = 0.2) -> str | None:
        """The next line in which `pattern` is found; None if none comes within `seconds`."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._fresh.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                return None
            assert line is not None, f"the process has ended: {self.out} and {self.err}"
            if re.search(pattern, line):
                return line

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def type_if_there(self, line: str) -> None:
        """The same, unless the process has ended."""
        with suppress(OSError, ValueError):
            self.type(line)

    def end_input(self) -> None:
        """Close standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self, signum: int | None = None) -> int:
        """Wait for the end, after a signal if one is given; the exit code."""
        if signum is not None:
            self.process.send_signal(signum)
        code = self.process.wait(HANG_SECONDS)
        for thread in self._threads:
            thread.join(HANG_SECONDS)
        return code

    def events(self) -> list[dict[str, Any]]:
        """The JSON lines of standard output."""
        return [json.loads(line) for line in self.out]

    def stop(self) -> None:
        """End what a failed test has left behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


@contextmanager
def started(
    *arguments: str,
    home: Path,
    typed: bool = False,
    program: tuple[str, ...] = ("-m", "cli"),
) -> Iterator[Running]:
    """A process for the time of the block; `program`: what Python runs."""
    running = Running(*arguments, home=home, typed=typed, program=program)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def auto_table(
    folder: Path, players: int, *host_flags: str, json_lines: bool = True
) -> Iterator[list[Running]]:
    """A host and joiners, all bots, with homes 0, 1 ... and records 0.fives, 1.fives ..."""
    port = free_port()
    flags = ["--auto", "normal", *(["--json"] if json_lines else [])]
    with ExitStack() as stack:

        def start(number: int, *arguments: str) -> Running:
            record = ["--record", str(folder / f"{number}.fives")]
            home = folder / f"home-{number}"
            return stack.enter_context(started(*arguments, *flags, *record, home=home))

        table = ["--players", str(players), "--code", CODE, "--port", str(port), "--no-lan"]
        peers = [start(0, "host", *table, "--bind", "127.0.0.1", *host_flags)]
        peers[0].wait_line("open")
        for number in range(1, players):
            joining = ["join", f"127.0.0.1:{port}", CODE, "--bind", "127.0.0.1"]
            peers.append(start(number, *joining))
        yield peers


def run_here(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself, in this process: a start of Python costs more than most."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*arguments, "--data-dir", str(home)])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def run_once(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cli", *arguments, "--data-dir", str(home)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=HANG_SECONDS,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )


def bots_of(parent: Running) -> dict[int, bytes]:
    """Process ids and command lines of the bots that a process has started (Linux: /proc)."""
    lines: dict[int, bytes] = {}
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines[int(file.parent.name)] = file.read_bytes()
    mark = f"allfives-bots-{parent.process.pid}-".encode()
    return {pid: line for pid, line in lines.items() if mark in line}
