"""The time of a sitting: Trio's, and what the machine slept through, which Trio's leaves out."""

import time

import trio

# The two clocks are read one after the other, and drift a little; a sleep is longer.
DRIFT_SECONDS = 1.0


def awake_and_asleep() -> float:
    """Seconds on a clock that goes on while the machine is suspended, where there is one: Linux
    has CLOCK_BOOTTIME (clock_gettime(2)), on macOS CLOCK_MONOTONIC is one."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if hasattr(time, "clock_gettime"):
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class Clock:
    """Seconds that go on while the machine sleeps."""

    def __init__(self) -> None:
        self._ahead = awake_and_asleep() - time.monotonic()

    def now(self) -> float:
        """The time now."""
        return trio.current_time() + self._slept()

    def alarm(self, at: float) -> float:
        """Trio's time for a time of this clock."""
        return at - self._slept()

    def _slept(self) -> float:
        """What the machine has slept since this clock was made."""
        slept = awake_and_asleep() - time.monotonic() - self._ahead
        return slept if slept > DRIFT_SECONDS else 0.0
