"""Many equations in one random combination: each counts, none makes up for another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.deck_table import seeded
from support.session.tampering import NO_POINT, STRANGER, place, with_top_bit

from p2p.crypto import shuffle, shuffle_prover
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import IDENTITY, G, Q, Sum, hash_to_point, multiply_base
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.crypto.shuffle import Proof, Statement

KEY = multiply_base(31337)
POINTS = [hash_to_point(f"joint {at}".encode()) for at in range(4)]


def joint() -> JointSum:
    """Weights of one file and one choice of fresh bytes."""
    return JointSum(b"file", bytes(FRESH_BYTES))


def test_every_weight_is_another_one_of_128_bits() -> None:
    one = joint()
    weights = [weight for count in (1, 5, 3, 70) for weight in one.weights(count)]
    assert len(set(weights)) == 79
    assert max(weights) < 2**128
    assert sum(weight > 2**120 for weight in weights) > 70
    assert one.weights(0) == []


def test_weights_change_with_the_file_and_with_the_fresh_bytes() -> None:
    fresh = bytes(FRESH_BYTES)
    seen = [
        JointSum(b"file", fresh).weights(4),
        JointSum(b"fils", fresh).weights(4),
        JointSum(b"file", fresh[:-1] + b"\x01").weights(4),
        JointSum(b"\0file", fresh).weights(4),
    ]
    assert len({weight for weights in seen for weight in weights}) == 16
    assert joint().weights(4) == seen[0]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_weights_are_not_drawn_from_less_than_32_fresh_bytes(size: int) -> None:
    with pytest.raises(Misuse, match="fresh"):
        JointSum(b"file", bytes(size))


def test_nothing_holds_and_a_settled_sum_begins_anew() -> None:
    one = joint()
    assert one.settle()
    one.relation.add(1, POINTS[0])
    assert not one.settle()
    assert not one.settle()
    one.relation.add(-1, POINTS[0])
    assert one.settle()
    assert not one.relation.points()


def test_a_received_point_that_is_none_is_found_in_an_equation_or_beside() -> None:
    one = joint()
    assert one.point(STRANGER.raw) == STRANGER
    assert one.settle()
    one.point(NO_POINT)
    assert not one.settle()
    one = joint()
    one.relation.add(2, one.point(NO_POINT))
    assert not one.settle()
    with pytest.raises(DecodeError):
        one.point(with_top_bit(STRANGER.raw))


def equation(one: JointSum, error: int) -> None:
    """3 P + 4 P - 7 P = error * STRANGER."""
    (weight,) = one.weights(1)
    for factor in (3, 4, -7):
        one.relation.add(weight * factor, POINTS[0])
    one.relation.add(weight * -error, STRANGER)


@settings(max_examples=25)
@given(st.lists(st.integers(-2, 2), max_size=6))
def test_errors_of_several_equations_do_not_cancel(errors: list[int]) -> None:
    one = joint()
    for error in errors:
        equation(one, error)
    assert one.settle() == (not any(errors))


@pytest.mark.parametrize("error", [0, 1])
def test_a_sum_that_was_folded_says_what_it_said(error: int) -> None:
    lasting = {POINTS[0].raw}
    one = joint()
    for wrong in (0, error, 0):
        equation(one, wrong)
        one.relation.add(4, POINTS[1])
        one.relation.add_base(-9)
        assert one.fold(lasting)
        assert POINTS[1] not in one.relation.points()
    one.relation.add(-12, POINTS[1])
    one.relation.add_base(27)
    assert one.settle() == (not error)


def test_sums_that_were_folded_add_up() -> None:
    one, other, both = joint(), joint(), Sum()
    for sign, each in ((1, one), (-1, other)):
        each.relation.add(sign * 3, STRANGER)
        each.relation.add(sign * 5, POINTS[0])
        each.relation.add_base(sign * 7)
        assert each.fold({POINTS[0].raw})
        both.include(each.relation)
        assert both.is_zero() == (sign < 0)


def test_what_is_folded_is_decoded_and_what_lasts_later() -> None:
    beside, lasts = joint(), joint()
    beside.point(NO_POINT)
    assert not beside.fold(())
    lasts.point(NO_POINT)
    assert lasts.fold({NO_POINT})
    assert not lasts.settle()
    multiplied = joint()
    multiplied.relation.add(2, multiplied.point(NO_POINT))
    assert not multiplied.fold(())


def test_a_coefficient_of_zero_drops_its_point() -> None:
    """Even a point that could not be multiplied: that received points are valid, decoding says."""
    one = Sum()
    one.add(5, STRANGER)
    one.add(-5, STRANGER)
    one.add(Q, POINTS[1])
    one.add(3, IDENTITY)
    assert one.is_zero()


def test_a_point_is_written_as_what_it_is_known_to_be() -> None:
    known = 3 * POINTS[0] + 5 * G
    one = Sum()
    one.add(7, known)
    one.replace(known, [(3, POINTS[0]), (5, G)])
    assert known not in one.points()
    assert one.value() == 7 * known
    one.replace(STRANGER, [(1, POINTS[2])])
    assert one.value() == 7 * known
    one.add(2, known)
    assert one.value() == 9 * known
    one.replace(known, [(1, known)])
    assert one.value() == 9 * known


def shifted(deal: int, sign: int) -> tuple[Statement, Proof]:
    """A shuffle whose commitment C_1 is off by a known point, times `sign`."""
    rng = seeded(f"shifted {deal}")
    before = [((at + deal) * G, point + (at + deal) * KEY) for at, point in enumerate(POINTS, 1)]
    prepared = shuffle_prover.prepare(place(), KEY, len(before), rng)
    masks = prepared.masks
    prepared.masks = replace(masks, crossed=masks.crossed + sign * STRANGER)
    statement = Statement(KEY, before, shuffle_prover.apply(before, prepared))
    return statement, shuffle_prover.prove(place(), statement, prepared, rng)


@pytest.mark.parametrize("signs", [(0, 0), (1, -1), (1, 0), (0, 1), (1, 1)])
def test_errors_that_cancel_over_two_proofs_are_found(signs: tuple[int, int]) -> None:
    one = joint()
    for deal, sign in enumerate(signs):
        statement, proof = shifted(deal, sign)
        weights = one.weights(shuffle.EQUATIONS)
        shuffle.gather(one.relation, weights, place(), statement, proof)
    assert one.settle() == (signs == (0, 0))


def test_with_one_weight_for_all_they_would_cancel() -> None:
    """What the weights are for: the alteration above is one that only they find."""
    total = Sum()
    for deal, sign in enumerate((1, -1)):
        statement, proof = shifted(deal, sign)
        shuffle.gather(total, [1] * shuffle.EQUATIONS, place(), statement, proof)
    assert total.is_zero()
