"""Time that stands still in a pause: the limit itself, and what the screen shows of it."""

import pytest
import trio
import trio.testing

from cli.screen.modes.timer import Timer
from cli.table.clock import Clock


async def spent(clock: Clock, seconds: float | None) -> float:
    """How long a block under that limit takes if it never ends by itself."""
    begin = trio.current_time()
    with clock.limit(seconds):
        await trio.sleep(1000)
    return trio.current_time() - begin


async def test_a_limit(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()
    assert await spent(clock, 5) == pytest.approx(5)
    assert await spent(clock, None) == pytest.approx(1000)


async def test_a_pause_lengthens_the_limit(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()

    async def pausing() -> None:
        for _ in range(2):
            await trio.sleep(2)
            clock.pause(True)
            clock.pause(True)
            await trio.sleep(100)
            clock.pause(False)
            clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(pausing)
        assert await spent(clock, 5) == pytest.approx(205)


async def test_a_limit_that_begins_in_a_pause(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()
    clock.pause(True)

    async def going_on() -> None:
        await trio.sleep(50)
        clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(going_on)
        assert await spent(clock, 5) == pytest.approx(55)
    assert await spent(clock, 5) == pytest.approx(5)


def test_what_the_screen_shows() -> None:
    time = [100.0]
    timer = Timer(lambda: time[0])
    assert timer.left is None
    timer.start(15)
    time[0] += 5
    assert timer.left == 10
    timer.pause(True)
    time[0] += 50
    assert timer.left == 10
    timer.pause(False)
    time[0] += 4
    assert timer.left == 6
    timer.pause(True)
    timer.start(8)
    time[0] += 4
    assert timer.left == 8
    timer.pause(False)
    time[0] += 20
    assert timer.left == 0
    timer.start(None)
    assert timer.left is None
