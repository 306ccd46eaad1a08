"""What is kept free for the end: handles, whatever peers do with the others that this process may
have, and room on the disk of the data folder, whatever fills the rest of it."""

import errno
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

# The record and its folder, and what the store may open to note the end.
HANDLES: Final = 4
# The record of a long match, and what the store notes.
ROOM_BYTES: Final = 2**20


class Reserve:
    """Held from the begin of a match; who writes lets go of it first, and is not interrupted.

    The room is that of a file without a name: it ends with this process however that ends.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handles: list[int] = []
        self._room: IO[bytes] | None = None

    def hold(self) -> None:
        """Take what is not held yet, as far as there is any."""
        try:
            while len(self._handles) < HANDLES:
                self._handles.append(os.open(os.devnull, os.O_RDONLY))
            if self._room is None:
                self._room = _filled(self._folder)
        except OSError:
            return

    def release(self) -> None:
        """Let go of all."""
        while self._handles:
            os.close(self._handles.pop())
        if self._room is not None:
            self._room.close()
            self._room = None


def _filled(folder: Path) -> IO[bytes]:
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile(dir=folder, buffering=0))
        # Random bytes: some disks keep others in less room.
        if file.write(os.urandom(ROOM_BYTES)) < ROOM_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        stack.pop_all()
    return file
