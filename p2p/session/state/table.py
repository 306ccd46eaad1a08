"""The table description: rules, terms and who sits where. Its hash is the table id and T_0."""

import hashlib
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from engine.errors import RulesError
from engine.rules import Rules
from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.crypto.identity import KEY_BYTES, BadKey, check_public_key
from p2p.crypto.randomness import NONCE_BYTES
from p2p.session.state.events import Participant
from p2p.wire.codec import (
    DecodeError,
    decode,
    encode,
    fields,
    integer,
    list_of,
    map_of,
    octets,
    text,
)
from p2p.wire.legible import fault_of

NAME_CHARACTERS = 24
USUAL_GRACE = 300
# A day: who wants to wait for longer plays another day.
MOST_GRACE = 24 * 60 * 60

TABLE_LABEL = b"allfives table description\0"
SEAT_LABEL = b"allfives seat order\0"
NONCE_LABEL = b"allfives nonce\0"


class TableError(ValueError):
    """A description that no table can have; the text is one clause."""


class BadName(TableError):
    """A name that may not stand at a table; the text is one clause."""


class ReservedName(BadName):
    """A name that would be taken for another: each program calls its own person "You" and "Ana
    (you)"."""


@dataclass(frozen=True)
class Terms:
    """What the host decides beside the rules: `grace`, seconds a match for which each seat may be
    away in all, and whether others may `watch`."""

    grace: int = USUAL_GRACE
    watch: bool = True

    def value(self) -> list[object]:
        """The terms as they go over a link and into the description."""
        return [self.grace, self.watch]

    @classmethod
    def read(cls, value: object) -> "Terms":
        """Received terms. Raises DecodeError."""
        grace, watch = fields(value, int, bool)
        return cls(integer(grace, high=MOST_GRACE), watch)


USUAL_TERMS = Terms()


@dataclass(frozen=True)
class Person:
    """Who sits at a table: raw identity key (32 bytes), name, 32 random bytes for this table, and
    of a bot the key of the person who brought it (else b"")."""

    key: bytes
    name: str
    nonce: bytes
    owner: bytes = b""

    def value(self) -> list[object]:
        """The person as it goes into the description."""
        return [self.key, self.name, self.nonce, self.owner]

    @classmethod
    def read(cls, value: object) -> "Person":
        """A received person. Raises DecodeError, and BadName when nothing else is wrong."""
        key, name, nonce, owner = fields(value, bytes, str, bytes, bytes)
        octets(nonce, size=NONCE_BYTES)
        return cls(read_key(key), check_name(name), nonce, read_owner(owner))


def read_key(key: bytes) -> bytes:
    """A received identity key. Raises DecodeError."""
    try:
        check_public_key(octets(key, size=KEY_BYTES))
    except BadKey as error:
        raise DecodeError(str(error)) from None
    return key


def read_owner(owner: bytes) -> bytes:
    """A received owner: nobody (b""), or a key. Raises DecodeError."""
    return owner and read_key(owner)


class Owned(Protocol):
    """Somebody with a key, and of a bot its owner's."""

    @property
    def key(self) -> bytes: ...

    @property
    def owner(self) -> bytes: ...


def check_owners(everybody: Iterable[Owned]) -> None:
    """Raise DecodeError unless every bot's owner is a person who sits there too."""
    here = tuple(everybody)
    persons = {one.key for one in here if not one.owner}
    if any(one.owner and one.owner not in persons for one in here):
        raise DecodeError("a bot whose owner is no person at the table")


@dataclass(frozen=True)
class Table:
    """The rules, the people in seat order and the terms, as every seat signs them."""

    rules: Rules
    people: tuple[Person, ...]
    terms: Terms = USUAL_TERMS

    @classmethod
    def seat_people(
        cls,
        rules: Rules,
        people: tuple[Person, ...],
        side: Collection[bytes] = (),
        terms: Terms | None = None,
    ) -> "Table":
        """The table of these people, seated by the hash of their nonces, whatever their order here.

        Every nonce goes into every hash, and each is bound before any is shown
        (`nonce_commitment`), so that no one has a say in the order. `side`, where partners play:
        the keys of two who shall sit opposite each other.
        """
        seated = _by_nonces(people)
        placed = _facing(seated, side) if rules.partners and side else seated
        return cls(rules, placed, terms or USUAL_TERMS)

    @cached_property
    def description(self) -> bytes:
        """The bytes that are hashed, handed out and kept in the record."""
        people = [person.value() for person in self.people]
        return encode([dict(self.rules.spell()), people, self.terms.value()])

    @cached_property
    def id(self) -> bytes:
        """32 bytes: the hash of the description."""
        return table_id(self.description)

    @property
    def seats(self) -> tuple[int, ...]:
        """All seat numbers, 0 first."""
        return tuple(range(len(self.people)))

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """By seat: the seat of the person who brought this bot; a person's own."""
        owners = (person.owner or person.key for person in self.people)
        return tuple(self.seat_of(key) for key in owners)

    @cached_property
    def players(self) -> tuple[Participant, ...]:
        """Seats with the names to show: a second "Ana" is "Ana (2)"."""
        shown = show_names([person.name for person in self.people])
        people = zip(self.people, shown, strict=True)
        return tuple(
            Participant(seat, name, one.key, bool(one.owner))
            for seat, (one, name) in enumerate(people)
        )

    def name(self, seat: int) -> str:
        """What people call a seat."""
        return self.players[seat].name

    def seat_of(self, key: bytes) -> int:
        """The seat of a raw identity key; TableError if it has none."""
        for seat, person in enumerate(self.people):
            if person.key == key:
                return seat
        raise TableError("that key has no seat at this table")

    @classmethod
    def decode(cls, description: bytes) -> "Table":
        """The table that hostile bytes describe. Raises TableError."""
        try:
            spelled, people, said = fields(decode(description), dict, list, list)
            persons = tuple(list_of(people, Person.read, MIN_SEATS, MAX_SEATS))
            check_owners(persons)
            terms = Terms.read(said)
            rules = Rules.read(map_of(spelled, text), len(persons))
        except (DecodeError, RulesError) as error:
            raise TableError(str(error)) from None
        if len({person.key for person in persons}) < len(persons):
            raise TableError("two seats have one key")
        if not rules.partners and persons != _by_nonces(persons):
            raise TableError("the seats are not in the order of the nonces")
        return cls(rules, persons, terms)


def nonce_commitment(draw: bytes, key: bytes, nonce: bytes) -> bytes:
    """32 bytes that bind the holder of `key` to its nonce for the next table, before it has seen
    any other: so nobody chooses the order of the seats.

    `draw` says for which: 4 bytes, the number of the draw in the lobby; or, where the same people
    play again, the 32 bytes of the id of the table before.
    """
    return hashlib.sha256(NONCE_LABEL + draw + key + nonce).digest()


def table_id(description: bytes) -> bytes:
    """32 bytes: the id of the table that `description` describes."""
    return hashlib.sha256(TABLE_LABEL + description).digest()


def check_name(name: str) -> str:
    """`name` if it may stand at a table: 1 to 24 printable characters, NFC, not "You" and not with
    "(you)" at its end; else BadName."""
    if not 1 <= len(name) <= NAME_CHARACTERS:
        raise BadName(f"a name has 1 to {NAME_CHARACTERS} characters")
    if not name.isprintable() or name != name.strip():
        raise BadName("a name has only printable characters, and no space at its ends")
    if (fault := fault_of(name)) is not None:
        raise BadName(f"of a name {fault}")
    if unicodedata.normalize("NFC", name) != name:
        raise BadName("a name is in Unicode normal form C")
    plain = unicodedata.normalize("NFKC", name).casefold()
    if plain == "you" or plain.endswith("(you)"):
        raise ReservedName("the program itself writes that of whoever sits before it")
    return name


def show_names(names: list[str]) -> list[str]:
    """The names with " (2)", " (3)" ... behind each that stands before it already."""
    shown: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in shown:
            number += 1
            candidate = f"{name} ({number})"
        shown.append(candidate)
    return shown


def _facing(people: tuple[Person, ...], side: Collection[bytes]) -> tuple[Person, ...]:
    """The first stays where it sits; two of a side take seats 0 and 2, or 1 and 3."""
    first = [one for one in people if (one.key in side) == (people[0].key in side)]
    second = [one for one in people if one not in first]
    assert len(first) == len(second) == 2, "a side is two of four"
    return (first[0], second[0], first[1], second[1])


def _by_nonces(people: tuple[Person, ...]) -> tuple[Person, ...]:
    everyone = b"".join(sorted(person.nonce for person in people))

    def place(person: Person) -> bytes:
        return hashlib.sha256(SEAT_LABEL + everyone + person.nonce + person.key).digest()

    return tuple(sorted(people, key=place))
