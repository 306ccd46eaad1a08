"""Several check one record: one goes through it as it is claimed, and what is to be checked of some
deals at a time goes to whoever has the least to do, that one too.

A record counts as checked when it was gone through without any doubt and all that was left held.
Else this says nothing, and the record is checked again by one alone, who names the message and the
seat.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import BinaryIO

from p2p.crypto.identity import verify
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.deck.joint import JointChecks, OpenedKeys
from p2p.deck.noted import Noted, holds_as_noted, keys_in
from p2p.session.judging import Judging, Unchecked
from p2p.session.verify import Report, open_table, report_of
from p2p.wire.envelope import SIGNED_LABEL

# Deals that are checked at once share the multiplications of the bases; of more there is less to
# choose from at the end.
MOST_DEALS = 8
# What each has before it, so that nobody waits for the next.
_AHEAD = 2


class _Doubt(Exception):
    """Something does not hold."""


@dataclass(frozen=True)
class Batch:
    """What is left to be checked of some deals of the record with this digest. `signed`: key,
    payload and signature each."""

    digest: bytes
    signed: Sequence[tuple[bytes, bytes, bytes]]
    noted: Sequence[Noted]

    @staticmethod
    def of(digest: bytes, deals: Iterable[Unchecked]) -> Batch:
        """The batch of these deals."""
        deals = list(deals)
        signed = [
            (key, said.payload, said.signature) for deal in deals for key, said in deal.signed
        ]
        return Batch(digest, signed, [one for deal in deals for one in deal.checks.noted])


def holds(batch: Batch) -> bool:
    """Whether all of it is true."""
    if not all(verify(key, SIGNED_LABEL, *said) for key, *said in batch.signed):
        return False
    joint = JointSum(batch.digest, os.urandom(FRESH_BYTES))
    checks = JointChecks(joint, OpenedKeys(keys_in(batch.noted)))
    try:
        true = holds_as_noted(batch.noted, checks)
        checks.settle()
    except Exception:
        # A check refused something, or something false led to what nothing true leads to.
        return False
    return true


class _Sharing:
    """Gives batches to a pool of `others`, and makes those that these have no time for."""

    def __init__(self, pool: Executor, others: int, digest: bytes, messages: int) -> None:
        self._pool, self._others, self._digest = pool, others, digest
        self._messages = messages
        self._deals = self._seen = 0
        self._next: list[Unchecked] = []
        self._given: list[Future[bool]] = []

    def take(self, deal: Unchecked) -> None:
        """What is left of a deal. Raises _Doubt."""
        self._next.append(deal)
        self._deals += 1
        self._seen += len(deal.signed)
        if len(self._next) >= self._enough():
            self._check()

    def _enough(self) -> int:
        """Few deals at first, so that nobody waits, and in the end, so that all end at once."""
        before = self._deals - len(self._next)
        left = (self._messages - self._seen) * self._deals // max(self._seen, 1)
        return max(1, min(MOST_DEALS, before, left // (2 * (1 + self._others))))

    def _check(self) -> None:
        batch, self._next = Batch.of(self._digest, self._next), []
        self._believe([one for one in self._given if one.done()])
        if len(self._given) < _AHEAD * self._others:
            self._given.append(self._pool.submit(holds, batch))
        elif not holds(batch):
            raise _Doubt

    def _believe(self, given: Sequence[Future[bool]]) -> None:
        for one in given:
            if not one.result():
                raise _Doubt
            self._given.remove(one)

    def finish(self) -> None:
        """All is there. Raises _Doubt."""
        if self._next:
            self._check()
        self._believe(list(self._given))


def verify_shared(file: BinaryIO, pool: Executor, others: int) -> Report | None:
    """Check a record with a pool of so many others. None if there is any doubt.

    RecordUnreadable, OSError.
    """
    recording, table = open_table(file)
    messages = recording.count + len(recording.evidence)
    sharing = _Sharing(pool, others, recording.digest, messages)
    judging = Judging(recording, table, leave=sharing.take)
    try:
        judging.run()
        sharing.finish()
    except Exception:
        # Or something false that is claimed led to what nothing true leads to.
        return None
    return report_of(judging) if judging.fault is None and judging.problem is None else None
