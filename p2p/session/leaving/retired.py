"""What a record keeps of seats that were put out: the votes, and what proves their reasons."""

from dataclasses import dataclass

from p2p.session.leaving.known import Known, Left
from p2p.session.leaving.sets import VoteSet
from p2p.wire.envelope import Message


@dataclass(frozen=True)
class Retired:
    """A set of votes that closed a step, the leaves and the evidence that they name, by id."""

    votes: VoteSet
    leaves: tuple[Left, ...]
    evidence: tuple[Message, ...]

    @classmethod
    def by(cls, votes: VoteSet, known: Known) -> "Retired":
        """The set with its proofs, which one has."""
        leaves = (left for left in known.leaves.values() if left.id in votes.proofs)
        evidence = (known.messages[one] for one in votes.proofs if one in known.messages)
        return cls(
            votes,
            tuple(sorted(leaves, key=lambda left: left.id)),
            tuple(sorted(evidence, key=lambda message: message.id)),
        )
