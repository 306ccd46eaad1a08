"""What seats say to each other over a link, beside the frames of the link itself.

Each is the encoding of a list that begins with its kind: a signed message of a ladder, a signed
line of chat, word that one has the whole record, wants another match or a pause, or stops, and why.
"""

from dataclasses import dataclass

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.wire.codec import DecodeError, decode, encode, fields, integer, octets, text
from p2p.wire.envelope import HASH_BYTES, VERSION

CHAT_LABEL = b"allfives chat"
CHAT_CHARACTERS = 300
MAX_CHATS = 2**32 - 1
MAX_ROUNDS = 2**32 - 1


@dataclass(frozen=True)
class Said:
    """A signed message of a ladder, as its bytes."""

    data: bytes


@dataclass(frozen=True)
class Done:
    """The sender has the whole record, with this SHA-256, and waits only for the others."""

    record: bytes


@dataclass(frozen=True)
class Chat:
    """A signed line of chat: `number` counts the lines of its seat, so none is shown twice."""

    data: bytes
    seat: int
    number: int
    words: str


@dataclass(frozen=True)
class Again:
    """The sender wants another match with the same people; its nonce for that table, 32 bytes."""

    nonce: bytes


@dataclass(frozen=True)
class Paused:
    """The sender wants a pause (`on`), or ends one; `round` counts the pauses that were ended."""

    round: int
    on: bool


@dataclass(frozen=True)
class Stopped:
    """The sender has lost its link to `seat`, and for that stops a match that is not decided."""

    seat: int


Talk = Said | Done | Chat | Again | Paused | Stopped


def encode_talk(talk: Talk) -> bytes:
    """The payload of a frame."""
    if isinstance(talk, Said):
        return encode(["message", talk.data])
    if isinstance(talk, Done):
        return encode(["done", talk.record])
    if isinstance(talk, Again):
        return encode(["again", talk.nonce])
    if isinstance(talk, Paused):
        return encode(["pause", talk.round, talk.on])
    if isinstance(talk, Stopped):
        return encode(["stopped", talk.seat])
    return encode(["chat", talk.data])


def decode_talk(payload: bytes, table: bytes, keys: tuple[bytes, ...]) -> Talk:
    """What a payload says; chat is checked against the table's keys. Raises DecodeError."""
    value = decode(payload)
    if not isinstance(value, list) or not value:
        raise DecodeError("a payload that is no list")
    kind, rest = value[0], value[1:]
    if kind == "message":
        return Said(*fields(rest, bytes))
    if kind == "done":
        return Done(octets(*fields(rest, bytes), size=HASH_BYTES))
    if kind == "again":
        return Again(octets(*fields(rest, bytes), size=NONCE_BYTES))
    if kind == "pause":
        number, on = fields(rest, int, bool)
        return Paused(integer(number, high=MAX_ROUNDS), on)
    if kind == "stopped":
        return Stopped(integer(*fields(rest, int), high=len(keys) - 1))
    if kind == "chat":
        return open_chat(*fields(rest, bytes), table, keys)
    raise DecodeError("a payload of no known kind")


def make_chat(identity: IdentityKey, table: bytes, seat: int, number: int, words: str) -> Chat:
    """A signed line. ValueError (one sentence) for words that cannot be sent."""
    if not 1 <= len(words) <= CHAT_CHARACTERS or not words.isprintable():
        raise ValueError(f"A line of chat has 1 to {CHAT_CHARACTERS} printable characters.")
    payload = encode([VERSION, table, seat, number, words])
    return Chat(encode([identity.sign(CHAT_LABEL, payload), payload]), seat, number, words)


def open_chat(data: bytes, table: bytes, keys: tuple[bytes, ...]) -> Chat:
    """The line in `data`, signed by one of the seats. Raises DecodeError."""
    signature, payload = fields(decode(data), bytes, bytes)
    version, named, seat, number, words = fields(decode(payload), int, bytes, int, int, str)
    if (version, named) != (VERSION, table):
        raise DecodeError("chat of another table or version")
    integer(seat, high=min(MAX_SEATS, len(keys)) - 1)
    integer(number, high=MAX_CHATS)
    if not text(words, CHAT_CHARACTERS).isprintable() or not words:
        raise DecodeError("chat that cannot be shown")
    if not verify(keys[seat], CHAT_LABEL, payload, signature):
        raise DecodeError("chat with a wrong signature")
    return Chat(data, seat, number, words)
