"""The bytes of a record: its parts, its one order, and what is no record at all."""

import hashlib

import pytest
from support.session.cheats import play_against
from support.session.matches import Kept, classic, small
from support.session.tables import Game, rules_for

from p2p.session import record
from p2p.session.record import (
    EVIDENCE_MARK,
    FRAME_BYTES,
    HEAD_BYTES,
    LENGTH_BYTES,
    MAGIC,
    MESSAGE_MARK,
    RecordUnreadable,
    decode,
    pack,
)
from p2p.session.verify import replay_record, verify_record

NO_RECORD = "The file is no record of an allfives match."


def headed(body: bytes, length: int | None = None) -> bytes:
    """A record with this body and a proper head."""
    said = len(body) if length is None else length
    head = MAGIC + said.to_bytes(LENGTH_BYTES, "big") + hashlib.sha256(body).digest()
    return head + hashlib.sha256(head).digest() + body


def test_a_record_is_its_parts_packed() -> None:
    kept = classic(3)
    parts = decode(kept.record)
    frames = [parts.description, *(MESSAGE_MARK + data for data in parts.messages)]
    assert pack(frames) == kept.record
    assert (parts.evidence, parts.cut, parts.altered) == ((), False, False)
    assert parts.description == kept.table.description


def test_a_deals_messages_stand_before_the_step_that_names_its_deck() -> None:
    kept = classic(2)
    ladders = [message.ladder for message in kept.messages]
    deals = max(ladders)
    for number in range(1, deals + 1):
        first = ladders.index(number)
        after = first + ladders.count(number)
        assert set(ladders[first:after]) == {number}
        assert kept.messages[after].kind == "deal"
    places = [message.place for message in kept.messages]
    assert len(set(places)) == len(places)


def test_each_message_names_the_steps_before_it() -> None:
    """T from the bytes of the record alone, as a stranger would compute it."""
    for kept in (classic(2), classic(4)):
        tops: dict[int, bytes] = {}
        steps: dict[tuple[int, int], list[bytes]] = {}
        for message in kept.messages:
            steps.setdefault((message.ladder, message.step), []).append(message.id)
        for (ladder, step), ids in sorted(steps.items()):
            top = tops.get(ladder, kept.table.id)
            said = [one for one in kept.messages if (one.ladder, one.step) == (ladder, step)]
            assert {message.previous for message in said} == {top}
            assert [message.seat for message in said] == sorted(message.seat for message in said)
            tops[ladder] = hashlib.sha256(b"allfives step\0" + top + b"".join(ids)).digest()
        assert tops[0] == kept.game.sessions[0].referee.ladder(0).top


def test_an_unfinished_match_has_a_record_too() -> None:
    game = Game.make(rules_for(2), "unfinished").play(moves=5)
    records = {session.record() for session in game.sessions}
    report = verify_record(records.pop())
    assert not records
    assert (report.ok, report.decided, report.fault, report.problem) == (False, False, None, None)
    assert report.hands == 1


@pytest.mark.parametrize("size", [0, 1, len(MAGIC) - 1, len(MAGIC), HEAD_BYTES - 1])
def test_a_file_shorter_than_a_head_is_no_record(size: int) -> None:
    for read in (decode, verify_record, replay_record):
        with pytest.raises(RecordUnreadable) as caught:
            read(small().record[:size])
        assert str(caught.value) == NO_RECORD


def test_another_version_is_no_record() -> None:
    for version, sentence in (
        (1, "The record was written by allfives 0.1; that program checks it."),
        (3, "The file is a record of another version of allfives; this is version 2."),
    ):
        with pytest.raises(RecordUnreadable) as caught:
            decode(b"allfives record %d\n" % version + small().record[len(MAGIC) :])
        assert str(caught.value) == sentence


def test_a_head_that_does_not_fit_its_hash_is_damaged() -> None:
    data = bytearray(small().record)
    data[len(MAGIC)] ^= 1
    with pytest.raises(RecordUnreadable) as caught:
        decode(bytes(data))
    assert str(caught.value) == "The head of the record is damaged."


def test_a_file_that_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MAX_RECORD_BYTES", len(small().record) - 1)
    with pytest.raises(RecordUnreadable) as caught:
        decode(small().record)
    assert str(caught.value) == "The file is too long for a record."


@pytest.mark.parametrize("body", [b"", b"\0\0\0", b"\0\0\0\x05abc", b"\xff" * 8])
def test_a_body_without_a_whole_frame_describes_no_table(body: bytes) -> None:
    with pytest.raises(RecordUnreadable) as caught:
        decode(headed(body))
    assert str(caught.value) == "The record ends before the table is described."


@pytest.mark.parametrize("description", [b"", b"\xc0", b"\x92\x80\x90"])
def test_a_description_of_no_table(description: bytes) -> None:
    with pytest.raises(RecordUnreadable, match=r"^The record describes no table: .*\.$"):
        verify_record(pack([description]))


def _frames(kept: Kept) -> list[bytes]:
    return [kept.table.description, *(MESSAGE_MARK + one.data for one in kept.messages)]


@pytest.mark.parametrize(
    "extra",
    [
        [b""],
        [b"x" + b"abc"],
        [EVIDENCE_MARK + b"a"] * 3,
    ],
)
def test_frames_that_no_record_has(extra: list[bytes]) -> None:
    with pytest.raises(RecordUnreadable) as caught:
        verify_record(pack([*_frames(small()), *extra]))
    assert str(caught.value) == "The record has something in it that no record has."


def test_bytes_after_the_last_frame_are_an_alteration() -> None:
    body = small().record[HEAD_BYTES:]
    for extra in (b"\0", b"\0\0\0\x09abc"):
        report = verify_record(headed(body + extra))
        assert report.problem == "the file was changed or damaged after it was written"
        assert not report.ok
    assert verify_record(small().record + b"\0").problem is not None


def test_a_head_that_names_another_body_is_an_alteration() -> None:
    """Even where every message is whole and signed."""
    body = small().record[HEAD_BYTES:]
    head = MAGIC + len(body).to_bytes(LENGTH_BYTES, "big") + hashlib.sha256(b"other").digest()
    parts = decode(head + hashlib.sha256(head).digest() + body)
    assert (parts.altered, parts.cut) == (True, False)
    report = verify_record(head + hashlib.sha256(head).digest() + body)
    assert (report.ok, report.problem) == (
        False,
        "the file was changed or damaged after it was written",
    )


def test_a_head_that_names_more_than_a_whole_match_is_refused() -> None:
    body = small().record[HEAD_BYTES:]
    report = verify_record(headed(body, len(body) + FRAME_BYTES))
    assert (report.ok, report.problem) == (False, "its head names more than a whole match")


def test_the_record_of_a_fault_ends_with_its_evidence() -> None:
    game = play_against(lambda _, kind, body: ("x", body) if kind == "deal" else None, 4)
    fault = game.sessions[0].fault
    assert fault is not None
    parts = decode(game.sessions[0].record())
    assert parts.evidence == tuple(message.data for message in fault.messages)
    deal = [one.data for one in game.sessions[0].referee.ladders[1].messages()]
    assert list(parts.messages[-len(deal) :]) == deal
