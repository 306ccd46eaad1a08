"""Another match of the same people over the same links, once everybody has asked for it.

Who asks says a fresh nonce for the next table. When all nonces are there, everybody makes the same
table description of them; nobody hands it out.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.wording import listed
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Table

# What somebody may say at the next table before the last of us has heard that it is open: the
# agreement of each seat, and a few lines.
MAX_EARLY_A_SEAT = 16


def no_other(gone: Sequence[str]) -> str:
    """Why there is no other match; `gone` are the names of those who left, if that is why."""
    left = f"{listed(gone)} {'have' if len(gone) > 1 else 'has'} left" if gone else "It ended early"
    return f"{left}, so there is no other match at this table."


class Rematch:
    """Who of a table wants another match, and the table that all nonces make."""

    def __init__(self, before: Table) -> None:
        self._before = before
        self.nonces: dict[int, bytes] = {}

    def add(self, seat: int, nonce: bytes) -> bool:
        """Note a wish; False if it was noted before. Raises Suspicion for a second nonce."""
        fresh = seat not in self.nonces
        if self.nonces.setdefault(seat, nonce) != nonce:
            raise Suspicion("a second nonce for the next match")
        return fresh

    def table(self) -> Table | None:
        """The next table: same rules and people, with partners the same sides. None: not all
        have asked."""
        before = self._before
        if set(self.nonces) != set(before.seats):
            return None
        people = tuple(
            replace(person, nonce=self.nonces[seat]) for seat, person in enumerate(before.people)
        )
        side = [person.key for person in people[::2]] if before.rules.partners else ()
        return Table.seat_people(before.rules, people, side)


class Early:
    """What came for the next table before it was open, by link place, in order."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, bytes]] = []

    def add(self, place: int, payload: bytes) -> None:
        """Keep a payload. Raises Suspicion if there were too many."""
        if sum(one == place for one, _ in self._kept) >= MAX_EARLY_A_SEAT:
            raise Suspicion("too much before the next match was open")
        self._kept.append((place, payload))

    def take(self) -> list[tuple[int, bytes]]:
        """All of it; nothing is kept any more."""
        kept, self._kept = self._kept, []
        return kept
