"""Bugs of the kinds that such programs have, put into the product to see that the simulator finds
them: `python tests/simulate.py --seeds 0:1000 --plant NAME` stops at the first seed that does.

Each replaces one method for the rest of the process.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import Any

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
from p2p.wire.envelope import VOTE, Message
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
    """Who speaks on a history that is not ours is taken to have spoken out of turn."""

    def late(self: Referee, ladder: Ladder, message: Message) -> Verdict:
        raise Fault(message.seat, OUT_OF_TURN, (message,))

    _replace(Referee, "_late", late)


def take_the_earliest_round() -> None:
    """Of several sets of votes that nobody spoiled the first counts, not the last."""
    choose = sets.choose

    def earliest(ground: Ground, known: Known, finals: sets.Finals) -> VoteSet | None:
        chosen = choose(ground, known, finals)
        alive = [one for one in sets.sets_of(ground, known) if not sets.is_spoiled(one, known)]
        final = chosen is not None and sets.is_final(chosen, known)
        return chosen if final else min(alive, key=lambda one: one.round, default=None)

    _replace(course, "choose", earliest)


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

    def is_over(self: Session, number: int) -> bool:
        deal = self.state.deals.get(number)
        return number < self.state.first or (deal is not None and bool(deal.secrets))

    _replace(Session, "_is_over", is_over)


def bring_the_dead_to_life() -> None:
    """A set of votes that all left behind counts again once an `agree` that was kept back comes."""
    _replace(sets, "is_dead", lambda one, known, finals: False)


def take_what_is_under_an_old_root() -> None:
    """A message counts whatever era it names."""
    receive = Referee.receive

    def careless(self: Referee, message: Message) -> Verdict:
        return receive(self, _altered(message, root=self.root))

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


PLANTED: dict[str, Callable[[], None]] = {
    "lost-message": lose_messages,
    "wrong-top": judge_on_another_top,
    "unsaved-message": keep_nothing_of_ones_own,
    "blame-without-proof": blame_without_proof,
    "wrong-tie-break": take_the_earliest_round,
    "vote-counted-twice": count_a_vote_twice,
    "late-message-taken": take_late_messages,
    "secret-erased-early": erase_secrets_early,
    "agree-kept-back": bring_the_dead_to_life,
    "old-root-taken": take_what_is_under_an_old_root,
    "nonce-shown-early": show_the_nonce_at_once,
    "clock-runs-asleep": count_while_asleep,
}
