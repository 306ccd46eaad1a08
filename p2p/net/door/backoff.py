"""How fast a table's code may be tried. Pure: the time is passed in, in seconds."""

FREE_TRIES = 5
FIRST_WAIT = 2.0
LONGEST_WAIT = 16.0


class Backoff:
    """Five wrong tries are free; then one try per 2 s, and half as fast after each five more.

    With the longest wait of 16 s a code of 33 bits outlasts any table, and friends who mistype
    still get in. The code never changes: else anyone on the network could close a table.
    """

    def __init__(self) -> None:
        self._wrong = 0
        self._last = 0.0

    def wrong(self, now: float) -> None:
        """Count a try that ended at `now` without the right confirmation."""
        self._wrong += 1
        self._last = now

    def wait(self, now: float) -> float:
        """Seconds until the next try may begin."""
        if self._wrong < FREE_TRIES:
            return 0.0
        doublings = (self._wrong - FREE_TRIES) // FREE_TRIES
        pause = min(FIRST_WAIT * 2.0 ** min(doublings, 10), LONGEST_WAIT)
        return max(0.0, self._last + pause - now)
