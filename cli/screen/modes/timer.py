"""The seconds that the screen shows a person to have; they stand still while a match is paused,
and between the decisions of one turn."""

from collections.abc import Callable

from cli.table.clock import Turn


class Timer:
    """`now` gives seconds of a clock that only goes on."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._until: float | None = None
        self._rest: float | None = None
        self._paused = False
        self._turn: Turn | None = None
        self._kept: float | None = None

    def start(self, seconds: float | None, turn: Turn | None = None) -> None:
        """So many seconds from now, less those of this `turn` that were used; None: no limit."""
        going_on = turn is not None and turn == self._turn and self._kept is not None
        self._rest = self._kept if going_on else seconds
        self._until, self._turn, self._kept = None, turn, self._rest
        self._go()

    def stop(self) -> None:
        """Nothing is asked for; what is left is kept for the turn's next decision."""
        if self._until is not None or self._rest is not None:
            self._kept = self._rest if self._until is None else self._until - self._now()
        self._until = self._rest = None

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
