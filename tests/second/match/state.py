"""What a peer or a verifier knows of a match."""

from dataclasses import dataclass, field, replace

from second.game.scoring import winners
from second.match.hand import Hand
from second.match.ladder import Ladder, Said
from second.wire.messages import Message, Word
from second.wire.table import Table


@dataclass(frozen=True)
class Era:
    """A root, the first step of ladder 0 that names it, its first deal."""

    root: bytes
    step: int
    deal: int


@dataclass(frozen=True)
class Step:
    """A complete step of ladder 0. With votes: what they held, named and said."""

    messages: list[Message]
    phase: str
    deal: int
    leaves: list[Word] = field(default_factory=list)
    evidence: list[Message] = field(default_factory=list)
    votes: list[Message] = field(default_factory=list)


@dataclass(frozen=True)
class Absent:
    """A seat that was put out: after how many hands begun, why, by whom."""

    seat: int
    hand: int
    reason: str
    by: tuple[int, ...]


@dataclass
class Proven:
    """What was proven in complete steps."""

    key: int = 0
    shuffle: int = 0
    share: int = 0
    unplayable: int = 0


class State:
    """The whole of it; `judging` reads it, `effects` and `voting` change it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = table.rules
        self.seats = list(range(len(table.people)))
        self.scores = dict.fromkeys(self.seats, 0)
        self.phase = "agree"
        self.eras = [Era(table.id, 1, 1)]
        self.chain = [table.id]
        self.said: dict[int, Said] = {}
        self.steps: list[Step] = []
        self.ladders: dict[int, Ladder] = {}
        self.next_deal = 1
        self.hand: Hand | None = None
        self.hands = 0
        self.winners: list[int] = []
        self.last_out: int | None = None
        self.coins: list[bytes] | None = None
        self.absent: list[Absent] = []
        self.pending_absent: list[Absent] = []
        self.base_voices = self.voices()
        self.gone: set[int] = set()
        self.proven = Proven()
        self.begin_ladder()

    @property
    def era(self) -> Era:
        """The era that goes on."""
        return self.eras[-1]

    @property
    def step(self) -> int:
        """The open step of ladder 0."""
        return len(self.chain)

    @property
    def decided(self) -> bool:
        """Whether the last scoring fact is proven."""
        return bool(self.winners) and self.phase != "agree"

    @property
    def sides(self) -> bool:
        """Whether two sides play: then nobody votes, and a fault ends it."""
        return len(self.seats) == 2 or self.rules.partners

    @property
    def over(self) -> bool:
        """Whether nothing is judged any more."""
        return self.phase in ("closed", "abandoned")

    def voices(self) -> set[int]:
        """The persons who are in."""
        return {seat for seat in self.seats if self.table.owner_of(seat) is None}

    def playing(self) -> Hand:
        """The hand that is in play."""
        assert self.hand is not None
        return self.hand

    def next_ladder(self) -> Ladder | None:
        """The ladder of the deal that is prepared, if it has begun."""
        return self.ladders.get(self.next_deal)

    def proofs(self) -> Proven:
        """What was proven, on the ladders of deals too."""
        ladders = self.ladders.values()
        keys = sum(len(ladder.openings) for ladder in ladders)
        shuffles = sum(max(0, len(ladder.decks) - 1) for ladder in ladders)
        return replace(self.proven, key=keys, shuffle=shuffles)

    def begin_ladder(self) -> None:
        """Open the ladder of the next deal; in a new era it is judged before all have agreed."""
        self.ladders[self.next_deal] = Ladder(self.next_deal, self.era.root, tuple(self.seats))

    def look_at_target(self) -> bool:
        """Whether somebody has won, among those that are in."""
        self.winners = winners(self.rules, {seat: self.scores[seat] for seat in self.seats})
        return bool(self.winners)

    def speakers(self) -> list[int]:
        """Who speaks at the open step of ladder 0."""
        if self.phase in ("agree", "deal", "call", "rank", "open", "result"):
            return list(self.seats)
        if self.phase in ("closed", "abandoned"):
            return []
        hand = self.playing()
        if self.phase == "turn":
            return [hand.turn]
        if self.phase == "share":
            return [seat for seat in self.seats if seat != hand.turn]
        side = self.rules.side(hand.placer)
        return [seat for seat in self.seats if self.rules.side(seat) != side]
