"""p2p.net.door.messages: each line of the pages of the door, there and back, and out of shape."""

import pytest
from support.net.world import neighbour

from p2p.net.door.messages import (
    MAX_DRAWS,
    Bound,
    Confirm,
    DrawSeats,
    Go,
    NowSeated,
    ReadyFor,
    Show,
    Shown,
    Spake,
    Start,
    TakeSeat,
    Welcome,
)
from p2p.net.link.message import read, whole
from p2p.session.state.table import MOST_GRACE, Terms
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.shape import Shape
from p2p.wire.talk import DESCRIPTION_MOST

KINDS: list[type[Shape]] = [
    DrawSeats,
    Bound,
    Show,
    Shown,
    Confirm,
    Spake,
    TakeSeat,
    Welcome,
    NowSeated,
    Start,
    ReadyFor,
    Go,
]
ROSTER = (neighbour(1, "Ana", "192.0.2.1:5525"), neighbour(2, "Ben"))
RULES = {"preset": "classic", "target": "250"}
OTHERS: list[object] = [None, True, -1, [[]], {"": 1}]
GOOD: list[Shape] = [
    Confirm(b""),
    Confirm(b"t" * 32),
    Spake(b"B" * 33),
    TakeSeat("Ben", ("192.0.2.1:5525", "[fd00::2]:5525")),
    Welcome(b"s" * 32, "den", RULES, 2, Terms(60, False), ROSTER),
    NowSeated(ROSTER),
    Start(b"d" * DESCRIPTION_MOST),
    ReadyFor.of(b"description"),
    Go(),
    DrawSeats(7),
    Bound(7, b"c" * 32),
    Show(7, (b"c" * 32, b"d" * 32), b"n" * 32),
    Shown(7, b"n" * 32),
]


@pytest.mark.parametrize("message", GOOD, ids=lambda one: one.kind)
def test_there_and_back(message: Shape) -> None:
    value = decode(encode(whole(message)))
    assert read(value, *KINDS) == message
    assert isinstance(value, list)
    for wrong in ([*value, 0], value[:-1] if len(value) > 1 else ["gone"]):
        with pytest.raises(DecodeError):
            read(wrong, *KINDS)


@pytest.mark.parametrize("message", GOOD, ids=lambda one: one.kind)
def test_every_field_is_of_its_kind(message: Shape) -> None:
    value = decode(encode(whole(message)))
    assert isinstance(value, list)
    for place in range(1, len(value)):
        for other in OTHERS:
            with pytest.raises(DecodeError):
                read([*value[:place], other, *value[place + 1 :]], *KINDS)


@pytest.mark.parametrize(
    ("message", "place", "value"),
    [
        (GOOD[3], 2, ["den.local:1"]),
        (GOOD[3], 2, ["1.2.3.4:5"] * 17),
        (GOOD[4], 1, bytes(31)),
        (GOOD[4], 2, "x" * 25),
        (GOOD[4], 2, ""),
        (GOOD[4], 3, {"a": "x" * 65}),
        (GOOD[4], 3, {"x" * 65: "a"}),
        (GOOD[4], 3, {f"{n}": "a" for n in range(65)}),
        (GOOD[4], 4, 1),
        (GOOD[4], 4, 5),
        (GOOD[4], 5, [60]),
        (GOOD[4], 5, [60, 1]),
        (GOOD[4], 5, [MOST_GRACE + 1, True]),
        (GOOD[4], 6, []),
        (GOOD[5], 1, []),
        (GOOD[6], 1, bytes(DESCRIPTION_MOST + 1)),
        (GOOD[9], 1, MAX_DRAWS + 1),
        (GOOD[10], 2, bytes(31)),
        (GOOD[11], 2, [bytes(32)]),
        (GOOD[11], 2, [bytes(32)] * 5),
        (GOOD[11], 2, [bytes(32), bytes(31)]),
        (GOOD[11], 3, bytes(31)),
        (GOOD[12], 2, bytes(31)),
    ],
    ids=range(23),
)
def test_limits(message: Shape, place: int, value: object) -> None:
    received = decode(encode(whole(message)))
    assert isinstance(received, list)
    received[place] = value
    with pytest.raises(DecodeError):
        read(received, *KINDS)


def test_a_bad_name_is_left_to_the_host_who_has_an_answer_to_it() -> None:
    assert read(["seat", "\x1b", []], TakeSeat).name == "\x1b"


def test_readiness_is_for_one_description() -> None:
    assert ReadyFor.of(b"a") != ReadyFor.of(b"b")


def test_the_secret_is_in_no_repr() -> None:
    assert repr(b"s" * 32) not in repr(GOOD[4])
