"""A bucket: how much of something may come in a time, with room for what comes at once."""


class Bucket:
    """Holds `room` at most and fills by `rate` a second, on the caller's clock; full at first."""

    def __init__(self, rate: float, room: float) -> None:
        self._rate, self._room = rate, room
        self._left = room
        self._seen: float | None = None

    def take(self, cost: float, now: float) -> bool:
        """Take so much out of it; False, and nothing is taken, if it does not hold that much."""
        if self._seen is not None:
            self._left = min(self._room, self._left + self._rate * max(0.0, now - self._seen))
        self._seen = now
        if cost > self._left:
            return False
        self._left -= cost
        return True
