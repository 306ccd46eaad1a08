"""The seconds that the screen shows a person to have; they stand still while a match is paused."""

from collections.abc import Callable


class Timer:
    """`now` gives seconds of a clock that only goes on."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._until: float | None = None
        self._rest: float | None = None
        self._paused = False

    def start(self, seconds: float | None) -> None:
        """So many seconds from now; None: no limit."""
        self._rest = seconds
        self._until = None
        self._go()

    def pause(self, on: bool) -> None:
        """Stand still, or go on."""
        if on and self._until is not None:
            self._rest, self._until = self._until - self._now(), None
        self._paused = on
        self._go()

    def _go(self) -> None:
        if not self._paused and self._rest is not None:
            self._until, self._rest = self._now() + self._rest, None

    @property
    def left(self) -> int | None:
        """Whole seconds that are left; None where there is no limit."""
        left = self._rest if self._until is None else self._until - self._now()
        return None if left is None else max(0, round(left))
