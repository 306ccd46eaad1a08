"""Reading and checking record files: several at a time, or one by several processes at once."""

import multiprocessing
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.pool import Pool
from pathlib import Path
from typing import BinaryIO

from cli.files.history import unread
from cli.process.errors import usage
from cli.process.piped import PIPED
from cli.process.workers import quick_context, uninterrupted
from cli.telling.report import Compared
from p2p.records.comparing import compare
from p2p.records.evidence import Evidence, evidence_of
from p2p.records.sharing import verify_shared
from p2p.session import record
from p2p.session.record import RecordUnreadable
from p2p.session.verify import Report, open_table, verify_file

_BLOCK = 1024 * 1024


@dataclass(frozen=True)
class Checked:
    """A record file as named, and its report; or, without one, why it cannot be read."""

    name: str
    report: Report | None
    unreadable: str = ""

    @property
    def shown(self) -> str:
        """What to call it in a sentence."""
        return _shown(self.name)


def _shown(name: str) -> str:
    return "standard input" if name == PIPED else name


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A record file, or standard input, that can be read from any place. OSError; RecordUnreadable
    for what comes as a stream and is none."""
    if name == PIPED:
        yield _input()
        return
    with Path(name).open("rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            yield file
            return
        with _kept(file) as kept:
            yield kept


@lru_cache(maxsize=1)
def _input() -> BinaryIO:
    """Standard input, which is read once."""
    return _kept(sys.stdin.buffer)


def _kept(stream: BinaryIO) -> BinaryIO:
    """What a stream brings, in a file without a name: not more than one byte beyond the longest
    record, which is enough to refuse it."""
    block = stream.read(len(record.MAGIC))
    record.check_magic(block)
    # Whoever has it closes it.
    file = tempfile.TemporaryFile()  # noqa: SIM115
    left = record.MAX_RECORD_BYTES + 1
    while block and left > 0:
        left -= file.write(block[:left])
        block = stream.read(_BLOCK)
    return file


def load_record(name: str) -> bytes:
    """All bytes of a record; Stop with exit code 2 if the file cannot be read. RecordUnreadable as
    `opened`."""
    try:
        with opened(name) as file:
            file.seek(0)
            return file.read(record.MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise usage(f"{name} cannot be read: {error.strerror}.") from error


def check(name: str) -> Checked:
    """Read and check one record."""
    return _checked(name, verify_file)


def _checked(name: str, verified: Callable[[BinaryIO], Report]) -> Checked:
    try:
        with opened(name) as file:
            return Checked(name, verified(file))
    except RecordUnreadable as error:
        return Checked(name, None, str(error))
    except OSError as error:
        return Checked(name, None, f"The file {unread(name, error)}")


def check_all(names: Sequence[str], jobs: int) -> Iterator[Checked]:
    """Check records in their order, with so many processes at a time: each has a record of its own,
    or all one that is alone. Standard input is read by this process."""
    files = [name for name in names if name != PIPED]
    if jobs == 1 or not files:
        yield from map(check, names)
    elif len(files) == 1:
        for name in names:
            yield check(name) if name == PIPED else check_together(name, jobs)
    else:
        with _workers(jobs) as pool:
            results = pool.imap(check, files)
            for name in names:
                yield check(name) if name == PIPED else next(results)


def _workers(jobs: int) -> Pool:
    with uninterrupted():
        return multiprocessing.get_context("spawn").Pool(jobs)


def check_together(name: str, jobs: int) -> Checked:
    """Check one record with so many processes at once, of which this is one. If there is any doubt,
    this one checks all alone; so it does what only one can read."""
    if not Path(name).is_file():
        return check(name)
    return _checked(name, lambda file: _together(file, jobs - 1) or verify_file(file))


def _together(file: BinaryIO, others: int) -> Report | None:
    """The report if this process and so many others have found the record in order."""
    context = quick_context()
    with ProcessPoolExecutor(others, context) as pool, suppress(BrokenProcessPool):
        try:
            with uninterrupted(tracked=context.get_start_method() != "fork"):
                # Each is started by something to do; later ones would not be here.
                for _ in range(others):
                    pool.submit(os.getpid)
            return verify_shared(file, pool, others)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return None


def evidence_in(checked: Checked) -> Evidence | None:
    """What proves the fault in a record that could be read; None if nobody is at fault."""
    assert checked.report is not None, "a record that was read"
    with opened(checked.name) as file:
        return evidence_of(record.open_record(file), checked.report)


def compare_files(before: str, name: str) -> Compared:
    """Two records of one table, which could be read."""
    with opened(before) as one, opened(name) as other:
        first, table = open_table(one)
        second, _ = open_table(other)
        return Compared(compare(first, second, table), _shown(before), _shown(name))
