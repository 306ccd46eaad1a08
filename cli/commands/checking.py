"""Reading and checking record files, several at a time in processes of their own."""

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from multiprocessing.pool import Pool
from pathlib import Path

from cli.process.errors import usage
from cli.process.workers import uninterrupted
from cli.telling.jsonlines import Fields, json_line
from cli.telling.phrases import plural
from engine.wording import listed
from p2p.session import record
from p2p.session.record import RecordUnreadable
from p2p.session.state.events import SeatOut
from p2p.session.verify import FoundFault, Report, verify_record

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Checked:
    """A record file as named, and its report; or, without one, why it cannot be read."""

    name: str
    report: Report | None
    unreadable: str = ""

    @property
    def shown(self) -> str:
        """What to call it in a sentence."""
        return "standard input" if self.name == STANDARD_INPUT else self.name


def read_record(name: str) -> bytes:
    """The bytes of a record file, or of standard input, which is read once. Raises OSError.

    Not more than one byte beyond the longest record: that is enough to refuse it.
    """
    if name == STANDARD_INPUT:
        return _read_input()
    with Path(name).open("rb") as file:
        return file.read(record.MAX_RECORD_BYTES + 1)


@lru_cache(maxsize=1)
def _read_input() -> bytes:
    return sys.stdin.buffer.read(record.MAX_RECORD_BYTES + 1)


def load_record(name: str) -> bytes:
    """As `read_record`; Stop with exit code 2 if the file cannot be read."""
    try:
        return read_record(name)
    except OSError as error:
        raise usage(f"{name} cannot be read: {error.strerror}.") from error


def check(name: str) -> Checked:
    """Read and check one record."""
    try:
        return Checked(name, verify_record(read_record(name)))
    except RecordUnreadable as error:
        return Checked(name, None, str(error))
    except OSError as error:
        return Checked(name, None, f"The file cannot be read: {error.strerror}.")


def check_all(names: Sequence[str], jobs: int) -> Iterator[Checked]:
    """Check records in their order, `jobs` at a time; standard input is read by this process."""
    files = [name for name in names if name != STANDARD_INPUT]
    if jobs == 1 or len(files) < 2:
        yield from map(check, names)
        return
    with _workers(jobs) as pool:
        results = pool.imap(check, files)
        for name in names:
            yield check(name) if name == STANDARD_INPUT else next(results)


def _workers(jobs: int) -> Pool:
    with uninterrupted():
        return multiprocessing.get_context("spawn").Pool(jobs)


def report_line(report: Report) -> str:
    """The JSON object of `verify --json`."""
    fault = report.fault
    return json_line(
        {
            "ok": report.ok,
            "decided": report.decided,
            "closed": report.closed,
            "unsigned": list(report.unsigned),
            "table": report.table.hex(),
            "hands": report.hands,
            "messages": report.messages,
            "proofs": dict(report.proofs),
            "fault": None if fault is None else asdict(fault),
            "absent": [_absent(one, report) for one in report.absent],
            "winners": list(report.winners),
            "scores": list(report.scores),
        }
    )


def _absent(one: SeatOut, report: Report) -> Fields:
    return {
        "seat": one.seat,
        "name": report.names[one.seat],
        "hand": one.hand,
        "reason": one.reason,
        "by": list(one.by),
    }


def report_words(report: Report) -> str:
    """The same for people, in a few sentences."""
    scores = zip(report.names, report.scores, strict=True)
    result = ", ".join(f"{name} {score}" for name, score in scores)
    out = "".join(f" {_out(one, report)}" for one in report.absent)
    return f"{_verdict(report)}{out} Checked: {_amounts(report)}. Scores: {result}."


def _out(one: SeatOut, report: Report) -> str:
    """Who was put out; what nothing proves is told as the word of those who say it."""
    name, where = report.names[one.seat], f"in hand {one.hand}" if one.hand else "before hand 1"
    by = listed([report.names[seat] for seat in one.by])
    if one.reason == "left":
        return f"{name} left {where}, by its own word."
    if one.reason == "fault":
        return f"{name} broke the protocol {where} and was put out for it, with proof."
    what = "away" if one.reason == "absent" else "waited for too long"
    return f"{name} was {what} {where} as {by} say, which nothing proves."


def _verdict(report: Report) -> str:
    if report.fault is not None:
        fault = report.fault
        where = f"in hand {fault.hand}, message {fault.message}"
        return f"{fault.name} (seat {fault.seat}) broke the protocol {where}: {fault.what}."
    if report.problem is not None:
        return f"The record is faulty, and nobody can be named: {report.problem}."
    if not report.decided:
        return "The record is in order as far as it goes, but the match is not decided in it."
    if not report.closed:
        missing = listed([report.names[seat] for seat in report.unsigned])
        unchecked = (
            ""
            if report.opened
            else " The keys of the last hand are not open, so not all is checked."
        )
        return (
            f"The match is decided and without fault; not signed at the end by {missing}."
            f"{unchecked}"
        )
    return "The match is decided, without fault, and its result signed by all."


def _amounts(report: Report) -> str:
    proofs = report.proofs
    return ", ".join(
        (
            plural(report.hands, "hand"),
            plural(report.messages, "message"),
            plural(proofs["shuffle"], "shuffle"),
            plural(proofs["key"], "key"),
            plural(proofs["share"], "share"),
            plural(proofs["unplayable"], "slot") + " shown to hold nothing that fits, or leads",
        )
    )


def evidence_of(data: bytes, fault: FoundFault) -> bytes:
    """A record that ends with the message that proves the fault: `verify` finds it there alone."""
    parts = record.decode(data)
    if fault.message > len(parts.frames):
        return data
    frames = [mark + one for mark, one in parts.frames[: fault.message]]
    return record.pack([parts.description, *frames])
