"""Who sits at a table and where to dial them; the table that comes of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from engine.rules import Rules
from engine.seats import MAX_SEATS
from p2p.net.link.addresses import ADDRESSES_MOST, exchanged
from p2p.session.state.table import (
    BadName,
    Person,
    Table,
    TableError,
    Terms,
    check_name,
    check_owners,
    read_key,
    read_owner,
)
from p2p.wire import codec
from p2p.wire.codec import DecodeError

ReadPlace = Callable[[object], str]


@dataclass(frozen=True)
class Neighbour:
    """Somebody at a table: raw identity key (32 bytes), name, of a bot its owner's key (else b""),
    and where to dial them: at most 16 "host:port" in the exchanged form."""

    key: bytes
    name: str
    owner: bytes
    addresses: tuple[str, ...]

    def value(self) -> list[object]:
        """As it goes over a link."""
        return [self.key, self.name, self.owner, list(self.addresses)]

    @classmethod
    def read(cls, value: object, place: ReadPlace = exchanged) -> "Neighbour":
        """A received one. Raises DecodeError; a bad name is BadName."""
        key, name, owner, addresses = codec.fields(value, bytes, str, bytes, list)
        places = read_addresses(addresses, place)
        known, brought_by = read_key(key), read_owner(owner)
        return cls(known, check_name(name), brought_by, places)

    def is_one(self, other: "Neighbour | Person") -> bool:
        """Whether it is the same person or bot."""
        return (self.key, self.name, self.owner) == (other.key, other.name, other.owner)


Roster = tuple[Neighbour, ...]
"""Who sits at a table, in the order in which they came, or once it is full in seat order."""


def read_addresses(value: object, place: ReadPlace = exchanged) -> tuple[str, ...]:
    """At most 16 received addresses. Raises DecodeError."""
    return tuple(codec.list_of(value, place, 0, ADDRESSES_MOST))


def read_roster(value: object, place: ReadPlace = exchanged) -> Roster:
    """One to four people with different keys. Raises DecodeError. `place`: how addresses are
    read; `noted` for what this program wrote itself, with the places that it dialled."""
    read = partial(Neighbour.read, place=place)
    try:
        roster = tuple(codec.list_of(value, read, 1, MAX_SEATS))
    except BadName:
        raise DecodeError("a name that cannot be shown") from None
    if len({one.key for one in roster}) < len(roster):
        raise DecodeError("two seats with one key")
    check_owners(roster)
    return roster


def at_places(roster: Roster, key: bytes, places: Iterable[str]) -> Roster:
    """The same, where the holder of `key` is also dialled at these places, which come first: there
    it was reached."""
    more = tuple(places)
    return tuple(
        replace(one, addresses=tuple(dict.fromkeys((*more, *one.addresses)))[:ADDRESSES_MOST])
        if one.key == key
        else one
        for one in roster
    )


@dataclass(frozen=True)
class Played:
    """What is played at a table, and on which terms."""

    rules: Rules
    terms: Terms


@dataclass(frozen=True)
class Seated:
    """A table about to start, the secret of its links (32 bytes), its people in seat order."""

    table: Table
    secret: bytes = field(repr=False)
    roster: Roster

    @classmethod
    def check(cls, table: Table, played: "Played", roster: Roster, secret: bytes) -> "Seated":
        """The table, seated. Raises TableError unless it has just these rules, terms and people.

        `roster`: the people in any order.
        """
        if Played(table.rules, table.terms) != played:
            raise TableError("it has other rules than the lobby said")
        here = {one.key: one for one in roster}
        seats = tuple(here[one.key] for one in table.people if one.key in here)
        same = len(seats) == len(roster) == len(table.people)
        if not (same and all(map(Neighbour.is_one, seats, table.people))):
            raise TableError("it seats other people than the lobby said")
        return cls(table, secret, seats)

    def reached(self, key: bytes, places: Iterable[str]) -> "Seated":
        """The same, where the holder of `key` is also dialled at these places: a name or an outer
        address that only an invite knows."""
        return replace(self, roster=at_places(self.roster, key, places))
