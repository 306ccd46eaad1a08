"""Records that were made, with what must be true of whatever is said of them."""

from dataclasses import dataclass, replace

from second.record.file import read
from second.record.verdict import Verdict
from second.record.verify import check
from second.wire.messages import opened
from second.wire.table import table_of

Seats = frozenset[int]
NOBODY: Seats = frozenset()


@dataclass(frozen=True)
class Source:
    """A record in parts. `guilty` are the seats that said in it what no honest one says; `closed`
    whether all have signed its result."""

    data: bytes
    description: bytes
    frames: tuple[bytes, ...]
    closed: bool = False
    guilty: Seats = NOBODY


def source_of(data: bytes, guilty: Seats = NOBODY, closed: bool = False) -> Source:
    """The parts of a whole record."""
    file = read(data)
    return Source(data, file.table.description, tuple(file.frames), closed, guilty)


def judged_source(data: bytes) -> Source:
    """The parts of a record of others: what the checker says of it as it is holds."""
    verdict = check(data)
    out = {one.seat for one in verdict.absent if one.reason == "fault"}
    guilty = out | ({verdict.fault.seat} if verdict.fault else set())
    return source_of(data, frozenset(guilty), verdict.closed)


@dataclass(frozen=True)
class Made:
    """A record that somebody made, and the truth about it, which its maker knows.

    `of`: the matches one of which it must be, if it is said to be closed. `guilty`: whose keys said
    something wrong; nobody else may be named. `named`: who must be. `resigned`: a seat made some of
    its signatures anew, so that it may be the same match in other bytes.
    """

    kind: str
    data: bytes
    of: tuple[Source, ...] = ()
    guilty: Seats = NOBODY
    named: int | None = None
    resigned: bool = False


def named(made: Made, seat: int) -> Made:
    """The same, where this seat must be named."""
    return replace(made, named=seat)


def breach(made: Made, verdict: Verdict) -> str:
    """What a verdict says that is not true, empty if nothing is."""
    if verdict.exit == 0 and not any(is_same(made, source) for source in made.of):
        return "closed, and not the match that was played"
    fault = verdict.fault
    if fault and fault.seat not in made.guilty:
        return f"seat {fault.seat} is named, and did nothing"
    blamed = {one.seat for one in verdict.absent if one.reason == "fault"}
    if blamed and blamed - _with_bots(made):
        return f"seats {sorted(blamed)} were put out for faults, and some did nothing"
    if made.named is not None and (fault is None or fault.seat != made.named):
        return f"seat {made.named} is not named"
    return ""


def is_same(made: Made, source: Source) -> bool:
    """Whether it is that match, closed: the same bytes; or, where a seat signed anew, the same
    table and in the same order all that was said, signatures aside."""
    if not source.closed:
        return False
    if not made.resigned:
        return made.data == source.data
    file = read(made.data)
    same_table = file.table.description == source.description
    return same_table and _said(file.frames) == _said(source.frames)


def _said(frames: list[bytes] | tuple[bytes, ...]) -> list[tuple[bytes, bytes]]:
    return [(frame[:1], opened(frame[1:])[1]) for frame in frames]


def _with_bots(made: Made) -> set[int]:
    """The guilty and the bots that they brought, which go with them; of a record that can be
    read."""
    table = table_of(read(made.data).table.description)
    seats = range(len(table.people))
    return {seat for seat in seats if {seat, table.owner_of(seat)} & made.guilty}
