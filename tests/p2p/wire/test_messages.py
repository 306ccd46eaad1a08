"""What the signed messages say: round trips, and each field of each kind in every wrong shape."""

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hand import MOST_CLAIMED
from engine.tiles import TILE_COUNT
from p2p.session.phases import PHASES
from p2p.wire import messages
from p2p.wire.codec import INT_HIGH, INT_LOW, DecodeError, decode, encode
from p2p.wire.envelope import MAX_VOTE_ROUNDS, VOTE
from p2p.wire.messages import (
    AgreeBody,
    CallBody,
    ClaimBody,
    CommitBody,
    DealBody,
    DenialBody,
    DrawBody,
    KeyBody,
    OpenBody,
    PassBody,
    PlayBody,
    RankBody,
    ResultBody,
    RevealBody,
    ShareBody,
    ShuffleBody,
    VoteBody,
)
from p2p.wire.out import Out
from p2p.wire.shape import Shape

NOT_32 = (b"", bytes(31), bytes(33))
NO_CLAIM = (-1, MOST_CLAIMED + 1, True, "5", b"")
NO_FLAG = (None, 0, 1, "")
NO_BYTES: tuple[object, ...] = (None, 0, "", [])
NO_NUMBERS: tuple[object, ...] = (None, 5, b"", {}, [[]], [True], [b"1"], [INT_HIGH], [0] * 65)

# A good message of each shape, and for each field, in order, values that it cannot have.
SHAPES: tuple[tuple[Shape, list[tuple[object, ...]]], ...] = (
    (AgreeBody(), []),
    (CommitBody(bytes(32)), [(*NO_BYTES, *NOT_32)]),
    (KeyBody(b"opening"), [NO_BYTES]),
    (ShuffleBody(b"deck", b"proof"), [NO_BYTES, NO_BYTES]),
    (DealBody(bytes(32), b"shares"), [(*NO_BYTES, *NOT_32), NO_BYTES]),
    (DenialBody(), []),
    (CallBody(3, b"share", None), [(None, True, "3", b""), NO_BYTES, NO_CLAIM]),
    (CallBody(3, b"share", MOST_CLAIMED), [(), (), ()]),
    (RankBody(b"proof"), [NO_BYTES]),
    (
        PlayBody(27, TILE_COUNT - 1, None, b"share", 0, False),
        [
            (None, True, "3", -1),
            (None, True, "3", -1, TILE_COUNT, INT_HIGH),
            (0, False, b"L", ["L"]),
            NO_BYTES,
            NO_CLAIM,
            NO_FLAG,
        ],
    ),
    (PlayBody(0, 0, "6D", b"share", None, True), [()] * 6),
    (DrawBody(b"", False), [NO_BYTES, NO_FLAG]),
    (PassBody(b"proof", True), [NO_BYTES, NO_FLAG]),
    (ShareBody(b"share"), [NO_BYTES]),
    (ClaimBody(bytes(32)), [(*NO_BYTES, *NOT_32)]),
    (RevealBody(MOST_CLAIMED, bytes(32)), [(None, *NO_CLAIM), (*NO_BYTES, *NOT_32)]),
    (OpenBody(b"opening"), [NO_BYTES]),
    (
        VoteBody(1, (Out(2, "left", (bytes(32),)),), (bytes(32),), 0),
        [
            (None, 0, True, MAX_VOTE_ROUNDS + 1),
            (None, 5, b"", {}, [[]], [[2, "bored", []]], [[4, "left", []]], [[2, "left", []]] * 2),
            (None, 5, b"", {}, [b""], [bytes(31)], [bytes(32)] * 2),
            (None, -1, True, "0"),
        ],
    ),
    (ResultBody((INT_LOW, 2**63 - 1, 0, 5), (0, 2)), [NO_NUMBERS, NO_NUMBERS]),
)
BAD = [
    (type(good), [*good.value()[:at], value, *good.value()[at + 1 :]])
    for good, wrong in SHAPES
    for at, values in enumerate(wrong)
    for value in values
]


def every_shape() -> set[type[Shape]]:
    """All classes of the module."""
    found = vars(messages).values()
    return {one for one in found if isinstance(one, type) and issubclass(one, Shape)} - {Shape, Out}


def test_every_kind_of_the_state_table_has_its_class_and_every_class_its_line_here() -> None:
    kinds = {kind for row in PHASES.values() for kind in row.kinds}
    assert {shape.kind for shape in every_shape()} == {*kinds, VOTE}
    assert {type(good) for good, _ in SHAPES} == every_shape()
    assert all(len(wrong) == len(good.value()) for good, wrong in SHAPES)


@pytest.mark.parametrize("good", [good for good, _ in SHAPES], ids=lambda good: type(good).__name__)
def test_what_is_written_is_read(good: Shape) -> None:
    assert type(good).read(decode(encode(good.value()))) == good


def test_the_fields_stand_in_their_order() -> None:
    play = PlayBody(3, 4, "L", b"share", 5, True)
    assert play.value() == [3, 4, "L", b"share", 5, True]
    assert [field.name for field in fields(play)] == [
        "slot",
        "tile",
        "end",
        "share",
        "claim",
        "auto",
    ]
    assert ResultBody((5, -5), (0,)).value() == [[5, -5], [0]]


@pytest.mark.parametrize(("shape", "value"), BAD)
def test_a_field_out_of_its_bounds(shape: type[Shape], value: list[object]) -> None:
    with pytest.raises(DecodeError):
        shape.read(value)


@pytest.mark.parametrize("good", [good for good, _ in SHAPES], ids=lambda good: type(good).__name__)
def test_too_few_and_too_many_fields_and_no_list(good: Shape) -> None:
    said = good.value()
    for value in ([*said, None], [*said, b""], *([said[:-1]] if said else [])):
        with pytest.raises(DecodeError, match=rf"^a list of {len(value)} where {len(said)} must"):
            type(good).read(value)
    others: tuple[object, ...] = (None, {}, b"", "", 0)
    for other in others:
        with pytest.raises(DecodeError):
            type(good).read(other)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(INT_LOW, INT_HIGH) | st.binary() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=2),
)


@given(st.sampled_from(sorted(every_shape(), key=lambda one: one.__name__)), st.data())
def test_any_list_is_read_as_it_stands_or_refused(shape: type[Shape], data: Any) -> None:
    size = len(fields(shape))
    value = data.draw(st.lists(VALUES, min_size=size, max_size=size) | VALUES)
    try:
        said = shape.read(value)
    except DecodeError:
        return
    assert encode(said.value()) == encode(value)
