"""Who is to go out, as wishes and votes say it."""

import pytest

from p2p.wire.codec import DecodeError
from p2p.wire.out import Out, read_outs

ONE, TWO = b"\1" * 32, b"\2" * 32


def test_lists_come_back() -> None:
    outs = (Out(0, "left", (ONE,)), Out(1, "fault", (ONE, TWO)), Out(3, "idle", ()))
    assert read_outs([one.value() for one in outs]) == outs
    assert read_outs([]) == ()


@pytest.mark.parametrize(
    "value",
    [
        None,
        [0],
        [[0, "left"]],
        [[4, "left", []]],
        [[-1, "left", []]],
        [[0, "tired", []]],
        [[0, 7, []]],
        [[0, "left", ONE]],
        [[0, "left", [b"short"]]],
        [[0, "fault", [TWO, ONE]]],
        [[0, "fault", [ONE, ONE]]],
        [[0, "fault", [ONE, TWO, b"\3" * 32]]],
        [[1, "left", []], [0, "left", []]],
        [[1, "left", []], [1, "idle", []]],
        [[seat, "idle", []] for seat in (0, 1, 2, 3, 3)],
    ],
)
def test_wrong_lists_are_refused(value: object) -> None:
    with pytest.raises(DecodeError):
        read_outs(value)
