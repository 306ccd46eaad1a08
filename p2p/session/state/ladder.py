"""A ladder: completed steps of messages, the hash that names them all, and the open step."""

from collections.abc import Callable
from dataclasses import dataclass, field

from p2p.session.state.past import Past
from p2p.wire.envelope import Message, step_hash

Look = Callable[[int], dict[int, Message]]
"""The messages of a completed step of the present era, by seat, from the number of the step."""


@dataclass
class Ladder:
    """`hashes[k]` is T_k, counted from the last step that was forgotten; `steps[k - 1]` has step
    k's messages by seat, `open` the next step's.

    `first` is the first step of the present era: those before have another root. Steps that were
    forgotten are looked up where they are needed again.
    """

    number: int
    hashes: list[bytes]
    steps: Past = field(init=False)
    open: dict[int, Message] = field(default_factory=dict)
    first: int = 1
    _look: Look | None = None
    _forgotten: int = 0

    def __post_init__(self) -> None:
        self.steps = Past(self.number, self.hashes)

    @property
    def step(self) -> int:
        """The number of the open step."""
        return self._forgotten + len(self.hashes)

    @property
    def top(self) -> bytes:
        """T of the last completed step (the root before the first)."""
        return self.hashes[-1]

    def said(self, step: int, seat: int) -> Message | None:
        """What `seat` said at `step` of the present era, if that is known."""
        if step == self.step:
            return self.open.get(seat)
        if self.first <= step < self.step:
            return self._at(step).get(seat)
        return None

    def before(self, step: int) -> bytes:
        """T_(step - 1), for a step of the present era."""
        if step > self._forgotten:
            return self.hashes[step - 1 - self._forgotten]
        return next((one.previous for one in self._at(step).values()), b"")

    def _at(self, step: int) -> dict[int, Message]:
        forgotten = step <= self._forgotten
        return self._look(step) if self._look and forgotten else self.steps[step - 1]

    def forget(self, look: Look) -> None:
        """Let go of the messages and hashes of all completed steps, but for the last hash."""
        self._look = look
        del self.hashes[:-1]
        self.steps.forget()
        self._forgotten = len(self.steps)

    def complete(self) -> dict[int, Message]:
        """Close the open step and return its messages in seat order."""
        messages = dict(sorted(self.open.items()))
        self.hashes.append(step_hash(self.top, [message.id for message in messages.values()]))
        self.steps.append(messages)
        self.open = {}
        return messages

    def retire(self, root: bytes) -> None:
        """Close the open step by votes: `root` is its T, and a new era begins behind it. What was
        said at it counts no more as a step."""
        self.hashes.append(root)
        self.steps.append({})
        self.open = {}
        self.first = self.step

    def messages(self) -> list[Message]:
        """Those of all completed steps, in order of step and seat."""
        return [message for step in self.steps for message in step.values()]
