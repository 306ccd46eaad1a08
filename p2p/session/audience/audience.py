"""Those who look on by a link to this seat: each is told what it lacks, then all that comes.

They hold nothing that a seat could want, so nothing of theirs goes to the match; and what they are
told is what everybody has signed, and nothing hidden.
"""

import math
from dataclasses import dataclass

from p2p.session.holding import MOST_BYTES, hold_of, lacking
from p2p.session.listening import Listening
from p2p.wire.talk import Hold

# Who comes in the middle asks again as soon as it has read what it was sent;
MOVED_SECONDS = 0.25
# who asks the same again is answered so seldom.
SAME_SECONDS = 5.0


@dataclass
class _Onlooker:
    """`whole`: it was told all that there is, so that what is new can be judged there."""

    due: Hold | None = None
    answered: Hold | None = None
    answered_at: float = -math.inf
    whole: bool = False


@dataclass(frozen=True)
class Answer:
    """What an onlooker is sent: the `messages` that it lacks, what this seat holds, and if it
    is `whole` for the first time, the words that matter before that."""

    place: int
    messages: tuple[bytes, ...]
    hold: Hold
    first: bool


class Audience:
    """By the place of their links."""

    def __init__(self, session: Listening) -> None:
        self._session = session
        self._there: dict[int, _Onlooker] = {}

    def come(self, place: int) -> None:
        """Somebody looks on, and says next what it holds."""
        self._there[place] = _Onlooker()

    def go(self, place: int) -> None:
        """Somebody looks on no more."""
        self._there.pop(place, None)

    @property
    def whole(self) -> list[int]:
        """Who can follow, and is told all that is new."""
        return [place for place, one in self._there.items() if one.whole]

    def follows(self, now: float) -> bool:
        """Whether somebody is being told what there is, and goes on asking for the rest."""
        return any(
            not one.whole and now - one.answered_at < SAME_SECONDS for one in self._there.values()
        )

    def hear(self, place: int, hold: Hold) -> None:
        """What somebody holds, who wants the rest."""
        if place in self._there:
            self._there[place].due = hold

    def answers(self, now: float) -> list[Answer]:
        """What is to be sent now, a part at a time, so that nothing piles up here."""
        due = [(place, one, one.due) for place, one in self._there.items() if one.due is not None]
        return [
            self._answer(place, one, hold, now)
            for place, one, hold in due
            if hold is not None and now - one.answered_at >= _pause(one, hold)
        ]

    def _answer(self, place: int, one: _Onlooker, hold: Hold, now: float) -> Answer:
        one.due, one.answered, one.answered_at = None, hold, now
        course = self._session.course
        found = lacking(course.referee, hold, course.beside(), MOST_BYTES)
        first = found.whole and not one.whole
        one.whole = one.whole or found.whole
        messages = tuple(message.data for message in found.messages)
        return Answer(place, messages, hold_of(course.referee, course.votes), first)


def _pause(one: _Onlooker, hold: Hold) -> float:
    return SAME_SECONDS if one.answered == hold else MOVED_SECONDS
