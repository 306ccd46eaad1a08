"""Everything signed that one has of a match, on whatever step: what votes are weighed by."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from p2p.session.leaving.votes import Vote
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place
from p2p.wire.messages import AgreeBody
from p2p.wire.talk import Word

# Of one seat in a match. Honest ones say a few on some steps; more would only fill our memory.
MAX_VOTES_A_SEAT = 256
# Two messages for one place prove all that there is to prove,
VERSIONS = 2
# and a few proofs of one seat that it is to go. What others name in votes comes in addition: of a
# voter so many messages and leaves, of which an honest one names a few.
MAX_PROOFS = 8
MAX_NAMED_A_VOTER = 64
# To sets of votes that do not stand. An honest seat says one for each that did before its eyes.
MAX_AGREES_A_SEAT = 64


def agrees_to_votes(message: Message) -> bool:
    """Whether it is the first step under a new root."""
    return message.kind == AgreeBody.kind and message.previous == message.root


class Known:
    """Messages in order of arrival, leaves, and which messages were refused.

    `highest` is by root and seat the highest step of ladder 0 at which it said anything: also
    where one lacks the steps before. `leaves` are the first of each seat. Whoever signs ever more
    versions, proofs or leaves fills no memory; but what a vote names is taken, so that all who have
    a vote can count it, whatever came to each of them first.
    """

    def __init__(self) -> None:
        self.messages: dict[bytes, Message] = {}
        self.leaves: dict[int, Word] = {}
        self._later_leaves: dict[bytes, Word] = {}
        # By id who named what is not here, or was taken for that.
        self._named: dict[bytes, int] = {}
        self.highest: dict[tuple[bytes, int], int] = {}
        self._places: dict[Place, list[Message]] = {}
        self._doubled: list[Place] = []
        self._votes: dict[tuple[bytes, int], list[Vote]] = {}
        self._votes_of: dict[int, int] = {}
        self._refused: dict[bytes, int] = {}
        self._agrees: Counter[int] = Counter()
        # The roots that somebody goes on from.
        self.roots: set[bytes] = set()

    def add(self, message: Message, wanted: bool = False) -> bool:
        """Note a message whose signature was checked; False if it is known, or one too many that
        is not `wanted`.

        DecodeError for a vote that says nothing.
        """
        versions = self._places.get(message.place, [])
        enough = len(versions) >= VERSIONS
        wanted = wanted or self.wants(message.id)
        if message.id in self.messages or (enough and not wanted):
            return False
        if message.kind == VOTE:
            vote, count = Vote.read(message), self._votes_of.get(message.seat, 0)
            if count == MAX_VOTES_A_SEAT:
                return False
            self._votes_of[message.seat] = count + 1
            self._votes.setdefault((message.root, message.step), []).append(vote)
            self._want(vote)
        self.messages[message.id] = message
        self._places[message.place] = [*versions, message]
        if agrees_to_votes(message):
            self.roots.add(message.root)
        if not enough:
            self._named.pop(message.id, None)
        if len(versions) == 1:
            self._doubled.append(message.place)
        self.note(message)
        return True

    def agrees_elsewhere(self, message: Message) -> bool:
        """Whether somebody agrees to a set of votes that does not stand here: that may make it
        final. Of a seat so many count."""
        if not agrees_to_votes(message):
            return False
        self._agrees[message.seat] += 1
        return self._agrees[message.seat] <= MAX_AGREES_A_SEAT

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

    def _want(self, vote: Vote) -> None:
        names = Counter(self._named.values())[vote.seat]
        for one in vote.names:
            if names < MAX_NAMED_A_VOTER and not self._has(one) and one not in self._named:
                self._named[one] = vote.seat
                names += 1

    def _has(self, one: bytes) -> bool:
        """Whether a message, or a leave, of that id is here."""
        return one in self.messages or self.leave_of(one) is not None

    def wants(self, one: bytes) -> bool:
        """Whether a vote names a message, or a leave, of that id, which is not here."""
        return one in self._named and not self._has(one)

    def names_alone(self, message: Message) -> bool:
        """Whether a vote names a message alone as proof: that the state refuses it."""
        outs = (out for vote in self.all_votes() for out in vote.body.out)
        return any(out.reason == "fault" and out.proof == (message.id,) for out in outs)

    def named_alone(self) -> list[Message]:
        """What is here beside another message of its place, and votes name alone: for who gave
        them the state refused it."""
        proofs = (out.proof for vote in self.all_votes() for out in vote.body.out)
        ids = {proof[0] for proof in proofs if len(proof) == 1} - self._refused.keys()
        here = (self.messages[one] for one in sorted(ids) if one in self.messages)
        return [one for one in here if one.kind != VOTE and len(self.versions(one.place)) > 1]

    @property
    def lacks(self) -> bool:
        """Whether votes name what is not here."""
        return any(not self._has(one) for one in self._named)

    def leave(self, word: Word) -> bool:
        """Note that a seat has said that it leaves; False if that is known."""
        if self.wants(word.id) and word.seat in self.leaves:
            self._later_leaves[word.id] = word
            return True
        if word.seat not in self.leaves:
            self._named.pop(word.id, None)
        return self.leaves.setdefault(word.seat, word) is word

    @property
    def all_leaves(self) -> Sequence[Word]:
        """Those too that only votes name."""
        return (*self.leaves.values(), *self._later_leaves.values())

    @property
    def named_leaves(self) -> list[Word]:
        """Those that votes name, who may have come after others of their seats."""
        names = {one for vote in self.all_votes() for one in vote.names}
        return [word for word in self.all_leaves if word.id in names]

    def leave_of(self, one: bytes) -> Word | None:
        """The leave of that id, if it is here."""
        return next((word for word in self.all_leaves if word.id == one), None)

    def refuse(self, message: Message) -> None:
        """Note that the state which a message names refuses it: it proves a fault."""
        self._refused[message.id] = message.seat

    def prove(self, messages: Collection[Message]) -> bool:
        """Keep what proves a fault: a message that the state which it names refuses, or two for one
        place. False if it is known, or more than is needed to prove it."""
        first, *rest = messages
        if not rest and first.id in self.messages:
            self.refuse(first)
        proofs = self.faults(first.seat, first.root)
        enough = len(proofs) >= MAX_PROOFS or (rest and len(self.versions(first.place)) >= VERSIONS)
        known = tuple(sorted(message.id for message in messages)) in proofs
        if known or (enough and not any(self.wants(message.id) for message in messages)):
            return False
        for message in messages:
            self.add(message)
            self.note(message)
        if not rest:
            self.refuse(first)
        return True

    def spared(self, place: Place, previous: bytes) -> list[Message]:
        """What was said for a place behind that T and not refused: where its signer said something
        else too, the step may be complete with this for others."""
        said = (one for one in self.versions(place) if one.previous == previous)
        return [one for one in said if one.id not in self._refused]

    def versions(self, place: Place) -> tuple[Message, ...]:
        """What was said for a place, in order of arrival: two are a fault."""
        return tuple(self._places.get(place, ()))

    def doubled(self, root: bytes, ladder: int = MATCH_LADDER) -> list[Place]:
        """The places of an era on a ladder, votes apart, at which somebody said two things, the
        earliest first."""
        at = root, ladder, 0
        here = [one for one in self._doubled if (one.root, one.ladder, one.round) == at]
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

    @property
    def proving(self) -> tuple[Message, ...]:
        """All messages that are here for what they prove, by id."""
        pairs = (one.id for place in self._doubled for one in self._places[place])
        return tuple(self.messages[one] for one in sorted({*pairs, *self._refused}))

    def faults(self, seat: int, root: bytes, step: int = 0) -> list[tuple[bytes, ...]]:
        """Proofs of a seat's faults that count in an era, as ascending ids; the first is the one to
        be named, for a vote on that step of the era.

        Two messages go before one, which only those can judge who have no other of its place; and
        of two, those of the step itself, which alone let votes take back what came behind it.
        """
        refused = (self.messages[one] for one, who in self._refused.items() if who == seat)
        single = [(one.id,) for one in refused if one.root == root]
        here = Place(root, MATCH_LADDER, step, seat)
        pairs = {
            tuple(sorted(one.id for one in self._places[place][:VERSIONS])): place == here
            for place in self._doubled
            if place.seat == seat
        }
        by_rank = sorted(pairs, key=lambda ids: (not pairs[ids], ids))
        return [*by_rank, *sorted(single)]
