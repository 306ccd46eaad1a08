"""The group module against RFC 9496, appendix A, and the rules it adds to rbcl."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import once
from support.places import VECTORS
from support.session.deck_table import seeded
from support.session.tampering import with_top_bit

from p2p.crypto import group
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import (
    IDENTITY,
    G,
    P,
    Point,
    Q,
    Sum,
    add_up,
    combine,
    decode_scalar,
    encode_scalar,
    from_uniform,
    hash_to_point,
    multiply_base,
    random_scalar,
)

CASES: dict[str, Any] = json.loads((VECTORS / "rfc9496.json").read_text())
BAD = [(kind, data) for kind, group in CASES["bad_encodings"].items() for data in group]
scalars = st.integers(min_value=0, max_value=Q - 1)


def test_multiples_of_the_generator() -> None:
    expected = [bytes.fromhex(data) for data in CASES["multiples_of_generator"]]
    assert len(expected) == 16
    total = IDENTITY
    for scalar, encoding in enumerate(expected):
        assert multiply_base(scalar).raw == encoding
        assert (scalar * G).raw == encoding
        assert total.raw == encoding
        total += G
    assert [Point.decode(data) for data in expected[1:]] == [k * G for k in range(1, 16)]


@pytest.mark.parametrize(("kind", "data"), BAD)
def test_bad_encodings_are_refused(kind: str, data: str) -> None:
    with pytest.raises(DecodeError):
        Point.decode(bytes.fromhex(data))


def test_all_29_bad_encodings_are_there() -> None:
    assert len({data for _, data in BAD}) == 29


def test_the_identity_is_refused_at_decoding() -> None:
    with pytest.raises(DecodeError):
        Point.decode(bytes(32))


@pytest.mark.parametrize("scalar", range(16))
def test_a_point_with_its_top_bit_set_is_refused(scalar: int) -> None:
    """libsodium in rbcl 1.1.2 reads it as if the bit were not there."""
    with pytest.raises(DecodeError):
        Point.decode(with_top_bit((scalar * G).raw))


@settings(max_examples=100, deadline=None)
@given(scalars, st.integers(min_value=0, max_value=255))
def test_what_decodes_is_encoded_to_the_same_bytes(scalar: int, bit: int) -> None:
    number = int.from_bytes(multiply_base(scalar).raw, "little") ^ 1 << bit
    data = number.to_bytes(32, "little")
    try:
        point = Point.decode(data)
    except DecodeError:
        return
    assert ((point + G) - G).raw == data


OWN_CHECKS = ("non-canonical field encoding", "negative field element")


@pytest.mark.parametrize(
    "data",
    [
        *(bytes.fromhex(data) for kind, data in BAD if kind in OWN_CHECKS),
        *(number.to_bytes(32, "little") for number in (0, P, P + 1, 2**255, 2**256 - 1)),
        with_top_bit(G.raw),
        G.raw + bytes(1),
    ],
    ids=bytes.hex,
)
def test_other_encodings_are_refused_whatever_the_library_says(data: bytes) -> None:
    with mock.patch.object(group, "_is_valid", return_value=True), pytest.raises(DecodeError):
        Point.decode(data)


NO_POINTS = [bytes.fromhex(data) for kind, data in BAD if kind.startswith("non-square")]


def test_what_a_sum_multiplies_is_decoded_by_it_and_the_rest_beside_it() -> None:
    second = 2 * G
    assert len(NO_POINTS) > 5
    for data in NO_POINTS:
        with pytest.raises(DecodeError):
            Point.decode(data)
        none = Point.canonical(data)
        # Multiplied; not there; there with multiples that add up to zero.
        for scalars in ([5], [], [5, -5], [Q]):
            total = Sum()
            total.add_all(scalars, [none] * len(scalars))
            total.add(3, second)
            with pytest.raises(DecodeError):
                total.checked_value([second, none])
    total = Sum()
    total.add(3, second)
    total.add(0, G)
    assert total.checked_value([second, G, 7 * G]) == 6 * G


def test_no_error_of_rbcl_leaves_the_module() -> None:
    second, short = Point(with_top_bit(bytes(32))), Point(bytes(31))
    with pytest.raises(Misuse):
        _ = 5 * second
    with pytest.raises(Misuse):
        combine([5], [second])
    with pytest.raises(Misuse):
        _ = short + G
    with pytest.raises(Misuse):
        _ = G - short
    with pytest.raises(Misuse):
        add_up([G, short])
    with pytest.raises(Misuse):
        from_uniform(bytes(63))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_point_has_32_bytes(size: int) -> None:
    with pytest.raises(DecodeError):
        Point.decode((G.raw * 2)[:size])


def test_hashed_labels() -> None:
    assert len(CASES["hashed_labels"]) == 7
    for vector in CASES["hashed_labels"]:
        assert hash_to_point(vector["label"].encode()).raw.hex() == vector["point"]
        assert from_uniform(bytes.fromhex(vector["uniform"])).raw.hex() == vector["point"]


def test_uniform_bytes_that_map_to_one_point() -> None:
    same = CASES["same_point"]
    found = {from_uniform(bytes.fromhex(data)).raw.hex() for data in same["uniform"]}
    assert found == {same["point"]}


def test_zero_and_the_identity_are_defined() -> None:
    assert 0 * G == Q * G == multiply_base(0) == multiply_base(Q) == IDENTITY
    assert 5 * IDENTITY == IDENTITY
    assert G - G == G + multiply_base(-1) == IDENTITY
    assert G + IDENTITY == IDENTITY + G == G - IDENTITY == G
    assert combine([], []) == add_up([]) == IDENTITY
    assert combine([0, 3], [G, IDENTITY]) == IDENTITY
    assert add_up([G, IDENTITY, G]) == 2 * G


@settings(max_examples=20)
@given(scalars, scalars, scalars)
def test_combine_is_the_sum_of_multiples(a: int, b: int, c: int) -> None:
    point = hash_to_point(b"p")
    expected = (a * G) + (b * point) + (c * (2 * G))
    assert combine([b, 2 * c], [point, G], a) == expected
    assert combine([b, c, a], [point, 2 * G, G]) == expected
    assert (a + Q) * point == a * point


def test_combine_wants_as_many_scalars_as_points() -> None:
    with pytest.raises(ValueError, match="zip"):
        combine([1, 2], [G])


@settings(max_examples=20)
@given(scalars, scalars)
def test_a_sum_merges_equal_points(a: int, b: int) -> None:
    point = hash_to_point(b"p")
    total = Sum()
    total.add(a, point)
    total.add_all([b, b], [point, G], 3)
    total.add_base(a)
    assert total.value() == combine([a + 3 * b], [point], 3 * b + a)
    assert total.value() == total.value()
    total.add_all([-a - 3 * b], [point])
    assert total.is_zero() == ((3 * b + a) % Q == 0)
    total.add(-3 * b - a, G)
    assert total.is_zero()


def test_scalars_below_the_order_only() -> None:
    assert decode_scalar(encode_scalar(Q - 1)) == Q - 1
    assert decode_scalar(bytes(32)) == 0
    for data in (Q.to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33), b""):
        with pytest.raises(DecodeError):
            decode_scalar(data)


def test_random_scalars_are_never_zero_and_use_the_source() -> None:
    rng = seeded("scalars")
    drawn = {random_scalar(rng) for _ in range(50)}
    assert len(drawn) == 50
    assert all(0 < scalar < Q for scalar in drawn)
    assert random_scalar(bytes) == 1


def test_what_tests_compute_once_is_what_the_group_gives() -> None:
    """Another multiple, point or base is another sum; what nobody can compute stays an error."""
    sums = [([2, 3], [G, 5 * G], 0), ([2, 3], [G, 5 * G], 1), ([3, 2], [G, 5 * G], 0), ([], [], 7)]
    for scalars, points, base in sums * 2:
        kept = once._combined(zip((point.raw for point in points), scalars, strict=True), base)
        assert (
            kept
            == multiply_base(base + sum(a * b for a, b in zip(scalars, (1, 5), strict=False))).raw
        )
    for _ in range(2):
        with pytest.raises(RuntimeError):
            once._combined([(b"\x01" * 32, 2)], 0)
