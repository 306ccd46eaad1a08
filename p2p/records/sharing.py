"""Several check one record: one goes through it as it is claimed, and what is to be checked of a
deal goes to whoever has the least to do, that one too.

The equations of a deal's proofs come back as one sum, in which only the bases are not multiplied
that all deals have: all these sums together must be zero.

A record counts as checked when it was gone through without any doubt and all that was left held.
Else this says nothing, and the record is checked again by one alone, who names the message and the
seat.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import BinaryIO

from p2p.crypto.group import Sum
from p2p.crypto.identity import verify
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.deck.joint import JointChecks, OpenedKeys
from p2p.deck.noted import Noted, holds_as_noted, keys_in
from p2p.session.judging import Judging, Unchecked
from p2p.session.verify import Report, open_table, report_of
from p2p.wire.envelope import SIGNED_LABEL

# What each has before it, so that nobody waits for the next.
_AHEAD = 2


class _Doubt(Exception):
    """Something does not hold."""


@dataclass(frozen=True)
class Batch:
    """What is left to be checked of a deal of the record with this digest. `signed`: key, payload
    and signature each."""

    digest: bytes
    signed: Sequence[tuple[bytes, bytes, bytes]]
    noted: Sequence[Noted]

    @staticmethod
    def of(digest: bytes, deal: Unchecked) -> Batch:
        """The batch of this deal."""
        signed = [(key, said.payload, said.signature) for key, said in deal.signed]
        return Batch(digest, signed, deal.checks.noted)


def checked(batch: Batch) -> Sum | None:
    """What must be zero together with those of all other batches, each with weights of its own, for
    all of it to be true; None if it is not."""
    if not all(verify(key, SIGNED_LABEL, *said) for key, *said in batch.signed):
        return None
    joint = JointSum(batch.digest, os.urandom(FRESH_BYTES))
    checks = JointChecks(joint, OpenedKeys(keys_in(batch.noted)))
    try:
        true = holds_as_noted(batch.noted, checks)
        checks.fold()
    except Exception:
        # A check refused something, or something false led to what nothing true leads to.
        return None
    return joint.relation if true else None


class _Sharing:
    """Gives batches to a pool of `others`, and makes those that these have no time for."""

    def __init__(self, pool: Executor, others: int, digest: bytes) -> None:
        self._pool, self._others, self._digest = pool, others, digest
        self._given: list[Future[Sum | None]] = []
        self._total = Sum()

    def take(self, deal: Unchecked) -> None:
        """What is left of a deal. Raises _Doubt."""
        batch = Batch.of(self._digest, deal)
        self._believe([one for one in self._given if one.done()])
        if len(self._given) < _AHEAD * self._others:
            self._given.append(self._pool.submit(checked, batch))
        else:
            self._include(checked(batch))

    def _believe(self, given: Sequence[Future[Sum | None]]) -> None:
        for one in given:
            self._include(one.result())
            self._given.remove(one)

    def _include(self, found: Sum | None) -> None:
        if found is None:
            raise _Doubt
        self._total.include(found)

    def finish(self) -> None:
        """All is there. Raises _Doubt."""
        self._believe(list(self._given))
        if not self._total.is_zero():
            raise _Doubt


def verify_shared(file: BinaryIO, pool: Executor, others: int) -> Report | None:
    """Check a record with a pool of so many others. None if there is any doubt.

    RecordUnreadable, OSError.
    """
    recording, table = open_table(file)
    sharing = _Sharing(pool, others, recording.digest)
    judging = Judging(recording, table, leave=sharing.take)
    try:
        judging.run()
        sharing.finish()
    except Exception:
        # Or something false that is claimed led to what nothing true leads to.
        return None
    return report_of(judging) if judging.fault is None and judging.problem is None else None
