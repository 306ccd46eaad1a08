"""Files that are written whole or not at all, and are on the disk when they are written."""

import os
from contextlib import suppress
from pathlib import Path

from p2p.private_files import FILE_MODE

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would turn line ends


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, its owner's alone. Raises OSError, and FileExistsError if
    it is there."""
    _write(path, data)
    _settle(path.parent)


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, FILE_MODE)
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


def _settle(folder: Path) -> None:
    """Have the names in a folder on the disk too: till then a power cut brings back the old ones.

    Where the system opens no folders (Windows), or syncs none, the file is whole all the same.
    """
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace(path: Path, data: bytes) -> None:
    """Write a file in place of what is in `path`, or leave that as it is. Raises OSError."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)  # of a process of the same number that was killed
    _write(fresh, data)
    try:
        os.replace(fresh, path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    _settle(path.parent)
