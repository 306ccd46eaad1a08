"""Links of seats that are proven and not yet taken: one a seat, whatever that seat opens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio


class Waiting:
    """A newer link of a seat ends the one of it that still waits: an honest seat wants the newer,
    and one that opens link after link takes no handles that others need."""

    def __init__(self) -> None:
        self._scopes: dict[int, trio.CancelScope] = {}

    @contextmanager
    def wait(self, seat: int) -> Iterator[Callable[[], None]]:
        """The stay of a link, cancelled by a newer one until what this gives is called."""
        with trio.CancelScope() as scope:
            older = self._scopes.get(seat)
            self._scopes[seat] = scope
            if older is not None:
                older.cancel()

            def taken() -> None:
                if self._scopes.get(seat) is scope:
                    del self._scopes[seat]

            try:
                yield taken
            finally:
                taken()
