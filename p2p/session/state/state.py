"""The public state of a match: what anyone who has all messages knows. No secrets, no ladders."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.events import Event, MatchEnded
from engine.hand import Hand
from engine.match import Match
from engine.tiles import Tile
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.deck.checks import Checks
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import KeyOpening
from p2p.deck.pairs import Deck, deck_key
from p2p.session.state.errors import NotYet
from p2p.session.state.events import DeckStep, InHand, SessionEvent
from p2p.session.state.table import Table
from p2p.wire.envelope import VERSION


class Phase(Enum):
    """What the open step of a ladder is about. phases.py says who may say what in each."""

    AGREE = "agree"
    DEAL = "deal"
    CALL = "call"
    TURN = "turn"
    SHARE = "share"
    CLAIM = "claim"
    REVEAL = "reveal"
    OPEN = "open"
    RESULT = "result"
    CLOSED = "closed"
    COMMIT = "commit"
    KEY = "key"
    SHUFFLE = "shuffle"
    READY = "ready"


@dataclass
class DealState:
    """One deal: its preparation, and the shares that became public in play.

    `chain` are the decks: the open one, then one for each shuffle. `name` is T of its completed
    ladder, under which the match deals its deck; `hidden` is there once dealt.
    """

    ctx: DealContext
    phase: Phase = Phase.COMMIT
    commitments: dict[int, bytes] = field(default_factory=dict)
    openings: dict[int, KeyOpening] = field(default_factory=dict)
    chain: list[Deck] = field(default_factory=list)
    name: bytes | None = None
    hidden: HiddenDeck | None = None
    secrets: dict[int, int] = field(default_factory=dict)
    last_coins: dict[int, bytes] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    # Tiles that were called for (highest double), in order, with the seats that said no.
    denials: list[tuple[Tile, tuple[int, ...]]] = field(default_factory=list)

    @property
    def dealt(self) -> HiddenDeck:
        """The hidden deck of a deal whose shares are out."""
        assert self.hidden is not None, "the deal is not dealt"
        return self.hidden

    @property
    def deck(self) -> Deck:
        """The last deck of the chain: the one that is shuffled next, or dealt."""
        return self.chain[-1]

    @property
    def keys(self) -> dict[int, Point]:
        """The opened public keys by seat."""
        return {seat: self.openings[seat].key for seat in self.ctx.seats}

    @property
    def deck_key(self) -> Point:
        """The sum of all seats' keys."""
        return deck_key(self.keys)

    @property
    def shuffles(self) -> int:
        """How many seats have shuffled."""
        return max(len(self.chain) - 1, 0)


@dataclass
class State:
    """Everything public. `deal` is the number of the deal in play, 0 before the first."""

    table: Table
    match: Match
    phase: Phase = Phase.AGREE
    deal: int = 0
    deals: dict[int, DealState] = field(default_factory=dict)
    # The seat that drew and the slot it drew, until its shares are there.
    drawn: tuple[int, int] | None = None
    draw_was_automatic: bool = False
    claims: dict[int, bytes] = field(default_factory=dict)
    events: list[SessionEvent] = field(default_factory=list)
    checks: Checks = field(default_factory=Checks)
    proofs: Counter[str] = field(default_factory=Counter)

    def deal_number(self, number: int) -> DealState:
        """The deal of that number, begun on first use. NotYet if the match is not there yet."""
        if not 1 <= number <= self.deal + 1:
            raise NotYet(f"deal {number} has not begun")
        if number not in self.deals:
            ctx = DealContext(VERSION, self.table.id, number, self.table.seats)
            self.deals[number] = DealState(ctx)
        return self.deals[number]

    @property
    def coming(self) -> DealState:
        """The deal after the one in play."""
        return self.deal_number(self.deal + 1)

    @property
    def current(self) -> DealState:
        """The deal in play."""
        return self.deals[self.deal]

    @property
    def hand(self) -> Hand:
        """The hand in play."""
        assert self.match.hand is not None, "a turn outside a hand"
        return self.match.hand

    def prepares(self) -> bool:
        """Whether seats make the coming deal's deck: all have agreed, and it may be needed."""
        return self.phase is not Phase.AGREE and not self.is_decided()

    def tell(self, made: Iterable[Event], auto: bool = False) -> None:
        """Note what the engine says of the present hand; `auto`: a clock made the move."""
        number = self.match.hand_number
        for event in made:
            one = event if isinstance(event, MatchEnded) else InHand(number, event, auto)
            self.events.append(one)

    def is_decided(self) -> bool:
        """Whether the last scoring fact is proven. A match that a fault ended is not decided."""
        return self.match.result is not None and self.match.result.reason != "fault"

    def add_shares(self, said: Mapping[int, Mapping[int, Point]]) -> None:
        """Proven shares of the deal in play, by seat and slot."""
        for seat, shares in said.items():
            self.current.hidden = self.current.dealt.add_shares(seat, shares)
            self.proofs["share"] += len(shares)

    def tell_parts(self, stage: str, seats: Collection[int]) -> None:
        """The events of seats that did their part at the coming deck."""
        deal = self.coming
        before = len(deal.commitments) + len(deal.openings) + deal.shuffles - len(seats)
        total = 3 * len(deal.ctx.seats)
        for done, seat in enumerate(seats, before + 1):
            self.events.append(DeckStep(deal.ctx.deal, seat, stage, done, total))
