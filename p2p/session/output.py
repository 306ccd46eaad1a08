"""What one input to a session gives, and what of it a store keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p.session.state.events import SessionEvent
from p2p.wire.envelope import Message
from p2p.wire.talk import Word


@dataclass(frozen=True)
class Batch:
    """What to store in one transaction before anything is sent.

    `messages` accepted, own ones too, in order, one for a place; `evidence`: messages that were
    refused and prove a fault, or that only votes name; `words` of talk that matter after a crash;
    `secrets` by deal number, to be kept; `grace` by seat: the seconds of it that are used up;
    `finals` by step: the first final set of votes that was seen for it; `forget` the numbers of
    deals whose secrets are to be deleted; `aside`: accepted messages of others that are kept as
    evidence from now on, before `messages` are taken for their places.
    """

    messages: tuple[Message, ...] = ()
    secrets: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    forget: tuple[int, ...] = ()
    evidence: tuple[Message, ...] = ()
    words: tuple[Word, ...] = ()
    grace: Mapping[int, float] = field(default_factory=dict)
    finals: Mapping[int, bytes] = field(default_factory=dict)
    aside: tuple[Message, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return self == Batch()

    def is_heard(self, seat: int) -> bool:
        """Whether it holds accepted messages of seats other than `seat` alone."""
        own = any(message.seat == seat for message in self.messages)
        return not own and self == Batch(self.messages)

    def then(self, later: "Batch") -> "Batch":
        """Both in one transaction, `later` as what came after."""
        return Batch(
            self.messages + later.messages,
            {**self.secrets, **later.secrets},
            self.forget + later.forget,
            self.evidence + later.evidence,
            self.words + later.words,
            {**self.grace, **later.grace},
            {**self.finals, **later.finals},
            self.aside + later.aside,
        )


@dataclass(frozen=True)
class Output:
    """What one input gave: store `batch`, then send each of `send`, then show `events`."""

    batch: Batch
    send: tuple[bytes, ...]
    events: tuple[SessionEvent, ...]
