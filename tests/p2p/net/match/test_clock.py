"""The clock of a sitting goes on while the machine is suspended."""

import pytest
import trio
import trio.testing

from p2p.net.match import clock
from p2p.net.match.clock import Clock, awake_and_asleep


async def test_it_is_trios_and_counts_a_sleep(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    slept = 0.0
    monkeypatch.setattr(clock, "awake_and_asleep", lambda: awake_and_asleep() + slept)
    watch = Clock()
    await trio.sleep(7)
    assert watch.now() == trio.current_time()
    slept = 20.0
    assert watch.now() - trio.current_time() == pytest.approx(20.0, abs=0.5)
    assert watch.alarm(watch.now()) == pytest.approx(trio.current_time(), abs=0.5)


def test_there_is_such_a_clock_here() -> None:
    assert awake_and_asleep() > 0
