"""Lists whose fields have names: kinds, limits, and that nothing is converted or can be changed."""

from dataclasses import FrozenInstanceError
from functools import partial
from typing import Annotated

import pytest

from p2p.wire.codec import DecodeError, integer, list_of
from p2p.wire.shape import Shape


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(list_of(value, integer))


class Sample(Shape, kind="sample"):
    """One field of each sort."""

    plain: int
    limited: Annotated[int, partial(integer, low=3, high=4)]
    many: Annotated[tuple[int, ...], _numbers]
    either: Annotated[int | None, lambda value: None if value is None else integer(value)]


class Longer(Sample, kind="longer"):
    """The same and one more."""

    name: str


def test_a_list_is_read_and_written() -> None:
    sample = Sample.read([-1, 3, [1, 2], None])
    assert sample == Sample(-1, 3, (1, 2), None)
    assert sample.value() == [-1, 3, [1, 2], None]
    assert Sample.kind == "sample"


def test_a_longer_shape_has_the_fields_of_the_shorter_first() -> None:
    assert Longer.read([0, 4, [], 7, "x"]) == Longer(0, 4, (), 7, "x")
    assert (Longer.kind, Longer(0, 4, (), 7, "x").value()) == ("longer", [0, 4, [], 7, "x"])


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ((0, 3, [], None), "something else where a list must be"),
        ([0, 3, []], "a list of 3 where 4 must be"),
        ([True, 3, [], None], "a bool at place 0 of a list"),
        ([0, 2, [], None], "a number outside 3 to 4"),
        ([0, 5, [], None], "a number outside 3 to 4"),
        ([0, 3, 1, None], "a int at place 2 of a list"),
        ([0, 3, [-1], None], "a number outside 0 to 18446744073709551615"),
        ([0, 3, [], "x"], "something else where a whole number must be"),
    ],
)
def test_what_is_no_such_list(value: object, why: str) -> None:
    with pytest.raises(DecodeError) as caught:
        Sample.read(value)
    assert str(caught.value) == why


def test_it_is_frozen() -> None:
    sample = Sample(0, 3, (), None)
    for name in ("plain", "another"):
        with pytest.raises(FrozenInstanceError):
            setattr(sample, name, 1)
    assert len({sample, Sample(0, 3, (), None)}) == 1
