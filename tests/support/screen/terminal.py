"""A program on a pseudo-terminal, seen through a terminal emulator."""

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pexpect
import pyte
from support.places import TESTS

_READ_SECONDS = 0.05


class Terminal:
    """The terminal of a program. `raw` is all that it wrote."""

    def __init__(self, child: "pexpect.spawn[str]", width: int, height: int) -> None:
        self.child = child
        self.screen = pyte.Screen(width, height)
        self.raw = ""
        self._stream = pyte.Stream(self.screen)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(row.rstrip() for row in self.screen.display) + "\n"

    def wait(self, wanted: str, seconds: float = 20.0) -> str:
        """Read until the screen has what a regular expression finds; the screen then."""
        return self._wait(lambda now: re.search(wanted, now) is not None, wanted, seconds)

    def wait_other_than(self, before: str, seconds: float = 20.0) -> str:
        """Read until the screen is another one; the screen then."""
        return self._wait(lambda now: now != before, "another screen", seconds)

    def settle(self) -> None:
        """Read until nothing more comes at once: a screen that is drawn by half still asks for the
        key that was just pressed."""
        known = -1
        while len(self.raw) > known:
            known = len(self.raw)
            self.read()

    def _wait(self, holds: Callable[[str], bool], wanted: str, seconds: float) -> str:
        until = time.monotonic() + seconds
        while not holds(self.text):
            if time.monotonic() > until:
                raise AssertionError(f"{wanted} did not come; the screen is\n{self.text}")
            self.read()
        return self.text

    def read(self) -> None:
        """What has been written by now, or within a moment."""
        try:
            self._feed(self.child.read_nonblocking(65536, _READ_SECONDS))
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            raise AssertionError(f"the program has ended; the screen is\n{self.text}") from None

    def _feed(self, data: str) -> None:
        self.raw += data
        self._stream.feed(data)

    def send(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def click(self, x: int, y: int) -> None:
        """Press and release the left button at column x and row y, as xterm's SGR mode says it."""
        self.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def resize(self, width: int, height: int) -> None:
        """Another size of the window."""
        self.screen.resize(height, width)
        self.child.setwinsize(height, width)

    def seconds_to_answer(self, keys: str) -> float:
        """From a key press until the program has drawn something."""
        handle = self.child.child_fd
        begin = time.perf_counter()
        os.write(handle, keys.encode())
        ready, _, _ = select.select([handle], [], [], 5.0)
        taken = time.perf_counter() - begin
        assert ready, "nothing was drawn"
        self.read()
        return taken

    def end(self, seconds: float = 20.0) -> int:
        """Wait for the end of the program; its exit code."""
        until = time.monotonic() + seconds
        while self.child.isalive() and time.monotonic() < until:
            self._rest()
        self._rest()
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)

    def _rest(self) -> None:
        try:
            self._feed(self.child.read_nonblocking(65536, _READ_SECONDS))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return

    def is_restored(self) -> bool:
        """Whether the program left the other screen, hid no cursor, and listens to no mouse."""
        left = self.raw.rfind("\x1b[?1049l") > self.raw.rfind("\x1b[?1049h")
        shown = self.raw.rfind("\x1b[?25h") > self.raw.rfind("\x1b[?25l")
        mouse = self.raw.rfind("\x1b[?1000l") > self.raw.rfind("\x1b[?1000h")
        return left and shown and mouse


@contextmanager
def on_terminal(
    arguments: Sequence[str], width: int = 80, height: int = 24, **environment: str
) -> Iterator[Terminal]:
    """Run this Python with `arguments` on a terminal of that size."""
    path = os.pathsep.join((str(TESTS), str(TESTS.parent)))
    settings = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": path, **environment}
    child = pexpect.spawn(
        sys.executable,
        list(arguments),
        dimensions=(height, width),
        env=settings,
        encoding="utf-8",
        timeout=20,
    )
    try:
        yield Terminal(child, width, height)
    finally:
        child.close(force=True)
