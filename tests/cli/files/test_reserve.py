"""Handles for the end are there when all others are taken."""

import errno
import io
import os
import tempfile
from pathlib import Path

import pytest
from support.process.handles import no_handles

from cli.files.record import write_whole
from cli.files.reserve import HANDLES, ROOM_BYTES, Reserve
from cli.process.errors import Stop


def test_what_is_released_can_be_written_with(tmp_path: Path) -> None:
    reserve, path = Reserve(tmp_path), tmp_path / "a.fives"
    reserve.hold()
    reserve.hold()
    with no_handles():
        with pytest.raises(Stop, match="Too many open files"):
            write_whole(path, b"record")
        reserve.release()
        write_whole(path, b"record")
    assert path.read_bytes() == b"record"


def test_where_there_are_none_it_holds_what_it_can_and_takes_the_rest_later(
    tmp_path: Path,
) -> None:
    reserve = Reserve(tmp_path)
    with no_handles():
        reserve.hold()
        reserve.release()
    reserve.hold()
    assert len(reserve._handles) == HANDLES
    assert reserve._room is not None
    reserve.release()
    reserve.release()
    assert reserve._handles == []
    assert reserve.__dict__["_room"] is None


def test_the_room_is_taken_and_has_no_name(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path)
    reserve.hold()
    assert reserve._room is not None
    held = os.fstat(reserve._room.fileno())
    assert held.st_size == ROOM_BYTES
    assert held.st_dev == tmp_path.stat().st_dev
    assert list(tmp_path.iterdir()) == []
    reserve.release()


@pytest.mark.parametrize("room", [0, ROOM_BYTES // 2])
def test_a_disk_that_has_no_room_holds_up_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    class Full(io.FileIO):
        def write(self, data: object) -> int:
            if not room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return room

    there = Full(tmp_path / "file", "w")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: there)
    reserve = Reserve(tmp_path)
    reserve.hold()
    assert reserve._room is None
    assert there.closed
    assert len(reserve._handles) == HANDLES
    reserve.release()
