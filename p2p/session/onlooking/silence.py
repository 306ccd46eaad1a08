"""Of whom nothing is heard, as far as somebody can tell who looks on and has one link to one seat.

A seat that lacks a link to some other says `here` every 10 s (protocol.md 7.4), and all hear it. So
if the seat of the own link lacks none, everybody is there; else those may be away who do not say it
too: who is there, and has lost nobody, is not told from them until it says something.
"""

from collections.abc import Collection

from p2p.session.sitting.owner import Away, Back
from p2p.session.sitting.presence import HERE_SECONDS

# One `here` may come late; and who is back at once is not told.
SILENT_SECONDS = 1.5 * HERE_SECONDS


class Silence:
    """Follows who says something, by seat."""

    def __init__(self) -> None:
        self._here: dict[int, float] = {}
        self._since: dict[int, float] = {}
        self._told: set[int] = set()

    @property
    def away(self) -> frozenset[int]:
        """Those who were told as away last."""
        return frozenset(self._told)

    def heard(self, seat: int) -> None:
        """Something new of the seat came."""
        self._since.pop(seat, None)

    def here(self, seat: int, now: float) -> None:
        """The seat says that it is there, and lacks some other."""
        self._here[seat] = now

    def tick(self, seats: Collection[int], linked: int, now: float) -> list[Away | Back]:
        """What is to be told of those who play; `linked` is the seat of the own link."""
        lacking = {seat for seat, at in self._here.items() if now - at < SILENT_SECONDS}
        silent = set(seats) - lacking if linked in lacking else set[int]()
        self._since = {seat: self._since.get(seat, now) for seat in sorted(silent)}
        away = [seat for seat, at in self._since.items() if now - at >= SILENT_SECONDS]
        back = sorted(self._told - set(away))
        self._told = set(away)
        told = [Away(seat, now - self._since[seat], None) for seat in away]
        return [*told, *(Back(seat) for seat in back if seat in seats)]
