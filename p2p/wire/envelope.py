"""The signed envelope: [signature, payload], the one form in which anything binding is said.

The payload is the encoding of [version, table, root, ladder, seat, step, previous, kind, body].
Bytes are verified, hashed, stored and passed on as they came: nothing is re-encoded to check a
signature.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
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
VOTE = "vote"
# Of votes on one step: beyond this nobody comes to an agreement any more.
MAX_VOTE_ROUNDS = 16

SIGNED_LABEL = b"allfives message"
ID_LABEL = b"allfives message id\0"
STEP_LABEL = b"allfives step\0"

Body = list[object]
"""The list whose shape the kind of a message fixes: p2p.wire.messages."""


class Place(NamedTuple):
    """Where something is said: an honest seat signs one message for it.

    `root`, 32 bytes, names the era: the table id, later T of the step that put a seat out. `round`
    counts the votes of a seat on one step from 1; it is 0 for everything else.
    """

    root: bytes
    ladder: int
    step: int
    seat: int
    round: int = 0

    def label(self, kind: str) -> bytes:
        """Names the step in a proof's challenge, so that it holds nowhere else."""
        return f"{self.ladder}/{self.step}/{kind}".encode()


# Not `frozen`, which sets each field by a call, half of what opening a message costs.
@dataclass(unsafe_hash=True)
class Message:
    """One message as received, a value: nobody changes one. `ladder` 0 is the match, d > 0 the
    preparation of deal number d.

    `root` is that of its era, `previous` T_(step-1) on that ladder, 32 bytes each; `round` is that
    of a vote, else 0.
    """

    data: bytes
    signature: bytes
    payload: bytes
    table: bytes
    root: bytes
    ladder: int
    seat: int
    step: int
    previous: bytes
    kind: str
    round: int = 0
    _body: Body | None = field(default=None, repr=False, compare=False)

    @property
    def body(self) -> Body:
        """The list whose shape `kind` fixes, read from the payload each time: while a message is
        kept, small lists in a hostile body would take fifty times the memory of their bytes. Who
        keeps few of them reads it once (`open_envelope`)."""
        return _payload_fields(self.payload)[-1] if self._body is None else self._body

    @cached_property
    def id(self) -> bytes:
        """32 bytes: hash of signature and payload, so two signatures of one payload differ."""
        return hashlib.sha256(ID_LABEL + self.signature + self.payload).digest()

    @property
    def place(self) -> Place:
        """Root, ladder, step and seat, and the round of a vote."""
        return Place(self.root, self.ladder, self.step, self.seat, self.round)

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


# Version, table, root, ladder, seat, step.
_HEAD = 6


def place_of(data: bytes) -> tuple[bytes, Place]:
    """Table and place that a message names, read before anything of it is checked; of a vote
    without its round. Raises DecodeError."""
    _, _, (_, table, root, ladder, seat, step) = signed_head(data, _HEAD)
    if type(table) is not bytes or type(root) is not bytes:
        raise DecodeError("something else where a table id or a root must be")
    return table, Place(root, integer(ladder), integer(step), integer(seat))


def open_signed(data: bytes, keys: Sequence[bytes]) -> Message:
    """The message in `data`, signed by the seat that it names, of those with these keys: the
    signature is checked before the body is read. Raises DecodeError."""
    signature, payload, head = signed_head(data, _HEAD)
    seat = integer(head[4], high=MAX_SEATS - 1)
    if seat >= len(keys):
        raise DecodeError("a message of a seat that this table does not have")
    if not verify(keys[seat], SIGNED_LABEL, payload, signature):
        raise DecodeError("a message with a wrong signature")
    return open_envelope(data)


def open_envelope(data: bytes, keep_body: bool = False) -> Message:
    """The message in `data`; its signature is not checked here. Raises DecodeError."""
    signature, payload = fields(decode(data), bytes, bytes)
    octets(signature, size=SIGNATURE_BYTES)
    said = _payload_fields(payload)
    version, table, root, ladder, seat, step, previous, kind, body = said
    if version != VERSION:
        raise DecodeError(f"a message of protocol version {version}")
    if not len(table) == len(root) == len(previous) == HASH_BYTES:
        raise DecodeError(f"a table id, a root or a hash that has not {HASH_BYTES} bytes")
    if not (0 <= ladder <= MAX_STEP and 0 <= seat < MAX_SEATS and 1 <= step <= MAX_STEP):
        raise DecodeError("a ladder, a seat or a step that no match has")
    votes = _round(ladder, body) if kind == VOTE else 0
    kept = body if keep_body else None
    return Message(
        data, signature, payload, table, root, ladder, seat, step, previous, kind, votes, kept
    )


def _round(ladder: int, body: Body) -> int:
    """The round of a vote: part of its place, so that votes of two rounds are no fault."""
    if ladder != MATCH_LADDER or not body:
        raise DecodeError("a vote that is none on the match")
    return integer(body[0], low=1, high=MAX_VOTE_ROUNDS)


_Payload = tuple[int, bytes, bytes, int, int, int, bytes, str, Body]


def _payload_fields(payload: bytes) -> _Payload:
    """Version, table, root, ladder, seat, step, previous, kind and body. Raises DecodeError."""
    found: _Payload = fields(decode(payload), int, bytes, bytes, int, int, int, bytes, str, list)
    return found


def seal(
    identity: IdentityKey,
    table: bytes,
    place: Place,
    previous: bytes,
    kind: str,
    body: Body,
) -> bytes:
    """The signed bytes of a message for a place; the round of a vote stands in its body."""
    root, ladder, step, seat, _ = place
    payload = encode([VERSION, table, root, ladder, seat, step, previous, kind, body])
    return encode([identity.sign(SIGNED_LABEL, payload), payload])


def step_hash(previous: bytes, ids: list[bytes]) -> bytes:
    """T_k from T_(k-1) and the ids of step k's messages in seat order; 32 bytes."""
    return hashlib.sha256(STEP_LABEL + previous + b"".join(ids)).digest()
