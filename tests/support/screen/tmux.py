"""A program in a window of tmux, seen as tmux has it; nobody is attached."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.limits import HANG_SECONDS
from support.places import TESTS

IS_HERE = shutil.which("tmux") is not None


class Pane:
    """The window of one program."""

    def __init__(self, server: Sequence[str]) -> None:
        self._server = server
        self.pid = int(self._say("display-message", "-p", "#{pane_pid}"))

    def _say(self, *command: str) -> str:
        done = subprocess.run(
            [*self._server, *command], capture_output=True, text=True, encoding="utf-8", check=True
        )
        return done.stdout

    @property
    def text(self) -> str:
        """What stands there."""
        rows = self._say("capture-pane", "-p").splitlines()
        return "\n".join(row.rstrip() for row in rows) + "\n"

    def press(self, *keys: str) -> None:
        """Press keys, as tmux names them."""
        self._say("send-keys", *keys)

    def spoil(self) -> None:
        """Something else writes over the screen."""
        tty = self._say("display-message", "-p", "#{pane_tty}").strip()
        Path(tty).write_text("\x1b[5;5Hsomething else\x1b[12;1H\x1b[2Kanother")

    def wait(self, wanted: str, unwanted: str = "\0") -> str:
        """Wait until that stands there, drawn to its end, and this does not; what stands there."""
        until = time.monotonic() + HANG_SECONDS
        now, before = self.text, ""
        while wanted not in now or unwanted in now or now != before or not self._is_idle():
            assert time.monotonic() < until, f"{wanted} did not come; the screen is\n{now}"
            now, before = self.text, now
        return now

    def _is_idle(self) -> bool:
        stat = Path(f"/proc/{self.pid}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] in "SZ"


@contextmanager
def in_tmux(
    arguments: Sequence[str], folder: Path, width: int = 80, height: int = 24
) -> Iterator[Pane]:
    """Run this Python with `arguments` in a window of that size; the server's socket is in
    `folder`."""
    path = os.pathsep.join((str(TESTS), str(TESTS.parent)))
    server = ["tmux", "-u", "-f", "/dev/null", "-S", str(folder / "server")]
    size = ["-x", str(width), "-y", str(height)]
    start = ["new-session", "-d", *size, "-e", f"PYTHONPATH={path}", sys.executable, *arguments]
    subprocess.run([*server, *start], check=True, capture_output=True)
    try:
        yield Pane(server)
    finally:
        subprocess.run([*server, "kill-server"], capture_output=True, check=False)
