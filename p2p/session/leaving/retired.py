"""What a record keeps of seats that were put out: the votes, and what proves their reasons."""

from dataclasses import dataclass

from p2p.session.leaving.known import Known
from p2p.session.leaving.sets import VoteSet
from p2p.wire.envelope import Message
from p2p.wire.talk import Word


@dataclass(frozen=True)
class Retired:
    """A set of votes that closed a step, the leaves and the evidence that they name, by id;
    `next_deal` is the number of the deal that was being prepared."""

    votes: VoteSet
    leaves: tuple[Word, ...]
    evidence: tuple[Message, ...]
    next_deal: int

    @property
    def ballots(self) -> tuple[Message, ...]:
        """The votes, by id."""
        return tuple(sorted((vote.message for vote in self.votes.votes), key=lambda one: one.id))

    @property
    def alone(self) -> tuple[Message, ...]:
        """The messages of the evidence that a vote names alone: the state refuses each."""
        outs = (out for vote in self.votes.votes for out in vote.body.out)
        ids = {out.proof for out in outs if out.reason == "fault"}
        return tuple(message for message in self.evidence if (message.id,) in ids)

    @classmethod
    def by(cls, votes: VoteSet, known: Known, next_deal: int) -> "Retired":
        """The set with its proofs, which one has."""
        leaves = (left for left in known.all_leaves if left.id in votes.proofs)
        evidence = (known.messages[one] for one in votes.proofs if one in known.messages)
        return cls(
            votes,
            tuple(sorted(leaves, key=lambda left: left.id)),
            tuple(sorted(evidence, key=lambda message: message.id)),
            next_deal,
        )
