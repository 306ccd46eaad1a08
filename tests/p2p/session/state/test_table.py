"""The table description: one spelling, one order of seats, usable keys and names, or no table."""

import dataclasses
import itertools

import pytest
from support.session.tables import make_table, rules_for

from p2p.session.state.table import (
    MOST_GRACE,
    Person,
    Table,
    TableError,
    Terms,
    check_name,
    nonce_commitment,
    show_names,
)
from p2p.wire.codec import decode, encode, fields

TABLE, KEYS = make_table(rules_for(4), "table")


def described(people: object, rules: object = None, table: Table = TABLE) -> bytes:
    """A description of these people, with the table's rules unless others are given."""
    terms = table.terms.value()
    return encode([table.rules.spell() if rules is None else rules, people, terms])


def listed(table: Table = TABLE) -> list[list[object]]:
    """The people as a description lists them."""
    return [[person.key, person.name, person.nonce, person.owner] for person in table.people]


def test_a_description_comes_back_and_its_hash_is_the_id() -> None:
    for players in (2, 3, 4):
        table, keys = make_table(rules_for(players), "round trip")
        again = Table.decode(table.description)
        assert (again, again.id) == (table, table.id)
        assert len(table.id) == 32
        assert [table.seat_of(key.public) for key in keys] == list(table.seats)
        assert [player.seat for player in table.players] == list(table.seats)


def test_whatever_order_people_arrived_in_they_sit_in_one_order() -> None:
    tables = {
        Table.seat_people(TABLE.rules, order).id for order in itertools.permutations(TABLE.people)
    }
    assert tables == {TABLE.id}


def test_one_nonce_more_or_less_changes_who_sits_where() -> None:
    """The order hangs on all nonces: over many tables everybody sits everywhere."""
    seats = set()
    for at in range(40):
        table, _ = make_table(rules_for(3), f"seats {at}")
        seats.add(tuple(person.name for person in table.people))
    assert len(seats) == 6


def test_the_id_names_rules_keys_names_and_nonces() -> None:
    first = TABLE.people[0]
    others = [
        dataclasses.replace(first, name="Eve"),
        dataclasses.replace(first, nonce=bytes(32)),
        dataclasses.replace(first, key=KEYS[1].public[::-1]),
    ]
    tables = [dataclasses.replace(TABLE, people=(one, *TABLE.people[1:])) for one in others]
    tables.append(dataclasses.replace(TABLE, rules=rules_for(4, target="15")))
    assert len({TABLE.id, *(table.id for table in tables)}) == 5


def refused(data: bytes, what: str) -> None:
    """That description is none of a table, for that reason."""
    with pytest.raises(TableError) as caught:
        Table.decode(data)
    assert str(caught.value) == what


def test_the_seats_are_in_the_order_of_the_nonces() -> None:
    people = listed()
    for order in itertools.permutations(people):
        if list(order) != people:
            refused(described(list(order)), "the seats are not in the order of the nonces")


def test_partners_sit_as_the_host_said() -> None:
    table, _ = make_table(rules_for(4, partners="yes"), "partners")
    for order in itertools.permutations(listed(table)):
        assert Table.decode(described(list(order), table=table)).rules.partners


def test_two_seats_have_two_keys() -> None:
    first, second, *rest = listed()
    twice = [first, [first[0], *second[1:]], *rest]
    refused(described(twice), "two seats have one key")


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (bytes(31), "31 bytes where 32 must be"),
        (b"\x01" + bytes(31), "the key is a point of small order"),
        (b"\xff" * 32, "the key is not canonically encoded"),
        (b"\x02" + bytes(31), "the key is not a point of the curve"),
    ],
)
def test_keys_that_no_seat_may_have(key: bytes, what: str) -> None:
    first, *rest = listed()
    refused(described([[key, *first[1:]], *rest]), what)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_two_to_four_people_sit_at_a_table(count: int) -> None:
    people = (listed() * 2)[:count]
    refused(described(people), f"a list of {count} where 2 to 4 must be")


def test_the_rules_are_for_as_many_as_sit_there() -> None:
    table, _ = make_table(rules_for(3), "three")
    with pytest.raises(TableError):
        Table.decode(described(listed(table), rules_for(3, hand_size="9/7/5").spell() | {"x": "y"}))
    partners = rules_for(4, partners="yes").spell()
    with pytest.raises(TableError, match="partners"):
        Table.decode(described(listed(table), partners))


@pytest.mark.parametrize(
    "shape",
    [[], {}, None, b"", [{}, []], [{}, [], 0], [{}, [], []], [[], {}, []], [{"target": 5}, [], []]],
)
def test_what_has_not_the_shape_of_a_description(shape: object) -> None:
    with pytest.raises(TableError):
        Table.decode(encode(shape))


@pytest.mark.parametrize(
    "field", [None, 0, "", b"", [], "\n", "x" * 25, bytes(33), " x", "e\u0301"]
)
def test_every_field_of_a_person_in_a_wrong_shape(field: object) -> None:
    first, *rest = listed()
    for at in range(4 if field != b"" else 3):
        with pytest.raises(TableError):
            Table.decode(described([[*first[:at], field, *first[at + 1 :]], *rest]))
    with pytest.raises(TableError):
        Table.decode(described([[*first, field], *rest]))


@pytest.mark.parametrize("change", [b"\0", b"\xc0"])
def test_bytes_behind_a_description(change: bytes) -> None:
    with pytest.raises(TableError):
        Table.decode(TABLE.description + change)


def test_any_byte_of_a_description_changed_is_no_table_or_another() -> None:
    data = TABLE.description
    others = 0
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        try:
            table = Table.decode(changed)
        except TableError:
            continue
        others += 1
        assert table.id != TABLE.id
        assert table.description == changed
    assert others


def test_a_stranger_has_no_seat() -> None:
    with pytest.raises(TableError, match=r"^that key has no seat at this table$"):
        TABLE.seat_of(bytes(32))


@pytest.mark.parametrize("name", ["A", "x" * 24, "Zoë", "名前", "a b"])
def test_names_that_may_stand_at_a_table(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("", "a name has 1 to 24 characters"),
        ("x" * 25, "a name has 1 to 24 characters"),
        ("a\n", "a name has only printable characters, and no space at its ends"),
        ("\x1b[2J", "a name has only printable characters, and no space at its ends"),
        ("\u202eabc", "a name has only printable characters, and no space at its ends"),
        (" a", "a name has only printable characters, and no space at its ends"),
        ("e\u0301", "a name is in Unicode normal form C"),
    ],
)
def test_names_that_may_not(name: str, what: str) -> None:
    with pytest.raises(TableError) as caught:
        check_name(name)
    assert str(caught.value) == what


def test_every_shown_name_is_another() -> None:
    assert show_names(["Ana", "Ben", "Ana", "Ana"]) == ["Ana", "Ben", "Ana (2)", "Ana (3)"]
    assert show_names(["Ana", "Ana (2)", "Ana"]) == ["Ana", "Ana (2)", "Ana (3)"]
    assert show_names(["Ana", "Ana", "Ana (2)"]) == ["Ana", "Ana (2)", "Ana (2) (2)"]


def test_bots_are_there_with_the_person_who_brought_them() -> None:
    ana, ben, cem, dan = listed()
    brought = [ana, [*ben[:3], ana[0]], cem, [*dan[:3], ana[0]]]
    assert [one.owner for one in Table.decode(described(brought)).people].count(b"") == 2
    what = "a bot whose owner is no person at the table"
    refused(described([ana, [*ben[:3], ben[0]], cem, dan]), what)
    refused(described([ana, [*ben[:3], ana[0]], [*cem[:3], ben[0]], dan]), what)
    refused(
        described([ana, [*ben[:3], make_table(rules_for(2), "elsewhere")[1][0].public], cem, dan]),
        what,
    )


TERMS: list[object] = [[], [300], [-1, True], [MOST_GRACE + 1, True], [300, 1], [True, True], None]


@pytest.mark.parametrize("terms", TERMS)
def test_terms_that_no_table_has(terms: object) -> None:
    with pytest.raises(TableError):
        Table.decode(encode([TABLE.rules.spell(), listed(), terms]))


def test_the_terms_are_signed_with_the_table() -> None:
    terms = Terms(grace=5, watch=False)
    table = Table.seat_people(TABLE.rules, TABLE.people, terms=terms)
    assert Table.decode(table.description).terms == terms
    assert table.id != TABLE.id


def test_a_nonce_is_bound_for_one_draw_and_one_key() -> None:
    bound = {
        nonce_commitment(draw, key, nonce)
        for draw in (b"0001", b"0002")
        for key in (b"a" * 32, b"b" * 32)
        for nonce in (b"x" * 32, b"y" * 32)
    }
    assert {len(one) for one in bound} == {32}
    assert len(bound) == 8


def test_a_description_is_rules_people_and_terms() -> None:
    rules, people, terms = fields(decode(TABLE.description), dict, list, list)
    assert terms == [300, True]
    assert rules == TABLE.rules.spell()
    assert people == listed()
    assert TABLE.people[0] == Person(*TABLE.people[0].__dict__.values())


@pytest.mark.parametrize("side", list(itertools.combinations(range(4), 2)))
def test_the_two_of_a_side_sit_opposite_each_other_and_the_first_stays(
    side: tuple[int, int],
) -> None:
    people = make_table(rules_for(4), "sides")[0].people
    chosen = tuple(people[seat].key for seat in side)
    rules = rules_for(4, partners="yes")
    table = Table.seat_people(rules, people, chosen)
    seats = [table.seat_of(key) for key in chosen]
    assert abs(seats[0] - seats[1]) == 2
    assert table.people[0] == Table.seat_people(rules, people).people[0]
    assert Table.decode(table.description) == table
    assert table == Table.seat_people(rules, people[::-1], chosen[::-1])
    alone = Table.seat_people(rules_for(4), people, chosen)
    assert alone == Table.seat_people(rules_for(4), people)
