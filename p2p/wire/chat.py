"""Lines of chat: what may stand in one, and the signed line of somebody without a seat.

Who waits in a lobby has no seat number yet, and who looks on has none at all. A remark is signed by
the key of who makes it, for one place: the id of the table, or of its lobby.
"""

import hashlib
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

from p2p.crypto.identity import KEY_BYTES, BadKey, IdentityKey, check_public_key, verify
from p2p.wire.codec import DecodeError, decode, encode, integer, octets, text
from p2p.wire.envelope import HASH_BYTES, VERSION, signed_head
from p2p.wire.legible import fault_of
from p2p.wire.shape import Shape

CHAT_CHARACTERS = 300
# Longer than any name: whoever shows one looks at the name itself.
NAME_MOST = 64
MAX_NUMBER = 2**32 - 1
REMARK_LABEL = b"allfives remark"
LOBBY_LABEL = b"allfives lobby\0"


def read_line(value: str) -> str:
    """A received line of chat. Raises DecodeError."""
    if fault_of(text(value, CHAT_CHARACTERS)) is not None:
        raise DecodeError("chat that cannot be shown")
    return value


def check_line(words: str) -> str:
    """A line that can be sent. ValueError (one sentence) for another."""
    if not 1 <= len(words) <= CHAT_CHARACTERS or not words.isprintable():
        raise ValueError(f"A line of chat has 1 to {CHAT_CHARACTERS} printable characters.")
    fault = fault_of(words)
    if fault is not None:
        raise ValueError(f"This line cannot be sent: {fault}.")
    return words


def lobby_id(secret: bytes) -> bytes:
    """32 bytes that name the lobby of the table with that secret."""
    return hashlib.sha256(LOBBY_LABEL + secret).digest()


class _Payload(Shape):
    version: int
    place: Annotated[bytes, partial(octets, size=HASH_BYTES)]
    key: Annotated[bytes, partial(octets, size=KEY_BYTES)]
    name: Annotated[str, partial(text, most=NAME_MOST)]
    number: Annotated[int, partial(integer, high=MAX_NUMBER)]
    words: Annotated[str, read_line]


@dataclass(frozen=True)
class Remark:
    """A signed line as received: of the holder of `key`, number `number` of its lines there. The
    `name` is the one that it gives itself."""

    data: bytes
    key: bytes
    name: str
    number: int
    words: str = field(repr=False)

    kind = "remark"

    def value(self) -> list[object]:
        """What goes over a link: the signed bytes."""
        return [self.data]


def make_remark(identity: IdentityKey, place: bytes, name: str, number: int, words: str) -> Remark:
    """A signed line. ValueError (one sentence) for words that cannot be sent."""
    said = _Payload(VERSION, place, identity.public, name, number, check_line(words))
    payload = encode(said.value())
    data = encode([identity.sign(REMARK_LABEL, payload), payload])
    return Remark(data, identity.public, name, number, words)


def open_remark(data: bytes, place: bytes) -> Remark:
    """The line in `data`, signed for that place by the key that it names: the signature is checked
    before the words are read. Raises DecodeError."""
    signature, payload, head = signed_head(data, 3)
    if head[1] != place:
        raise DecodeError("a remark for another place")
    try:
        check_public_key(octets(head[2], size=KEY_BYTES))
    except BadKey as error:
        raise DecodeError(str(error)) from None
    if not verify(octets(head[2]), REMARK_LABEL, payload, signature):
        raise DecodeError("a remark with a wrong signature")
    said = _Payload.read(decode(payload))
    return Remark(data, said.key, said.name, said.number, said.words)
