"""What seats say to each other over a link, beside the frames of the link itself.

Each payload is the encoding of a list that begins with its kind: a signed message of a ladder, a
signed word of talk, or what the sender holds, which is about the sender of the link alone. Whoever
says a thing signs it, and it is passed on: nothing here is hearsay.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, TypeAlias

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.wire.chat import MAX_NUMBER, Remark, check_line, open_remark, read_line
from p2p.wire.codec import (
    DecodeError,
    decode,
    encode,
    fields,
    integer,
    list_of,
    octets,
)
from p2p.wire.envelope import (
    HASH_BYTES,
    MAX_STEP,
    VERSION,
    Body,
    signed_head,
)
from p2p.wire.out import Out, read_outs
from p2p.wire.shape import Shape

WORD_LABEL = b"allfives word"
WORD_ID_LABEL = b"allfives word id\0"
MAX_ROUNDS = 2**32 - 1
# Steps in a locator go back by ever longer strides: 34 of them reach over all numbers.
LOCATOR_MOST = 40
# The match and the deal that is being prepared.
RUNGS_MOST = 2
# Four seats, sixteen rounds.
VOTES_MOST = 64
DESCRIPTION_MOST = 16 * 1024

Seat = Annotated[int, partial(integer, high=MAX_SEATS - 1)]
Hash = Annotated[bytes, partial(octets, size=HASH_BYTES)]
Nonce32 = Annotated[bytes, partial(octets, size=NONCE_BYTES)]


# What words say: a class for each kind, its fields are the body.


class Chat(Shape, kind="chat"):
    """A line of chat."""

    words: Annotated[str, read_line]


class Paused(Shape, kind="pause"):
    """The signer wants a pause (`on`), or ends one; `round` counts the pauses that were ended."""

    round: Annotated[int, partial(integer, high=MAX_ROUNDS)]
    on: bool


class Done(Shape, kind="done"):
    """The signer has the whole record, with this SHA-256, and waits only for the others."""

    record: Hash


class Bind(Shape, kind="bind"):
    """The signer wants another match, and is bound to its nonce for that table."""

    commitment: Hash


class Nonce(Shape, kind="nonce"):
    """The nonce that its commitment binds, shown when all are bound."""

    nonce: Nonce32


class Leave(Shape, kind="leave"):
    """The signer leaves this table and signs nothing more there."""


class Here(Shape, kind="here"):
    """The signer is there, for those to whom it has no link."""


class Wished(Shape, kind="wish"):
    """The signer would go on without these; the newest counts, an empty list takes it back."""

    root: Hash
    step: Annotated[int, partial(integer, low=1, high=MAX_STEP)]
    previous: Hash
    out: Annotated[tuple[Out, ...], read_outs]


Saying: TypeAlias = Chat | Paused | Done | Bind | Nonce | Leave | Here | Wished
_SAYINGS: dict[str, type[Saying]] = {
    shape.kind: shape for shape in (Chat, Paused, Done, Bind, Nonce, Leave, Here, Wished)
}


@dataclass(frozen=True)
class Word:
    """A signed word as received; `number` counts the words of this kind of its seat."""

    data: bytes
    seat: int
    number: int
    said: Saying

    kind = "word"

    @cached_property
    def id(self) -> bytes:
        """32 bytes: hash of the signed bytes, which a vote names as proof."""
        return hashlib.sha256(WORD_ID_LABEL + self.data).digest()

    def value(self) -> list[object]:
        """What goes over a link: the signed bytes."""
        return [self.data]


class Said(Shape, kind="message"):
    """A signed message of a ladder, as its bytes."""

    data: bytes


Mark: TypeAlias = tuple[int, bytes]


def _mark(value: object) -> Mark:
    step, top = fields(value, int, bytes)
    return integer(step, high=MAX_STEP), octets(top, size=HASH_BYTES)


def _locator(value: object) -> tuple[Mark, ...]:
    marks = tuple(list_of(value, _mark, 1, LOCATOR_MOST))
    steps = [step for step, _ in marks]
    if steps != sorted(set(steps), reverse=True) or steps[-1] != 0:
        raise DecodeError("a locator that does not go down to 0")
    return marks


def _ids(value: object, most: int) -> tuple[bytes, ...]:
    return tuple(list_of(value, partial(octets, size=HASH_BYTES), high=most))


class Rung(Shape):
    """What the sender has of one ladder: T after some of its steps, the last first, down to step 0;
    and the ids of the messages that it has of the open step."""

    ladder: Annotated[int, partial(integer, high=MAX_STEP)]
    locator: Annotated[tuple[Mark, ...], _locator]
    ids: Annotated[tuple[bytes, ...], partial(_ids, most=MAX_SEATS)]


def _rungs(value: object) -> tuple[Rung, ...]:
    rungs = tuple(list_of(value, Rung.read, 1, RUNGS_MOST))
    if len({rung.ladder for rung in rungs}) < len(rungs):
        raise DecodeError("one ladder twice")
    return rungs


class Hold(Shape, kind="hold"):
    """What the sender holds of a table: the match ladder, that of the coming deal, and votes."""

    table: Hash
    rungs: Annotated[tuple[Rung, ...], _rungs]
    votes: Annotated[tuple[bytes, ...], partial(_ids, most=VOTES_MOST)]


class At(Shape, kind="table"):
    """To who looks on: what is played now, as its description."""

    description: Annotated[bytes, partial(octets, most=DESCRIPTION_MOST)]


Talk: TypeAlias = Said | Word | Hold | Remark


def encode_talk(talk: Talk | At) -> bytes:
    """The payload of a frame."""
    return encode([talk.kind, *talk.value()])


def decode_talk(payload: bytes, table: bytes, keys: Sequence[bytes]) -> Talk:
    """What a payload says at `table`, whose seats have these keys.

    The signature of a word is checked here, that of a message is not. Raises DecodeError.
    """
    kind, rest = _kind(payload)
    if kind == Word.kind:
        return open_word(*fields(rest, bytes), table, keys)
    if kind == Said.kind:
        return Said.read(rest)
    if kind == Remark.kind:
        return open_remark(*fields(rest, bytes), table)
    hold = Hold.read(rest)
    if hold.table != table:
        raise DecodeError("what is held of another table")
    return hold


def decode_at(payload: bytes) -> At | None:
    """What is played now, if that is what a payload says. Raises DecodeError."""
    value = decode(payload)
    if not isinstance(value, list) or not value or value[0] != At.kind:
        return None
    return At.read(value[1:])


def table_of(payload: bytes) -> bytes:
    """The table that a payload names, before anything of it is checked. Raises DecodeError."""
    kind, rest = _kind(payload)
    if kind == Hold.kind:
        return Hold.read(rest).table
    _, _, head = signed_head(*fields(rest, bytes), 2)
    table = head[1]
    if type(table) is not bytes:
        raise DecodeError("something else where a table id must be")
    return table


def _kind(payload: bytes) -> tuple[str, list[object]]:
    value = decode(payload)
    if not isinstance(value, list) or not value:
        raise DecodeError("a payload that is no list")
    kind = value[0]
    if kind not in (Said.kind, Word.kind, Hold.kind, Remark.kind):
        raise DecodeError("a payload of no known kind")
    return str(kind), value[1:]


def make_word(identity: IdentityKey, table: bytes, seat: int, number: int, said: Saying) -> Word:
    """A signed word of a seat of a table."""
    payload = encode([VERSION, table, seat, number, said.kind, said.value()])
    data = encode([identity.sign(WORD_LABEL, payload), payload])
    return Word(data, seat, number, said)


def make_line(words: str) -> Chat:
    """A line of chat. ValueError (one sentence) for words that cannot be sent."""
    return Chat(check_line(words))


def open_word(data: bytes, table: bytes, keys: Sequence[bytes]) -> Word:
    """The word in `data`, signed by one of the seats: the signature is checked before the body.
    Raises DecodeError."""
    signature, payload, head = signed_head(data, 3)
    if head[1] != table:
        raise DecodeError("a word of another table")
    seat = integer(head[2], high=len(keys) - 1)
    if not verify(keys[seat], WORD_LABEL, payload, signature):
        raise DecodeError("a word with a wrong signature")
    _, _, _, number, kind, body = _word_fields(payload)
    if kind not in _SAYINGS:
        raise DecodeError("a word of no known kind")
    return Word(data, seat, integer(number, high=MAX_NUMBER), _SAYINGS[kind].read(body))


def _word_fields(payload: bytes) -> tuple[int, bytes, int, int, str, Body]:
    found: tuple[int, bytes, int, int, str, Body] = fields(
        decode(payload), int, bytes, int, int, str, list
    )
    return found
