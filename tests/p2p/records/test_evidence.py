"""What proves a fault stands by itself: the table, the signed messages, and what they need."""

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from support.session import retire_vectors
from support.session.matches import classic
from support.session.resigning import packed, reseal

from p2p.records.evidence import evidence_of
from p2p.session.record import EVIDENCE_MARK, open_record
from p2p.session.referee import TWO_MESSAGES
from p2p.session.verify import verify_record
from p2p.wire.envelope import Message, open_envelope

KEPT = classic(2)


def cut_out(data: bytes) -> tuple[bytes, list[tuple[bytes, Message]]]:
    """The evidence of a record, which names the seat that the record names; and its frames."""
    report = verify_record(data)
    found = evidence_of(open_record(io.BytesIO(data)), report)
    assert found is not None
    assert verify_record(found.record).fault == found.fault
    if report.fault is not None:
        assert (found.fault.seat, found.fault.what) == (report.fault.seat, report.fault.what)
    recording = open_record(io.BytesIO(found.record))
    assert recording.description == KEPT.table.description
    frames = [(one.mark, open_envelope(one.data)) for one in recording.frames]
    return found.record, frames + [
        (EVIDENCE_MARK, open_envelope(one)) for one in recording.evidence
    ]


def play(number: int = 0) -> Message:
    return [one for one in KEPT.messages if one.kind == "play"][number]


def another(one: Message) -> Message:
    """A second message for its place."""
    return reseal(KEPT.keys[one.seat], one, one.previous, [])


@pytest.mark.parametrize("within", [False, True])
def test_two_messages_for_one_place_need_nothing_else(within: bool) -> None:
    one, other = sorted((play(), another(play())), key=lambda each: each.id)
    before = KEPT.messages[: KEPT.messages.index(play()) + 1]
    if within:
        data = packed(KEPT, [*before, another(play())])
    else:
        data = packed(KEPT, before, [one.data, other.data])
    report = verify_record(data)
    assert report.fault is not None
    assert report.fault.what == TWO_MESSAGES
    record, frames = cut_out(data)
    assert frames == [(EVIDENCE_MARK, one), (EVIDENCE_MARK, other)]
    assert len(record) < len(data) // 4


@pytest.mark.parametrize("within", [False, True])
def test_one_message_needs_all_that_it_was_said_after(within: bool) -> None:
    at = KEPT.messages.index(play())
    before, wrong = KEPT.messages[:at], another(play())
    data = packed(KEPT, [*before, wrong]) if within else packed(KEPT, before, [wrong.data])
    record, frames = cut_out(data)
    assert [message for _, message in frames] == [*before, wrong]
    assert record == data


def test_what_stands_behind_the_fault_is_left_out() -> None:
    at = KEPT.messages.index(play())
    data = packed(KEPT, [*KEPT.messages[:at], another(play()), *KEPT.messages[at + 1 :]])
    record, frames = cut_out(data)
    assert len(frames) == at + 1
    assert len(record) < len(data)


def test_a_seat_that_was_put_out_for_a_fault_in_a_match_that_went_on() -> None:
    data = retire_vectors.fault()
    report = verify_record(data)
    assert report.fault is None
    (out,) = report.absent
    found = evidence_of(open_record(io.BytesIO(data)), report)
    assert found is not None
    assert (found.fault.seat, found.fault.what) == (out.seat, TWO_MESSAGES)
    recording = open_record(io.BytesIO(found.record))
    assert recording.count == 0
    assert len(recording.evidence) == 2


@pytest.mark.parametrize("make", [lambda: KEPT.record, retire_vectors.left, retire_vectors.absent])
def test_nobody_is_at_fault(make: Callable[[], bytes]) -> None:
    data = make()
    assert evidence_of(open_record(io.BytesIO(data)), verify_record(data)) is None


def test_what_does_not_prove_it_is_not_given() -> None:
    data = packed(KEPT, [*KEPT.messages[: KEPT.messages.index(play())], another(play())])
    report = verify_record(data)
    assert report.fault is not None
    of_other = replace(report, fault=replace(report.fault, seat=1 - report.fault.seat))
    assert evidence_of(open_record(io.BytesIO(data)), of_other) is None
