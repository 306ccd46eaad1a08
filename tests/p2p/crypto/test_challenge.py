"""The challenge object: framing, binding to its place, weights."""

from __future__ import annotations

import pytest
from support.session.tampering import CONTEXT, KIND, SEAT, STEP, other_places, place

from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import Misuse
from p2p.crypto.group import G, Q


def test_the_same_items_give_the_same_challenge() -> None:
    values = []
    for challenge in (place(), place()):
        challenge.data(b"a", b"1")
        challenge.numbers(b"b", [1, 2])
        challenge.points(b"c", [G])
        challenge.scalars(b"d", [5])
        values.append(challenge.scalar(b"c"))
    assert values[0] == values[1]
    assert 0 <= values[0] < Q


@pytest.mark.parametrize("what", list(other_places()))
def test_each_part_of_the_place_matters(what: str) -> None:
    assert other_places()[what].scalar(b"c") != place().scalar(b"c")


def test_places_do_not_run_into_each_other() -> None:
    def first(context: DealContext, seat: int, step: bytes, kind: bytes) -> int:
        return Challenge(context, seat, step, kind).scalar(b"c")

    assert first(CONTEXT, SEAT, b"ab", b"c") != first(CONTEXT, SEAT, b"a", b"bc")
    longer = DealContext(1, b"T" * 32, 7, (0, 1, 3, 5))
    assert first(longer, 1, STEP, KIND) != first(CONTEXT, 5, STEP, KIND)


def _after(*items: tuple[bytes, bytes]) -> int:
    challenge = place()
    for label, data in items:
        challenge.data(label, data)
    return challenge.scalar(b"c")


def test_framing_is_unambiguous() -> None:
    forms = [
        _after((b"a", b"bc")),
        _after((b"ab", b"c")),
        _after((b"a", b"b"), (b"a", b"c")),
        _after((b"a", b"c"), (b"a", b"b")),
        _after((b"a", b"b"), (b"", b"ac")),
        _after((b"a", b"bc"), (b"", b"")),
        _after(),
    ]
    assert len(set(forms)) == len(forms)


def test_a_challenge_depends_on_its_label_and_on_those_before() -> None:
    one, two, three = place(), place(), place()
    assert one.scalar(b"beta") != two.scalar(b"gamma")
    assert one.scalar(b"c") != three.scalar(b"c")
    assert one.scalar(b"c") != one.scalar(b"c")


def test_a_fork_leaves_the_original_as_it_is() -> None:
    plain, forked = place(), place()
    fork = forked.fork(b"f")
    fork.data(b"a", b"b")
    assert plain.scalar(b"c") == forked.scalar(b"c")
    assert place().fork(b"f").scalar(b"c") != place().fork(b"g").scalar(b"c")
    assert place().fork(b"f").scalar(b"c") != place().scalar(b"c")


def test_a_squeeze_is_not_an_absorbed_item() -> None:
    squeezed, absorbed = place(), place()
    squeezed.digest(b"x")
    absorbed.data(b"x", b"")
    assert squeezed.scalar(b"c") != absorbed.scalar(b"c")


@pytest.mark.parametrize("count", [0, 1, 2, 4, 5, 9, 60])
def test_weights_have_more_than_120_bits_and_differ(count: int) -> None:
    weights = place().weights(b"w", count)
    assert len(weights) == count
    assert weights[:1] == [1][:count]
    assert len(set(weights)) == count
    assert all(2**100 < weight < 2**128 for weight in weights[1:])
    if count > 30:
        assert any(weight >= 2**125 for weight in weights)
        assert 0.4 < sum(weight >> 127 for weight in weights[1:]) / (count - 1) < 0.6


def test_weights_depend_on_everything_absorbed_and_leave_no_trace() -> None:
    one, two = place(), place()
    two.data(b"a", b"b")
    assert set(one.weights(b"w", 5)[1:]).isdisjoint(two.weights(b"w", 5)[1:])
    assert one.scalar(b"c") == place().scalar(b"c")


@pytest.mark.parametrize(
    ("table", "seats", "deal"),
    [
        (b"short", (0, 1), 1),
        (b"T" * 32, (), 1),
        (b"T" * 32, (1, 0), 1),
        (b"T" * 32, (0, 0), 1),
        (b"T" * 32, (-1, 0), 1),
        (b"T" * 32, (0, 1), -1),
    ],
)
def test_impossible_contexts_are_our_mistake(
    table: bytes, seats: tuple[int, ...], deal: int
) -> None:
    with pytest.raises(Misuse):
        DealContext(1, table, deal, seats)
