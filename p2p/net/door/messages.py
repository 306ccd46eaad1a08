"""What is said at the door and in the lobby: a class a line of protocol.md, sections 6.1 and 6.3.

joiner -> host   Confirm; TakeSeat, from which on they are payloads of a live link; Ready
host -> joiner   Spake, Confirm; Welcome, NowSeated, Start, Go; No at any time
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.link.greeting import SECRET_BYTES
from p2p.net.link.message import Message
from p2p.net.link.roster import Roster, read_addresses, read_roster, roster_value
from p2p.session.state.table import check_name
from p2p.wire import codec

DESCRIPTION_MOST = 16 * 1024
_RULES_MOST = 64
_RULE_MOST = 64
READY_LABEL = b"allfives ready\0"


@dataclass(frozen=True)
class Confirm(Message):
    """Either side knows the password; no tag at an open table."""

    WORD = "confirm"
    tag: bytes


@dataclass(frozen=True)
class Spake(Message):
    """The host's part of SPAKE2: it is this joiner's turn. Its length is judged by spake."""

    WORD = "spake"
    part: bytes


@dataclass(frozen=True)
class TakeSeat(Message):
    """Who the proven joiner is: name, 32 bytes fresh for this table, where it listens."""

    WORD = "seat"
    name: str
    nonce: bytes
    addresses: tuple[str, ...]

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        """Raises BadName, when nothing else is wrong."""
        name, nonce, addresses = codec.fields(rest, str, bytes, list)
        codec.octets(nonce, NONCE_BYTES)
        places = read_addresses(addresses)
        return cls(check_name(name), nonce, places)


@dataclass(frozen=True)
class Welcome(Message):
    """Let in. `rules`: every option as it is spelled; not yet known to be rules."""

    WORD = "welcome"
    secret: bytes = field(repr=False)
    table_name: str
    rules: Mapping[str, str]
    players: int
    roster: Roster

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        secret, name, rules, players, roster = codec.fields(rest, bytes, str, dict, int, list)
        codec.octets(secret, SECRET_BYTES)
        codec.integer(players, MIN_SEATS, MAX_SEATS)
        return cls(secret, check_name(name), _spelled(rules), players, read_roster(roster))

    def fields(self) -> list[object]:
        roster = roster_value(self.roster)
        return [self.secret, self.table_name, dict(self.rules), self.players, roster]


@dataclass(frozen=True)
class NowSeated(Message):
    """Who sits at the table now; takes back a start."""

    WORD = "seated"
    roster: Roster

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        (roster,) = codec.fields(rest, list)
        return cls(read_roster(roster))

    def fields(self) -> list[object]:
        return [roster_value(self.roster)]


@dataclass(frozen=True)
class Start(Message):
    """All seats are taken: the description of the table, and of whom it was made."""

    WORD = "start"
    description: bytes
    roster: Roster

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        description, roster = codec.fields(rest, bytes, list)
        return cls(codec.octets(description, most=DESCRIPTION_MOST), read_roster(roster))

    def fields(self) -> list[object]:
        return [self.description, roster_value(self.roster)]


@dataclass(frozen=True)
class Ready(Message):
    """The description of this hash is right."""

    WORD = "ready"
    hash: bytes

    @classmethod
    def to(cls, description: bytes) -> Self:
        """Ready for that description."""
        return cls(hashlib.sha256(READY_LABEL + description).digest())


@dataclass(frozen=True)
class Go(Message):
    """All are ready; the host leaves the lobby."""

    WORD = "go"


def _spelled(value: object) -> dict[str, str]:
    """Names and values, all short text."""

    def short(one: object) -> str:
        return codec.text(one, _RULE_MOST)

    rules = codec.map_of(value, short, _RULES_MOST)
    for name in rules:
        short(name)
    return rules
