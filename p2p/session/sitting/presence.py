"""Who of the others is there: by a link, or by its own word, and never by anybody else's."""

import math
from collections.abc import Iterable

# A seat without a link to some other says so often that it is there,
HERE_SECONDS = 10.0
# and this long it is heard by that.
HEARD_SECONDS = 30.0
# A timer so late shows that this machine was asleep;
SLEPT_SECONDS = 3.0
# after which it counts nothing against anybody until it was linked for this long.
RESTED_SECONDS = 30.0


class Presence:
    """The other seats, as one seat hears them. Times are seconds on the caller's clock."""

    def __init__(self, others: Iterable[int], now: float = 0.0) -> None:
        self._linked: dict[int, float] = {}
        self._here: dict[int, float] = {}
        # When a seat was last heard.
        self._last = dict.fromkeys(others, now)
        self._woken: float | None = None

    @property
    def linked(self) -> frozenset[int]:
        """The seats with a link."""
        return frozenset(self._linked)

    def begin(self, now: float) -> None:
        """A match begins: nobody was away before."""
        self._last = dict.fromkeys(self._last, now)

    def rest_on(self, before: "Presence", now: float) -> None:
        """Another match follows the one of `before`: a sleep just before it counts on here."""
        self._woken = None if before.rested(now) else now

    def link(self, seat: int, now: float) -> None:
        """There is a link to that seat."""
        self._linked[seat] = now

    def lose(self, seat: int, now: float) -> None:
        """There is none any more. What it said before that shows nothing of now."""
        if self._linked.pop(seat, None) is not None:
            self._last[seat] = now
            self._here.pop(seat, None)

    def here(self, seat: int, now: float) -> None:
        """A newer word came that the seat is there."""
        self._here[seat] = now

    def heard(self, now: float) -> frozenset[int]:
        """The others that are heard now."""
        return self.linked.union(seat for seat in self._here if self.hears(seat, now))

    def hears(self, seat: int, now: float) -> bool:
        """Whether one of the others is heard now."""
        return seat in self._linked or now - self._here.get(seat, -math.inf) < HEARD_SECONDS

    def unheard_since(self, seat: int, now: float) -> float | None:
        """Since when a seat is not heard; None if it is."""
        if self.hears(seat, now):
            return None
        by_word = self._here.get(seat)
        return self._last[seat] if by_word is None else max(self._last[seat], by_word)

    def wake(self, now: float) -> None:
        """This machine was asleep until now. What was not heard in that time is nobody's doing."""
        self._woken = now
        self._here = {seat: max(at, now - HERE_SECONDS) for seat, at in self._here.items()}
        self._last = {seat: max(at, now) for seat, at in self._last.items()}

    def rested(self, now: float) -> bool:
        """Whether anything may be counted: after a sleep only once a link has lived for a while."""
        if self._woken is None:
            return True
        lived = [now - max(since, self._woken) for since in self._linked.values()]
        if max(lived, default=0.0) >= RESTED_SECONDS:
            self._woken = None
        return self._woken is None
