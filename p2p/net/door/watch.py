"""What a host is told of trouble at its door, and how often. Pure: the time is passed in."""

import math
from collections.abc import Callable
from typing import Final

# A host who is told more often reads nothing else.
QUIET_SECONDS = 10.0

# So the line about wrong codes begins: a later one takes the place of the last.
WRONG_CODES: Final = "A wrong code was tried"
# A person who mistypes is told of once; more than these from one source may be somebody's guesses.
MISTYPED_MOST = 3
# Of more sources than these the one that failed longest ago is forgotten.
SOURCES_MOST = 1024

# The source (p2p.net.link.source) of all IPv6 link-local addresses: some machine next door.
LINK_LOCAL = "fe80::/64"

OnTrouble = Callable[[str], None]
"""Gets a sentence for the host."""


class Watch:
    """Counts what happens, and says it at once, but each kind at most once in 10 s; of wrong codes
    from one source the first, the fourth, and then each time that they have doubled."""

    def __init__(self, tell: OnTrouble) -> None:
        self._tell = tell
        self._tries: dict[str, int] = {}
        self._next: dict[str, int] = {}
        self._told_wrong = -math.inf
        self._told_full = -math.inf

    def wrong(self, source: str, now: float, in_lobby: bool = True) -> None:
        """The code was tried in vain from `source`. Not `in_lobby`: nobody can be helped to a seat,
        and only what may be guessing is told."""
        tries = self._tries[source] = self._tries.pop(source, 0) + 1
        if len(self._tries) > SOURCES_MOST:
            forgotten = next(iter(self._tries))
            del self._tries[forgotten]
            self._next.pop(forgotten, None)
        least = self._next.get(source, 1 if in_lobby else MISTYPED_MOST + 1)
        guesses = tries > MISTYPED_MOST
        if tries < least or now < self._told_wrong + QUIET_SECONDS:
            return
        if guesses:
            self._tell(
                f"{WRONG_CODES} {tries} times {_where(source)} since the table opened: somebody "
                "may be guessing it. Nobody gets in by a wrong one."
            )
        else:
            self._tell(
                f"{WRONG_CODES} {_where(source)}: somebody has mistyped it, or means another table."
            )
        self._next[source] = 2 * tries if guesses else MISTYPED_MOST + 1
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


def _where(source: str) -> str:
    """Where somebody is, in words: no reader has to know what stands behind a slash."""
    if not source:
        return "over a link of no address"
    if source == LINK_LOCAL:
        return "from this network"
    network, slash, _ = source.partition("/")
    return f"from the network {network}" if slash else f"from {network}"
