"""p2p.net.link.roster, peer: people and rosters from anybody's bytes, and the table of them."""

from dataclasses import replace

import pytest
from support.net.world import neighbour, peer

from engine.rules import Rules
from p2p.net.link.roster import Neighbour, Roster, Seated, read_roster
from p2p.session.state.table import BadName, Person, Table, TableError
from p2p.wire.codec import DecodeError, decode, encode

ANA = neighbour(1, "Ana", b"a" * 32, "192.0.2.1:5525", "[fd00::2]:5525")
BEN = neighbour(2, "Ben", b"b" * 32)
CLEO = neighbour(3, "Cleo", b"c" * 32)
EVERYBODY: Roster = (ANA, BEN, CLEO)
RULES = Rules.make("classic", 3)
SECRET = bytes(32)


def test_a_roster_round_trips() -> None:
    assert read_roster(decode(encode([ANA.value(), BEN.value()]))) == (ANA, BEN)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, bytes(32)),
        (0, ANA.key[:31]),
        (1, b"Ana"),
        (2, bytes(31)),
        (3, ["den.local:1"]),
        (3, ["1.2.3.4:5"] * 17),
        (3, "1.2.3.4:5"),
    ],
)
def test_bad_neighbours(place: int, value: object) -> None:
    received = [*ANA.person.value(), list(ANA.addresses)]
    assert Neighbour.read(received) == ANA
    received[place] = value
    with pytest.raises(DecodeError):
        Neighbour.read(received)
    with pytest.raises(DecodeError):
        read_roster([received])
    # Whatever else is wrong is said before a bad name: that one has an answer of its own.
    if place != 1:
        received[1] = "\x1b"
        with pytest.raises(DecodeError):
            Neighbour.read(received)


def test_bad_rosters() -> None:
    unnamed: list[object] = [*ANA.person.value(), []]
    unnamed[1] = "\x1b"
    with pytest.raises(BadName):
        Neighbour.read(unnamed)
    same = replace(CLEO, person=replace(CLEO.person, key=ANA.key))
    bad: list[object] = [[], [unnamed], [ANA.person.value()], None]
    people = [[*neighbour(n, "x", bytes(32)).person.value(), []] for n in range(5)]
    bad += [people, decode(encode([ANA.value(), same.value()]))]
    for value in bad:
        with pytest.raises(DecodeError):
            read_roster(value)
    assert len(read_roster(people[:4])) == 4


def test_the_local_peer_is_a_neighbour_with_a_fresh_nonce() -> None:
    own = peer(2)
    first, second = own.neighbour(), own.neighbour()
    assert first == Neighbour(Person(BEN.key, "Ben", first.person.nonce), ())
    assert first.person.nonce != second.person.nonce
    with pytest.raises(BadName):
        replace(own, name="\x1b").neighbour()


def described(roster: Roster) -> bytes:
    return Table.seat_people(RULES, tuple(one.person for one in roster)).description


def test_host_and_joiners_agree_on_one_table_whatever_the_order() -> None:
    description = described(EVERYBODY)
    assert description == described((CLEO, ANA, BEN))
    seated = Seated.check(description, RULES, (BEN, CLEO, ANA), SECRET)
    assert seated.table.description == description
    assert seated.secret == SECRET
    assert seated.table.people == tuple(one.person for one in seated.roster)
    assert set(seated.roster) == set(EVERYBODY)


def test_a_description_of_anything_else_is_refused() -> None:
    description = described(EVERYBODY)
    other_rules = Rules.make("classic", 3, {"target": "50"})
    with pytest.raises(TableError, match="it has other rules than the lobby said"):
        Seated.check(description, other_rules, EVERYBODY, SECRET)
    renamed = replace(CLEO, person=replace(CLEO.person, name="Clea"))
    fresh = replace(CLEO, person=replace(CLEO.person, nonce=b"n" * 32))
    another = neighbour(4, "Ben", b"d" * 32)
    for third in ((renamed,), (fresh,), (another,), (), (CLEO, another)):
        with pytest.raises(TableError, match="it seats other people than the lobby said"):
            Seated.check(description, RULES, (ANA, BEN, *third), SECRET)
    with pytest.raises(TableError):
        Seated.check(description[:-1], RULES, EVERYBODY, SECRET)


def test_the_secret_is_in_no_repr() -> None:
    seated = Seated.check(described(EVERYBODY), RULES, EVERYBODY, b"\xfe" * 32)
    assert repr(seated.secret) not in repr(seated)
