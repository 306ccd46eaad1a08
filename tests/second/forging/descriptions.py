"""Tables that are described rightly, or nearly so."""

import os
import random

from second.forging.cheats import changed, changed_body
from second.forging.tables import any_options
from second.game.rules import CHOICES
from second.play.local import table_for
from second.record.file import written
from second.wire.table import Person, seat_order
from second.wire.values import MESSAGE as LIMITS
from second.wire.values import Value, decode, encode

NAMES = (
    "Ana B",
    " Ana",
    "you",
    "YOU",
    "Ｙｏｕ",
    "Ana (you)",
    "e\u0301",
    "é",
    "a\u0301\u0301",
    "a\u0334\u0334\u0334\u0334",
    "a\u0334\u0334\u0334\u0334\u0334",
    "\u3164",
    "\u115f1",
    "--",
    "a\u00a0b",
    "a\u200db",
    "李",
    "½",
    "²",
    "x" * 24,
    "x" * 25,
    "",
    "\u0301a",
    "a\tb",
    "🁣1",
    "🁣",
)
_NUMBERS = ("0", "1", "14", "15", "28", "07", "+5", "86400", "86401", "1000000", "1000001", "٣")
_SIZES = ("9/7/5", "7/7/7", "9/9/9", "1/2", "1/2/3/4")
VALUES = (*_NUMBERS, *_SIZES, "", "none", "yes", "no", "every", "half")


def odd_table(rng: random.Random) -> bytes:
    """A record of a description alone, with something that may be wrong."""
    count = rng.randrange(2, 5)
    table, _ = table_for(any_options(rng, count), {1: 0} if rng.random() < 0.3 else {}, count)
    value = decode(table.description, LIMITS)
    odd = rng.choice([_odd_rules, _odd_rules, _odd_name, _odd_name, _odd_people, _odd_terms, _odd])
    return written(encode(odd(value, rng)), [])


def _in_order(value: list[Value]) -> list[Value]:
    """The people in their seat order, where they have one."""
    rules, people, terms = value
    rows = {row[2]: row for row in people}
    ordered = seat_order([Person(row[0], "", row[2], b"") for row in people])
    return [rules, [rows[person.nonce] for person in ordered], terms]


def _odd_rules(value: list[Value], rng: random.Random) -> list[Value]:
    rules, people, terms = value
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(sorted(rules))
        rules[name] = rng.choice([*VALUES, *CHOICES.get(name, VALUES)])
    if rng.random() < 0.1:
        rules["more"] = "yes"
    return [rules, people, terms]


def _odd_name(value: list[Value], rng: random.Random) -> list[Value]:
    for row in value[1]:
        if rng.random() < 0.5:
            row[1] = rng.choice(NAMES)
    return value


def _odd_people(value: list[Value], rng: random.Random) -> list[Value]:
    people = value[1]
    row, other = rng.choice(people), rng.choice(people)
    change = rng.randrange(6)
    if change == 0:
        row[3] = other[0]
    elif change == 1:
        row[0] = other[0]
    elif change == 2:
        row[0] = os.urandom(32)
    elif change == 3:
        row[2] = other[2] if rng.random() < 0.5 else os.urandom(31)
    elif change == 4:
        people.reverse()
        return value
    else:
        people.append([os.urandom(32), "More", os.urandom(32), b""])
    return _in_order(value) if rng.random() < 0.8 else value


def _odd_terms(value: list[Value], rng: random.Random) -> list[Value]:
    grace = rng.choice([0, 86400, 86401, -1, True, "1"])
    return [*value[:2], [grace, rng.choice([True, False, 0])]]


def _odd(value: list[Value], rng: random.Random) -> list[Value]:
    if rng.random() < 0.5:
        return changed_body(value, rng)
    return [value[0], [changed(row, rng) for row in value[1]], value[2]]
