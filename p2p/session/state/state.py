"""The public state of a match: what anyone who has all messages knows. No secrets, no ladders."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.deal import deal_slots
from engine.events import Event, MatchEnded
from engine.hand import Hand
from engine.match import Match
from engine.moves import Play
from engine.tiles import Tile
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.deck.checks import Checks
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import KeyOpening
from p2p.deck.pairs import Deck, deck_key
from p2p.session.state.errors import NotYet
from p2p.session.state.events import DeckStep, InHand, SeatOut, SessionEvent
from p2p.session.state.table import Table
from p2p.wire.envelope import VERSION


class Phase(Enum):
    """What the open step of a ladder is about. phases.py says who may say what in each."""

    AGREE = "agree"
    DEAL = "deal"
    CALL = "call"
    RANK = "rank"
    TURN = "turn"
    SHARE = "share"
    CLAIM = "claim"
    REVEAL = "reveal"
    OPEN = "open"
    RESULT = "result"
    CLOSED = "closed"
    ABANDONED = "abandoned"
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
    # Where the highest double leads: how many tiles all have denied, and the lead once it is shown.
    denied: int = 0
    lead: Play | None = None

    def let_go(self) -> None:
        """Let go of what nothing rests on any more once the next hand is over too."""
        self.commitments, self.openings, self.chain, self.hidden = {}, {}, [], None

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
    """Everything public. `deal` is the number of the deal in play, 0 before the first.

    `root` names the era, of which `first` is the first deal and `next` the one that is prepared:
    a deal that is dealt and a seat that is put out add one. `dealt` are the numbers of the deals
    that were dealt, in order, `hands` those of the hands that began, by number of the hand.
    `untold` is what happened when seats were put out, until all who stay have agreed to it; until
    then `final` are the seats that were in before, `lost` those that left or broke the rules since.
    `outs` tells who is out for good.
    """

    table: Table
    match: Match
    root: bytes
    phase: Phase = Phase.AGREE
    deal: int = 0
    first: int = 1
    next: int = 1
    deals: dict[int, DealState] = field(default_factory=dict)
    dealt: list[int] = field(default_factory=list)
    hands: dict[int, int] = field(default_factory=dict)
    began: bool = False
    untold: list[SessionEvent] = field(default_factory=list)
    final: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    outs: list[SeatOut] = field(default_factory=list)
    # The seat that drew and the slot it drew, until its shares are there.
    drawn: tuple[int, int] | None = None
    draw_was_automatic: bool = False
    claims: dict[int, bytes] = field(default_factory=dict)
    events: list[SessionEvent] = field(default_factory=list)
    checks: Checks = field(default_factory=Checks)
    proofs: Counter[str] = field(default_factory=Counter)

    def deal_number(self, number: int) -> DealState:
        """The deal of that number in this era, begun on first use. NotYet if there is none."""
        if not self.first <= number <= self.next:
            raise NotYet(f"deal {number} has not begun")
        if number not in self.deals:
            ctx = DealContext(VERSION, self.root, number, self.seats)
            # Of this era all up to the one in play were dealt, if they were let go of since.
            phase = Phase.READY if number <= self.deal else Phase.COMMIT
            self.deals[number] = DealState(ctx, phase)
        return self.deals[number]

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that are in."""
        return self.match.seats

    def slots(self, seat: int) -> range:
        """The slots that a deal of this era deals to a seat."""
        return deal_slots(self.table.rules, self.seats)[seat]

    @property
    def coming(self) -> DealState:
        """The deal that is prepared."""
        return self.deal_number(self.next)

    @property
    def current(self) -> DealState:
        """The deal in play."""
        return self.deals[self.deal]

    @property
    def hand(self) -> Hand:
        """The hand in play."""
        assert self.match.hand is not None, "a turn outside a hand"
        return self.match.hand

    def forget_past(self, tiles: bool) -> None:
        """Let go of all deals before the one in play, but for their `tiles` if they are wanted."""
        self.dealt = [one for one in self.dealt if one >= self.deal]
        if not tiles:
            self.hands = {hand: one for hand, one in self.hands.items() if one >= self.deal}
        for number in [one for one in self.deals if one < self.deal]:
            deal = self.deals[number]
            if not tiles:
                del self.deals[number]
            elif deal.chain:
                self.deals[number] = DealState(deal.ctx, deal.phase, tiles=deal.tiles)

    def prepares(self) -> bool:
        """Whether seats make the coming deal's deck: all have agreed, and it may be needed."""
        return self.phase is not Phase.AGREE and self.match.result is None

    def is_over(self, number: int) -> bool:
        """Whether the keys of a deal were opened, or it is dead for good."""
        deal = self.deals.get(number)
        dead = number < self.first and self.phase is not Phase.AGREE
        return dead or (deal is not None and bool(deal.secrets))

    def tell(self, made: Iterable[Event], auto: bool = False) -> None:
        """Note what the engine says of the present hand; `auto`: a clock made the move."""
        self.events += self.made(made, auto)

    def made(self, made: Iterable[Event], auto: bool = False) -> list[SessionEvent]:
        """What the engine says of the present hand, with the number of that hand."""
        number = self.match.hand_number
        return [
            event if isinstance(event, MatchEnded) else InHand(number, event, auto)
            for event in made
        ]

    def is_final(self) -> bool:
        """Whether no fault changes anything any more: all have signed the end, or are out."""
        return self.phase in (Phase.CLOSED, Phase.ABANDONED)

    def is_decided(self) -> bool:
        """Whether the last scoring fact is proven: not where a fault ended the match, nor where it
        was abandoned, nor before all agree to the votes that decided it."""
        result = self.match.result
        return result is not None and result.reason == "target" and self.phase is not Phase.AGREE

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
