"""What is voted on: an open step and who is in; and whether the others may go on without some."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from p2p.session.leaving.voices import enough, voices, with_bots
from p2p.wire.envelope import MAX_VOTE_ROUNDS, Message
from p2p.wire.messages import DealBody
from p2p.wire.out import Out

# Two sides never vote: fewer seats than this, or partners.
SEATS_TO_VOTE = 3
PROVEN = ("left", "fault")
# Of the rounds of a step: who stays and spends them on purpose leaves those to put it out with.
ROUNDS_A_PERSON = 8


@dataclass(frozen=True)
class Ground:
    """An open step of ladder 0 that is voted on: its root, number and T of the step before; the
    seats that are in, those that were at the last final root, and who was lost since (left, fault);
    by seat whose bot it is (itself for a person); the seats that must speak at the step.

    `person`: it waits for a decision. `deals`: it is complete only where all name one deck.
    `opens`: who votes has opened its key first. `winners`: who has won, if that is decided.
    `sides`: two sides play, which never vote. `fits`: whether a message is one of that step.
    """

    root: bytes
    step: int
    previous: bytes
    seats: tuple[int, ...]
    final: tuple[int, ...]
    lost: tuple[int, ...]
    owners: tuple[int, ...]
    speakers: tuple[int, ...]
    person: bool = False
    deals: bool = False
    opens: bool = False
    winners: tuple[int, ...] | None = None
    sides: bool = False
    fits: Callable[[Message], bool] = lambda message: True

    def stay(self, out: Iterable[int]) -> tuple[int, ...]:
        """Those who are in without `out`."""
        gone = frozenset(out)
        return tuple(seat for seat in self.seats if seat not in gone)

    def completed_by(self, messages: Iterable[Message]) -> bool:
        """Whether they make the step: one of each speaker, and in a deal of one deck."""
        said = by_seat(messages)
        if any(len(said.get(seat, ())) != 1 for seat in self.speakers):
            return False
        decks = {DealBody.read(said[seat][0].body).name for seat in self.speakers if self.deals}
        return len(decks) <= 1


class Grounds:
    """Those of completed steps, in order: without number and T there are few that differ."""

    def __init__(self) -> None:
        self._kept: list[Ground] = []
        self._differ: dict[Ground, Ground] = {}

    def keep(self, ground: Ground) -> None:
        """That of the next step."""
        alike = replace(ground, step=0, previous=b"")
        self._kept.append(self._differ.setdefault(alike, alike))

    def of(self, step: int, hashes: Sequence[bytes]) -> Ground | None:
        """That of a step, if it is complete; `hashes` are all T."""
        if step > len(self._kept):
            return None
        return replace(self._kept[step - 1], step=step, previous=hashes[step - 1])


def rounds_for(out: Collection[int], ground: Ground) -> int:
    """The last round in which an honest seat votes for a list of seats."""
    persons = len(voices(out, ground.owners))
    return min(ROUNDS_A_PERSON * max(persons, 1), MAX_VOTE_ROUNDS)


def by_seat(messages: Iterable[Message]) -> Mapping[int, list[Message]]:
    """Messages by their seats."""
    found: dict[int, list[Message]] = {}
    for message in messages:
        found.setdefault(message.seat, []).append(message)
    return found


def may_go(outs: tuple[Out, ...], ground: Ground) -> bool:
    """Whether the others may go on without these seats, whatever proves the reasons: who stays is
    enough, bots go with their owners, and where the match is decided only its winner may go, for a
    fault."""
    out = {one.seat for one in outs}
    if ground.sides or len(ground.seats) < SEATS_TO_VOTE or not out or not out <= {*ground.seats}:
        return False
    if not with_bots(out, ground.seats, ground.owners):
        return False
    if ground.winners is not None and not (
        out & {*ground.winners} and all(one.reason == "fault" for one in outs)
    ):
        return False
    lost = {one.seat for one in outs if one.reason in PROVEN} | {*ground.lost}
    return enough(ground.stay(out), ground.final, lost, ground.owners)
