"""A record is gone through without keeping it, and by several at once: the verdict is the same."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from unittest import mock

import pytest
from support.places import ROOT
from support.session.matches import Kept, classic, passing
from support.session.resigning import packed, reseal

from p2p.crypto import group
from p2p.session.judging import Judging, Unchecked
from p2p.session.record import EVIDENCE_MARK, decode
from p2p.session.referee import OUT_OF_TURN, TWO_MESSAGES, Referee
from p2p.session.verify import open_table, verify_record
from p2p.wire.envelope import MATCH_LADDER, Message


def judged(data: bytes, leave: Callable[[Unchecked], None] | None = None) -> Judging:
    """A record, gone through once."""
    judging = Judging(*open_table(io.BytesIO(data)), leave=leave)
    judging.run()
    return judging


@cache
def long() -> Kept:
    """A match of several hands."""
    kept = passing()
    assert sum(message.kind == "deal" for message in kept.messages) > 2
    return kept


def test_what_is_past_is_let_go_of() -> None:
    kept = long()
    referee = judged(kept.record).referee
    steps = referee.ladders[MATCH_LADDER].steps
    there = [message for step in steps for message in step.values()]
    last = max(at for at, one in enumerate(kept.messages) if one.kind == "deal")
    assert [one.id for one in there] == [one.id for one in kept.messages[last + 1 :]]
    assert set(referee.ladders) <= {MATCH_LADDER, _deal(kept) + 1}
    assert set(referee.state.deals) <= {_deal(kept), _deal(kept) + 1}
    assert len(referee.fitting) <= len(there)
    assert not referee._grounds._kept
    assert len(referee.ladders[MATCH_LADDER].hashes) == 1 + len(there_by_step(referee))
    assert [*referee.deals_at.values()] == referee.state.dealt == [_deal(kept)]
    assert [*referee.state.hands.values()] == [_deal(kept)]
    assert not referee.take_events()


def there_by_step(referee: Referee) -> list[dict[int, Message]]:
    """What was said at each step of the match that is here."""
    return [said for said in referee.ladders[MATCH_LADDER].steps if said]


def _deal(kept: Kept) -> int:
    """The number of the last deal."""
    return kept.game.sessions[0].state.deal


def test_a_record_of_many_hands_takes_no_more_memory_than_one_of_few() -> None:
    command = [sys.executable, "-m", "support.simulate.long_record", "6", "30"]
    said = subprocess.run(command, cwd=ROOT / "tests", check=True, capture_output=True).stdout
    few, many = json.loads(said).values()
    # The messages of 24 hands more would take as much again.
    assert many["most"] < 1.4 * few["most"]
    # Nor is anything kept of a hand: a number in one list is 8 bytes.
    assert 1024 * (many["kept"] - few["kept"]) < 24 * 100


def of_kind(kept: Kept, kind: str) -> Message:
    """The first message of that kind."""
    return next(message for message in kept.messages if message.kind == kind)


def behind(kept: Kept, *evidence: Message) -> bytes:
    """The record, but the result, with this evidence behind it."""
    messages = [one for one in kept.messages if one.kind != "result"]
    return packed(kept, messages, [one.data for one in evidence])


def twice(kept: Kept, kind: str) -> Message:
    """Another message for the place of the first of that kind."""
    first = of_kind(kept, kind)
    return reseal(kept.keys[first.seat], first, first.previous, [])


def spoken_out_of_turn(kept: Kept) -> Message:
    """A message for a step of the first hand at which its seat had nothing to say."""
    first = of_kind(kept, "play")
    other = next(one for one in kept.messages if one.seat != first.seat)
    place = first.place._replace(seat=other.seat)
    moved = mock.Mock(place=place, kind="play", table=first.table)
    return reseal(kept.keys[other.seat], moved, first.previous, [])


def behind_the_deck(kept: Kept) -> Message:
    """A message for the step behind the last of a ladder whose deck was dealt in the first hand."""
    last = [one for one in kept.messages if one.ladder == 1][-1]
    place = last.place._replace(step=last.step + 1)
    moved = mock.Mock(place=place, kind="commit", table=last.table)
    name = of_kind(kept, "deal").body[0]
    assert isinstance(name, bytes)
    return reseal(kept.keys[last.seat], moved, name, [bytes(32)])


LOOKING_BACK: list[tuple[Callable[[Kept], Message], str | None]] = [
    (partial(twice, kind="play"), TWO_MESSAGES),
    (partial(twice, kind="shuffle"), TWO_MESSAGES),
    (partial(twice, kind="deal"), TWO_MESSAGES),
    (spoken_out_of_turn, OUT_OF_TURN),
    (partial(of_kind, kind="play"), None),
    (partial(of_kind, kind="commit"), None),
    (behind_the_deck, OUT_OF_TURN),
]


@pytest.mark.parametrize(("make", "what"), LOOKING_BACK)
def test_what_looks_back_finds_it_in_the_file(
    make: Callable[[Kept], Message], what: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = long()
    message = make(kept)
    found = judged(behind(kept, message))
    assert (found.fault and found.fault.what) == what
    assert (found.problem is None) == (what is not None)
    if what is not None:
        assert found.fault is not None
        assert found.fault.seat == message.seat
    monkeypatch.setattr(Referee, "forget", lambda *_, **__: None)
    kept_all = judged(behind(kept, message))
    assert (kept_all.fault, kept_all.problem) == (found.fault, found.problem)


def test_what_is_left_to_others_costs_no_proof_and_is_given_away_deal_by_deal() -> None:
    """Only what is still in hands at the end is opened."""
    kept, left = long(), list[tuple[int, Unchecked]]()
    with mock.patch.object(group, "_multiply", wraps=group._multiply) as multiplied:
        judging = Judging(
            *open_table(io.BytesIO(kept.record)),
            leave=lambda deal: left.append((judging.referee.state.deal, deal)),
        )
        judging.run()
    assert (judging.fault, judging.problem) == (None, None)
    hands = judging.referee.state.match.hand_number
    assert multiplied.call_count < 14 * hands
    assert judging.referee.state.match.scores == list(verify_record(kept.record).scores)
    # What of a deal there is to check is given away when the next is dealt.
    opened = [(now, one.checks.noted[-1][0]) for now, one in left if one.checks.noted]
    assert opened == [(min(deal + 1, hands), "open_all") for deal in range(1, hands + 1)]
    messages = [message.id for _, one in left for _, message in one.signed]
    assert sorted(messages) == sorted(message.id for message in kept.messages)


def test_a_false_proof_is_noted_and_nothing_is_said_of_it() -> None:
    kept, left = classic(2), list[Unchecked]()
    said = of_kind(kept, "shuffle")
    # The file is whole: what is false in it somebody signed.
    cut = kept.messages[: kept.messages.index(said)]
    body = [said.body[0], bytes(3008)]
    lie = packed(kept, [*cut, reseal(kept.keys[said.seat], said, said.previous, body)])
    assert verify_record(lie).fault is not None
    assert judged(lie, left.append).fault is None
    assert any(one[1][-1] == bytes(3008) for deal in left for one in deal.checks.noted)


def test_a_wrong_signature_is_noted_and_another_table_is_not() -> None:
    kept, left = classic(2), list[Unchecked]()
    first = kept.messages[0]
    forged = mock.Mock(data=first.data.replace(first.signature, bytes(64)))
    data = packed(kept, [forged])
    wrong = "message 1: a message with a wrong signature"
    assert judged(data).problem == wrong
    assert judged(data, left.append).problem != wrong
    ((key, message),) = left[0].signed
    assert key == kept.game.sessions[0].referee.table.people[first.seat].key
    assert not message.signed_by(key)
    other = reseal(
        kept.keys[0],
        mock.Mock(place=first.place, kind=first.kind, table=bytes(32)),
        first.previous,
        first.body,
    )
    assert (
        judged(packed(kept, [other]), left.append).problem
        == "message 1: a message of another table"
    )


def test_the_file_is_read_by_several_at_once_and_again() -> None:
    recording = decode(long().record)
    one, other = recording.read(), recording.read()
    pairs = zip(one, other, strict=True)
    assert all(left == right for left, right in pairs)
    assert tuple(recording.read()) == recording.frames
    assert all(frame.mark != EVIDENCE_MARK for frame in recording.frames)
