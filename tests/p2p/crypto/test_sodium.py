"""libsodium is loaded without leaving a file, or there is a sentence that says why it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.limits import HANG_SECONDS

from cli.process.errors import WRONG_USAGE

# What a machine may lack. Each child runs one of these before anything of ours is imported.
NO_FILES_IN_MEMORY = "import os; vars(os).pop('memfd_create', None)"
NO_FOLDER = "import tempfile; tempfile.tempdir = '/nowhere/at/all'"
# As dlopen says it of a file on a file system that is mounted noexec.
NOT_RUN = """
import ctypes
load = ctypes.LibraryLoader.LoadLibrary
def refuse(self, path):
    if path.startswith({where!r}):
        raise OSError(path + ": failed to map segment from shared object")
    return load(self, path)
ctypes.LibraryLoader.LoadLibrary = refuse
"""
MEMORY_NOT_RUN = NOT_RUN.format(where="/proc/")
NOTHING_RUN = NOT_RUN.format(where="/")
MULTIPLY = """
import os, tempfile
usual = tempfile.NamedTemporaryFile, tempfile.tempdir
handles = os.listdir("/dev/fd")
from p2p.crypto.group import G, Q
assert (Q - 1) * G + G == 0 * G
assert (tempfile.NamedTemporaryFile, tempfile.tempdir) == usual
assert os.listdir("/dev/fd") == handles
"""
VERIFY = "from cli.command_line import run; raise SystemExit(run(['verify', 'none.fives']))"


def child(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, whose folder for temporary files is `folder`."""
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="no files in memory here")
def test_in_memory_no_folder_is_needed(tmp_path: Path) -> None:
    done = child(tmp_path, NO_FOLDER, MULTIPLY)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("lacking", ["", NO_FILES_IN_MEMORY, MEMORY_NOT_RUN])
def test_nothing_stays_in_the_folder(tmp_path: Path, lacking: str) -> None:
    done = child(tmp_path, lacking, MULTIPLY)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [
        (NO_FILES_IN_MEMORY + "\n" + NO_FOLDER, "No such file or directory"),
        (NOTHING_RUN, "failed to map segment from shared object"),
    ],
)
def test_a_sentence_where_it_cannot_be_loaded(tmp_path: Path, lacking: str, reason: str) -> None:
    done = child(tmp_path, lacking, VERIFY)
    assert done.returncode == WRONG_USAGE
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("The library libsodium cannot be loaded: ")
    assert line.endswith(
        f"{reason}. Let TMPDIR name a folder that can be written and that programs may be run from."
    )
    assert list(tmp_path.iterdir()) == []
