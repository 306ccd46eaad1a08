"""Lines of chat: one a second of a seat is shown, and it is said how many were not."""

from collections.abc import Iterable

from p2p.bucket import Bucket
from p2p.session.sitting.words import LINES_KEPT

SHOWN_A_SECOND = 1
# The lines that a peer which was away is told at once.
SHOWN_AT_ONCE = LINES_KEPT
# After so long without another line it is told how many were not shown.
TELL_SECONDS = 3.0


class Chats:
    """Which lines of each seat are shown."""

    def __init__(self, seats: Iterable[int]) -> None:
        self._paces = {seat: Bucket(SHOWN_A_SECOND, SHOWN_AT_ONCE) for seat in seats}
        self._hushed: dict[int, int] = {}
        self._tell_at: dict[int, float] = {}

    def shows(self, seat: int, now: float) -> bool:
        """Whether a line of that seat is shown now; one that is not is counted."""
        if self._paces[seat].take(1, now):
            return True
        self._hushed[seat] = self._hushed.get(seat, 0) + 1
        self._tell_at.setdefault(seat, now + TELL_SECONDS)
        return False

    def hushed(self, now: float) -> list[tuple[int, int]]:
        """The seats of which it is time to say how many lines were not shown, and how many."""
        due = [seat for seat, at in self._tell_at.items() if now >= at]
        for seat in due:
            del self._tell_at[seat]
        return [(seat, self._hushed.pop(seat)) for seat in due]
