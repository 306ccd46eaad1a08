"""Everything signed that one has of a match, on whatever step: what votes are weighed by."""

from collections.abc import Iterable

from p2p.session.leaving.votes import Vote
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place
from p2p.wire.talk import Word

# Of one seat in a match. Honest ones say a few on some steps; more would only fill our memory.
MAX_VOTES_A_SEAT = 256
# Two messages for one place prove all that there is to prove.
VERSIONS = 2


class Known:
    """Messages in order of arrival, leaves, and which messages were refused.

    `highest` is by root and seat the highest step of ladder 0 at which it said anything: also
    where one lacks the steps before. `leaves` are the first of each seat.
    """

    def __init__(self) -> None:
        self.messages: dict[bytes, Message] = {}
        self.leaves: dict[int, Word] = {}
        self.highest: dict[tuple[bytes, int], int] = {}
        self._places: dict[Place, list[Message]] = {}
        self._doubled: list[Place] = []
        self._votes: dict[tuple[bytes, int], list[Vote]] = {}
        self._votes_of: dict[int, int] = {}
        self._refused: dict[bytes, int] = {}

    def add(self, message: Message) -> bool:
        """Note a message whose signature was checked; False if it is known, or one too many.

        DecodeError for a vote that says nothing.
        """
        versions = self._places.get(message.place, [])
        if message.id in self.messages or len(versions) == VERSIONS:
            return False
        if message.kind == VOTE:
            vote, count = Vote.read(message), self._votes_of.get(message.seat, 0)
            if count == MAX_VOTES_A_SEAT:
                return False
            self._votes_of[message.seat] = count + 1
            self._votes.setdefault((message.root, message.step), []).append(vote)
        self.messages[message.id] = message
        self._places[message.place] = [*versions, message]
        if versions:
            self._doubled.append(message.place)
        self.note(message)
        return True

    def let_go(self, message: Message) -> bool:
        """Let go of a message, unless it is here for what it proves."""
        if len(self.versions(message.place)) > 1 or message.id in self._refused:
            return False
        self.messages.pop(message.id, None)
        self._places.pop(message.place, None)
        return True

    def note(self, message: Message) -> None:
        """Note where a seat has spoken, also where the message itself is not kept."""
        if message.ladder == MATCH_LADDER:
            key = message.root, message.seat
            self.highest[key] = max(self.highest.get(key, 0), message.step)

    def is_ahead(self, message: Message) -> bool:
        """Whether a vote is more than one round ahead of all that was seen on its step."""
        rounds = [one.round for one in self.votes(message.root, message.step)]
        return message.round > max(rounds, default=0) + 1

    def leave(self, word: Word) -> bool:
        """Note that a seat has said that it leaves; False if that is known."""
        return self.leaves.setdefault(word.seat, word) is word

    def refuse(self, message: Message) -> None:
        """Note that the state which a message names refuses it: it proves a fault."""
        self._refused[message.id] = message.seat

    def versions(self, place: Place) -> tuple[Message, ...]:
        """What was said for a place, in order of arrival: two are a fault."""
        return tuple(self._places.get(place, ()))

    def doubled(self, root: bytes) -> list[Place]:
        """The places of an era's ladder 0, votes apart, at which somebody said two things, the
        earliest first."""
        here = [one for one in self._doubled if (one.root, one.ladder, one.round) == (root, 0, 0)]
        return sorted(here, key=lambda place: place.step)

    def votes(self, root: bytes, step: int) -> tuple[Vote, ...]:
        """The votes on a step, whatever T they name."""
        return tuple(self._votes.get((root, step), ()))

    def all_votes(self) -> list[Vote]:
        """Every vote."""
        return [vote for votes in self._votes.values() for vote in votes]

    def voted(self) -> list[tuple[bytes, int]]:
        """Root and step of all that was voted on, the steps ascending."""
        return sorted(self._votes, key=lambda at: at[1])

    def proves_fault(self, seat: int, ids: Iterable[bytes], root: bytes) -> bool:
        """Whether these messages prove that a seat broke the rules: two for one place, or one that
        was refused in the era of that root, where everybody can judge it."""
        found = [self.messages.get(one) for one in ids]
        there = [one for one in found if one is not None and one.seat == seat]
        if len(there) < len(found):
            return False
        if len(there) == 1:
            return there[0].id in self._refused and there[0].root == root
        return len(there) == VERSIONS and there[0].place == there[1].place

    def all_faults(self, seat: int) -> list[tuple[bytes, ...]]:
        """The same of every era."""
        roots = {place.root for place in self._places}
        return [ids for root in roots for ids in self.faults(seat, root)]

    def faults(self, seat: int, root: bytes) -> list[tuple[bytes, ...]]:
        """All proofs of a seat's faults that count in an era, as ascending ids; the first is the
        one to be named."""
        refused = (self.messages[one] for one, who in self._refused.items() if who == seat)
        single = [(one.id,) for one in refused if one.root == root]
        pairs = [
            tuple(sorted(one.id for one in self._places[place]))
            for place in self._doubled
            if place.seat == seat
        ]
        return sorted(single + pairs, key=lambda ids: (ids[0], len(ids)))
