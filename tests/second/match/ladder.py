"""The ladder of a deal: commit, key, shuffle (sections 9, 10, 12.1)."""

from dataclasses import dataclass, field

from second.deck import keys, shuffle
from second.deck.challenge import Place
from second.deck.group import IDENTITY
from second.deck.keys import Opening
from second.deck.shuffle import Deck
from second.refusing import demand
from second.wire.messages import Message, chained
from second.wire.values import Value, listed, octets


class BrokenError(Exception):
    """Something that needs all seats together is wrong: nobody is named."""


@dataclass
class Said:
    """A message that was accepted, and what was read in it."""

    message: Message
    value: Value


@dataclass
class Ladder:
    """What was said on it; `chain` are T_0, T_1 and so on of complete steps."""

    number: int
    root: bytes
    seats: tuple[int, ...]
    chain: list[bytes] = field(default_factory=list)
    said: dict[int, Said] = field(default_factory=dict)
    steps: list[list[Message]] = field(default_factory=list)
    commitments: dict[int, bytes] = field(default_factory=dict)
    openings: dict[int, Opening] = field(default_factory=dict)
    decks: list[Deck] = field(default_factory=list)
    key: bytes = IDENTITY

    def __post_init__(self) -> None:
        self.chain.append(self.root)

    @property
    def step(self) -> int:
        """The open step."""
        return len(self.chain)

    @property
    def phase(self) -> str:
        """What is said at the open step."""
        if self.step > len(self.seats) + 2:
            return "ready"
        return ("commit", "key")[self.step - 1] if self.step <= 2 else "shuffle"

    @property
    def name(self) -> bytes:
        """The name of the deck, once it is ready."""
        return self.chain[-1]

    def speakers_at(self, step: int) -> list[int]:
        """Who speaks at a step."""
        if step <= 2:
            return list(self.seats)
        return [self.seats[step - 3]] if step - 3 < len(self.seats) else []

    def speakers(self) -> list[int]:
        """Who speaks at the open step."""
        return self.speakers_at(self.step)

    def place(self, seat: int) -> Place:
        """Where a seat's proofs stand."""
        return Place(self.root, self.number, self.seats, seat)

    def judge(self, message: Message) -> Value:
        """What a message of the open step says; refused if it is a fault."""
        demand(message.seat in self.speakers(), "out of turn")
        demand(message.kind == self.phase, "a kind that the phase does not know")
        place = self.place(message.seat)
        if message.kind == "commit":
            return octets(listed(message.body, 1)[0], 32)
        if message.kind == "key":
            data = octets(listed(message.body, 1)[0], 160)
            return keys.check_opening(place, data, self.commitments[message.seat])
        deck, proof = listed(message.body, 2)
        after = shuffle.deck_of(octets(deck, 1792))
        shuffle.check(place, self.key, self.decks[-1], after, octets(proof, 3008))
        return after

    def take(self, said: Said) -> None:
        """Take a message that was judged; the step takes effect when it is complete."""
        self.said[said.message.seat] = said
        if set(self.said) != set(self.speakers()):
            return
        phase, done = self.phase, [self.said[seat] for seat in sorted(self.said)]
        if phase == "commit":
            self.commitments = {one.message.seat: one.value for one in done}
        elif phase == "key":
            self.openings = {one.message.seat: one.value for one in done}
            self.key = keys.deck_key([opening.key for opening in self.openings.values()])
            if self.key == IDENTITY:
                raise BrokenError("the keys add up to nothing")
            self.decks = [shuffle.open_deck(self.key)]
        else:
            self.decks.append(done[0].value)
        self.steps.append([one.message for one in done])
        self.chain.append(chained("step", self.chain[-1], [one.message.id for one in done]))
        self.said = {}
