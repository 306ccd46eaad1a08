"""The record: one file from which anybody can check a match. protocol.md gives its bytes.

A head (magic, length and hash of the body, hash of the head), then frames: the table description,
the messages in their one order (order.py), and, where a fault ended the match, the evidence.

A record is read a frame at a time and from any place again, so that a long one takes no more memory
than a short one.
"""

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

from p2p.session.order import EVIDENCE_MARK as EVIDENCE_MARK
from p2p.session.order import LEAVE_MARK as LEAVE_MARK
from p2p.session.order import MESSAGE_MARK as MESSAGE_MARK
from p2p.session.order import Frame as Frame
from p2p.session.order import frames_of
from p2p.session.referee import Referee
from p2p.wire.envelope import HASH_BYTES, VERSION, Message
from p2p.wire.framing import PAYLOAD_MOST

MAGIC = f"allfives record {VERSION}\n".encode()
# What the first version wrote: its peers said other things, so its records are for it to judge.
FIRST_MAGIC = b"allfives record 1\n"
LENGTH_BYTES = 8
FRAME_BYTES = 4
HEAD_BYTES = len(MAGIC) + LENGTH_BYTES + 2 * HASH_BYTES

# Far beyond any match: a match of 4 seats and 100 hands has about 10 MB.
MAX_RECORD_BYTES = 256 * 1024 * 1024
MAX_EVIDENCE = 2
# Of a frame no more is read: one byte over what may be said refuses it, as more would.
_READ_MOST = 1 + PAYLOAD_MOST + 1
_BLOCK = 32 * 1024
_ANY_VERSION = b"allfives record "
_NO_RECORD = "The file is no record of an allfives match."
_OTHER_VERSION = f"The file is a record of another version of allfives; this is version {VERSION}."


class RecordUnreadable(ValueError):
    """Bytes that are no record of this version; the text is one sentence."""


def encode(referee: Referee, evidence: Sequence[Message] = ()) -> bytes:
    """The record of a match as this referee knows it."""
    proofs = [Frame(EVIDENCE_MARK, message.data) for message in evidence]
    frames = [*frames_of(referee, evidence), *proofs]
    return pack([referee.table.description, *(mark + data for mark, data in frames)])


def pack(frames: Sequence[bytes]) -> bytes:
    """Head and body of these frames."""
    body = b"".join(len(frame).to_bytes(FRAME_BYTES, "big") + frame for frame in frames)
    head = MAGIC + len(body).to_bytes(LENGTH_BYTES, "big") + hashlib.sha256(body).digest()
    return head + hashlib.sha256(head).digest() + body


@dataclass(frozen=True)
class Recording:
    """A record that can be read, as often as needed; nothing in it is judged.

    `description`: its first frame; `count` frames of the match; `evidence`: what proves the fault
    that ended it. `cut`: it ends before its head says; `altered`: its hash does not fit. `digest`
    is the hash of the whole file.
    """

    file: BinaryIO
    description: bytes
    count: int
    evidence: tuple[bytes, ...]
    cut: bool
    altered: bool
    digest: bytes

    def read(self) -> Iterator[Frame]:
        """The frames of the match from the first on. Several may read at once.

        RecordUnreadable if the file was changed meanwhile.
        """
        found = _raw_frames(_Body(self.file))
        if next(found, None) != self.description:
            raise _changed()
        for _ in range(self.count):
            frame = next(found, None)
            if frame is None:
                raise _changed()
            yield Frame(frame[:1], frame[1:])

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """All of them."""
        return tuple(self.read())

    @property
    def messages(self) -> tuple[bytes, ...]:
        """The messages of the match, votes too."""
        return tuple(frame.data for frame in self.frames if frame.mark == MESSAGE_MARK)


def _changed() -> RecordUnreadable:
    return RecordUnreadable("The file was changed while it was read.")


def decode(data: bytes) -> Recording:
    """The parts of a record; nothing in them is judged. Raises RecordUnreadable."""
    return open_record(io.BytesIO(data))


class _Body:
    """The bytes behind the head, read from front to back; `hashes` are given all of them."""

    def __init__(self, file: BinaryIO, hashes: Sequence["hashlib._Hash"] = ()) -> None:
        self.read = 0
        self._file = file
        self._hashes = hashes
        self._block, self._at = b"", 0

    def take(self, size: int, most: int | None = None) -> bytes:
        """The next `size` bytes, or fewer where it ends; of them no more than `most` are kept."""
        end = self._at + size
        if end <= len(self._block):
            piece = self._block[self._at : end]
            self._at = end
            self.read += size
            return piece[:most]
        return self._take_over(size, most)

    def frame(self) -> bytes | None:
        """The next whole frame as far as it is read; None if there is none."""
        begin = self._at + FRAME_BYTES
        end = begin + int.from_bytes(self._block[self._at : begin], "big")
        if end <= len(self._block):
            self.read += end - self._at
            self._at = end
            return self._block[begin:end][:_READ_MOST]
        length = self.take(FRAME_BYTES)
        size = int.from_bytes(length, "big")
        begun = self.read
        frame = self.take(size, _READ_MOST)
        return None if len(length) < FRAME_BYTES or self.read - begun < size else frame

    def _take_over(self, size: int, most: int | None) -> bytes:
        """The same over the end of what was read from the file."""
        kept, left = b"", size
        while left and self._fill():
            piece = self._block[self._at : self._at + left]
            self._at += len(piece)
            left -= len(piece)
            self.read += len(piece)
            kept += piece[: None if most is None else max(most - len(kept), 0)]
        return kept

    def _fill(self) -> bool:
        if self._at == len(self._block):
            # Another may have read from the same file since.
            self._file.seek(HEAD_BYTES + self.read)
            self._block, self._at = self._file.read(_BLOCK), 0
            for one in self._hashes:
                one.update(self._block)
        return self._at < len(self._block)


def _raw_frames(body: _Body) -> Iterator[bytes]:
    """The whole frames of a body, each as far as it is read."""
    while (frame := body.frame()) is not None:
        yield frame


def open_record(file: BinaryIO) -> Recording:
    """What a file that can be read from any place records. Raises RecordUnreadable, OSError."""
    size = file.seek(0, io.SEEK_END)
    if size > MAX_RECORD_BYTES:
        raise RecordUnreadable("The file is too long for a record.")
    file.seek(0)
    head = file.read(HEAD_BYTES)
    check_magic(head)
    if len(head) < HEAD_BYTES:
        raise RecordUnreadable(_NO_RECORD)
    if hashlib.sha256(head[:-HASH_BYTES]).digest() != head[-HASH_BYTES:]:
        raise RecordUnreadable("The head of the record is damaged.")
    return _surveyed(file, head)


def check_magic(head: bytes) -> None:
    """Raise RecordUnreadable unless a file that begins so may be a record."""
    if head.startswith(FIRST_MAGIC):
        raise RecordUnreadable("The record was written by allfives 0.1; that program checks it.")
    if not head.startswith(MAGIC):
        other = head.startswith(_ANY_VERSION) and not MAGIC.startswith(head)
        raise RecordUnreadable(_OTHER_VERSION if other else _NO_RECORD)


def _surveyed(file: BinaryIO, head: bytes) -> Recording:
    """Read the body once: its hashes, how many frames it has, and those at its end."""
    length = int.from_bytes(head[len(MAGIC) : len(MAGIC) + LENGTH_BYTES], "big")
    expected = head[len(MAGIC) + LENGTH_BYTES : -HASH_BYTES]
    inner, whole = hashlib.sha256(), hashlib.sha256(head)
    body = _Body(file, (inner, whole))
    raw = _raw_frames(body)
    description = next(raw, None)
    if description is None:
        raise RecordUnreadable("The record ends before the table is described.")
    survey, ends = _Survey(), body.read
    for frame in raw:
        survey.take(frame)
        ends = body.read
    survey.check()
    cut = body.read < length
    altered = not cut and (body.read > length or inner.digest() != expected)
    # What is left over is no whole frame.
    altered = altered or (body.read > ends and not cut)
    evidence = tuple(survey.evidence)
    count = survey.count - len(evidence)
    return Recording(file, description, count, evidence, cut, altered, whole.digest())


class _Survey:
    """How many frames there are behind the first, and the evidence at their end."""

    def __init__(self) -> None:
        self.count = 0
        self.evidence: list[bytes] = []
        self._foreign = False

    def take(self, raw: bytes) -> None:
        """The next frame."""
        self.count += 1
        self._foreign |= raw[:1] not in (MESSAGE_MARK, LEAVE_MARK, EVIDENCE_MARK)
        if raw[:1] != EVIDENCE_MARK:
            self.evidence = []
        elif len(self.evidence) <= MAX_EVIDENCE:
            self.evidence.append(raw[1:])

    def check(self) -> None:
        """RecordUnreadable for a frame that no record has, or too many at the end."""
        if self._foreign or len(self.evidence) > MAX_EVIDENCE:
            raise RecordUnreadable("The record has something in it that no record has.")
