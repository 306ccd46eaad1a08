"""p2p.wire.codec: one encoding a value, every limit, strict shapes."""

import json
import struct
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.places import VECTORS

from p2p.wire import codec
from p2p.wire.codec import DecodeError, Limits, decode, encode

LIMITS = json.loads((VECTORS / "protocol.json").read_text())["limits"]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(codec.INT_LOW, codec.INT_HIGH),
    st.binary(max_size=300),
    st.text(max_size=40),
)
FLAT = st.lists(LEAVES, max_size=5) | st.dictionaries(st.text(max_size=5), LEAVES)
VALUES = LEAVES | st.lists(FLAT, max_size=4) | st.dictionaries(st.text(max_size=5), FLAT)


@settings(max_examples=200)
@given(VALUES)
def test_round_trip(value: object) -> None:
    assert decode(encode(value)) == value


def test_map_order_does_not_matter_to_encode_but_does_to_decode() -> None:
    assert encode({"b": 1, "a": 2}) == encode({"a": 2, "b": 1})
    with pytest.raises(DecodeError, match="one allowed encoding"):
        decode(msgpack.packb({"b": 1, "a": 2}))


def test_tuples_are_written_as_lists() -> None:
    assert decode(encode((1, (b"", "x")))) == [1, [b"", "x"]]


@pytest.mark.parametrize(
    "value", [1.5, {1: 2}, {b"a": 1}, {1, 2}, object(), bytearray(b"x"), 2**64, -(2**63) - 1]
)
def test_what_is_no_value_is_not_encoded(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode([value])


@pytest.mark.parametrize("value", [2**64 - 1, -(2**63), 0, -1, 127, 128, -32, -33, 65536])
def test_the_whole_range_of_integers(value: int) -> None:
    assert decode(encode(value)) == value


@pytest.mark.parametrize(
    "data",
    [
        b"\xcc\x01",  # 1 as a two-byte uint 8
        b"\xcd\x00\xff",  # 255 as a uint 16
        b"\xd0\x05",  # 5 as an int 8
        b"\xd3" + bytes(7) + b"\x01",  # 1 as an int 64
        b"\xd9\x01a",  # "a" as a str 8
        b"\xc5\x00\x01a",  # b"a" as a bin 16
        b"\xdc\x00\x01\x00",  # [0] as an array 16
        b"\xde\x00\x01\xa1a\x00",  # {"a": 0} as a map 16
        b"\x82\xa1a\x01\xa1a\x01",  # {"a": 1, "a": 1}
        b"\x82\xa1a\x01\xa1a\x02",  # {"a": 1, "a": 2}
    ],
)
def test_second_encodings_are_refused(data: bytes) -> None:
    with pytest.raises(DecodeError, match="one allowed encoding"):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\xca" + struct.pack(">f", 1.0),
        b"\xcb" + struct.pack(">d", 1.0),
        b"\xd4\x01\x00",  # fixext 1
        b"\xc7\x00\x01",  # ext 8 of no bytes
        b"\xd6\xff\x00\x00\x00\x00",  # timestamp 32
        b"\xc7\x0c\xff" + bytes(12),  # timestamp 96
        b"\xc9\xff\xff\xff\xff\x01",  # ext 32 of 4 GiB
        b"\xc1",  # never used
        b"\x81\x01\x02",  # map with a number as key
        b"\x81\xc4\x01a\x02",  # map with bytes as key
        b"\x81\x90\x02",  # map with a list as key
        b"\xa1\xff",  # text that is no UTF-8
        b"\xa3\xed\xa0\x80",  # text with a lone surrogate
    ],
)
def test_foreign_kinds_are_refused(data: bytes) -> None:
    for wrapped in (data, b"\x91" + data):
        with pytest.raises(DecodeError):
            decode(wrapped)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x92\x01",
        b"\xc4\x05abc",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xcf\x00",
    ],
)
def test_truncated_values_are_refused(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode(data)


def test_every_prefix_and_every_extra_byte_is_refused() -> None:
    data = encode([1, b"ab", "text", {"k": [None, True]}, -7])
    for cut in range(len(data)):
        with pytest.raises(DecodeError):
            decode(data[:cut])
    with pytest.raises(DecodeError, match="bytes after"):
        decode(data + b"\0")


SMALL = Limits(size=64, depth=2, items=3, pairs=2, text=4, binary=5)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ([1, 2, 3], [1, 2, 3, 4]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}),
        ("abcd", "abcde"),
        ("éé", "ééa"),
        (b"12345", b"123456"),
        ([[1]], [[[1]]]),
        ([{"a": 1}], [{"a": []}]),
        ([b"12345"] * 3, [b"12345"] * 3 + [1]),
    ],
)
def test_each_limit_is_exact(good: object, bad: object) -> None:
    assert decode(encode(good), SMALL) == good
    with pytest.raises(DecodeError):
        decode(encode(bad), SMALL)


def test_the_size_limit_comes_first() -> None:
    with pytest.raises(DecodeError, match="65 bytes where at most 64"):
        decode(bytes(65), SMALL)
    assert decode(encode(b"x" * 65000)) == b"x" * 65000


@pytest.mark.parametrize("depth", [13, 500, 5000, 60000])
def test_deep_nesting_is_refused(depth: int) -> None:
    for opener in (b"\x91", b"\x81\xa0"):
        data = (opener * depth)[:65000] + b"\xc0"
        with pytest.raises(DecodeError):
            decode(data)


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_random_bytes_decode_to_their_own_encoding_or_are_refused(data: bytes) -> None:
    try:
        value = decode(data)
    except DecodeError:
        return
    assert encode(value) == data


def test_fields_are_exact() -> None:
    number, raw = codec.fields([1, b"x"], int, bytes)
    assert (number, raw) == (1, b"x")
    assert codec.fields([[], None], list, object) == ([], None)
    bad: list[object] = [
        [1],
        [1, b"x", 2],
        [True, b"x"],
        [1, "x"],
        ["1", b"x"],
        {},
        None,
        (1, b"x"),
    ]
    for value in bad:
        with pytest.raises(DecodeError):
            codec.fields(value, int, bytes)


@pytest.mark.parametrize("bad", [-1, 8, True, None, b"3", "3", 3.0])
def test_integer(bad: object) -> None:
    assert codec.integer(0, 0, 7) == 0
    assert codec.integer(7, 0, 7) == 7
    with pytest.raises(DecodeError):
        codec.integer(bad, 0, 7)


@pytest.mark.parametrize("bad", [b"123", b"12345", "1234", None, bytearray(b"1234")])
def test_octets(bad: object) -> None:
    assert codec.octets(b"1234", size=4, most=4) == b"1234"
    with pytest.raises(DecodeError):
        codec.octets(bad, size=4)
    with pytest.raises(DecodeError):
        codec.octets(b"12345", most=4)


@pytest.mark.parametrize("bad", [b"ab", 3, None, "abcd"])
def test_text(bad: object) -> None:
    assert codec.text("abc", 3) == "abc"
    with pytest.raises(DecodeError):
        codec.text(bad, 3)


def test_lists_and_maps_of() -> None:
    assert codec.list_of([1, 2], codec.integer, 1, 2) == [1, 2]
    assert codec.map_of({"a": "b"}, codec.text, 1) == {"a": "b"}
    lists: list[object] = [[], [1, 2, 3], [1, "2"], (1,), {}, None]
    for value in lists:
        with pytest.raises(DecodeError):
            codec.list_of(value, codec.integer, 1, 2)
    maps: list[object] = [{"a": "b", "c": "d"}, {"a": 1}, [], None]
    for value in maps:
        with pytest.raises(DecodeError):
            codec.map_of(value, codec.text, 1)


# What is looked at before anything is read


def nodes(value: object) -> int:
    """How many values one consists of."""
    if isinstance(value, list):
        return 1 + sum(map(nodes, value))
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(nodes, value.values()))
    return 1


@settings(max_examples=30)
@given(VALUES)
def test_values_are_counted_without_reading_them(value: object) -> None:
    data = encode(value)
    assert codec.count_nodes(data, 10_000) == nodes(value)
    assert codec.count_nodes(data, 2) == min(nodes(value), 3)


@pytest.mark.parametrize("data", [b"", b"\xdd\xff\xff\xff\xff", b"\xc1" * 9, b"\xc6\xff", b"\x91"])
def test_counting_broken_bytes_ends(data: bytes) -> None:
    assert codec.count_nodes(data, 100) <= len(data)


def test_a_message_of_small_lists_is_refused_before_it_is_read() -> None:
    small = [[0] * 30] * 16
    assert decode(encode(small)) == small
    with pytest.raises(DecodeError, match="more than 512 values"):
        decode(encode([[0] * 32] * 16))
    with pytest.raises(DecodeError, match="more than 512 values"):
        decode(encode([[[]] * 60] * 9))


def test_what_is_signed_weighs_with_what_is_around_it() -> None:
    payload = encode([1, b"table", 0, 1, 7, b"previous", "play", [1, [2, 3], None]])
    envelope = encode([b"signature", payload])
    assert codec.weigh(encode(["message", envelope])) == 3 + 3 + nodes(decode(payload))
    assert codec.weigh(encode(["hold", b"table", [[0, [[0, b"T"]], []]], []])) == 12
    assert codec.weigh(b"") == 0
    assert codec.weigh(b"\xc1") == 1
    flood = encode(["message", encode([b"", encode([[[0] * 60] * 60])])])
    assert codec.weigh(flood) > 512


def test_the_first_items_of_a_list_are_read_alone() -> None:
    data = encode([1, b"x", "y", [[]]])
    assert codec.first_items(data, 3) == [1, b"x", "y"]
    assert codec.first_items(data[:-1], 3) == [1, b"x", "y"]
    for broken, count in ((data, 5), (data[:2], 2), (b"\xc1", 1), (b"", 1), (encode({}), 1)):
        with pytest.raises(DecodeError):
            codec.first_items(broken, count)
    with pytest.raises(DecodeError):
        codec.first_items(encode([[0] * 60] * 60), 1)


@pytest.mark.parametrize("case", LIMITS, ids=lambda case: f"{case['what']} {case['taken']}")
def test_limit_vectors(case: dict[str, Any]) -> None:
    data = b"".join(bytes.fromhex(part) * times for part, times in case["bytes"])
    limits = {"stranger": codec.STRANGER, "message": codec.MESSAGE}[case["limits"]]
    if case["taken"]:
        decode(data, limits)
    else:
        with pytest.raises(DecodeError):
            decode(data, limits)
        with pytest.raises(DecodeError):
            decode(data, codec.STRANGER)
