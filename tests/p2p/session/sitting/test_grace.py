"""Grace: counted in small pieces, kept, and used up once."""

import pytest

from p2p.session.sitting.grace import Grace


def test_time_away_adds_up_over_the_match() -> None:
    grace = Grace(10.0, {2: 4.0})
    for _ in range(3):
        grace.count(1.0, [1, 2])
    grace.count(0.5, [2])
    assert grace.used == {1: 3.0, 2: 7.5}
    assert [grace.left(seat) for seat in (0, 1, 2)] == [10.0, 7.0, 2.5]


@pytest.mark.parametrize(("seconds", "counted"), [(3600.0, 1.0), (-5.0, 0.0), (1.0, 1.0)])
def test_a_piece_is_a_second_at_most(seconds: float, counted: float) -> None:
    grace = Grace(300.0, {})
    grace.count(seconds, [1])
    assert grace.used[1] == counted


def test_it_never_falls_below_nothing() -> None:
    grace = Grace(1.0, {0: 5.0})
    assert grace.left(0) == 0.0
