"""Budgets: after so many positions, or when the time is over, which is asked often enough."""

from itertools import pairwise

import pytest

from engine.strategy.ahead.budget import Budget, OutOfBudget


def test_so_many_positions_and_no_more() -> None:
    budget = Budget(positions=10)
    budget.spend(9)
    with pytest.raises(OutOfBudget):
        budget.spend()
    assert budget.used == 10


def test_the_time_is_asked_for_every_few_positions_and_at_each_look() -> None:
    asked = []

    def over() -> bool:
        asked.append(budget.used)
        return len(asked) > 8

    budget = Budget(over=over)

    def spend_on() -> None:
        for _ in range(10_000):
            budget.spend()

    with pytest.raises(OutOfBudget):
        spend_on()
    steps = [after - before for before, after in pairwise(asked)]
    assert max(steps) <= 16  # positions, of which one takes some ten microseconds
    asked.clear()
    budget.look()
    assert len(asked) == 1


def test_what_takes_long_is_asked_after_each_time() -> None:
    asked: list[int] = []

    def over() -> bool:
        asked.append(budget.used)
        return False

    budget = Budget(over=over)
    for _ in range(5):
        budget.spend(20)
    assert asked == [20, 40, 60, 80, 100]
