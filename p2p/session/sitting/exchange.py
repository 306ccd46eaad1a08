"""When seats say to each other what they hold: on a new link, and, seldom, when one lacks steps."""

import math

from p2p.session.holding import is_ahead
from p2p.session.referee import Referee
from p2p.wire.talk import Hold

# What is kept for later mostly fits after a moment; only what does not is asked for.
PATIENCE_SECONDS = 1.0
ASK_SECONDS = 5.0
# One hold of a seat is answered in this time, the newest.
ANSWER_SECONDS = 1.0
# An honest seat sends what it holds at once. One that says that it holds what never comes is not
# waited for: it has nothing to show.
SHOW_SECONDS = 10.0


class Exchange:
    """Who is to be told what, and when; by linked seat."""

    def __init__(self) -> None:
        self._to_answer: dict[int, Hold] = {}
        self._answered: dict[int, float] = {}
        self._begun: set[int] = set()
        self._ask_at: float | None = None
        self._told: dict[int, tuple[Hold, float]] = {}

    def begin(self, seat: int) -> None:
        """A new link: what was said on the old one is past."""
        self._to_answer.pop(seat, None)
        self._answered.pop(seat, None)
        self._begun.discard(seat)
        self._told.pop(seat, None)

    def hear(self, seat: int, hold: Hold, now: float) -> None:
        """What a seat holds; it waits for its answer, in place of an older one."""
        self._to_answer[seat] = hold
        self._told.setdefault(seat, (hold, now))

    def has_shown(self, seat: int, referee: Referee, now: float) -> bool:
        """Whether a linked seat has said what it holds, and this seat has got that."""
        if seat not in self._told:
            return False
        hold, at = self._told[seat]
        return not is_ahead(hold, referee) or now - at >= SHOW_SECONDS

    def answers(self, now: float) -> list[tuple[int, Hold, bool]]:
        """The seats that are to be answered now, what they hold, and whether it is the first time
        on this link."""
        due = [
            (seat, hold, seat not in self._begun)
            for seat, hold in self._to_answer.items()
            if now - self._answered.get(seat, -math.inf) >= ANSWER_SECONDS
        ]
        for seat, _, _ in due:
            del self._to_answer[seat]
            self._answered[seat] = now
            self._begun.add(seat)
        return due

    def asks(self, behind: bool, now: float) -> bool:
        """Whether everybody is to be told now what this seat holds, since it lacks steps."""
        if not behind:
            self._ask_at = None
        elif self._ask_at is None:
            self._ask_at = now + PATIENCE_SECONDS
        elif now >= self._ask_at:
            self._ask_at = now + ASK_SECONDS
            return True
        return False
