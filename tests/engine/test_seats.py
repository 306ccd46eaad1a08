"""The order of turns."""

import pytest

from engine.seats import turns_after


@pytest.mark.parametrize(
    ("seats", "seat", "order"),
    [
        ((0, 1), 0, (1, 0)),
        ((0, 1), 1, (0, 1)),
        ((0, 1, 2, 3), 3, (0, 1, 2, 3)),
        ((0, 1, 2, 3), 1, (2, 3, 0, 1)),
        ((0, 2, 3), 0, (2, 3, 0)),
        ((2,), 2, (2,)),
    ],
)
def test_turns_go_round_and_end_with_the_seat_itself(
    seats: tuple[int, ...], seat: int, order: tuple[int, ...]
) -> None:
    assert turns_after(seats, seat) == order


def test_a_seat_that_is_not_in_has_no_turns() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        turns_after((0, 2, 3), 1)
