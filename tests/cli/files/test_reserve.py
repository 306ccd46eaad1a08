"""Handles for the end are there when all others are taken."""

from pathlib import Path

import pytest
from support.process.handles import no_handles

from cli.files.record import write_whole
from cli.files.reserve import HANDLES, Reserve
from cli.process.errors import Stop


def test_what_is_released_can_be_written_with(tmp_path: Path) -> None:
    reserve, path = Reserve(), tmp_path / "a.fives"
    reserve.hold()
    reserve.hold()
    with no_handles():
        with pytest.raises(Stop, match="Too many open files"):
            write_whole(path, b"record")
        reserve.release()
        write_whole(path, b"record")
    assert path.read_bytes() == b"record"


def test_where_there_are_none_it_holds_what_it_can_and_takes_the_rest_later() -> None:
    reserve = Reserve()
    with no_handles():
        reserve.hold()
        reserve.release()
    reserve.hold()
    assert len(reserve._handles) == HANDLES
    reserve.release()
    reserve.release()
