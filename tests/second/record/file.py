"""The file of a record: head, body, frames (16; 17, points 1 and 2)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from second.refusing import RefusedError
from second.wire.table import Table, table_of

MAGIC = b"allfives record 2\n"
HEAD = 90
MOST = 256 * 2**20


class UnreadableError(Exception):
    """Not a record: exit code 2."""


@dataclass(frozen=True)
class File:
    """The table, and the frames behind the first. Faulty: the body is not what the head says."""

    table: Table
    frames: list[bytes]
    cut: bool
    faulty: bool


def written(description: bytes, frames: Iterable[bytes]) -> bytes:
    """The bytes of a record."""
    body = b"".join(len(one).to_bytes(4, "big") + one for one in (description, *frames))
    head = MAGIC + len(body).to_bytes(8, "big") + hashlib.sha256(body).digest()
    return head + hashlib.sha256(head).digest() + body


def _frames(body: bytes) -> tuple[list[bytes], bool]:
    """The whole frames, and whether the body ends with one."""
    frames, at = [], 0
    while at + 4 <= len(body):
        end = at + 4 + int.from_bytes(body[at : at + 4], "big")
        if end > len(body):
            break
        frames.append(body[at + 4 : end])
        at = end
    return frames, at == len(body)


def read(data: bytes) -> File:
    """The file; UnreadableError where 17.1 says so."""
    if len(data) > MOST or data[:18] != MAGIC:
        raise UnreadableError("not a record of version 2")
    if len(data) < HEAD or hashlib.sha256(data[:58]).digest() != data[58:HEAD]:
        raise UnreadableError("a damaged head")
    length, body = int.from_bytes(data[18:26], "big"), data[HEAD:]
    frames, whole = _frames(body)
    if not frames:
        raise UnreadableError("no description")
    try:
        table = table_of(frames[0])
    except RefusedError as error:
        raise UnreadableError("a description that is refused") from error
    if any(frame[:1] not in (b"m", b"l", b"e") or not frame for frame in frames[1:]):
        raise UnreadableError("a frame marked otherwise")
    if len(frames) > 3 and all(frame[:1] == b"e" for frame in frames[-3:]):
        raise UnreadableError("more than two frames of evidence at the end")
    cut = len(body) < length
    right = len(body) == length and hashlib.sha256(body).digest() == data[26:58]
    return File(table, frames[1:], cut, not cut and not (right and whole))
