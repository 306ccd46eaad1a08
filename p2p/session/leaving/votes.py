"""A vote as it was signed, with what it says."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2p.wire.envelope import Message
from p2p.wire.messages import VoteBody


@dataclass(frozen=True)
class Vote:
    """A vote: the message, and its body."""

    message: Message
    body: VoteBody

    @classmethod
    def read(cls, message: Message) -> "Vote":
        """What a message of that kind says. Raises DecodeError."""
        return cls(message, VoteBody.read(message.body))

    @property
    def seat(self) -> int:
        """Who votes."""
        return self.message.seat

    @property
    def round(self) -> int:
        """Of the votes on that step."""
        return self.body.round

    @property
    def names(self) -> Iterator[bytes]:
        """The ids of all that it rests on: proofs, and messages of the step."""
        yield from (one for out in self.body.out for one in out.proof)
        yield from self.body.held

    @property
    def out(self) -> frozenset[int]:
        """The seats that are to go."""
        return frozenset(one.seat for one in self.body.out)
