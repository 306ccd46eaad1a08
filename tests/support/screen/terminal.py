"""A program on a pseudo-terminal, seen through a terminal emulator."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pexpect
import pyte
from support.limits import HANG_SECONDS
from support.places import TESTS

_READ_SECONDS = 0.05
# Half a second: longer than keys do not count.
_READS_A_PRESS = 10
# A control sequence (ECMA-48, section 5.4), also with the private parameters of terminals.
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_SET_IN = re.compile(r"\n +")


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

    @property
    def left_behind(self) -> str:
        """What was printed after the other screen was left, its wrapped lines whole again."""
        after = self.raw.rpartition("\x1b[?1049l")[2]
        return _SET_IN.sub(" ", _CONTROL.sub("", after).replace("\r\n", "\n"))

    def wait(self, wanted: str) -> str:
        """Read until the screen, drawn to its end, has what a regular expression finds; the screen
        then."""
        return self._wait(lambda now: re.search(wanted, now) is not None, wanted)

    def wait_other_than(self, before: str) -> str:
        """Read until the screen, drawn to its end, is another one; the screen then."""
        return self._wait(lambda now: now != before, "another screen")

    def wait_whole(self, wanted: str) -> None:
        """Read until exactly that stands on the screen."""
        self._wait(lambda now: now == wanted, wanted)

    def settle(self) -> str:
        """Read until the screen is drawn to its end; the screen then."""
        return self._wait(lambda now: True, "the end of the drawing")

    def _is_busy(self) -> bool:
        """Whether the program computes or draws just now, as far as the system tells (Linux)."""
        stat = Path(f"/proc/{self.child.pid}/stat")
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "SZ"

    def _wait(self, holds: Callable[[str], bool], wanted: str) -> str:
        until = time.monotonic() + HANG_SECONDS
        while not (holds(self.text) and self._is_whole()):
            if time.monotonic() > until:
                raise AssertionError(f"{wanted} did not come; the screen is\n{self.text}")
            self.read()
        return self.text

    def _is_whole(self) -> bool:
        """Whether nothing more is being drawn. Rows are drawn from the top: a screen drawn by half
        still asks for the key that was just pressed."""
        return not self._is_busy() and not self._read(0)

    def read(self) -> None:
        """What has been written by now, or within a moment."""
        self._read(_READ_SECONDS)

    def _read(self, seconds: float) -> bool:
        """Whether anything was written."""
        try:
            self._feed(self.child.read_nonblocking(65536, seconds))
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            raise AssertionError(f"the program has ended; the screen is\n{self.text}") from None
        return True

    def _feed(self, data: str) -> None:
        self.raw += data
        self._stream.feed(data)

    def press(self, keys: str) -> str:
        """Press keys until they count, which some do not just after their meaning has changed; the
        screen then."""
        before = self.settle()
        until = time.monotonic() + HANG_SECONDS
        while time.monotonic() < until:
            self.send(keys)
            for _ in range(_READS_A_PRESS):
                self.read()
                # What is drawn anew is another screen for a moment, and then the same.
                if self.text != before and self._is_whole():
                    return self.text
        raise AssertionError(f"another screen did not come; the screen is\n{self.text}")

    def leave(self) -> int:
        """Press q until the program has ended; its exit code."""
        while self.child.isalive():
            with suppress(OSError):
                self.send("q")
            for _ in range(_READS_A_PRESS):
                self._rest()
        return self.end()

    def spoil(self) -> None:
        """Something else writes over the screen."""
        self._stream.feed("\x1b[5;5Hsomething else\x1b[12;1H\x1b[2Kanother")

    def close_page(self) -> None:
        """Close the page in view: by a key that does nothing on the page of a match that is over,
        which may take its place at any moment."""
        self.send("\x1b")

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

    def end(self) -> int:
        """Wait for the end of the program; its exit code."""
        until = time.monotonic() + HANG_SECONDS
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
        timeout=HANG_SECONDS,
    )
    try:
        yield Terminal(child, width, height)
    finally:
        child.close(force=True)
