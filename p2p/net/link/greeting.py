"""The first frame of each side on a link, before anything is known: hello, then an opening.

    dialled -> dialler   Hello
    dialler -> dialled   JoinOpening or LinkOpening
    dialled -> dialler   after a link opening: Linked, or No
    dialler -> dialled   after Linked, if it has the lower seat: Use

The dialler's signature names the dialled side's key and nonce, so it is of no use on another link.
"""

import hashlib
import hmac
from dataclasses import dataclass, field, replace
from typing import Literal, Self, TypeAlias

from p2p.crypto.identity import KEY_BYTES, SIGNATURE_BYTES, IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import LinkBroken
from p2p.net.link.message import Message
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

    @classmethod
    def read(cls, value: object) -> Self:
        """Raises DecodeError for what is no hello of any version."""
        if type(value) is not list or len(value) < 2 or value[0] != MAGIC:
            raise DecodeError("something else than a greeting")
        version = codec.integer(value[1])
        if version != VERSION:
            return cls(version, b"")
        _, _, nonce = codec.fields(value, str, int, bytes)
        return cls(version, codec.octets(nonce, NONCE_BYTES))


def opening_word(value: object) -> str:
    """ "join" or "link"; raises DecodeError for anything else."""
    word = value[0] if type(value) is list and value else None
    if word not in (JoinOpening.WORD, LinkOpening.WORD):
        raise DecodeError("something else than an opening")
    return str(word)


@dataclass(frozen=True)
class JoinOpening(Message):
    """A stranger asks for a seat; once it is checked, it is proven as far as its key goes."""

    WORD = "join"
    way: Way
    table: str
    key: bytes
    signature: bytes
    spake: bytes

    @classmethod
    def make(
        cls, own: IdentityKey, host_key: bytes, nonce: bytes, way: Way, table: str, spake: bytes
    ) -> Self:
        """Signed for the host of that key on the link of that nonce."""
        unsigned = cls(way, table, own.public, b"", spake)
        signature = own.sign(JOIN_LABEL, unsigned._signed(host_key, nonce))
        return replace(unsigned, signature=signature)

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        way, table, key, signature, spake = codec.fields(rest, str, str, bytes, bytes, bytes)
        if way not in WAYS:
            raise DecodeError("a way to join that is none")
        codec.text(table, 64)
        codec.octets(key, KEY_BYTES)
        codec.octets(signature, SIGNATURE_BYTES)
        return cls(WAYS[way], table, key, signature, codec.octets(spake, most=64))

    def check(self, host_key: bytes, nonce: bytes) -> None:
        """Raises LinkBroken unless it was signed for this link."""
        if not verify(self.key, JOIN_LABEL, self._signed(host_key, nonce), self.signature):
            raise LinkBroken("its signature does not hold")

    def _signed(self, host_key: bytes, nonce: bytes) -> bytes:
        return encode([self.way, self.table, self.key, host_key, nonce, self.spake])


@dataclass(frozen=True)
class LinkSecret:
    """What both ends of a link of a match must agree on."""

    table_id: bytes
    secret: bytes = field(repr=False)

    def mac(self, purpose: bytes, value: object) -> bytes:
        """32 bytes of HMAC-SHA256 (RFC 2104) under the table secret."""
        return hmac.digest(self.secret, purpose + b"\0" + encode(value), hashlib.sha256)


@dataclass(frozen=True)
class LinkOpening(Message):
    """A seated peer links. `run`: 16 bytes drawn once a process."""

    WORD = "link"
    table_id: bytes
    key: bytes
    run: bytes
    signature: bytes
    mac: bytes

    @classmethod
    def make(
        cls, own: IdentityKey, dialled_key: bytes, nonce: bytes, table: LinkSecret, run: bytes
    ) -> Self:
        """Signed for the holder of that key on the link of that nonce."""
        signed = [table.table_id, own.public, dialled_key, nonce, run]
        signature = own.sign(LINK_LABEL, encode(signed))
        return cls(table.table_id, own.public, run, signature, table.mac(LINK_LABEL, signed))

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        said = super().read(rest)
        codec.octets(said.table_id, HASH_BYTES)
        codec.octets(said.key, KEY_BYTES)
        codec.octets(said.run, RUN_BYTES)
        codec.octets(said.signature, SIGNATURE_BYTES)
        codec.octets(said.mac, MAC_BYTES)
        return said

    def check(self, dialled_key: bytes, nonce: bytes, table: LinkSecret) -> None:
        """Raises LinkBroken unless MAC and signature are of this table and this link.

        Nothing here says yet that the key has a seat.
        """
        signed = [table.table_id, self.key, dialled_key, nonce, self.run]
        if not hmac.compare_digest(self.mac, table.mac(LINK_LABEL, signed)):
            raise LinkBroken("it does not know the table's secret")
        if not verify(self.key, LINK_LABEL, encode(signed), self.signature):
            raise LinkBroken("its signature does not hold")


@dataclass(frozen=True)
class Linked(Message):
    """The dialled side's run, and that it holds the table secret too."""

    WORD = "linked"
    run: bytes
    mac: bytes

    @classmethod
    def make(
        cls, table: LinkSecret, dialler_key: bytes, dialled_key: bytes, nonce: bytes, run: bytes
    ) -> Self:
        """For the link of that nonce between these two."""
        facts = [table.table_id, dialler_key, dialled_key, nonce, run]
        return cls(run, table.mac(ANSWER_LABEL, facts))

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        said = super().read(rest)
        codec.octets(said.run, RUN_BYTES)
        return said

    def check(
        self, table: LinkSecret, dialler_key: bytes, dialled_key: bytes, nonce: bytes
    ) -> None:
        """Raises LinkBroken unless it was made with the secret, for this link."""
        expected = Linked.make(table, dialler_key, dialled_key, nonce, self.run)
        if not hmac.compare_digest(expected.mac, self.mac):
            raise LinkBroken("it does not know the table's secret")


@dataclass(frozen=True)
class Use(Message):
    """This link, of the lower seat, is the one that is used."""

    WORD = "use"
