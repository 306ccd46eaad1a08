"""What is said at the door and in the lobby: a class a line of protocol.md, sections 6.1 and 6.3.

joiner -> host   Confirm; TakeSeat, from which on they are payloads of a live link;
                 Bound, Shown, ReadyFor, Spoken
host -> joiner   Spake, Confirm; Welcome, NowSeated, DrawSeats, Show, Start, Go, Spoken; No at any
                 time
"""

import hashlib
from functools import partial
from typing import Annotated, Self

from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.link.greeting import SECRET_BYTES
from p2p.net.link.roster import Roster, read_addresses, read_roster
from p2p.session.state.table import BadName, Terms, check_name
from p2p.wire.codec import DecodeError, integer, list_of, map_of, octets, text
from p2p.wire.envelope import HASH_BYTES
from p2p.wire.shape import Shape
from p2p.wire.talk import DESCRIPTION_MOST

READY_LABEL = b"allfives ready\0"
MAX_DRAWS = 2**32 - 1
# Within the limits of what a joiner sends.
SPOKEN_MOST = 1024
_RULES_MOST = 64
_RULE_MOST = 64


def _spelled(value: object) -> dict[str, str]:
    """Names and values, all short text."""
    short = partial(text, most=_RULE_MOST)
    rules = map_of(value, short, _RULES_MOST)
    for name in rules:
        short(name)
    return rules


def _name(value: str) -> str:
    """One that may be shown."""
    try:
        return check_name(value)
    except BadName as error:
        raise DecodeError(str(error)) from None


def _commitments(value: object) -> tuple[bytes, ...]:
    return tuple(list_of(value, partial(octets, size=HASH_BYTES), MIN_SEATS, MAX_SEATS))


People = Annotated[Roster, read_roster]
Number = Annotated[int, partial(integer, high=MAX_DRAWS)]
Hash = Annotated[bytes, partial(octets, size=HASH_BYTES)]
Nonce = Annotated[bytes, partial(octets, size=NONCE_BYTES)]


class Confirm(Shape, kind="confirm"):
    """Either side knows the password; no tag at an open table. Judged by who expects it."""

    tag: bytes


class Spake(Shape, kind="spake"):
    """The host's part of SPAKE2, 33 bytes: it is this joiner's turn. Judged by spake."""

    part: bytes


class TakeSeat(Shape, kind="seat"):
    """Who the proven joiner is: its name, and where it listens.

    The name is not checked here: a bad one has an answer of its own.
    """

    name: str
    addresses: Annotated[tuple[str, ...], read_addresses]


class Welcome(Shape, kind="welcome"):
    """Let in. `rules`: every option as it is spelled; not yet known to be rules."""

    secret: Annotated[bytes, partial(octets, size=SECRET_BYTES)]
    table_name: Annotated[str, _name]
    rules: Annotated[dict[str, str], _spelled]
    players: Annotated[int, partial(integer, low=MIN_SEATS, high=MAX_SEATS)]
    terms: Annotated[Terms, Terms.read]
    roster: People

    def __repr__(self) -> str:
        return f"<Welcome to {self.table_name}>"


class NowSeated(Shape, kind="seated"):
    """Who sits at the table now; takes back a start."""

    roster: People


class DrawSeats(Shape, kind="draw"):
    """All seats are taken by those of the last roster: everybody shall bind itself to a nonce, for
    the draw of that number."""

    number: Number


class Bound(Shape, kind="bound"):
    """For that draw the joiner is bound to a nonce: `nonce_commitment` of it."""

    number: Number
    commitment: Hash


class Show(Shape, kind="show"):
    """All are bound: the commitments in the order of the roster, and the host's nonce, which it
    shows first. The joiner's is wanted."""

    number: Number
    commitments: Annotated[tuple[bytes, ...], _commitments]
    nonce: Nonce


class Shown(Shape, kind="shown"):
    """The joiner's nonce."""

    number: Number
    nonce: Nonce


class Start(Shape, kind="start"):
    """All nonces are shown: the description of the table that they make."""

    description: Annotated[bytes, partial(octets, most=DESCRIPTION_MOST)]


class ReadyFor(Shape, kind="ready"):
    """The description of this hash is right."""

    hash: bytes

    @classmethod
    def of(cls, description: bytes) -> Self:
        """Ready for that description."""
        return cls(hashlib.sha256(READY_LABEL + description).digest())


class Spoken(Shape, kind="remark"):
    """A line of somebody in the lobby, as p2p.wire.chat signs it; the host passes it on."""

    data: Annotated[bytes, partial(octets, most=SPOKEN_MOST)]


class Go(Shape, kind="go"):
    """All are ready; the host leaves the lobby."""
