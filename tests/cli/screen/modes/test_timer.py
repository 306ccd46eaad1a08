"""cli.screen.modes.timer: the seconds that are left, which stand still in a pause."""

import pytest

from cli.screen.modes.timer import Timer


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_it_counts_down_to_nothing(clock: Clock) -> None:
    timer = Timer(clock)
    assert timer.left is None
    timer.start(30)
    assert timer.left == 30
    clock.now += 12.4
    assert timer.left == 18
    clock.now += 60
    assert timer.left == 0
    timer.start(None)
    assert timer.left is None


def test_it_stands_still_while_paused(clock: Clock) -> None:
    timer = Timer(clock)
    timer.start(30)
    clock.now += 10
    timer.pause(True)
    clock.now += 500
    timer.pause(True)
    assert timer.left == 20
    timer.pause(False)
    clock.now += 5
    assert timer.left == 15


def test_what_is_started_in_a_pause_begins_with_its_end(clock: Clock) -> None:
    timer = Timer(clock)
    timer.pause(True)
    timer.start(30)
    clock.now += 100
    assert timer.left == 30
    timer.pause(False)
    clock.now += 1
    assert timer.left == 29


def test_the_draws_of_a_turn_share_its_seconds(clock: Clock) -> None:
    timer = Timer(clock)
    timer.start(15, (1, 4, False))
    clock.now += 5
    timer.stop()
    timer.stop()
    assert timer.left is None
    clock.now += 3
    timer.start(15, (1, 4, False))
    assert timer.left == 10
    timer.start(15, (1, 5, False))
    assert timer.left == 15
    timer.start(None, (1, 6, False))
    timer.stop()
    timer.start(None, (1, 6, False))
    assert timer.left is None
