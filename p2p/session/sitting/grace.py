"""Grace: how long each seat may be away in a match, all in all. What was used stays used."""

from collections.abc import Collection, Mapping

# Time is counted in pieces of this program's own running: what it slept through is nobody's.
TICK_SECONDS = 1.0


class Grace:
    """`limit` seconds a seat; `used` are those of each seat, to be kept over a start anew."""

    def __init__(self, limit: float, used: Mapping[int, float]) -> None:
        self.limit = limit
        self.used = dict(used)

    def count(self, seconds: float, away: Collection[int]) -> None:
        """These seats were away for so long, of which a tick counts at most."""
        for seat in away:
            self.used[seat] = self.used.get(seat, 0.0) + min(max(seconds, 0.0), TICK_SECONDS)

    def left(self, seat: int) -> float:
        """The seconds that a seat may still be away."""
        return max(0.0, self.limit - self.used.get(seat, 0.0))
