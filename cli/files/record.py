"""Records as files: written whole or not at all, and never one over that of another match."""

import os
from itertools import chain, count
from pathlib import Path

from cli.files import whole
from cli.process.errors import Stop, usage
from p2p.session.record import MAGIC, RecordUnreadable, decode
from p2p.session.state.table import table_id


def check_writable(path: Path | None, table: bytes | None = None) -> None:
    """Stop with exit code 2 unless the record could be written there; leaves no file behind.

    Nothing that is there is written over but a record of `table`, which goes on. A pipe or a device
    would hold up the end of the match, or take no record; only /dev/null is one on purpose.
    """
    if path is None or _is_nowhere(path):
        return
    if path.exists() and not path.is_file() and not path.is_dir():
        raise usage(f"{path} is no file, so a record cannot be kept there. Choose another name.")
    there = path.exists()
    try:
        if path.is_file() and path.stat().st_size:
            if not _is_record(path):
                raise usage(f"{path} is there already and is no record. Choose another name.")
            if _table_of(path.read_bytes()) != table or table is None:
                raise usage(
                    f"{path} is the record of an earlier match, which is not written over. Choose "
                    "another name, or move that file away."
                )
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise usage(f"The record {path} cannot be written: {error.strerror}.") from error


def _is_record(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _table_of(data: bytes) -> bytes | None:
    """The id of the table of a record; None if it cannot be read."""
    try:
        return table_id(decode(data).description)
    except RecordUnreadable:
        return None


def _free(path: Path, data: bytes) -> Path:
    """Where the record `data` can go without taking the place of another match's: `path`, or what
    follows it by number."""
    if _is_nowhere(path):
        return path
    candidates = chain([path], (numbered(path, number) for number in count(2)))
    return next(one for one in candidates if _may_take(one, data))


def _may_take(path: Path, data: bytes) -> bool:
    if not path.is_file() or not path.stat().st_size:
        return True
    table = _table_of(data)
    return table is not None and _table_of(path.read_bytes()) == table


def numbered(path: Path, match: int) -> Path:
    """Where the record of match number `match` of a stay goes: m.fives, m-2.fives, m-3.fives."""
    if match == 1 or _is_nowhere(path):
        return path
    return path.with_name(f"{path.stem}-{match}{path.suffix}")


def _is_nowhere(path: Path) -> bool:
    """Whether what is written there is meant to be lost."""
    return path.exists() and path.samefile(os.devnull)


def keep(named: Path | None, home: Path, data: bytes) -> tuple[Path, str | None]:
    """Write a record where it was asked for, else `home`: a match is never lost to a full disk.

    Returns where it is, and a sentence if that is not where it was asked for. What has come there
    since, of another match, stays; this one gets a number then. Stop if neither can be written.
    """
    if named is not None:
        try:
            named = _free(named, data)
            write_whole(named, data)
            return named, None
        except Stop as stop:
            write_whole(home, data)
            return home, f"{stop} It is kept in the data folder: {home}"
    write_whole(home, data)
    return home, None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once or not at all, on the disk when this returns. Stop if it cannot be."""
    if _is_nowhere(path):
        return
    path = path.resolve()
    try:
        whole.replace(path, data)
    except OSError as error:
        raise Stop(f"The record {path} cannot be written: {error.strerror}.") from error
