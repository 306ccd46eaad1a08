"""A pause that all agree to who are heard, and that anybody ends.

Each seat says when it wants a pause, and for which round. Who no longer wants it ends the round for
everybody: a wish that was on its way then counts no more. What holds is a function of the newest
word of each seat, so all who have heard the same agree, whatever order it came in.
"""

from collections.abc import Collection, Iterable

from p2p.session.session import Session
from p2p.session.sitting.owner import Chosen, Pausing
from p2p.wire.envelope import MATCH_LADDER
from p2p.wire.talk import MAX_ROUNDS, Paused, Word


class Pauses:
    """The pauses of one match, as one seat knows them; `heard` are the seats that play and are
    heard now, the own one too. `wanting` are those who want one now."""

    def __init__(self, seats: Collection[int]) -> None:
        self.heard = frozenset(seats)
        self.wanting: frozenset[int] = frozenset()
        self.round = 0
        self._newest: dict[int, Paused] = {}

    @property
    def on(self) -> bool:
        """Whether everybody who is heard wants a pause now."""
        return bool(self.heard) and self.wanting >= self.heard

    def hear(self, seat: int, word: Paused) -> Pausing | None:
        """The newest word of a seat, the own one too; None if it changes nothing."""
        before, was_on = (self.round, self.wanting), self.on
        self._newest[seat] = word
        ended = (one.round + (not one.on) for one in self._newest.values())
        self.round = min(max(self.round, *ended), MAX_ROUNDS)
        self.wanting = frozenset(
            seat for seat, one in self._newest.items() if one.on and one.round >= self.round
        )
        if (self.round, self.wanting) == before:
            return None
        return Pausing(seat, self.wanting, self.on, was_on)

    def recall(
        self, words: Iterable[tuple[int, Word | None]], heard: Collection[int]
    ) -> Pausing | None:
        """The newest words of the seats that play, from before this program began, of which those
        are `heard` now; None if nobody wants one."""
        self.heard = frozenset(heard)
        for seat, word in words:
            if word is not None and isinstance(word.said, Paused):
                self.hear(seat, word.said)
        return Pausing(min(self.wanting), self.wanting, self.on, False) if self.wanting else None

    def hears(self, heard: Collection[int], seats: Collection[int]) -> Pausing | None:
        """Who is heard now, of the `seats` that play; what that changes, named by somebody who came
        or went. What one wanted who is out counts no more."""
        was_on, changed = self.on, self.heard.symmetric_difference(heard)
        self.heard = frozenset(heard)
        self.wanting = self.wanting.intersection(seats)
        self._newest = {seat: word for seat, word in self._newest.items() if seat in seats}
        if self.on == was_on:
            return None
        return Pausing(min(changed), self.wanting, self.on, was_on)


class Held:
    """A decision that was made and waits: in a pause, or where the others are about to vote. Of the
    step at which it was made; votes may close that meanwhile."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: tuple[Chosen, tuple[bytes, int]] | None = None

    def _here(self) -> tuple[bytes, int]:
        referee = self._session.referee
        return referee.root, referee.ladder(MATCH_LADDER).step

    @property
    def chosen(self) -> Chosen | None:
        """What was decided for the open step and waits."""
        kept, here = self._kept, self._here()
        return kept[0] if kept is not None and kept[1] == here else None

    def keep(self, chosen: Chosen) -> None:
        """Have a decision wait."""
        self._kept = chosen, self._here()

    def take(self) -> Chosen | None:
        """The decision, if it is still for the open step; it waits no longer."""
        chosen, self._kept = self.chosen, None
        return chosen
