"""The parts of a record, in its order: a message, or votes with all that stands before them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from p2p.session.leaving.known import Known
from p2p.session.leaving.retired import Retired
from p2p.session.leaving.sets import sets_of
from p2p.session.order import is_refused
from p2p.session.referee import Referee
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message
from p2p.wire.talk import Word


class Piece(NamedTuple):
    """A frame of a record, counted from 1: a signed message or a leave. `proves`: it stands there
    as proof of what votes say."""

    number: int
    said: Message | Word
    proves: bool


class Part(NamedTuple):
    """One message; or the messages of a step that votes closed, the proofs, and the votes."""

    messages: tuple[tuple[int, Message], ...]
    last: int
    proofs: tuple[Message | Word, ...] = ()
    votes: tuple[Message, ...] = ()


class _Open:
    """What was read and belongs together, until it is plain what it is."""

    def __init__(self) -> None:
        self.step: list[Piece] = []
        self.proofs: list[Piece] = []
        self.votes: list[Piece] = []

    def takes(self, piece: Piece) -> bool:
        """Whether a piece belongs to it still; it is kept then."""
        if isinstance(piece.said, Message) and piece.said.kind == VOTE and not piece.proves:
            if self.votes and not _is_one_step(self.votes[0], piece):
                return False
            self.votes.append(piece)
        elif self.votes:
            return False
        elif piece.proves:
            self.proofs.append(piece)
        elif self.proofs or (self.step and not _is_one_step(self.step[0], piece)):
            return False
        else:
            self.step.append(piece)
        return True

    def parts(self) -> Iterator[Part]:
        """It is whole: single messages, or votes with what stands before them."""
        voted = bool(self.votes)
        if not voted or not self.step or not _is_one_step(self.step[0], self.votes[0]):
            yield from (Part((_message(piece),), piece.number) for piece in self.step)
            self.step = []
        if voted:
            proofs = tuple(piece.said for piece in self.proofs)
            votes = tuple(_message(piece)[1] for piece in self.votes)
            messages = tuple(map(_message, self.step))
            yield Part(messages, self.votes[-1].number, proofs, votes)


def parts_of(pieces: Iterable[Piece]) -> Iterator[Part]:
    """The parts of these pieces, in order. Messages are kept until it is plain that no votes on
    their step follow; proofs without votes behind them are what is left of votes cut off.

    What the pieces raise is raised after all that came before was given.
    """
    open_ = _Open()
    try:
        for piece in pieces:
            if not open_.takes(piece):
                yield from open_.parts()
                open_ = _Open()
                open_.takes(piece)
    except Exception:
        yield from open_.parts()
        raise
    yield from open_.parts()


def _is_one_step(one: Piece, other: Piece) -> bool:
    """Whether two messages are of one step of ladder 0."""
    said, also = one.said, other.said
    if not isinstance(said, Message) or not isinstance(also, Message):
        return False
    there = said.step == also.step and said.ladder == also.ladder == MATCH_LADDER
    return there and said.root == also.root


def _message(piece: Piece) -> tuple[int, Message]:
    assert isinstance(piece.said, Message), "a leave is a proof"
    return piece.number, piece.said


def retired_by(referee: Referee, part: Part) -> Retired | None:
    """The set of votes that a part is, on the open step of the match; None if it is none."""
    known = Known()
    # First: what they name is kept, however much of it there is.
    for vote in part.votes:
        known.add(vote)
    for proof in part.proofs:
        if isinstance(proof, Word):
            known.leave(proof)
        else:
            known.add(proof)
            if known.names_alone(proof) and is_refused(referee, proof):
                known.refuse(proof)
    for _, message in part.messages:
        known.add(message)
    ids = {vote.id for vote in part.votes}
    for one in sets_of(referee.ground(), known):
        if {vote.message.id for vote in one.votes} == ids:
            return Retired.by(one, known, referee.state.next)
    return None
