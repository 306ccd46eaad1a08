"""Files that are written whole or not at all, and are on the disk when they are written."""

import os
from contextlib import suppress
from pathlib import Path

USUAL_MODE = 0o666
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would turn line ends


def write_new(path: Path, data: bytes, mode: int = USUAL_MODE) -> None:
    """Write a file that is not there yet; `mode` less the umask. Raises OSError, and
    FileExistsError if it is there."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        # A full disk: half a file would be in the way of the next one who writes it.
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def replace(path: Path, data: bytes, mode: int = USUAL_MODE) -> None:
    """Write a file in place of what is in `path`, or leave that as it is. Raises OSError."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)  # of a process of the same number that was killed
    write_new(fresh, data, mode)
    try:
        os.replace(fresh, path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
