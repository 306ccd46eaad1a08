"""Checking a match from its record alone: the player's own referee on the record's bytes."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.deal import deal_slots
from engine.events import Drawn
from engine.tiles import Tile
from p2p.crypto.errors import Misuse
from p2p.crypto.group import SCALAR_BYTES
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.deck.joint import HANDS_A_SUM, JointChecks, OpenedKeys
from p2p.deck.joint import Unsettled as SumFailed
from p2p.deck.keys import FINAL_BYTES
from p2p.session import record
from p2p.session.parts import Part, Piece, parts_of, retired_by
from p2p.session.record import Frame, Recording, RecordUnreadable
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion, Unsettled
from p2p.session.state.events import HandBegan, InHand, SeatOut, SessionEvent
from p2p.session.state.state import Phase
from p2p.session.state.table import Table, TableError
from p2p.wire.codec import DecodeError, encode
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, open_envelope
from p2p.wire.talk import Leave, open_word

# What stands before the secrets in a message that opens a key.
_OPENING = encode("open") + encode([bytes(FINAL_BYTES)])[:-FINAL_BYTES]
PROOFS = ("shuffle", "share", "unplayable", "key")


@dataclass(frozen=True)
class FoundFault:
    """A seat's provable fault: in which hand (0 before the first), by which message (from 1)."""

    seat: int
    name: str
    hand: int
    message: int
    what: str


@dataclass(frozen=True)
class Report:
    """What a record shows. `problem` is one clause if it is faulty and no seat can be named.

    `ok`: closed, and nobody broke a rule without being put out for it. `unsigned` are the seats
    that did not sign the result; `absent` those that were put out by votes, in that order.
    `opened`: the keys of the hand that decided the match are open.
    """

    ok: bool
    decided: bool
    closed: bool
    unsigned: tuple[int, ...]
    table: bytes
    rules: Mapping[str, str]
    names: tuple[str, ...]
    hands: int
    messages: int
    proofs: Mapping[str, int]
    fault: FoundFault | None
    problem: str | None
    absent: tuple[SeatOut, ...]
    winners: tuple[int, ...]
    opened: bool
    scores: tuple[int, ...]


class _Refused(Exception):
    """A record that is faulty, where nobody can be named; one clause."""


def verify_record(data: bytes) -> Report:
    """Check every byte of a record. RecordUnreadable if it is none; never any other error."""
    return _report(_judged(data))


def replay_record(data: bytes) -> list[SessionEvent]:
    """All events of a record with every opened tile in them. RecordUnreadable if it is none.

    A faulty record gives the events up to its fault: verify_record says what is wrong.
    """
    referee = _judged(data).referee
    return [_with_tiles(referee, event) for event in referee.take_events()]


@dataclass(frozen=True)
class _Judged:
    """A record and what became of it, the referee as it stood then."""

    recording: Recording
    referee: Referee
    fault: FoundFault | None
    problem: str | None


def _judged(data: bytes) -> _Judged:
    """The proofs of some hands are checked in one sum; if it fails, those not settled singly."""
    recording = record.decode(data)
    table = _table(recording)
    joint = JointSum(hashlib.sha256(data).digest(), os.urandom(FRESH_BYTES))
    checks = JointChecks(joint, _opened_keys(recording))
    try:
        return _judge(recording, table, checks)
    except SumFailed:
        singly = JointChecks(None, _opened_keys(recording), trusted=checks.settled)
        return _judge(recording, table, singly)


def _judge(recording: Recording, table: Table, checks: JointChecks) -> _Judged:
    """Raises SumFailed if it says nothing, because a proof that it left to a sum is false."""
    referee = Referee(table, checks)
    fault: FoundFault | None = None
    problem: str | None = None
    try:
        fault = _replay(referee, recording, checks)
    except _Refused as refused:
        problem = str(refused)
    except SumFailed:
        raise
    except Exception:
        # A false proof that was left to the sum may lead to what no true ones lead to.
        checks.settle()
        raise
    checks.settle()
    return _Judged(recording, referee, fault, problem)


def _opened_keys(recording: Recording) -> OpenedKeys:
    return OpenedKeys(filter(None, map(_opened_key, recording.messages)))


def _opened_key(data: bytes) -> bytes:
    """Where a message ends as one that opens a key does: the secret key, or what may be one."""
    start = len(data) - FINAL_BYTES
    fits = data.endswith(_OPENING, 0, max(start, 0))
    return data[start : start + SCALAR_BYTES] if fits else b""


def _table(recording: Recording) -> Table:
    try:
        return Table.decode(recording.description)
    except TableError as error:
        raise RecordUnreadable(f"The record describes no table: {error}.") from None


def _replay(referee: Referee, recording: Recording, checks: JointChecks) -> FoundFault | None:
    """Feed a record to a referee; the fault it proves, if any. Raises _Refused."""
    if recording.altered:
        raise _Refused("the file was changed or damaged after it was written")
    for part in parts_of(_read(referee, frame, at) for at, frame in enumerate(recording.frames, 1)):
        if referee.finished:
            # What all have signed is final: nothing behind it is judged.
            raise _Refused(f"message {part.last} stands behind the end of the match")
        try:
            _take(referee, part, recording.cut)
        except Fault as fault:
            return _found(referee, fault, part.last)
        checks.settle(HANDS_A_SUM)
    first = len(recording.frames) + 1
    evidence = [_signed(referee, data, at) for at, data in enumerate(recording.evidence, first)]
    _check_order(referee, recording, evidence)
    if evidence and referee.finished:
        raise _Refused("its evidence stands behind the end of the match")
    return _judge_evidence(referee, evidence, first) if evidence else None


def _read(referee: Referee, frame: Frame, number: int) -> Piece:
    if frame.mark != record.LEAVE_MARK:
        proves = frame.mark == record.EVIDENCE_MARK
        return Piece(number, _signed(referee, frame.data, number), proves)
    keys = tuple(person.key for person in referee.table.people)
    try:
        word = open_word(frame.data, referee.table.id, keys)
    except DecodeError as error:
        raise _Refused(f"message {number}: {error}") from None
    if not isinstance(word.said, Leave):
        raise _Refused(f"message {number}: a word that is no leave")
    return Piece(number, word, True)


def _take(referee: Referee, part: Part, cut: bool) -> None:
    """The messages of a step, or votes that closed it. Raises Fault and _Refused."""
    try:
        votes = retired_by(referee, part) if part.votes else None
    except DecodeError as error:
        raise _Refused(f"message {part.last}: {error}") from None
    if votes is not None:
        try:
            referee.retire(votes)
        except Unsettled as error:
            raise _Refused(f"message {part.last}: {error}") from None
    elif part.votes and not cut:
        raise _Refused(f"the votes up to message {part.last} put nobody out")
    else:
        for number, message in part.messages:
            if _receive(referee, message, number) is not Verdict.ACCEPTED:
                raise _Refused(f"message {number} does not follow from what stands before it")


def _receive(referee: Referee, message: Message, number: int) -> Verdict:
    try:
        return referee.receive(message)
    except Misuse as error:
        # Only all seats together can bring this about, say with keys that cancel out.
        raise _Refused(f"message {number}: {error}") from None


def _signed(referee: Referee, data: bytes, number: int) -> Message:
    try:
        message = open_envelope(data)
        referee.check_signed(message)
    except (DecodeError, Suspicion) as error:
        raise _Refused(f"message {number}: {error}") from None
    return message


def _check_order(referee: Referee, recording: Recording, evidence: list[Message]) -> None:
    """A record has one order; one that was cut is the beginning of it."""
    expected = record.frames_of(referee, evidence, recording.cut)
    found = list(recording.frames)
    if recording.cut:
        # Of votes that were cut off nothing follows.
        found = found[: len(expected)] if _is_cut_vote(found[len(expected) :]) else found
    if found != expected:
        raise _Refused("its messages are not in the order of a record")
    if recording.cut and referee.phase is Phase.CLOSED:
        raise _Refused("its head names more than a whole match")


def _is_cut_vote(rest: list[Frame]) -> bool:
    """Whether these are proofs and votes of a step that they do not close."""
    marks = {record.LEAVE_MARK, record.EVIDENCE_MARK}
    return all(frame.mark in marks or open_envelope(frame.data).kind == VOTE for frame in rest)


def _judge_evidence(referee: Referee, messages: list[Message], first: int) -> FoundFault:
    last = first + len(messages) - 1
    if len(messages) == record.MAX_EVIDENCE:
        one, other = messages
        playing = one.seat in referee.state.seats
        if not playing or one.place != other.place or one.id >= other.id:
            raise _Refused("its evidence proves nothing")
        return _found(referee, two_messages(one, other), last)
    try:
        _receive(referee, messages[0], last)
    except Fault as fault:
        return _found(referee, fault, last)
    raise _Refused("its evidence proves nothing")


def _found(referee: Referee, fault: Fault, number: int) -> FoundFault:
    name = referee.table.players[fault.seat].name
    hand = referee.state.match.hand_number
    referee.find(fault)
    return FoundFault(fault.seat, name, hand, number, fault.what)


def _report(judged: _Judged) -> Report:
    recording, referee = judged.recording, judged.referee
    fault, problem, state = judged.fault, judged.problem, referee.state
    proper = fault is None and problem is None
    decided = proper and state.is_decided()
    closed = decided and referee.phase is Phase.CLOSED
    signed = referee.ladders[MATCH_LADDER].open if referee.phase is Phase.RESULT else {}
    unsigned = () if closed else tuple(seat for seat in state.seats if seat not in signed)
    return Report(
        ok=closed,
        decided=decided,
        closed=closed,
        unsigned=unsigned if decided else (),
        table=referee.table.id,
        rules=referee.table.rules.spell(),
        names=tuple(player.name for player in referee.table.players),
        hands=state.match.hand_number,
        messages=len(recording.frames) + len(recording.evidence),
        proofs={name: state.proofs[name] for name in PROOFS},
        fault=fault,
        problem=problem,
        absent=tuple(state.outs),
        opened=referee.phase is not Phase.OPEN,
        winners=_winners(referee, fault) if problem is None else (),
        scores=tuple(state.match.scores),
    )


def _winners(referee: Referee, fault: FoundFault | None) -> tuple[int, ...]:
    """Who has won by what is proven: nobody yet while votes or a fault may still undo it."""
    result = referee.state.match.result
    ended = referee.state.is_decided() or (result is not None and result.reason == "fault")
    if result is None or not ended or (fault is not None and fault.seat in result.winners):
        return ()
    return result.winners


def _with_tiles(referee: Referee, event: SessionEvent) -> SessionEvent:
    """The event with what the opened keys show."""
    if not isinstance(event, HandBegan | InHand):
        return event
    deal = referee.state.deals[referee.state.hands[event.hand]]
    tiles = deal.tiles
    if not tiles:
        return event
    if isinstance(event, InHand):
        drawn = event.event
        return replace(event, tile=tiles[drawn.slot]) if isinstance(drawn, Drawn) else event
    slots = deal_slots(referee.table.rules, deal.ctx.seats)
    dealt = (slots.get(seat, range(0)) for seat in referee.table.seats)
    hands = tuple(_sorted(tiles[own.start : own.stop]) for own in dealt)
    return replace(event, hands=hands, boneyard=tiles[sum(map(len, hands)) :])


def _sorted(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, reverse=True))
