"""What proves a fault, cut out of a record: a record again, and the shortest that shows it.

Two messages for one place prove themselves, beside the table with its keys. One message that is
refused needs all that it was said after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2p.session.judging import FoundFault
from p2p.session.order import EVIDENCE_MARK, MESSAGE_MARK, Frame
from p2p.session.record import Recording, pack
from p2p.session.referee import TWO_MESSAGES
from p2p.session.verify import Report, verify_record
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, open_envelope
from p2p.wire.messages import VoteBody
from p2p.wire.out import Out

FAULT = "fault"


@dataclass(frozen=True)
class Evidence:
    """A record that proves a fault by itself, and the fault as it is found there."""

    record: bytes
    fault: FoundFault


def evidence_of(recording: Recording, report: Report) -> Evidence | None:
    """What proves the fault that ended this record, or else the first for which a seat was put out.
    None if nobody is at fault."""
    found = _ended(recording, report.fault) if report.fault else _put_out(recording)
    for frames in found:
        record = pack([recording.description, *(mark + data for mark, data in frames)])
        fault = verify_record(record).fault
        if fault is not None and (report.fault is None or fault.seat == report.fault.seat):
            return Evidence(record, fault)
    return None


def _proofs(messages: Sequence[bytes]) -> list[Frame]:
    return [Frame(EVIDENCE_MARK, data) for data in messages]


def _ended(recording: Recording, fault: FoundFault) -> Iterator[list[Frame]]:
    """What may prove the fault that ended the match, the shortest first."""
    frames = list(recording.frames[: fault.message])
    proofs = _proofs(recording.evidence) if fault.message > recording.count else []
    if fault.what == TWO_MESSAGES:
        last = (proofs or frames)[-1]
        there = [*(one for one in frames if one.mark == MESSAGE_MARK), *proofs]
        yield _pair([open_envelope(one.data) for one in there], open_envelope(last.data))
    yield frames + proofs


def _pair(messages: Sequence[Message], last: Message) -> list[Frame]:
    """The two messages for the place of the last."""
    there = {one.id: one.data for one in messages if one.place == last.place}
    return _proofs([data for _, data in sorted(there.items())])


def _put_out(recording: Recording) -> Iterator[list[Frame]]:
    """What may prove the faults for which seats were put out, in order: the proofs stand before the
    votes that name them."""
    proofs: dict[bytes, Message] = {}
    before: list[Frame] = []
    for frame in recording.read():
        message = _message(frame)
        if frame.mark == EVIDENCE_MARK and message is not None:
            proofs[message.id] = message
        elif message is not None and message.kind == VOTE:
            for out in _faults(message):
                named = [proofs[one] for one in out.proof if one in proofs]
                yield _alone(named, before, message)
        else:
            before.append(frame)
            proofs = {} if frame.mark == MESSAGE_MARK else proofs


def _alone(named: Sequence[Message], before: Sequence[Frame], vote: Message) -> list[Frame]:
    """The proofs that a vote names, with what they need: one message, all before the step that the
    votes closed."""
    proofs = _proofs([message.data for message in named])
    if len(named) > 1:
        return proofs
    said = [(frame, _message(frame)) for frame in before if frame.mark == MESSAGE_MARK]
    step = (vote.root, MATCH_LADDER, vote.step)
    kept = [
        frame for frame, one in said if one is not None and (one.root, one.ladder, one.step) != step
    ]
    return kept + proofs


def _message(frame: Frame) -> Message | None:
    try:
        return open_envelope(frame.data)
    except DecodeError:
        # A leave; or what is refused where it stands.
        return None


def _faults(vote: Message) -> list[Out]:
    try:
        return [out for out in VoteBody.read(vote.body).out if out.reason == FAULT]
    except DecodeError:
        return []
