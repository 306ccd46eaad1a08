"""Bugs of the kinds that such programs have, put into the product to see that the simulator finds
them: `python tests/simulate.py --seeds 0:1000 --plant NAME` stops at the first seed that does.

Each replaces one method for the rest of the process.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from p2p.session import course
from p2p.session.leaving import sets
from p2p.session.leaving.ground import Ground
from p2p.session.leaving.known import Known
from p2p.session.leaving.sets import VoteSet
from p2p.session.leaving.votes import Vote
from p2p.session.referee import OUT_OF_TURN, Referee, Verdict
from p2p.session.session import Session
from p2p.session.sitting.grace import Grace
from p2p.session.sitting.knowledge import Others
from p2p.session.sitting.playing import Playing
from p2p.session.sitting.rematch import Rematch
from p2p.session.state.errors import Fault
from p2p.session.state.ladder import Ladder
from p2p.session.state.state import State
from p2p.wire.envelope import VOTE, Message, step_hash
from p2p.wire.talk import Nonce, Saying


def _lost_message(data: bytes) -> bool:
    return hashlib.sha256(data).digest()[0] < 8


def lose_messages() -> None:
    """One message in thirty is noted as sent to the first seat that lacks it, and is not."""
    lacking = Others.lacking

    def forgetful(self: Others, data: bytes) -> list[int]:
        seats = lacking(self, data)
        return seats[1:] if _lost_message(data) else seats

    _replace(Others, "lacking", forgetful)


def judge_on_another_top() -> None:
    """A message for the open step is judged whatever history it names."""
    receive = Referee.receive

    def careless(self: Referee, message: Message) -> Verdict:
        ladder = self.ladders.get(message.ladder)
        if ladder is not None and message.step == ladder.step:
            return receive(self, _altered(message, previous=ladder.top))
        return receive(self, message)

    _replace(Referee, "receive", careless)


def keep_nothing_of_ones_own() -> None:
    """Own messages go out, and are in no batch."""
    take = Session._take

    def unsaved(self: Session, message: Message) -> bool:
        taken = take(self, message)
        if taken and message.seat == self.seat:
            self._accepted.remove(message)
        return taken

    _replace(Session, "_take", unsaved)


def blame_without_proof() -> None:
    """Who speaks at the open step on a history that is not ours is taken to break the rules."""
    receive = Referee.receive

    def hasty(self: Referee, message: Message, take: bool = True) -> Verdict:
        ladder = self.ladders.get(message.ladder) if message.root == self.root else None
        if ladder is not None and message.step == ladder.step and message.previous != ladder.top:
            raise Fault(message.seat, OUT_OF_TURN, (message,))
        return receive(self, message, take)

    _replace(Referee, "receive", hasty)


def name_steps_by_arrival() -> None:
    """T of a step is made of its messages in the order in which they came, not by seat."""

    def complete(self: Ladder) -> dict[int, Message]:
        messages, ids = dict(sorted(self.open.items())), [one.id for one in self.open.values()]
        self.hashes.append(step_hash(self.top, ids))
        self.steps.append(messages)
        self.open = {}
        return messages

    _replace(Ladder, "complete", complete)


def count_a_vote_twice() -> None:
    """Where one vote of a set is missing, another stands in for it."""
    stay = Ground.stay

    def fewer(self: Ground, out: Iterable[int]) -> tuple[int, ...]:
        return stay(self, out)[:-1] or stay(self, out)

    def sets_of(ground: Ground, known: Known) -> list[VoteSet]:
        right = Ground.stay
        _replace(Ground, "stay", fewer)
        try:
            return original(ground, known)
        finally:
            _replace(Ground, "stay", right)

    original = sets.sets_of
    _replace(sets, "sets_of", sets_of)
    _replace(course, "sets_of", sets_of)


def take_late_messages() -> None:
    """What one has of the step counts, also what no voter held, say of one who is out."""
    union = sets._union

    def all_there(votes: Iterable[Vote], known: Known) -> tuple[Message, ...]:
        votes = tuple(votes)
        one = votes[0].message
        late = [
            message
            for message in known.messages.values()
            if (message.root, message.ladder, message.step) == (one.root, 0, one.step)
            and message.kind != VOTE
        ]
        there = {message.id: message for message in (*union(votes, known), *late)}
        return tuple(sorted(there.values(), key=lambda each: (each.seat, each.id)))

    _replace(sets, "_union", all_there)


def erase_secrets_early() -> None:
    """The secrets of a dead deal go before the retire is final."""
    is_over = State.is_over

    def hasty(self: State, number: int) -> bool:
        return number < self.first or is_over(self, number)

    _replace(State, "is_over", hasty)


def bring_the_dead_to_life() -> None:
    """A set of votes that all left behind counts again once an `agree` that was kept back comes."""
    _replace(sets, "is_dead", lambda one, known, finals: False)


def take_what_is_under_an_old_root() -> None:
    """A message for the open step counts whatever era it names."""
    receive = Referee.receive

    def careless(self: Referee, message: Message) -> Verdict:
        ladder = self.ladders.get(message.ladder)
        if ladder is not None and message.root != self.root and message.step == ladder.step:
            message = _altered(message, root=self.root, previous=ladder.top)
        return receive(self, message)

    _replace(Referee, "receive", careless)


def show_the_nonce_at_once() -> None:
    """Who wants another match shows its nonce when it is bound itself."""
    due = Rematch.due

    def early(self: Rematch) -> Saying | None:
        shown = self._me in self.shown or self._nonce is None
        return due(self) or (None if shown or self._nonce is None else Nonce(self._nonce))

    _replace(Rematch, "due", early)


def count_while_asleep() -> None:
    """What a machine slept through counts against the others."""

    def count(self: Grace, seconds: float, away: Collection[int]) -> None:
        for seat in away:
            self.used[seat] = self.used.get(seat, 0.0) + seconds

    _replace(Grace, "count", count)
    _replace(Playing, "wake", lambda self, seconds, now: None)


def _altered(message: Message, **fields: Any) -> Message:
    forged: Message = object.__new__(Message)
    vars(forged).update(vars(message), **fields)
    return forged


def _replace(owner: object, name: str, method: Callable[..., Any]) -> None:
    setattr(owner, name, method)


class Plant(NamedTuple):
    """A bug, and kinds of faults that show it soon: all kinds do, in more seeds."""

    put: Callable[[], None]
    faults: tuple[str, ...]


_SPLIT = ("two versions", "cut", "silence", "unplug")
_AWAY = ("unplug", "sleep", "silence")
PLANTED: dict[str, Plant] = {
    "lost-message": Plant(lose_messages, ("lag",)),
    "wrong-tie-break": Plant(name_steps_by_arrival, ("lag",)),
    "wrong-top": Plant(judge_on_another_top, _SPLIT),
    "unsaved-message": Plant(keep_nothing_of_ones_own, ("lag",)),
    "blame-without-proof": Plant(blame_without_proof, ("two versions", "cut", "silence")),
    "vote-counted-twice": Plant(count_a_vote_twice, ("leave", "lag")),
    "late-message-taken": Plant(take_late_messages, _AWAY),
    "secret-erased-early": Plant(erase_secrets_early, ("kept agree", "lag")),
    "agree-kept-back": Plant(bring_the_dead_to_life, ("kept agree", "lag")),
    "old-root-taken": Plant(take_what_is_under_an_old_root, _SPLIT),
    "nonce-shown-early": Plant(show_the_nonce_at_once, ("lag",)),
    "clock-runs-asleep": Plant(count_while_asleep, ("sleep",)),
}
