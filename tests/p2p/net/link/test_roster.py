"""p2p.net.link.roster, peer: people and rosters from anybody's bytes, and the table of them."""

from dataclasses import replace

import pytest
from support.net.world import neighbour, peer, people

from engine.rules import Rules
from p2p.net.link.addresses import ADDRESSES_MOST, noted
from p2p.net.link.roster import Neighbour, Played, Roster, Seated, at_places, read_roster
from p2p.session.state.table import USUAL_TERMS, BadName, Table, TableError, Terms
from p2p.wire.codec import DecodeError, decode, encode

ANA = neighbour(1, "Ana", "192.0.2.1:5525", "[fd00::2]:5525")
BEN = neighbour(2, "Ben")
CLEO = neighbour(3, "Cleo")
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
        (2, ANA.key[:31]),
        (2, bytes(32)),
        (3, ["den.local:1"]),
        (3, ["1.2.3.4:5"] * 17),
        (3, "1.2.3.4:5"),
    ],
)
def test_bad_neighbours(place: int, value: object) -> None:
    received = ANA.value()
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


def test_where_the_host_was_reached_is_noted_and_read_again() -> None:
    """Whatever was typed: else nobody comes back to that match."""
    many = replace(ANA, addresses=tuple(f"192.0.2.{at}:5525" for at in range(ADDRESSES_MOST)))
    typed = ("[fe80::1%eth0]:5525", "a" * 56 + ".onion:5525", "192.0.2.3:5525")
    roster = at_places((many, BEN), ANA.key, typed)
    assert len(roster[0].addresses) == len(set(roster[0].addresses)) == ADDRESSES_MOST
    assert roster[0].addresses[: len(typed)] == typed
    assert roster[1] == BEN
    written = encode([one.value() for one in roster])
    assert read_roster(decode(written), noted) == roster
    with pytest.raises(DecodeError):
        read_roster(decode(written))


def test_bad_rosters() -> None:
    unnamed = ANA.value()
    unnamed[1] = "\x1b"
    with pytest.raises(BadName):
        Neighbour.read(unnamed)
    same = replace(CLEO, key=ANA.key)
    bad: list[object] = [[], [unnamed], [ANA.value()[:3]], None]
    five = [neighbour(n, "x").value() for n in range(5)]
    bad += [five, decode(encode([ANA.value(), same.value()]))]
    for value in bad:
        with pytest.raises(DecodeError):
            read_roster(value)
    assert len(read_roster(five[:4])) == 4


def test_a_bot_is_there_with_the_person_who_brought_it() -> None:
    bot = neighbour(4, "Bot Ada", owner=ANA.key)
    assert read_roster([ANA.value(), bot.value()]) == (ANA, bot)
    of_a_bot = neighbour(5, "Bot Bea", owner=bot.key)
    for roster in ([BEN, bot], [ANA, bot, of_a_bot], [replace(ANA, owner=ANA.key)]):
        with pytest.raises(DecodeError, match="a bot whose owner is no person at the table"):
            read_roster([one.value() for one in roster])


def test_the_local_peer_is_a_neighbour() -> None:
    own = peer(2)
    assert own.neighbour() == Neighbour(BEN.key, "Ben", b"", ())
    with pytest.raises(BadName):
        replace(own, name="\x1b").neighbour()


PLAYED = Played(RULES, USUAL_TERMS)


def table_of(roster: Roster) -> Table:
    return Table.seat_people(RULES, people(roster))


def test_host_and_joiners_agree_on_one_table_whatever_the_order() -> None:
    table = table_of(EVERYBODY)
    assert table == table_of((CLEO, ANA, BEN))
    seated = Seated.check(table, PLAYED, (BEN, CLEO, ANA), SECRET)
    assert seated.table == table
    assert seated.secret == SECRET
    assert all(map(Neighbour.is_one, seated.roster, table.people))
    assert set(seated.roster) == set(EVERYBODY)


def test_a_description_of_anything_else_is_refused() -> None:
    table = table_of(EVERYBODY)
    other_rules = Rules.make("classic", 3, {"target": "50"})
    for other in (Played(other_rules, USUAL_TERMS), Played(RULES, Terms(grace=5))):
        with pytest.raises(TableError, match="it has other rules than the lobby said"):
            Seated.check(table, other, EVERYBODY, SECRET)
    owned = replace(CLEO, owner=ANA.key)
    another = neighbour(4, "Ben")
    for third in ((replace(CLEO, name="Clea"),), (owned,), (another,), (), (CLEO, another)):
        with pytest.raises(TableError, match="it seats other people than the lobby said"):
            Seated.check(table, PLAYED, (ANA, BEN, *third), SECRET)


def test_the_secret_is_in_no_repr() -> None:
    seated = Seated.check(table_of(EVERYBODY), PLAYED, EVERYBODY, b"\xfe" * 32)
    assert repr(seated.secret) not in repr(seated)
