"""When seats say to each other what they hold, and what of that is sent: on a new link, and,
seldom, when one lacks steps. Nothing is lost on a link that lives, so what went over it is sent
again only to who dropped it, as its hold shows; one that stays behind, or says so, costs little.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p.session.holding import is_ahead
from p2p.session.referee import Referee
from p2p.wire.talk import Hold

# What is kept for later mostly fits after a moment; only what does not is asked for,
PATIENCE_SECONDS = 1.0
# and again when some of it came.
ASK_SECONDS = 5.0
# What was of no use is done again only after 1, 2, 4 ... seconds, and at last so seldom.
SELDOM_SECONDS = 30.0
# One hold of a seat is answered in this time, the newest.
ANSWER_SECONDS = 1.0
# An honest seat sends what it holds at once. One that says that it holds what never comes is not
# waited for: it has nothing to show.
SHOW_SECONDS = 10.0


class Pause:
    """How long something is not done again: ever longer, unless it was long not done."""

    def __init__(self) -> None:
        self._seconds = 1.0
        self._until = -math.inf

    def over(self, now: float) -> bool:
        """Whether it may be done."""
        return now >= self._until

    def begin(self, now: float) -> None:
        """It is done now."""
        if now - self._until >= SELDOM_SECONDS:
            self._seconds = 1.0
        self._until = now + self._seconds
        self._seconds = min(2 * self._seconds, SELDOM_SECONDS)


@dataclass
class _Line:
    """What went over one link since it is up. `shown`: the first hold of the other, and when it
    came; `due`: the one that waits for its answer; `moved_from`: the one by which `sent` holds, and
    `sent_before`, what was sent until a hand was last let go."""

    shown: tuple[Hold, float] | None = None
    newest: Hold | None = None
    due: Hold | None = None
    answered_at: float = -math.inf
    begun: bool = False
    sent: set[bytes] = field(default_factory=set)
    sent_before: set[bytes] = field(default_factory=set)
    moved_from: Hold | None = None
    sending_again: Pause = field(default_factory=Pause)
    said: Hold | None = None
    said_at: float = -math.inf
    saying_again: Pause = field(default_factory=Pause)


class Exchange:
    """Who is to be told what, and when; by linked seat."""

    def __init__(self) -> None:
        self._lines: defaultdict[int, _Line] = defaultdict(_Line)
        self._ask_at: float | None = None

    def begin(self, seat: int) -> None:
        """A new link: what was said on the old one is past."""
        self._lines[seat] = _Line()

    def hear(self, seat: int, hold: Hold, now: float) -> None:
        """What a seat holds; it waits for its answer, in place of an older one."""
        line = self._lines[seat]
        line.due = line.newest = hold
        line.shown = line.shown or (hold, now)

    def has_shown(self, seat: int, referee: Referee, now: float) -> bool:
        """Whether a linked seat has said what it holds, and this seat has got that."""
        shown = self._lines[seat].shown
        if shown is None:
            return False
        hold, at = shown
        return not is_ahead(hold, referee) or now - at >= SHOW_SECONDS

    def answers(self, now: float) -> list[tuple[int, Hold, bool]]:
        """The seats that are to be answered now, what they hold, and whether it is the first time
        on this link."""
        due = []
        for seat, line in self._lines.items():
            if line.due is not None and now - line.answered_at >= ANSWER_SECONDS:
                due.append((seat, line.due, not line.begun))
                line.due, line.answered_at, line.begun = None, now, True
        return due

    # What is sent

    def sent(self, seat: int, datas: Iterable[bytes]) -> None:
        """These messages go over the link to a seat."""
        self._lines[seat].sent.update(datas)

    def need_not(self, seat: int, hold: Hold, now: float) -> frozenset[bytes]:
        """The messages that a seat with that hold is not sent again. When its hold has moved, what
        it still lacks of them was dropped there."""
        line = self._lines[seat]
        if line.moved_from is None:
            line.moved_from = hold
        elif hold != line.moved_from and line.sending_again.over(now):
            line.sending_again.begin(now)
            line.sent, line.sent_before = set(), set()
            line.moved_from = hold
        return frozenset(line.sent | line.sent_before)

    def let_go(self) -> None:
        """Another hand is long over: what was sent before the last one is remembered no more. Who
        stays so far behind is sent it once more for each hand."""
        for line in self._lines.values():
            line.sent, line.sent_before = set(), line.sent

    # What this seat says that it holds

    def says(self, seat: int, hold: Hold, now: float) -> None:
        """The seat is told that hold now."""
        line = self._lines[seat]
        line.said, line.said_at = hold, now
        line.saying_again.begin(now)

    def replies(self, seat: int, hold: Hold, now: float) -> bool:
        """Whether a seat that says that it is ahead is told what this one holds: if that is news,
        or was long not said."""
        line = self._lines[seat]
        return line.said != hold or line.saying_again.over(now)

    def lacks(self, parked: bool, now: float) -> bool:
        """Whether this seat has for a while been keeping what rests on steps that it lacks."""
        if not parked:
            self._ask_at = None
        elif self._ask_at is None:
            self._ask_at = now + PATIENCE_SECONDS
        return self._ask_at is not None and now >= self._ask_at

    def is_ahead(self, seat: int, referee: Referee) -> bool:
        """Whether a seat has said, and not otherwise since, that it holds what this one lacks."""
        newest = self._lines[seat].newest
        return newest is not None and is_ahead(newest, referee)

    def asks(self, seat: int, hold: Hold, lacks: bool, now: float) -> bool:
        """Whether the seat is to be told now what this one holds, since this one lacks steps, or
        that seat has said so."""
        line = self._lines[seat]
        news = lacks and line.said != hold and now - line.said_at >= ASK_SECONDS
        return news or line.saying_again.over(now)
