"""Bugs of the kinds that such programs have, put into the product to see that the simulator finds
them: `python tests/simulate.py --seeds 0:1000 --plant NAME` stops at the first seed that does.

Each replaces one method for the rest of the process.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from p2p.session.referee import OUT_OF_TURN, Referee, Verdict
from p2p.session.session import Session
from p2p.session.sitting.knowledge import Others
from p2p.session.state.errors import Fault
from p2p.session.state.ladder import Ladder
from p2p.wire.envelope import Message


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
            forged: Any = object.__new__(Message)
            vars(forged).update(vars(message), previous=ladder.top)
            return receive(self, forged)
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


def _replace(owner: type, name: str, method: Callable[..., Any]) -> None:
    setattr(owner, name, method)


PLANTED: dict[str, Callable[[], None]] = {
    "lost-message": lose_messages,
    "wrong-top": judge_on_another_top,
    "unsaved-message": keep_nothing_of_ones_own,
    "blame-without-proof": blame_without_proof,
}
