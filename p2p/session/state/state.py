"""The public state of a match: what anyone who has all messages knows. No secrets, no ladders."""

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from engine.match import Match
from engine.tiles import Tile
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.deck.checks import Checks
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import KeyOpening
from p2p.deck.pairs import Deck
from p2p.session.state.errors import NotYet
from p2p.session.state.events import SessionEvent
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
class Deal:
    """One deal: its preparation, and the shares that became public in play.

    `chain` are the decks: the open one, then one for each shuffle. `hidden` is there once dealt.
    """

    ctx: DealContext
    phase: Phase = Phase.COMMIT
    commitments: dict[int, bytes] = field(default_factory=dict)
    openings: dict[int, KeyOpening] = field(default_factory=dict)
    chain: list[Deck] = field(default_factory=list)
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

    def key(self, seat: int) -> Point:
        """The opened public key of a seat."""
        return self.openings[seat].key

    def first_coins(self) -> list[bytes]:
        """The coins opened with the keys, in seat order."""
        return [self.openings[seat].first_coin for seat in self.ctx.seats]


@dataclass
class State:
    """Everything public. `deal` is the number of the deal in play, 0 before the first."""

    table: Table
    match: Match
    phase: Phase = Phase.AGREE
    deal: int = 0
    deals: dict[int, Deal] = field(default_factory=dict)
    # T of each completed deal ladder: the name under which the match deals its deck.
    deck_names: dict[int, bytes] = field(default_factory=dict)
    # The seat that drew and the slot it drew, until its shares are there.
    drawn: tuple[int, int] | None = None
    draw_was_automatic: bool = False
    claims: dict[int, bytes] = field(default_factory=dict)
    events: list[SessionEvent] = field(default_factory=list)
    checks: Checks = field(default_factory=Checks)
    proofs: Counter[str] = field(default_factory=Counter)

    def deal_number(self, number: int) -> Deal:
        """The deal of that number, begun on first use. NotYet if the match is not there yet."""
        if not 1 <= number <= self.deal + 1:
            raise NotYet(f"deal {number} has not begun")
        if number not in self.deals:
            ctx = DealContext(VERSION, self.table.id, number, self.table.seats)
            self.deals[number] = Deal(ctx)
        return self.deals[number]

    @property
    def current(self) -> Deal:
        """The deal in play."""
        return self.deals[self.deal]

    def is_decided(self) -> bool:
        """Whether the last scoring fact is proven. A match that a fault ended is not decided."""
        return self.match.result is not None and self.match.result.reason != "fault"
