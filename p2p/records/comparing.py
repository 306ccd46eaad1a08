"""Two records of one table: whether they are of one match, where they part, and which stands.

Two records part where a seat signed two things for one place, or where votes closed a step that the
other went beyond. If all voters spoke beyond that step in the other, the other stands; else neither
does before the other, and who signed on both ways is named. What stands in one alone parts nothing:
a record may end earlier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from p2p.session.order import LEAVE_MARK, Frame
from p2p.session.record import Recording
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place, open_signed
from p2p.wire.messages import VoteBody


@dataclass(frozen=True)
class Parting:
    """Where two records part: on which ladder, at which step."""

    ladder: int
    step: int


@dataclass(frozen=True)
class Comparison:
    """`first`: where they part, None if they do not. `both_signed`: the seats that signed both
    ways. `stands`: 0 for the first record, 1 for the other, None if none stands before the other.
    """

    first: Parting | None
    both_signed: tuple[int, ...]
    stands: int | None

    @property
    def same(self) -> bool:
        """Whether they are of one match, as far as both go."""
        return self.first is None


def compare(one: Recording, other: Recording, table: Table) -> Comparison:
    """Compare two records of this table."""
    keys = tuple(person.key for person in table.people)
    ways = tuple(_Way(messages) for messages in _rests(one, other, keys))
    twice = _said_twice(*ways)
    parted = [ways[0].closing(ways[1]), ways[1].closing(ways[0])]
    where = [Parting(place.ladder, place.step) for place in twice]
    where += [Parting(MATCH_LADDER, votes[0].step) for votes in parted if votes]
    if not where:
        return Comparison(None, (), None)
    stands = _stands(ways, parted)
    signed = {place.seat for place in twice}
    if any(parted) and stands is None:
        signed |= _on_both(ways, parted)
    return Comparison(_first(where), tuple(sorted(signed)), stands)


def _first(where: Sequence[Parting]) -> Parting:
    """On the match if they part there: what differs in preparing a deal shows there later."""
    return min(where, key=lambda one: (one.ladder != MATCH_LADDER, one.ladder, one.step))


def _rests(
    one: Recording, other: Recording, keys: Sequence[bytes]
) -> tuple[list[Message], list[Message]]:
    """What is signed in each behind what both begin with."""
    left, right = _frames(one), _frames(other)
    for first, second in zip(left, right, strict=False):
        if first != second:
            rests = chain([first], left), chain([second], right)
            break
    else:
        return [], []
    return _signed(rests[0], keys), _signed(rests[1], keys)


def _frames(recording: Recording) -> Iterator[Frame]:
    return chain(recording.read(), (Frame(b"e", data) for data in recording.evidence))


def _signed(frames: Iterator[Frame], keys: Sequence[bytes]) -> list[Message]:
    """The messages in these frames that a seat of the table signed: others say nothing of it, nor
    do votes that say nothing."""
    found: list[Message] = []
    for frame in frames:
        if frame.mark != LEAVE_MARK:
            try:
                message = open_signed(frame.data, keys)
                if message.kind == VOTE:
                    VoteBody.read(message.body)
            except DecodeError:
                continue
            found.append(message)
    return found


class _Way:
    """What one record says behind what both begin with."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.said: dict[Place, set[bytes]] = {}
        for message in messages:
            self.said.setdefault(message.place, set()).add(message.id)

    def closing(self, other: _Way) -> list[Message]:
        """The first votes by which a step was closed here, for all have gone on under its root, and
        which the other went beyond, or closed by others."""
        for votes in self._ballots():
            went_on = any(one.root != votes[0].root for one in self.messages)
            if went_on and other.parts_from(votes):
                return votes
        return []

    def _ballots(self) -> list[list[Message]]:
        """The votes of each step that was voted on, in order."""
        found: dict[tuple[bytes, int], list[Message]] = {}
        for one in self.messages:
            if one.kind == VOTE:
                found.setdefault((one.root, one.step), []).append(one)
        return list(found.values())

    def parts_from(self, votes: Sequence[Message]) -> bool:
        """Whether the step of these votes was completed here, or closed by others."""
        root, step = votes[0].root, votes[0].step
        own = {
            one.id for one in self.messages if (one.root, one.step, one.kind) == (root, step, VOTE)
        }
        there = {vote.id for vote in votes}
        if own:
            return not (own <= there or there <= own)
        return any(
            (one.root, one.ladder) == (root, MATCH_LADDER) and one.step > step
            for one in self.messages
        )

    def spoke_beyond(self, vote: Message) -> bool:
        """Whether the voter spoke here above the step, and above what it said it had spoken."""
        reach = VoteBody.read(vote.body).reach
        return any(
            (one.root, one.ladder, one.seat) == (vote.root, MATCH_LADDER, vote.seat)
            and one.step > max(vote.step, reach)
            for one in self.messages
        )

    def goes_on(self, step: int) -> set[int]:
        """The seats that spoke behind that step of the match."""
        return {
            one.seat
            for one in self.messages
            if one.ladder == MATCH_LADDER and one.step > step and one.kind != VOTE
        }


def _said_twice(one: _Way, other: _Way) -> list[Place]:
    """The places for which the two have different messages."""
    return [
        place for place, ids in one.said.items() if place in other.said and ids != other.said[place]
    ]


def _stands(ways: Sequence[_Way], parted: Sequence[Sequence[Message]]) -> int | None:
    """Which stands, because all who voted in the other went on in it."""
    dead = [
        bool(votes) and all(ways[1 - at].spoke_beyond(vote) for vote in votes)
        for at, votes in enumerate(parted)
    ]
    return None if dead[0] == dead[1] else int(dead[0])


def _on_both(ways: Sequence[_Way], parted: Sequence[Sequence[Message]]) -> set[int]:
    """Who went on in both behind the step at which they part."""
    step = min(votes[0].step for votes in parted if votes)
    return ways[0].goes_on(step) & ways[1].goes_on(step)
