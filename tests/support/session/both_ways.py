"""The verdict on a record with its proofs in one sum and with each by itself: it is the same."""

from unittest import mock

from p2p.deck.checks import Checks
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
    """As verify_record; fails unless the verdict is the same, to the last word, one by one."""
    report = verify_record(data)
    assert report == verify_one_by_one(data)
    return report
