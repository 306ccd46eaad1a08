"""How fast a table's code may be tried. Pure: the time is passed in, in seconds."""

import math

FREE_TRIES = 5
FIRST_WAIT = 2.0
LONGEST_WAIT = 16.0
# Of more sources than these the one that failed longest ago is forgotten: the pace of all holds.
SOURCES_MOST = 1024


class Pace:
    """So many wrong tries are free; then one try per 2 s, and half as fast after as many more."""

    def __init__(self, free: int) -> None:
        self._free = free
        self.tries = 0
        self._last = 0.0

    def wrong(self, now: float) -> None:
        """Count a try that ended at `now` without the right confirmation."""
        self.tries += 1
        self._last = now

    @property
    def ready(self) -> float:
        """From when on the next try may begin."""
        if self.tries < self._free:
            return -math.inf
        doublings = (self.tries - self._free) // self._free
        return self._last + min(FIRST_WAIT * 2.0 ** min(doublings, 10), LONGEST_WAIT)


class Paces:
    """The pace of all together, and that of each source, of which no wrong try is free.

    With the longest wait of 16 s a code of 33 bits outlasts any table, from however many addresses
    it is tried. The code never changes: else anyone on the network could close a table.
    """

    def __init__(self) -> None:
        self._all = Pace(FREE_TRIES)
        self._by_source: dict[str, Pace] = {}

    def wrong(self, source: str, now: float) -> None:
        """Count a try from `source` that ended at `now` without the right confirmation."""
        self._all.wrong(now)
        pace = self._by_source.pop(source, None) or Pace(1)
        pace.wrong(now)
        self._by_source[source] = pace
        if len(self._by_source) > SOURCES_MOST:
            del self._by_source[next(iter(self._by_source))]

    def tries(self, source: str) -> int:
        """How many wrong tries came from there."""
        pace = self._by_source.get(source)
        return 0 if pace is None else pace.tries

    def ready(self, source: str) -> float:
        """From when on a try from there may begin."""
        pace = self._by_source.get(source)
        return self._all.ready if pace is None else max(self._all.ready, pace.ready)
