"""Who sits at a table and where to dial them; the table that comes of it."""

from dataclasses import dataclass, field

from engine.rules import Rules
from engine.seats import MAX_SEATS
from p2p.net.link.addresses import ADDRESSES_MOST, exchanged
from p2p.session.state.table import BadName, Person, Table, TableError
from p2p.wire import codec
from p2p.wire.codec import DecodeError


@dataclass(frozen=True)
class Neighbour:
    """A person at a table with where to dial them: at most 16 "host:port" in the exchanged form."""

    person: Person
    addresses: tuple[str, ...]

    @property
    def key(self) -> bytes:
        """The raw identity key, 32 bytes."""
        return self.person.key

    def value(self) -> list[object]:
        """As it goes over a link."""
        return [*self.person.value(), self.addresses]

    @classmethod
    def read(cls, value: object) -> "Neighbour":
        """A received one. Raises DecodeError; a bad name is BadName."""
        *person, addresses = codec.fields(value, bytes, str, bytes, list)
        places = read_addresses(addresses)
        return cls(Person.read(person), places)


Roster = tuple[Neighbour, ...]
"""Who sits at a table, in the order in which they came, or once it is full in seat order."""


def read_addresses(value: object) -> tuple[str, ...]:
    """At most 16 received addresses. Raises DecodeError."""
    return tuple(codec.list_of(value, exchanged, 0, ADDRESSES_MOST))


def read_roster(value: object) -> Roster:
    """One to four people with different keys. Raises DecodeError."""
    try:
        roster = tuple(codec.list_of(value, Neighbour.read, 1, MAX_SEATS))
    except BadName:
        raise DecodeError("a name that cannot be shown") from None
    if len({one.key for one in roster}) < len(roster):
        raise DecodeError("two seats with one key")
    return roster


@dataclass(frozen=True)
class Seated:
    """A table about to start, the secret of its links (32 bytes), its people in seat order."""

    table: Table
    secret: bytes = field(repr=False)
    roster: Roster

    @classmethod
    def check(cls, description: bytes, rules: Rules, roster: Roster, secret: bytes) -> "Seated":
        """The table of a description. Raises TableError unless it has just these rules and people.

        `roster`: the people in any order.
        """
        table = Table.decode(description)
        if table.rules.spell() != rules.spell():
            raise TableError("it has other rules than the lobby said")
        dialled = {one.person: one for one in roster}
        if set(table.people) != set(dialled):
            raise TableError("it seats other people than the lobby said")
        return cls(table, secret, tuple(dialled[person] for person in table.people))
