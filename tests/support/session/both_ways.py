"""The verdict on a record with its proofs in one sum and with each by itself: it is the same."""

import io
from unittest import mock

from support.session.another import Pool

from p2p.deck.checks import Checks
from p2p.records.sharing import verify_shared
from p2p.session import judging
from p2p.session.verify import Report, verify_record


class OneByOne(Checks):
    """Checks each proof by itself where a verifier leaves it to a sum."""

    settled = 0

    def __init__(self, joint: object, opened: object, trusted: int = 0) -> None:
        """They are of no use."""

    def settle(self, hands: int = 0) -> None:
        """Nothing is left to settle."""


def verify_one_by_one(data: bytes) -> Report:
    """As verify_record, every proof being checked as players do."""
    with mock.patch.object(judging, "JointChecks", OneByOne):
        return verify_record(data)


def verify_both_ways(data: bytes) -> Report:
    """As verify_record; fails unless the verdict is the same, to the last word, one by one, and two
    who share the record find it in order, or not, as one does."""
    report = verify_record(data)
    assert report == verify_one_by_one(data)
    proper = report.fault is None and report.problem is None
    assert verify_shared(io.BytesIO(data), Pool(), 1) == (report if proper else None)
    return report
