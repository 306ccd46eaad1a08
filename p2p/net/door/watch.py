"""What a host is told of trouble at its door, and how often. Pure: the time is passed in."""

import math
from collections.abc import Callable
from typing import Final

# A host who is told more often reads nothing else.
QUIET_SECONDS = 10.0

# So the line about wrong codes begins: the next one counts those of the last one too.
WRONG_CODES: Final = "A wrong code was tried"

OnTrouble = Callable[[str], None]
"""Gets a sentence for the host."""


class Watch:
    """Counts what happens, and says it at once, but each kind at most once in 10 s."""

    def __init__(self, tell: OnTrouble) -> None:
        self._tell = tell
        self._wrong = 0
        self._told_wrong = -math.inf
        self._told_full = -math.inf

    def wrong(self, source: str, now: float) -> None:
        """The code was tried in vain from `source`."""
        self._wrong += 1
        if now < self._told_wrong + QUIET_SECONDS:
            return
        where = f"from {source}" if source else "over a link of no address"
        often = "once" if self._wrong == 1 else f"{self._wrong} times, at last"
        self._tell(f"{WRONG_CODES} {often} {where}, perhaps for another table.")
        self._told_wrong = now

    def full(self, now: float) -> None:
        """Somebody in the line for the code lost the place to a newcomer."""
        if now < self._told_full + QUIET_SECONDS:
            return
        self._tell(
            "More people try this table's code than may wait for it. "
            "Friends still get in by the invite."
        )
        self._told_full = now
