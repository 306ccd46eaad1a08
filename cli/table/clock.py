"""A person's time for a decision, which stands still while the match is paused."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import trio


class Clock:
    """One limit at a time. `pause` may come at any moment, before a limit as well."""

    def __init__(self) -> None:
        self._paused = False
        self._scope: trio.CancelScope | None = None
        self._left = math.inf

    @contextmanager
    def limit(self, seconds: float | None) -> Iterator[None]:
        """Leave the block after so many seconds that were not paused; None: never."""
        self._left = math.inf if seconds is None else seconds
        with trio.CancelScope() as self._scope:
            self._run()
            yield
        self._scope = None

    def pause(self, on: bool) -> None:
        """Stop the time, or let it go on."""
        if on and not self._paused and self._scope is not None:
            self._left = self._scope.deadline - trio.current_time()
        self._paused = on
        self._run()

    def _run(self) -> None:
        if self._scope is not None:
            stands = self._paused or math.isinf(self._left)
            self._scope.deadline = math.inf if stands else trio.current_time() + self._left
