"""Lines of people without a seat: once, of those who may, and not more than people write."""

from dataclasses import replace

import pytest
from support.session.tables import make_table, rules_for

from p2p.session.audience.remarks import (
    ALL_AT_ONCE,
    KEYS_MOST,
    LINES_AT_ONCE,
    Remarks,
)
from p2p.session.state.table import Terms
from p2p.wire.chat import Remark
from p2p.wire.codec import DecodeError

TABLE, KEYS = make_table(rules_for(2), "remarks")


def remark(key: int, number: int, name: str = "Dot") -> Remark:
    return Remark(b"", bytes([key]) * 32, name, number, "hello")


def test_each_once_and_none_from_before() -> None:
    remarks = Remarks(TABLE)
    assert remarks.take(remark(1, 5), 0.0)
    assert not remarks.take(remark(1, 5), 0.0)
    assert not remarks.take(remark(1, 4), 0.0)
    assert remarks.take(remark(2, 4), 0.0)
    assert remarks.take(remark(1, 6), 0.0)


def test_so_many_of_one_and_of_all_together_however_many_keys_somebody_makes() -> None:
    remarks = Remarks(TABLE)
    assert sum(remarks.take(remark(1, at), 0.0) for at in range(50)) == LINES_AT_ONCE
    assert remarks.take(remark(1, 50), 1.0)
    fresh = (remarks.take(remark(2 + at, 0), 1.0) for at in range(100))
    assert sum(fresh) == ALL_AT_ONCE - LINES_AT_ONCE - 1 + 4
    assert len(remarks._newest) == len(remarks._paces) == KEYS_MOST


def test_of_nobody_who_cannot_look_on() -> None:
    seat = replace(remark(1, 0), key=KEYS[1].public)
    for remarks, one in [
        (Remarks(TABLE), seat),
        (Remarks(TABLE), remark(1, 0, "Dot\u202e")),
        (Remarks(TABLE), remark(1, 0, "Dot (you)")),
        (Remarks(replace(TABLE, terms=Terms(watch=False))), remark(1, 0)),
    ]:
        with pytest.raises(DecodeError):
            remarks.take(one, 0.0)
