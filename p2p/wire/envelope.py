"""The signed envelope: [signature, payload], the one form in which anything binding is said.

The payload is the encoding of [version, table, ladder, seat, step, previous, kind, body]. Bytes are
verified, hashed, stored and passed on as they came: nothing is re-encoded to check a signature.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.seats import MAX_SEATS
from p2p.crypto.identity import SIGNATURE_BYTES, IdentityKey, verify
from p2p.wire.codec import DecodeError, decode, encode, fields, first_items, integer, octets

VERSION = 2
"""Of the protocol: in greetings, announcements, messages, chat, deals and records."""
HASH_BYTES = 32
# A match is some thousand steps and some dozen deals; beyond this a number is nonsense.
MAX_STEP = 2**32 - 1
MATCH_LADDER = 0

SIGNED_LABEL = b"allfives message"
ID_LABEL = b"allfives message id\0"
STEP_LABEL = b"allfives step\0"

Body = list[object]
"""The list whose shape the kind of a message fixes: p2p.wire.messages."""


class Place(NamedTuple):
    """Where something is said: an honest seat signs one message for it."""

    ladder: int
    step: int
    seat: int

    def label(self, kind: str) -> bytes:
        """Names the step in a proof's challenge, so that it holds nowhere else."""
        return f"{self.ladder}/{self.step}/{kind}".encode()


@dataclass(frozen=True)
class Message:
    """One message as received. `ladder` 0 is the match, d > 0 the preparation of deal number d.

    `previous` is T_(step-1), 32 bytes, on that ladder.
    """

    data: bytes
    signature: bytes
    payload: bytes
    table: bytes
    ladder: int
    seat: int
    step: int
    previous: bytes
    kind: str

    @property
    def body(self) -> Body:
        """The list whose shape `kind` fixes, read from the payload each time: while a message is
        kept, small lists in a hostile body would take fifty times the memory of their bytes."""
        return _payload_fields(self.payload)[-1]

    @cached_property
    def id(self) -> bytes:
        """32 bytes: hash of signature and payload, so two signatures of one payload differ."""
        return hashlib.sha256(ID_LABEL + self.signature + self.payload).digest()

    @property
    def place(self) -> Place:
        """Ladder, step and seat."""
        return Place(self.ladder, self.step, self.seat)

    def signed_by(self, key: bytes) -> bool:
        """Whether the signature is that of the raw identity key `key`."""
        return verify(key, SIGNED_LABEL, self.payload, self.signature)


def signed_head(data: bytes, count: int) -> tuple[bytes, bytes, list[object]]:
    """Signature, payload, and the first `count` fields of a signed payload, which all begin with
    version and table id; what follows is not read. Raises DecodeError."""
    signature, payload = fields(decode(data), bytes, bytes)
    octets(signature, size=SIGNATURE_BYTES)
    head = first_items(payload, count)
    if type(head[0]) is not int or head[0] != VERSION:
        raise DecodeError("something of another protocol version")
    return signature, payload, head


# Version, table, ladder, seat, step.
_HEAD = 5


def place_of(data: bytes) -> tuple[bytes, Place]:
    """Table and place that a message names, read before anything of it is checked. Raises
    DecodeError."""
    _, _, (_, table, ladder, seat, step) = signed_head(data, _HEAD)
    if type(table) is not bytes:
        raise DecodeError("something else where a table id must be")
    return table, Place(integer(ladder), integer(step), integer(seat))


def open_signed(data: bytes, keys: Sequence[bytes]) -> Message:
    """The message in `data`, signed by the seat that it names, of those with these keys: the
    signature is checked before the body is read. Raises DecodeError."""
    signature, payload, head = signed_head(data, _HEAD)
    seat = integer(head[3], high=MAX_SEATS - 1)
    if seat >= len(keys):
        raise DecodeError("a message of a seat that this table does not have")
    if not verify(keys[seat], SIGNED_LABEL, payload, signature):
        raise DecodeError("a message with a wrong signature")
    return open_envelope(data)


def open_envelope(data: bytes) -> Message:
    """The message in `data`; its signature is not checked here. Raises DecodeError."""
    signature, payload = fields(decode(data), bytes, bytes)
    octets(signature, size=SIGNATURE_BYTES)
    version, table, ladder, seat, step, previous, kind, _ = _payload_fields(payload)
    if version != VERSION:
        raise DecodeError(f"a message of protocol version {version}")
    return Message(
        data,
        signature,
        payload,
        octets(table, size=HASH_BYTES),
        integer(ladder, high=MAX_STEP),
        integer(seat, high=MAX_SEATS - 1),
        integer(step, low=1, high=MAX_STEP),
        octets(previous, size=HASH_BYTES),
        kind,
    )


_Payload = tuple[int, bytes, int, int, int, bytes, str, Body]


def _payload_fields(payload: bytes) -> _Payload:
    """Version, table, ladder, seat, step, previous, kind and body. Raises DecodeError."""
    found: _Payload = fields(decode(payload), int, bytes, int, int, int, bytes, str, list)
    return found


def seal(
    identity: IdentityKey,
    table: bytes,
    place: tuple[int, int, int],
    previous: bytes,
    kind: str,
    body: Body,
) -> bytes:
    """The signed bytes of a message for `place` = (ladder, step, seat)."""
    ladder, step, seat = place
    payload = encode([VERSION, table, ladder, seat, step, previous, kind, body])
    return encode([identity.sign(SIGNED_LABEL, payload), payload])


def step_hash(previous: bytes, ids: list[bytes]) -> bytes:
    """T_k from T_(k-1) and the ids of step k's messages in seat order; 32 bytes."""
    return hashlib.sha256(STEP_LABEL + previous + b"".join(ids)).digest()
