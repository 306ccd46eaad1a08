"""What seats say to each other over a link, beside the frames of the link itself.

Each is the encoding of a list that begins with its kind: a signed message of a ladder, a signed
line of chat, word that one has the whole record, wants another match or a pause, or stops, and why.
"""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.wire.codec import DecodeError, decode, encode, fields, integer, octets, text
from p2p.wire.envelope import HASH_BYTES, VERSION
from p2p.wire.shape import Shape

CHAT_LABEL = b"allfives chat"
CHAT_CHARACTERS = 300
MAX_CHATS = 2**32 - 1
MAX_ROUNDS = 2**32 - 1

Seat = Annotated[int, partial(integer, high=MAX_SEATS - 1)]


class Said(Shape, kind="message"):
    """A signed message of a ladder, as its bytes."""

    data: bytes


class Done(Shape, kind="done"):
    """The sender has the whole record, with this SHA-256, and waits only for the others."""

    record: Annotated[bytes, partial(octets, size=HASH_BYTES)]


class Again(Shape, kind="again"):
    """The sender wants another match with the same people; its nonce for that table, 32 bytes."""

    nonce: Annotated[bytes, partial(octets, size=NONCE_BYTES)]


class Paused(Shape, kind="pause"):
    """The sender wants a pause (`on`), or ends one; `round` counts the pauses that were ended."""

    round: Annotated[int, partial(integer, high=MAX_ROUNDS)]
    on: bool


class Stopped(Shape, kind="stopped"):
    """The sender has lost its link to `seat`, and for that stops a match that is not decided."""

    seat: Seat


@dataclass(frozen=True)
class Chat:
    """A signed line of chat: `number` counts the lines of its seat, so none is shown twice."""

    data: bytes
    seat: int
    number: int
    words: str

    kind = "chat"

    def value(self) -> list[object]:
        """What is said of it: the signed bytes."""
        return [self.data]


Talk = Said | Done | Chat | Again | Paused | Stopped

_WORDS = {shape.kind: shape for shape in (Said, Done, Again, Paused, Stopped)}


def _words(value: str) -> str:
    if not text(value, CHAT_CHARACTERS).isprintable() or not value:
        raise DecodeError("chat that cannot be shown")
    return value


class _Line(Shape):
    """The signed payload of a line of chat."""

    version: int
    table: bytes
    seat: Seat
    number: Annotated[int, partial(integer, high=MAX_CHATS)]
    words: Annotated[str, _words]


def encode_talk(talk: Talk) -> bytes:
    """The payload of a frame."""
    return encode([talk.kind, *talk.value()])


def decode_talk(payload: bytes, table: bytes, keys: tuple[bytes, ...]) -> Talk:
    """What a payload says; chat is checked against the table's keys. Raises DecodeError."""
    value = decode(payload)
    if not isinstance(value, list) or not value:
        raise DecodeError("a payload that is no list")
    kind, rest = value[0], value[1:]
    if kind == Chat.kind:
        return open_chat(*fields(rest, bytes), table, keys)
    if not isinstance(kind, str) or kind not in _WORDS:
        raise DecodeError("a payload of no known kind")
    word: Talk = _WORDS[kind].read(rest)
    if isinstance(word, Stopped):
        integer(word.seat, high=len(keys) - 1)
    return word


def make_chat(identity: IdentityKey, table: bytes, seat: int, number: int, words: str) -> Chat:
    """A signed line. ValueError (one sentence) for words that cannot be sent."""
    if not 1 <= len(words) <= CHAT_CHARACTERS or not words.isprintable():
        raise ValueError(f"A line of chat has 1 to {CHAT_CHARACTERS} printable characters.")
    payload = encode(_Line(VERSION, table, seat, number, words).value())
    return Chat(encode([identity.sign(CHAT_LABEL, payload), payload]), seat, number, words)


def open_chat(data: bytes, table: bytes, keys: tuple[bytes, ...]) -> Chat:
    """The line in `data`, signed by one of the seats. Raises DecodeError."""
    signature, payload = fields(decode(data), bytes, bytes)
    line = _Line.read(decode(payload))
    if (line.version, line.table) != (VERSION, table):
        raise DecodeError("chat of another table or version")
    integer(line.seat, high=len(keys) - 1)
    if not verify(keys[line.seat], CHAT_LABEL, payload, signature):
        raise DecodeError("chat with a wrong signature")
    return Chat(data, line.seat, line.number, line.words)
