"""The first frame of each side on a link, before anything is known: hello, then an opening.

    dialled -> dialler   ["allfives", version, nonce]
    dialler -> dialled   ["join", way, table name or "", key, signature, SPAKE2 message or b""]
                      or ["link", table id, key, run, signature, mac]
    dialled -> dialler   after "link": ["linked", run, mac] or ["no", word]
    dialler -> dialled   after "linked", if it has the lower seat: ["use"]

The dialler's signature names the dialled side's key and nonce, so it is of no use on another link.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Literal, TypeAlias

from p2p.crypto.identity import KEY_BYTES, SIGNATURE_BYTES, IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import LinkBroken
from p2p.wire import codec
from p2p.wire.codec import DecodeError, encode
from p2p.wire.envelope import HASH_BYTES, VERSION

MAGIC = "allfives"
RUN_BYTES = 16
MAC_BYTES = 32
SECRET_BYTES = 32

JOIN_LABEL = b"allfives join 1"
LINK_LABEL = b"allfives link 1"
ANSWER_LABEL = b"allfives link answer 1"

Way: TypeAlias = Literal["code", "invite", "open"]
WAYS: dict[str, Way] = {"code": "code", "invite": "invite", "open": "open"}


@dataclass(frozen=True)
class Hello:
    """What the dialled side says first. Of another version only the number is understood."""

    version: int
    nonce: bytes

    def value(self) -> list[object]:
        return [MAGIC, self.version, self.nonce]


def parse_hello(value: object) -> Hello:
    """Raises DecodeError for what is no hello of any version."""
    if type(value) is not list or len(value) < 2 or value[0] != MAGIC:
        raise DecodeError("something else than a greeting")
    version = codec.integer(value[1])
    if version != VERSION:
        return Hello(version, b"")
    _, _, nonce = codec.fields(value, str, int, bytes)
    return Hello(version, codec.octets(nonce, NONCE_BYTES))


@dataclass(frozen=True)
class JoinOpening:
    """A stranger asks for a seat; proven as far as its key goes."""

    way: Way
    table: str
    key: bytes
    spake: bytes


def make_join(
    identity: IdentityKey, host_key: bytes, nonce: bytes, way: Way, table: str, spake: bytes
) -> list[object]:
    """The value of a join opening."""
    signed = encode([way, table, identity.public, host_key, nonce, spake])
    return ["join", way, table, identity.public, identity.sign(JOIN_LABEL, signed), spake]


@dataclass(frozen=True)
class LinkOpening:
    """A seated peer links; its signature and its MAC under the table secret are checked."""

    key: bytes
    run: bytes


@dataclass(frozen=True)
class Table:
    """What both ends of a link must agree on."""

    id: bytes
    secret: bytes

    def __repr__(self) -> str:
        return f"<Table {self.id.hex()}>"

    def mac(self, purpose: bytes, value: object) -> bytes:
        """32 bytes of HMAC-SHA256 (RFC 2104) under the table secret."""
        return hmac.digest(self.secret, purpose + b"\0" + encode(value), hashlib.sha256)


def make_link(
    identity: IdentityKey, dialled_key: bytes, nonce: bytes, table: Table, run: bytes
) -> list[object]:
    """The value of a link opening. `run`: 16 bytes drawn once a process."""
    signed = [table.id, identity.public, dialled_key, nonce, run]
    signature = identity.sign(LINK_LABEL, encode(signed))
    mac = table.mac(LINK_LABEL, signed)
    return ["link", table.id, identity.public, run, signature, mac]


def make_answer(
    table: Table, dialler_key: bytes, dialled_key: bytes, nonce: bytes, run: bytes
) -> list[object]:
    """What the dialled side answers: its own run, and that it holds the table secret too."""
    facts = [table.id, dialler_key, dialled_key, nonce, run]
    return ["linked", run, table.mac(ANSWER_LABEL, facts)]


def check_answer(
    fields: list[object], table: Table, dialler_key: bytes, dialled_key: bytes, nonce: bytes
) -> bytes:
    """The dialled side's run, from the fields behind "linked". Raises DecodeError, LinkBroken."""
    run, mac = codec.fields(fields, bytes, bytes)
    codec.octets(run, RUN_BYTES)
    expected = make_answer(table, dialler_key, dialled_key, nonce, run)
    if not hmac.compare_digest(encode(expected), encode(["linked", run, mac])):
        raise LinkBroken("it does not know the table's secret")
    return run


def opening_kind(value: object) -> str:
    """ "join" or "link"; raises DecodeError for anything else."""
    kind = value[0] if type(value) is list and value else None
    if kind not in ("join", "link"):
        raise DecodeError("something else than an opening")
    return str(kind)


def check_join(value: object, host_key: bytes, nonce: bytes) -> JoinOpening:
    """The opening if its shape and signature hold. Raises DecodeError or LinkBroken."""
    _, way, table, key, signature, spake = codec.fields(value, str, str, str, bytes, bytes, bytes)
    if way not in WAYS:
        raise DecodeError("a way to join that is none")
    codec.text(table, 64)
    codec.octets(key, KEY_BYTES)
    codec.octets(signature, SIGNATURE_BYTES)
    codec.octets(spake, most=64)
    if not verify(key, JOIN_LABEL, encode([way, table, key, host_key, nonce, spake]), signature):
        raise LinkBroken("its signature does not hold")
    return JoinOpening(WAYS[way], table, key, spake)


def check_link(value: object, dialled_key: bytes, nonce: bytes, table: Table) -> LinkOpening | None:
    """The opening if all holds, None if it is for another table.

    Raises DecodeError or LinkBroken. Nothing here says yet that the key has a seat.
    """
    _, table_id, key, run, signature, mac = codec.fields(
        value, str, bytes, bytes, bytes, bytes, bytes
    )
    codec.octets(table_id, HASH_BYTES)
    codec.octets(key, KEY_BYTES)
    codec.octets(run, RUN_BYTES)
    codec.octets(signature, SIGNATURE_BYTES)
    codec.octets(mac, MAC_BYTES)
    if table_id != table.id:
        return None
    signed = [table.id, key, dialled_key, nonce, run]
    if not hmac.compare_digest(mac, table.mac(LINK_LABEL, signed)):
        raise LinkBroken("it does not know the table's secret")
    if not verify(key, LINK_LABEL, encode(signed), signature):
        raise LinkBroken("its signature does not hold")
    return LinkOpening(key, run)
