"""p2p.net.link.seats: rosters and lobby messages from anybody's bytes."""

import pytest
from support.net.world import RULES, key

from p2p.net.errors import TableFull
from p2p.net.link.seats import (
    Seat,
    in_order,
    message,
    parse_roster,
    parse_rules,
    parse_seat,
    roster_value,
)
from p2p.session.state.table import BadName
from p2p.wire.codec import DecodeError, decode, encode

ANA = Seat(key(1).public, "Ana", b"a" * 32, ("192.0.2.1:5525", "[fd00::2]:5525"))
BEN = Seat(key(2).public, "Ben", b"b" * 32, ())


def test_a_roster_round_trips() -> None:
    assert parse_roster(decode(encode(roster_value((ANA, BEN))))) == (ANA, BEN)
    assert ANA.fingerprint != BEN.fingerprint


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, bytes(32)),
        (0, key(1).public[:31]),
        (1, b"Ana"),
        (2, bytes(31)),
        (3, ["den.local:1"]),
        (3, ["1.2.3.4:5"] * 17),
        (3, "1.2.3.4:5"),
    ],
)
def test_bad_seats(place: int, value: object) -> None:
    seat = ANA.value()
    seat[place] = value
    with pytest.raises(DecodeError):
        parse_seat(seat)
    with pytest.raises(DecodeError):
        parse_roster([seat])


def test_bad_rosters() -> None:
    unnamed = [*ANA.value()]
    unnamed[1] = "\x1b"
    with pytest.raises(BadName):
        parse_seat(unnamed)
    same = Seat(ANA.key, "Other", b"c" * 32, ())
    bad: list[object] = [[], [unnamed], [ANA.value()[:3]], None, roster_value((ANA, same))]
    bad.append([Seat(key(n).public, "x", bytes(32), ()).value() for n in range(5)])
    for value in bad:
        with pytest.raises(DecodeError):
            parse_roster(value)


def test_rules() -> None:
    assert parse_rules(RULES) == RULES
    bad: list[object] = [{"a": 1}, {"a": "x" * 65}, {"x" * 65: "a"}, []]
    for value in bad:
        with pytest.raises(DecodeError):
            parse_rules(value)


def test_messages() -> None:
    assert message(["go"]) == ("go", [])
    assert message(["no", "something new"]) == ("no", ["something new"])
    with pytest.raises(TableFull):
        message(["no", "full"])
    bad: list[object] = [None, [], [1], "go", {}, ["no", []], ["no", {}], ["no", 1]]
    for value in bad:
        with pytest.raises(DecodeError):
            message(value)


def test_order_is_of_the_same_people() -> None:
    assert in_order((ANA, BEN), [BEN.key, ANA.key]) == (BEN, ANA)
    for keys in ([ANA.key], [ANA.key, ANA.key], [ANA.key, key(3).public]):
        with pytest.raises(ValueError, match="other people"):
            in_order((ANA, BEN), keys)
