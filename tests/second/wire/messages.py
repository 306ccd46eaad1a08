"""Messages and words: envelopes, ids, chains (sections 7.4 and 9)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.refusing import demand
from second.wire.ballots import ballot_of
from second.wire.ed25519 import sign, verify
from second.wire.table import Table
from second.wire.values import MESSAGE, Value, decode, encode, integer, listed, octets, text

U32 = 2**32 - 1


@dataclass(frozen=True)
class Place:
    """What a message is for."""

    root: bytes
    ladder: int
    step: int
    previous: bytes


@dataclass(frozen=True)
class Message:
    """A message whose signature and field types were checked; envelope as it came."""

    envelope: bytes
    id: bytes
    place: Place
    seat: int
    kind: str
    body: list[Value]

    @property
    def spot(self) -> tuple[bytes, int, int, int]:
        """Root, ladder, step and seat: an honest seat says one thing there (votes aside)."""
        return (self.place.root, self.place.ladder, self.place.step, self.seat)


@dataclass(frozen=True)
class Word:
    """A word whose signature was checked."""

    data: bytes
    id: bytes
    seat: int
    number: int
    kind: str
    body: list[Value]


def opened(envelope: bytes) -> tuple[bytes, bytes]:
    """Signature and payload."""
    signature, payload = listed(decode(envelope, MESSAGE), 2)
    return octets(signature, 64), octets(payload)


def read_message(table: Table, envelope: bytes, any_vote: bool = False) -> Message:
    """A message of this table (14.1, point 1); or a vote of whatever form."""
    signature, payload = opened(envelope)
    version, table_id, root, ladder, seat, step, previous, kind, body = listed(
        decode(payload, MESSAGE), 9
    )
    integer(version, 2, 2)
    demand(octets(table_id, 32) == table.id, "another table")
    integer(seat, 0, len(table.people) - 1)
    place = Place(
        octets(root, 32), integer(ladder, 0, U32), integer(step, 1, U32), octets(previous, 32)
    )
    if kind == "vote" and not any_vote:
        demand(ladder == 0, "a vote that is none on the match")
        ballot_of(listed(body))
    verify(table.people[seat].key, "allfives message", payload, signature)
    digest = hashlib.sha256(b"allfives message id\0" + signature + payload).digest()
    return Message(envelope, digest, place, seat, text(kind), listed(body))


def write_message(
    table: Table, private: Ed25519PrivateKey, place: Place, seat: int, said: tuple[str, list[Value]]
) -> bytes:
    """The envelope of what a seat says."""
    payload = encode(
        [2, table.id, place.root, place.ladder, seat, place.step, place.previous, *said]
    )
    return encode([sign(private, "allfives message", payload), payload])


def read_word(table: Table, data: bytes) -> Word:
    """A word of this table; its body is not looked at."""
    signature, payload = opened(data)
    version, table_id, seat, number, kind, body = listed(decode(payload, MESSAGE), 6)
    integer(version, 2, 2)
    demand(octets(table_id, 32) == table.id, "another table")
    integer(seat, 0, len(table.people) - 1)
    verify(table.people[seat].key, "allfives word", payload, signature)
    digest = hashlib.sha256(b"allfives word id\0" + data).digest()
    return Word(data, digest, seat, integer(number, 0, U32), text(kind), listed(body))


def write_word(
    table: Table,
    private: Ed25519PrivateKey,
    seat: int,
    number: int,
    said: tuple[str, list[Value]],
) -> bytes:
    """A word of this seat."""
    payload = encode([2, table.id, seat, number, *said])
    return encode([sign(private, "allfives word", payload), payload])


def chained(label: str, previous: bytes, ids: Iterable[bytes]) -> bytes:
    """T of a step: "step", or "retire" where votes close it."""
    head = f"allfives {label}\0".encode() + previous
    return hashlib.sha256(head + b"".join(ids)).digest()
