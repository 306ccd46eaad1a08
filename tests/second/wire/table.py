"""The description of a table, and names (sections 3 and 8)."""

import hashlib
import unicodedata
from dataclasses import dataclass

from second.game.rules import Rules, rules_of
from second.refusing import demand
from second.wire.ed25519 import usable
from second.wire.values import (
    MESSAGE,
    Value,
    boolean,
    decode,
    integer,
    listed,
    octets,
    text,
)

_FILLERS = "\u115f\u1160\u3164\uffa0"


def legible(words: str, longest: int) -> None:
    """Refuse what names and chat may not hold (3)."""
    demand(1 <= len(words) <= longest, "too short or too long")
    kinds = [unicodedata.category(letter) for letter in words]
    for letter, kind in zip(words, kinds, strict=True):
        demand(letter == " " or kind[0] not in "CZ", "not printable")
    readable = (
        kind[0] in "LN" and letter not in _FILLERS
        for letter, kind in zip(words, kinds, strict=True)
    )
    demand(any(readable), "without a letter or a digit")
    marks = "".join("m" if kind[0] == "M" else " " for kind in kinds)
    demand("mmmmm" not in marks, "too many marks one behind the other")


def name_of(value: Value) -> str:
    """A name of a person or of a table."""
    name = text(value)
    legible(name, 24)
    demand(unicodedata.normalize("NFC", name) == name and name.strip(" ") == name, "no name")
    folded = unicodedata.normalize("NFKC", name).casefold()
    demand(folded != "you" and not folded.endswith("(you)"), "a name that is kept for oneself")
    return name


@dataclass(frozen=True)
class Person:
    """Who sits at a seat; owner empty for a person."""

    key: bytes
    name: str
    nonce: bytes
    owner: bytes


@dataclass(frozen=True)
class Table:
    """A description that is well-formed, and its id."""

    description: bytes
    id: bytes
    people: tuple[Person, ...]
    rules: Rules
    grace: int
    watch: bool

    def owner_of(self, seat: int) -> int | None:
        """The seat of the person who brought this bot, None for a person."""
        owner = self.people[seat].owner
        return [p.key for p in self.people].index(owner) if owner else None


def seat_order(people: list[Person]) -> list[Person]:
    """The order that the nonces make, without partners."""
    nonces = b"".join(sorted(person.nonce for person in people))

    def place(person: Person) -> bytes:
        head = b"allfives seat order\0" + nonces
        return hashlib.sha256(head + person.nonce + person.key).digest()

    return sorted(people, key=place)


def terms_of(value: Value) -> tuple[int, bool]:
    """Grace in seconds, and whether others may look on."""
    grace, watch = listed(value, 2)
    return integer(grace, 0, 86400), boolean(watch)


def _person_of(value: Value) -> Person:
    key, name, nonce, owner = listed(value, 4)
    return Person(usable(octets(key, 32)), name_of(name), octets(nonce, 32), octets(owner, 0, 32))


def owners_fit(owners: dict[bytes, bytes]) -> None:
    """Refuse an owner that is not the key of a person here."""
    for owner in owners.values():
        demand(not owner or (owner in owners and not owners[owner]), "an owner that is no person")


def options_of(value: Value) -> dict[str, str]:
    """A map of text to text."""
    demand(type(value) is dict, "no map")
    return {text(key): text(item) for key, item in value.items()}


def table_of(description: bytes) -> Table:
    """The table of a description; refused unless well-formed."""
    options, listed_people, terms = listed(decode(description, MESSAGE), 3)
    people = [_person_of(item) for item in listed(listed_people)]
    demand(2 <= len(people) <= 4, "too few or too many people")
    demand(len({person.key for person in people}) == len(people), "one key twice")
    owners_fit({person.key: person.owner for person in people})
    rules = rules_of(options_of(options), len(people))
    demand(rules.partners or seat_order(people) == people, "another seat order")
    grace, watch = terms_of(terms)
    digest = hashlib.sha256(b"allfives table description\0" + description).digest()
    return Table(description, digest, tuple(people), rules, grace, watch)
