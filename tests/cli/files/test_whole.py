"""Whole or not at all, whoever writes: identities and records have tests of their own."""

import errno
import os
import stat
from pathlib import Path

import pytest

from cli.files.whole import replace, write_new


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_new(path, b"first\r\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        write_new(path, b"second")
    assert path.read_bytes() == b"first\r\n"


def test_what_a_killed_process_left_is_not_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    (tmp_path / f".file.{os.getpid()}").write_bytes(b"half of a n")
    replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, failing, full)
    with pytest.raises(OSError, match="No space left"):
        replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_name_is_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []

    def note(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))

    monkeypatch.setattr(os, "fsync", note)
    write_new(tmp_path / "new", b"new")
    replace(tmp_path / "other", b"new")
    assert synced == [False, True, False, True]


def test_a_folder_that_cannot_be_synced_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def files_alone(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(handle)

    monkeypatch.setattr(os, "fsync", files_alone)
    replace(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
