"""The record: one file from which anybody can check a match. protocol.md gives its bytes.

A head (magic, length and hash of the body, hash of the head), then frames: the table description,
every message of the completed steps in their one order, and, where a fault ended the match, the
evidence. The messages of a deal's ladder stand before the match step that names its deck. Once the
match is decided the messages of the unfinished closing step are there too.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from p2p.session.phases import Waits
from p2p.session.referee import Referee
from p2p.wire.envelope import HASH_BYTES, MATCH_LADDER, VERSION, Message

MAGIC = f"allfives record {VERSION}\n".encode()
# What version 1 of this program began its records with.
FIRST_MAGIC = b"allfives record 1\n"
LENGTH_BYTES = 8
FRAME_BYTES = 4
HEAD_BYTES = len(MAGIC) + LENGTH_BYTES + 2 * HASH_BYTES

MESSAGE_MARK = b"m"
EVIDENCE_MARK = b"e"
# Far beyond any match: a match of 4 seats and 100 hands has about 10 MB.
MAX_RECORD_BYTES = 256 * 1024 * 1024
MAX_EVIDENCE = 2


class RecordUnreadable(ValueError):
    """Bytes that are no record of this version; the text is one sentence."""


@dataclass(frozen=True)
class Recording:
    """A record's parts. `cut`: it ends before its head says; `altered`: its hash does not fit."""

    description: bytes
    messages: tuple[bytes, ...]
    evidence: tuple[bytes, ...]
    cut: bool
    altered: bool


def encode(referee: Referee, evidence: Sequence[Message] = ()) -> bytes:
    """The record of a match as this referee knows it."""
    frames = [referee.table.description]
    frames += [MESSAGE_MARK + message.data for message in ordered(referee, evidence)]
    frames += [EVIDENCE_MARK + message.data for message in evidence]
    return pack(frames)


def pack(frames: Sequence[bytes]) -> bytes:
    """Head and body of these frames."""
    body = b"".join(len(frame).to_bytes(FRAME_BYTES, "big") + frame for frame in frames)
    head = MAGIC + len(body).to_bytes(LENGTH_BYTES, "big") + hashlib.sha256(body).digest()
    return head + hashlib.sha256(head).digest() + body


def ordered(referee: Referee, evidence: Sequence[Message] = (), cut: bool = False) -> list[Message]:
    """The messages of a record in their one order.

    `cut`: the order of a record that was cut, where the open step may be there in part.
    """
    match = referee.ladders[MATCH_LADDER]
    messages: list[Message] = []
    dealt = iter(referee.state.dealt)
    for step in match.steps:
        if any(message.kind == "deal" for message in step.values()):
            messages += referee.ladders[next(dealt)].messages()
        messages += step.values()
    if cut or (evidence and _needs_deal(referee, evidence)):
        messages += _next_deal(referee, referee.state.next, cut)
    if cut or referee.state.is_decided():
        messages += [message for _, message in sorted(match.open.items())]
    return messages


def _needs_deal(referee: Referee, evidence: Sequence[Message]) -> bool:
    """Whether the evidence can only be judged with the deal that no step has named yet."""
    ladder = evidence[0].ladder
    return ladder > referee.state.deal or referee.row(MATCH_LADDER).waits is Waits.DECK


def _next_deal(referee: Referee, number: int, cut: bool) -> list[Message]:
    if number not in referee.ladders:
        return []
    ladder = referee.ladders[number]
    partial = [message for _, message in sorted(ladder.open.items())] if cut else []
    return ladder.messages() + partial


def decode(data: bytes) -> Recording:
    """The parts of a record; nothing in them is judged. Raises RecordUnreadable."""
    if len(data) > MAX_RECORD_BYTES:
        raise RecordUnreadable("The file is too long for a record.")
    head, body = data[:HEAD_BYTES], data[HEAD_BYTES:]
    if data.startswith(FIRST_MAGIC):
        raise RecordUnreadable("The record was made by allfives 1; that program reads it.")
    if len(head) < HEAD_BYTES or not head.startswith(MAGIC):
        raise RecordUnreadable(f"The file is not a record of an allfives match, version {VERSION}.")
    if hashlib.sha256(head[:-HASH_BYTES]).digest() != head[-HASH_BYTES:]:
        raise RecordUnreadable("The head of the record is damaged.")
    length = int.from_bytes(head[len(MAGIC) : len(MAGIC) + LENGTH_BYTES], "big")
    digest = head[len(MAGIC) + LENGTH_BYTES : -HASH_BYTES]
    cut = len(body) < length
    altered = not cut and (len(body) > length or hashlib.sha256(body).digest() != digest)
    frames, rest = _frames(body)
    if not frames:
        raise RecordUnreadable("The record ends before the table is described.")
    if rest and not cut:
        altered = True
    return _recording(frames, cut, altered)


def _frames(body: bytes) -> tuple[list[bytes], bytes]:
    """The whole frames of a body, and what is left over."""
    frames: list[bytes] = []
    place = 0
    while place + FRAME_BYTES <= len(body):
        end = place + FRAME_BYTES + int.from_bytes(body[place : place + FRAME_BYTES], "big")
        if end > len(body):
            break
        frames.append(body[place + FRAME_BYTES : end])
        place = end
    return frames, body[place:]


def _recording(frames: list[bytes], cut: bool, altered: bool) -> Recording:
    messages: list[bytes] = []
    evidence: list[bytes] = []
    for frame in frames[1:]:
        mark, data = frame[:1], frame[1:]
        if mark == EVIDENCE_MARK and len(evidence) < MAX_EVIDENCE:
            evidence.append(data)
        elif mark == MESSAGE_MARK and not evidence:
            messages.append(data)
        else:
            raise RecordUnreadable("The record has something in it that no record has.")
    return Recording(frames[0], tuple(messages), tuple(evidence), cut, altered)
