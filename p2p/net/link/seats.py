"""Who sits at a table, and the lobby's messages that say so.

joiner -> host   ["confirm", tag] or ["confirm", b""] (open table)
host -> joiner   ["spake", message], ["confirm", tag], ["no", word]
joiner -> host   ["seat", name, nonce, addresses]; from here on frames of a live link:
host -> joiner   ["welcome", table secret, table name, rules, players, roster]
                 ["seated", roster], ["start", description, roster], ["go"], ["no", word]
joiner -> host   ["ready", hash of the description]
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.seats import MAX_SEATS
from p2p.crypto.identity import KEY_BYTES, BadKey, check_public_key, fingerprint
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import REFUSALS
from p2p.net.link.addresses import ADDRESSES_MOST, exchanged
from p2p.session.state.table import BadName, check_name
from p2p.wire import codec
from p2p.wire.codec import DecodeError

DESCRIPTION_MOST = 16 * 1024
_RULES_MOST = 64
_RULE_MOST = 64

Rules = Mapping[str, str]


@dataclass(frozen=True)
class Seat:
    """One person at a table: raw identity key (32 bytes), name, 32 random bytes, where to dial.

    `addresses`: "host:port" in the exchanged form, IPv6 in brackets; at most 16.
    """

    key: bytes
    name: str
    nonce: bytes
    addresses: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """16 hex digits of the key."""
        return fingerprint(self.key)

    def value(self) -> list[object]:
        """The seat as it goes over a link."""
        return [self.key, self.name, self.nonce, list(self.addresses)]


Roster = tuple[Seat, ...]

# (rules, roster in any order) -> description; only the host makes one.
MakeDescription = Callable[[Rules, Roster], bytes]
# (description, rules, roster in any order) -> the keys in seat order; ValueError with a clause.
CheckDescription = Callable[[bytes, Rules, Roster], Sequence[bytes]]


@dataclass(frozen=True)
class Seated:
    """A table about to start: its description (opaque here), the secret of its links (32 bytes),
    and the roster in the order of the description."""

    description: bytes
    table_secret: bytes = field(repr=False)
    roster: Roster


def parse_seat(value: object) -> Seat:
    """A received seat. Raises DecodeError; a bad name is BadName."""
    key, name, nonce, addresses = codec.fields(value, bytes, str, bytes, list)
    codec.octets(key, KEY_BYTES)
    try:
        check_public_key(key)
    except BadKey as error:
        raise DecodeError(str(error)) from None
    codec.octets(nonce, NONCE_BYTES)
    places = codec.list_of(addresses, exchanged, 0, ADDRESSES_MOST)
    return Seat(key, check_name(name), nonce, tuple(places))


def parse_roster(value: object) -> Roster:
    """One to four seats with different keys. Raises DecodeError."""
    try:
        roster = tuple(codec.list_of(value, parse_seat, 1, MAX_SEATS))
    except BadName:
        raise DecodeError("a name that cannot be shown") from None
    if len({seat.key for seat in roster}) < len(roster):
        raise DecodeError("two seats with one key")
    return roster


def roster_value(roster: Roster) -> list[object]:
    """The roster as it goes over a link."""
    return [seat.value() for seat in roster]


def parse_rules(value: object) -> dict[str, str]:
    """Option names with their values, both short text. Raises DecodeError."""

    def short(one: object) -> str:
        return codec.text(one, _RULE_MOST)

    rules = codec.map_of(value, short, _RULES_MOST)
    for name in rules:
        short(name)
    return rules


def description_hash(description: bytes) -> bytes:
    """32 bytes by which a joiner says which description it is ready for."""
    return hashlib.sha256(b"allfives ready\0" + description).digest()


def in_order(roster: Roster, keys: Sequence[bytes]) -> Roster:
    """The roster in the order of `keys`; ValueError if they are not the same people."""
    by_key = {seat.key: seat for seat in roster}
    if len(keys) != len(roster) or set(keys) != set(by_key):
        raise ValueError("it seats other people than the host said")
    return tuple(by_key[key] for key in keys)


def message(value: object) -> tuple[str, list[object]]:
    """Word and fields of a lobby message. Raises DecodeError; a refusal is raised as itself."""
    if type(value) is not list or not value or type(value[0]) is not str:
        raise DecodeError("something else than a message of the lobby")
    word, rest = value[0], value[1:]
    if word == "no" and len(rest) == 1:
        reason = codec.text(rest[0], 32)
        if reason in REFUSALS:
            raise REFUSALS[reason]()
    return word, rest
