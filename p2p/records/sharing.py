"""Several go through one record at once: each checks the proofs and signatures of the deals that it
comes to first, and takes those of the others as they are claimed.

All go through the same deals in the same order, so a number says which are free: those from it on.
A record counts as checked when all have come to the same end without any doubt, and each deal was
taken by exactly one. Else it says nothing, and the record is checked again by one alone, who names
the message and the seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from p2p.session.judging import Judging
from p2p.session.verify import Report, open_table, report_of
from p2p.wire.envelope import MATCH_LADDER

# What the number of the free deals is when all are to stop.
STOPPED = 2**62


class Counter(Protocol):
    """A whole number that processes share; `multiprocessing.Value` is one."""

    value: int

    def get_lock(self) -> AbstractContextManager[object]:
        """Held while it is read and changed."""


class _Stopped(Exception):
    """Somebody had a doubt, or wants no more of it."""


def stop(counter: Counter) -> None:
    """Let everybody stop at the next deal."""
    with counter.get_lock():
        counter.value = STOPPED


class _Takes:
    """Which deals one takes: those that nobody has come to before."""

    def __init__(self, counter: Counter) -> None:
        self.taken: dict[int, bool] = {}
        self._counter = counter

    def __call__(self, deal: int) -> bool:
        if deal not in self.taken:
            with self._counter.get_lock():
                if self._counter.value == STOPPED:
                    raise _Stopped
                free = self._counter.value <= deal
                if free:
                    self._counter.value = deal + 1
            self.taken[deal] = free
        return self.taken[deal]


@dataclass(frozen=True)
class Share:
    """What one found without any doubt: T of the last step, the deals of the record, and those that
    it took."""

    top: bytes
    deals: frozenset[int]
    taken: frozenset[int]


def verify_share(file: BinaryIO, counter: Counter) -> tuple[Report, Share] | None:
    """Go through a record and check one's share of it. None if there is any doubt; then the others
    stop too. The report counts if all shares together are the whole record.

    RecordUnreadable, OSError.
    """
    recording, table = open_table(file)
    takes = _Takes(counter)
    judging = Judging(recording, table, takes)
    try:
        judging.run()
    except Exception:
        # A sum failed, somebody had a doubt, or something false that is claimed led to what nothing
        # true leads to.
        doubt = True
    else:
        doubt = judging.fault is not None or judging.problem is not None
    if doubt:
        stop(counter)
        return None
    top = judging.referee.ladders[MATCH_LADDER].top
    own = frozenset(deal for deal, taken in takes.taken.items() if taken)
    return report_of(judging), Share(top, frozenset(takes.taken), own)


def all_checked(shares: Sequence[Share | None]) -> bool:
    """Whether these shares together are the whole record."""
    there = [share for share in shares if share is not None]
    if len(there) < len(shares) or len({(share.top, share.deals) for share in there}) != 1:
        return False
    taken = sorted(deal for share in there for deal in share.taken)
    return taken == sorted(there[0].deals)
