"""p2p.private_files: what is secret is its owner's alone, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.private_files import close_to_others, make_folder, open_new


@pytest.fixture(autouse=True)
def no_umask() -> Iterator[None]:
    """Nothing but the product keeps others out."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_closed_and_one_that_is_there_stays(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o700
    (tmp_path / "a" / "b").chmod(0o755)
    make_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o755


def test_a_new_file_is_closed_and_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "key"
    os.close(open_new(path))
    assert mode(path) == 0o600
    with pytest.raises(FileExistsError):
        open_new(path)


@pytest.mark.parametrize("before", [0o644, 0o620, 0o604, 0o777])
def test_a_loose_file_is_closed_and_that_is_said_once(tmp_path: Path, before: int) -> None:
    path = tmp_path / "key"
    path.touch()
    path.chmod(before)
    assert close_to_others(path)
    assert mode(path) == 0o600
    assert not close_to_others(path)


def test_a_file_that_is_stricter_stays(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.touch()
    path.chmod(0o400)
    assert not close_to_others(path)
    assert mode(path) == 0o400
