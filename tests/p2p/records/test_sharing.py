"""Several check one record: each deal once, any doubt is all alone's, the verdict is the same."""

import io
import threading
from contextlib import AbstractContextManager

import pytest
from support.session.matches import passing
from support.session.resigning import packed, reseal

from p2p.records.sharing import STOPPED, Share, all_checked, stop, verify_share
from p2p.session.judging import Judging
from p2p.session.verify import Report, verify_record


class Number:
    """What processes share, in one."""

    def __init__(self, value: int = 0) -> None:
        self.value = value
        self._lock = threading.Lock()

    def get_lock(self) -> AbstractContextManager[object]:
        return self._lock


def in_turn(data: bytes, times: int) -> list[tuple[Report, Share] | None]:
    """Several, one after the other: the first comes to every deal before them."""
    counter = Number()
    return [verify_share(io.BytesIO(data), counter) for _ in range(times)]


def test_who_comes_first_takes_a_deal() -> None:
    data = passing().record
    first, second = in_turn(data, 2)
    assert first is not None
    assert second is not None
    assert first[1].taken == first[1].deals == second[1].deals
    assert not second[1].taken
    assert first[0] == second[0] == verify_record(data)
    assert all_checked([first[1], second[1]])


def test_who_comes_late_takes_what_is_left() -> None:
    data = passing().record
    counter = Number(2)
    late = verify_share(io.BytesIO(data), counter)
    assert late is not None
    assert late[1].taken == late[1].deals - {0, 1}
    assert counter.value == max(late[1].deals) + 1
    assert not all_checked([late[1]])


def test_a_doubt_stops_the_others() -> None:
    kept = passing()
    said = next(one for one in kept.messages if one.kind == "deal")
    lie = reseal(kept.keys[said.seat], said, said.previous, [said.body[0], bytes(96)])
    data = packed(kept, [*kept.messages[: kept.messages.index(said)], lie])
    counter = Number()
    assert verify_share(io.BytesIO(data), counter) is None
    assert counter.value == STOPPED
    assert verify_share(io.BytesIO(passing().record), counter) is None


def test_who_is_stopped_has_checked_nothing() -> None:
    counter = Number()
    stop(counter)
    assert verify_share(io.BytesIO(passing().record), counter) is None


ALL = frozenset({0, 1, 2})


@pytest.mark.parametrize(
    ("shares", "whole"),
    [
        ([Share(b"T", ALL, frozenset({0, 2})), Share(b"T", ALL, frozenset({1}))], True),
        ([Share(b"T", ALL, frozenset({0, 2})), Share(b"T", ALL, frozenset())], False),
        ([Share(b"T", ALL, ALL), Share(b"T", ALL, frozenset({1}))], False),
        ([Share(b"T", ALL, ALL), Share(b"U", ALL, frozenset())], False),
        ([Share(b"T", ALL, ALL), Share(b"T", frozenset({0}), frozenset())], False),
        ([Share(b"T", ALL, ALL), None], False),
    ],
)
def test_shares_that_are_the_whole(shares: list[Share | None], whole: bool) -> None:
    assert all_checked(shares) is whole


def test_what_leads_to_a_mistake_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is claimed may lead to what is no verdict at all."""

    def broken(_: Judging) -> None:
        raise KeyError("nothing true leads here")

    monkeypatch.setattr(Judging, "run", broken)
    assert in_turn(passing().record, 1) == [None]
