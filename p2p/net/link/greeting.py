"""The first frame of each side on a link, before anything is known: hello, then an opening.

    dialled -> dialler   Hello
    dialler -> dialled   JoinOpening or LinkOpening; WatchOpening or LookOpening of who looks on
    dialled -> dialler   after a link or look opening: LinkAnswer, or No
    dialler -> dialled   after LinkAnswer, if it has the lower seat: Use

The dialler's signature names the dialled side's key and nonce, so it is of no use on another link.
"""

import hashlib
import hmac
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2p.crypto.identity import KEY_BYTES, SIGNATURE_BYTES, IdentityKey, verify
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import LinkBroken
from p2p.wire.codec import DecodeError, encode, fields, integer, octets, text
from p2p.wire.envelope import HASH_BYTES, VERSION
from p2p.wire.shape import Shape

MAGIC = "allfives"
RUN_BYTES = 16
MAC_BYTES = 32
SECRET_BYTES = 32

# Longer than any name: whoever shows one looks at the name itself.
NAME_MOST = 64

JOIN_LABEL = b"allfives join 1"
WATCH_LABEL = b"allfives watch 1"
LOOK_LABEL = b"allfives look 1"
LINK_LABEL = b"allfives link 1"
ANSWER_LABEL = b"allfives link answer 1"

Way: TypeAlias = Literal["code", "invite", "open"]
WAYS: dict[str, Way] = {"code": "code", "invite": "invite", "open": "open"}


Key = Annotated[bytes, partial(octets, size=KEY_BYTES)]
Run = Annotated[bytes, partial(octets, size=RUN_BYTES)]
Signature = Annotated[bytes, partial(octets, size=SIGNATURE_BYTES)]


def _way(value: object) -> Way:
    if not isinstance(value, str) or value not in WAYS:
        raise DecodeError("a way to join that is none")
    return WAYS[value]


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
        version = integer(value[1])
        if version != VERSION:
            return cls(version, b"")
        _, _, nonce = fields(value, str, int, bytes)
        return cls(version, octets(nonce, NONCE_BYTES))


def opening_word(value: object) -> str:
    """What an opening is about, its kind; raises DecodeError for anything else."""
    word = value[0] if type(value) is list and value else None
    if word not in [one.kind for one in (JoinOpening, LinkOpening, WatchOpening, LookOpening)]:
        raise DecodeError("something else than an opening")
    return str(word)


class JoinOpening(Shape, kind="join"):
    """A stranger asks for a seat; once it is checked, it is proven as far as its key goes."""

    label: ClassVar[bytes] = JOIN_LABEL
    way: Annotated[Way, _way]
    table: Annotated[str, partial(text, most=64)]
    key: Key
    signature: Signature
    spake: Annotated[bytes, partial(octets, most=64)]

    @classmethod
    def make(
        cls, own: IdentityKey, host_key: bytes, nonce: bytes, way: Way, table: str, spake: bytes
    ) -> Self:
        """Signed for the host of that key on the link of that nonce."""
        unsigned = cls(way, table, own.public, b"", spake)
        signature = own.sign(cls.label, unsigned._signed(host_key, nonce))
        return replace(unsigned, signature=signature)

    def check(self, host_key: bytes, nonce: bytes) -> None:
        """Raises LinkBroken unless it was signed for this link."""
        if not verify(self.key, self.label, self._signed(host_key, nonce), self.signature):
            raise LinkBroken("its signature does not hold")

    def _signed(self, host_key: bytes, nonce: bytes) -> bytes:
        return encode([self.way, self.table, self.key, host_key, nonce, self.spake])


class WatchOpening(JoinOpening, kind="watch"):
    """A stranger asks to look on, and proves the same."""

    label: ClassVar[bytes] = WATCH_LABEL


@dataclass(frozen=True)
class LinkSecret:
    """What both ends of a link of a match must agree on."""

    table_id: bytes
    secret: bytes = field(repr=False)

    def mac(self, purpose: bytes, value: object) -> bytes:
        """32 bytes of HMAC-SHA256 (RFC 2104) under the table secret."""
        return hmac.digest(self.secret, purpose + b"\0" + encode(value), hashlib.sha256)

    @property
    def of_watching(self) -> "LinkSecret":
        """The same for who looks on: HKDF-SHA256 (RFC 5869) of it, so they know no more."""
        key = HKDF(SHA256(), SECRET_BYTES, salt=None, info=b"watch").derive(self.secret)
        return LinkSecret(self.table_id, key)


class LinkOpening(Shape, kind="link"):
    """A seated peer links. `run`: 16 bytes drawn once a process."""

    table_id: Annotated[bytes, partial(octets, size=HASH_BYTES)]
    key: Key
    run: Run
    signature: Signature
    mac: Annotated[bytes, partial(octets, size=MAC_BYTES)]

    @classmethod
    def make(
        cls, own: IdentityKey, dialled_key: bytes, nonce: bytes, table: LinkSecret, run: bytes
    ) -> Self:
        """Signed for the holder of that key on the link of that nonce."""
        signed = [table.table_id, own.public, dialled_key, nonce, run]
        signature = own.sign(LINK_LABEL, encode(signed))
        return cls(table.table_id, own.public, run, signature, table.mac(LINK_LABEL, signed))

    def check(self, dialled_key: bytes, nonce: bytes, table: LinkSecret) -> None:
        """Raises LinkBroken unless MAC and signature are of this table and this link.

        Nothing here says yet that the key has a seat.
        """
        signed = [table.table_id, self.key, dialled_key, nonce, self.run]
        if not hmac.compare_digest(self.mac, table.mac(LINK_LABEL, signed)):
            raise LinkBroken("it does not know the table's secret")
        if not verify(self.key, LINK_LABEL, encode(signed), self.signature):
            raise LinkBroken("its signature does not hold")


class LookOpening(Shape, kind="look"):
    """Somebody without a seat links, under the secret of watching. `name`: not looked at here."""

    table_id: Annotated[bytes, partial(octets, size=HASH_BYTES)]
    key: Key
    name: Annotated[str, partial(text, most=NAME_MOST)]
    signature: Signature
    mac: Annotated[bytes, partial(octets, size=MAC_BYTES)]

    @classmethod
    def make(
        cls, own: IdentityKey, dialled_key: bytes, nonce: bytes, table: LinkSecret, name: str
    ) -> Self:
        """Signed for the holder of that key on the link of that nonce."""
        signed = [table.table_id, own.public, dialled_key, nonce, name]
        signature = own.sign(LOOK_LABEL, encode(signed))
        return cls(table.table_id, own.public, name, signature, table.mac(LOOK_LABEL, signed))

    def check(self, dialled_key: bytes, nonce: bytes, table: LinkSecret) -> None:
        """Raises LinkBroken unless MAC and signature are of this table and this link."""
        signed = [table.table_id, self.key, dialled_key, nonce, self.name]
        if not hmac.compare_digest(self.mac, table.mac(LOOK_LABEL, signed)):
            raise LinkBroken("it does not know the secret of those who look on")
        if not verify(self.key, LOOK_LABEL, encode(signed), self.signature):
            raise LinkBroken("its signature does not hold")


class LinkAnswer(Shape, kind="linked"):
    """The dialled side's run, and that it holds the table secret too."""

    run: Run
    mac: bytes

    @classmethod
    def make(
        cls, table: LinkSecret, dialler_key: bytes, dialled_key: bytes, nonce: bytes, run: bytes
    ) -> Self:
        """For the link of that nonce between these two."""
        facts = [table.table_id, dialler_key, dialled_key, nonce, run]
        return cls(run, table.mac(ANSWER_LABEL, facts))

    def check(
        self, table: LinkSecret, dialler_key: bytes, dialled_key: bytes, nonce: bytes
    ) -> None:
        """Raises LinkBroken unless it was made with the secret, for this link."""
        expected = LinkAnswer.make(table, dialler_key, dialled_key, nonce, self.run)
        if not hmac.compare_digest(expected.mac, self.mac):
            raise LinkBroken("it does not know the table's secret")


class Use(Shape, kind="use"):
    """This link, of the lower seat, is the one that is used."""
