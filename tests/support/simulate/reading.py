"""What is said over a link, for whoever looks on."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from p2p.wire.codec import DecodeError, decode, fields
from p2p.wire.envelope import Message, open_envelope
from p2p.wire.talk import Said, Word


@lru_cache(maxsize=4096)
def signed_in(payload: bytes) -> Message | None:
    """The signed message that a payload of a link brings, if it does."""
    try:
        value = decode(payload)
        if isinstance(value, list) and value[:1] == [Said.kind]:
            return open_envelope(value[1])
    except DecodeError:
        return None
    return None


@dataclass(frozen=True)
class Spoken:
    """A signed word, as whoever looks on reads it."""

    table: bytes
    seat: int
    kind: str
    body: list[Any]


@lru_cache(maxsize=4096)
def word_in(payload: bytes) -> Spoken | None:
    """The signed word that a payload of a link brings, if it does."""
    try:
        value = decode(payload)
        if isinstance(value, list) and value[:1] == [Word.kind]:
            _, signed = fields(decode(value[1]), bytes, bytes)
            _, table, seat, _, kind, body = fields(decode(signed), int, bytes, int, int, str, list)
            return Spoken(table, seat, kind, body)
    except DecodeError:
        return None
    return None


def named(payload: bytes) -> str:
    """What a payload is, for people: the message with its place, or the kind of word."""
    message = signed_in(payload)
    if message is not None:
        return f"{message.kind} {message.ladder}/{message.step} of seat {message.seat}"
    word = word_in(payload)
    if word is not None:
        return f"{word.kind} of seat {word.seat}"
    try:
        value = decode(payload)
    except DecodeError:
        return "noise"
    return str(value[0])[:16] if isinstance(value, list) and value else "noise"
