"""The record file: checked before, written at once or not at all."""

import os
import stat
from pathlib import Path

import pytest
from support.session.tables import make_table, rules_for

from cli.files.record import check_writable, keep, numbered, write_whole
from cli.process.errors import Stop
from p2p.session.record import MAGIC, pack

TABLES = [make_table(rules_for(2), seed)[0] for seed in ("one", "two")]


def test_a_record_is_written_whole_and_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "a.fives"
    path.write_bytes(b"an older and longer record")
    write_whole(path, b"record")
    assert path.read_bytes() == b"record"
    assert [one.name for one in tmp_path.iterdir()] == ["a.fives"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"")
    link.symlink_to(target)
    write_whole(link, b"record")
    assert link.is_symlink()
    assert target.read_bytes() == b"record"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(Path(os.devnull), b"record")
    assert not Path(os.devnull).is_file()


def test_a_record_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.fives"
    with pytest.raises(Stop) as caught:
        write_whole(path, b"record")
    assert caught.value.code == 1
    assert caught.value.sentence == (
        f"The record {path} cannot be written: No such file or directory."
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(Stop):
        write_whole(folder, b"record")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_the_check_before_the_table_opens_leaves_no_file(tmp_path: Path) -> None:
    check_writable(None)
    check_writable(tmp_path / "new.fives")
    assert list(tmp_path.iterdir()) == []
    for wrong, reason in [
        (tmp_path / "none" / "a.fives", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ]:
        with pytest.raises(Stop) as caught:
            check_writable(wrong)
        assert caught.value.code == 2
        assert caught.value.sentence == f"The record {wrong} cannot be written: {reason}."


def test_a_pipe_or_a_device_is_refused_before_the_table_opens(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Somebody is at the other end, so that no check would hold up this test.
    reader = os.open(pipe, os.O_RDWR)
    (tmp_path / "link").symlink_to(pipe)
    for wrong in (pipe, tmp_path / "link", Path("/dev/zero")):
        with pytest.raises(Stop) as caught:
            check_writable(wrong)
        assert caught.value.code == 2
        assert caught.value.sentence == (
            f"{wrong} is no file, so a record cannot be kept there. Choose another name."
        )
    os.close(reader)
    check_writable(Path(os.devnull))


def test_a_record_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.fives"
    path.touch(0o666)
    write_whole(path, b"record")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_each_match_of_a_stay_has_a_record_of_its_own(tmp_path: Path) -> None:
    assert numbered(tmp_path / "m.fives", 1) == tmp_path / "m.fives"
    assert numbered(tmp_path / "m.fives", 2) == tmp_path / "m-2.fives"
    assert numbered(tmp_path / "m", 3) == tmp_path / "m-3"
    assert numbered(Path("/dev/null"), 2) == Path("/dev/null")


def test_a_record_is_kept_where_it_was_asked_for(tmp_path: Path) -> None:
    named, home = tmp_path / "a.fives", tmp_path / "home.fives"
    assert keep(named, home, b"record") == (named, None)
    assert not home.exists()
    assert keep(None, home, b"record") == (home, None)
    assert home.read_bytes() == b"record"


def test_a_record_that_cannot_be_where_it_was_asked_for_is_not_lost(tmp_path: Path) -> None:
    named, home = tmp_path / "none" / "a.fives", tmp_path / "home.fives"
    assert keep(named, home, b"record") == (
        home,
        f"The record {named} cannot be written: No such file or directory. "
        f"It is kept in the data folder: {home}",
    )
    assert home.read_bytes() == b"record"
    with pytest.raises(Stop):
        keep(named, tmp_path / "none" / "home.fives", b"record")


def record_of(table: int) -> bytes:
    """A record that was broken off at once."""
    return pack([TABLES[table].description])


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"hello")
    with pytest.raises(Stop) as caught:
        check_writable(path)
    assert caught.value.code == 2
    assert caught.value.sentence == (
        f"{path} is there already and is no record. Choose another name."
    )
    assert path.read_bytes() == b"hello"
    for old in (MAGIC + b"damaged", record_of(0)):
        path.write_bytes(old)
        for table in (None, TABLES[1].id):
            with pytest.raises(Stop, match="is the record of an earlier match") as caught:
                check_writable(path, table)
            assert caught.value.code == 2
        assert path.read_bytes() == old
    check_writable(path, TABLES[0].id)
    assert path.read_bytes() == record_of(0)
    path.write_bytes(b"")
    check_writable(path)


def test_a_record_never_takes_the_place_of_another_matchs(tmp_path: Path) -> None:
    named, home = tmp_path / "a.fives", tmp_path / "home.fives"
    assert keep(named, home, record_of(0)) == (named, None)
    second = tmp_path / "a-2.fives"
    assert keep(named, home, record_of(1)) == (second, None)
    # Of the same match there is one, the latest.
    assert keep(named, home, record_of(0)) == (named, None)
    assert keep(named, home, record_of(1)) == (second, None)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a-2.fives", "a.fives"]
    assert (named.read_bytes(), second.read_bytes()) == (record_of(0), record_of(1))
