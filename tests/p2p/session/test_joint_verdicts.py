"""Proofs checked in one sum give the verdict that they give one by one, whatever is wrong in them.

The liar here has all others sign on after it, so that a false proof is not stopped by what stands
behind it. By default a sample; with ALLFIVES_FULL=1 in the environment every alteration.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.limits import FULL, seats
from support.session.both_ways import OneByOne, verify_both_ways, verify_one_by_one
from support.session.matches import Kept, all_kinds, claiming, classic, passing, preset, small
from support.session.resigning import packed, rebuild_for_all, reseal
from support.session.tampering import FIELD, NO_POINT, STRANGER

from engine.errors import EngineError
from engine.match import Match
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import Point, Q, encode_scalar
from p2p.crypto.joint import JointSum
from p2p.deck import joint
from p2p.session import judging
from p2p.session.state.events import Faulted
from p2p.session.verify import Report, replay_record, verify_record
from p2p.wire.envelope import Body, Message

PROVING = {"commit", "key", "shuffle", "deal", "call", "rank", "play"}
PROVING |= {"draw", "pass", "share", "open"}


@pytest.mark.parametrize("players", seats(3))
def test_records_in_order(players: int) -> None:
    for kept in (classic(players), claiming(players)):
        report = verify_both_ways(kept.record)
        assert report.closed


@pytest.mark.parametrize("name", ["online", "block", "five-up"])
def test_records_by_other_rules(name: str) -> None:
    assert verify_both_ways(preset(name, 2).record).closed


def values(field: bytes) -> Iterator[bytes]:
    """What stands in place of 32 bytes: other valid points and scalars, and what is none."""
    number = int.from_bytes(field, "little")
    yield from (bytes(FIELD), b"\xff" * FIELD, field[:-1] + bytes([field[-1] ^ 0x80]), NO_POINT)
    yield encode_scalar(number + 1)
    if number < Q:
        yield (number + Q).to_bytes(FIELD, "little")
    try:
        yield (Point.decode(field) + STRANGER).raw
    except (DecodeError, Misuse):
        return


def alterations(message: Message) -> Iterator[Body]:
    """The body with each 32 bytes of each field altered in each way."""
    for place, data in enumerate(message.body):
        if not isinstance(data, bytes):
            continue
        before, after = message.body[:place], message.body[place + 1 :]
        for at in range(0, len(data), FIELD):
            for value in values(data[at : at + FIELD]):
                yield [*before, data[:at] + value + data[at + FIELD :], *after]
        yield [*before, data[:-FIELD], *after]


def lies(kept: Kept) -> list[tuple[int, Body]]:
    """Every altered body in this record, with the number of its message."""
    return [
        (number, body)
        for number, message in enumerate(kept.messages)
        if message.kind in PROVING
        for body in alterations(message)
    ]


def with_lie(kept: Kept, number: int, body: Body) -> bytes:
    """The record in which that message says so, and all signed on."""
    said = kept.messages[number]
    messages = list(kept.messages)
    messages[number] = reseal(kept.keys[said.seat], said, said.previous, body)
    return packed(kept, rebuild_for_all(kept, messages, number))


@pytest.mark.parametrize(
    ("kept", "size"),
    [(small, 20), (lambda: all_kinds()[0], 4), (lambda: all_kinds()[1], 4)],
    ids=["small", "claiming", "passing"],
)
def test_any_lie(kept: Callable[[], Kept], size: int) -> None:
    match = kept()
    every = lies(match)
    some = every if FULL else random.Random("lies").sample(every, size)
    for number, body in some:
        report = verify_both_ways(with_lie(match, number, body))
        assert not report.ok or match.messages[number].kind == "commit"
        if report.fault is not None:
            assert report.fault.seat == match.messages[number].seat
            assert report.fault.message >= number + 1


@pytest.mark.parametrize("field", [0, 1, 54, 55])
@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_a_deck_with_a_number_that_has_no_point(field: int, last: bool) -> None:
    """Of the last deck the sum multiplies the first components alone, of the deck before both."""
    kept = small()
    shuffles = [at for at, message in enumerate(kept.messages) if message.kind == "shuffle"]
    number = shuffles[-1 if last else 0]
    deck, *proof = kept.messages[number].body
    assert isinstance(deck, bytes)
    wrong = deck[: field * FIELD] + NO_POINT + deck[(field + 1) * FIELD :]
    report = verify_both_ways(with_lie(kept, number, [wrong, *proof]))
    assert report.fault is not None
    assert report.fault.message == number + 1
    assert "not validly encoded" in report.fault.what


def last_scalar_off(kept: Kept, kind: str, last: bool = False) -> tuple[int, bytes]:
    """A record whose first or last proof of that kind has a wrong last scalar, and the number of
    its message."""
    found = [
        (number, [at for at, one in enumerate(message.body) if isinstance(one, bytes) and one])
        for number, message in enumerate(kept.messages)
        if message.kind == kind
    ]
    number, places = [one for one in found if one[1]][-1 if last else 0]
    body = list(kept.messages[number].body)
    data = body[places[-1]]
    assert isinstance(data, bytes)
    wrong = encode_scalar(int.from_bytes(data[-FIELD:], "little") + 1)
    body[places[-1]] = data[:-FIELD] + wrong
    return number, with_lie(kept, number, body)


@pytest.mark.parametrize("kind", ["shuffle", "deal", "draw", "play", "share"])
@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
def test_a_false_proof_is_named_though_all_signed_on(kind: str, last: bool) -> None:
    kept = passing()
    number, record = last_scalar_off(kept, kind, last)
    report = verify_both_ways(record)
    assert report.fault is not None
    assert report.fault.message == number + 1
    assert report.fault.seat == kept.messages[number].seat
    assert report.fault.what.endswith("not proven")


def test_a_no_that_is_not_proven_is_named_though_all_signed_on() -> None:
    kept = claiming(3)
    number, record = last_scalar_off(kept, "rank")
    report = verify_both_ways(record)
    assert report.fault is not None
    assert report.fault.message == number + 1
    assert report.fault.seat == kept.messages[number].seat
    assert report.fault.what.startswith("that it was dealt no tile above ")


def test_events_end_where_the_false_proof_stands() -> None:
    kept = passing()
    number, record = last_scalar_off(kept, "draw")
    events = replay_record(record)
    before = replay_record(packed(kept, kept.messages[:number]))
    assert events[: len(before)] == before
    assert isinstance(events[len(before)], Faulted)


def test_what_only_a_false_proof_leads_to_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine knows nothing of sums: a hand that contradicts a proof is a mistake to it."""

    def contradicted(*_: object) -> None:
        raise EngineError("slot 3 was shown not to fit, but holds 6-6")

    kept = passing()
    number, record = last_scalar_off(kept, "draw")
    expected = verify_one_by_one(record)
    monkeypatch.setattr(Match, "finish_hand", contradicted)
    assert verify_record(record) == expected
    assert expected.fault is not None
    assert expected.fault.message == number + 1
    with pytest.raises(EngineError):
        verify_record(kept.record)


@pytest.fixture
def each_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum a hand."""
    monkeypatch.setattr(judging, "HANDS_A_SUM", 1)


@pytest.mark.usefixtures("each_hand")
def test_what_was_settled_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is it left to a second sum; and the liar of a later hand is named as ever."""
    kept = passing()
    number, record = last_scalar_off(kept, "shuffle", last=True)
    runs: list[joint.JointChecks] = []

    def noted(*given: Any, **named: Any) -> joint.JointChecks:
        runs.append(joint.JointChecks(*given, **named))
        return runs[-1]

    monkeypatch.setattr(judging, "JointChecks", noted)
    report = verify_record(record)
    monkeypatch.undo()
    assert report == verify_one_by_one(record)
    first, second = runs
    shuffles = sum(one.kind == "shuffle" for one in kept.messages[:number])
    assert first.settled >= shuffles - 1
    assert second._trusted == first.settled


def test_a_record_without_opened_keys() -> None:
    """Cut before the first keys are opened: nothing is known of any key, and all is checked."""
    kept = passing()
    opened = next(at for at, one in enumerate(kept.messages) if one.kind == "open")
    report = verify_both_ways(packed(kept, kept.messages[:opened]))
    assert (report.problem, report.fault, report.decided) == (None, None, False)
    assert verify_both_ways(kept.record[: len(kept.record) * 2 // 3]).problem is None


def test_the_weights_come_from_the_file_and_from_fresh_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[bytes, bytes]] = []

    def noted(fixed: bytes, fresh: bytes) -> JointSum:
        seen.append((fixed, fresh))
        return JointSum(fixed, fresh)

    monkeypatch.setattr(judging, "JointSum", noted)
    kept = small()
    other = packed(kept, kept.messages[:-1])
    for data in (kept.record, kept.record, other):
        verify_record(data)
    (one, first), (again, second), (another, third) = seen
    assert one == again != another
    assert len({first, second, third}) == 3


def test_one_by_one_is_one_by_one() -> None:
    """The measure of all this leaves nothing to a sum."""
    assert "shuffle" not in vars(OneByOne)
    assert isinstance(verify_one_by_one(small().record), Report)
