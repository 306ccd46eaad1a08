"""What is its owner's alone on the disk: folders 0700, files 0600.

The mode of a folder that is there already belongs to whoever made it; what is secret in it is
kept by the modes of the files.
"""

import os
import stat
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_folder(folder: Path) -> None:
    """Make a folder for its owner alone; one that is there stays as it is. Raises OSError."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def open_new(path: Path) -> int:
    """A handle to write a new file with, its owner's alone. FileExistsError if it is there."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)


def close_to_others(path: Path) -> bool:
    """Take a file that is there from everybody but its owner; whether others had it till now.

    Raises OSError, above all for a file that belongs to somebody else.
    """
    if not path.stat().st_mode & _OTHERS:
        return False
    path.chmod(FILE_MODE)
    return True
