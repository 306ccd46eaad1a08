"""What a seat says: the bodies of its own messages, made with its secrets.

One method a kind of message, so that a test can override one of them to build a cheat.
"""

import hashlib
from dataclasses import dataclass, field

from engine.hand import Draw, Pass, Play, deal_slots
from engine.scoring import placement_points
from engine.tiles import ALL_TILES, Tile
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret, commitment, final_opening, open_key
from p2p.deck.shares import make_shares
from p2p.deck.shuffles import make_shuffle
from p2p.deck.unplayable import make_unplayable
from p2p.session.state.state import Deal, State
from p2p.session.steps.deal_steps import deck_key
from p2p.session.steps.hand_steps import called_tile, dealt_slots
from p2p.session.steps.match_steps import (
    CLAIM_SALT_BYTES,
    claim_commitment,
    label_of,
    unplayable_statement,
)

Body = list[object]

SALT_LABEL = b"allfives claim salt\0"


@dataclass
class Speaker:
    """A seat with its secrets: deal secrets by deal number, and the claim it is bound to.

    `fresh` are the numbers of deals whose secrets were made since they were last stored.
    """

    seat: int
    rng: RandomBytes = field(repr=False)
    secrets: dict[int, DealSecret] = field(default_factory=dict, repr=False)
    fresh: list[int] = field(default_factory=list)
    claim: tuple[int, bytes] | None = field(default=None, repr=False)

    def agree(self, state: State, step: int) -> Body:
        """The signature is all there is to say."""
        return []

    def commit(self, state: State, deal: Deal) -> Body:
        """A fresh secret for this deal, committed to."""
        number = deal.ctx.deal
        self.secrets[number] = DealSecret.make(deal.ctx, self.seat, self.rng)
        self.fresh.append(number)
        return [commitment(deal.ctx, self.seat, self.secrets[number])]

    def key(self, state: State, deal: Deal) -> Body:
        """The public key, its proof and the first coin."""
        return [open_key(deal.ctx, self.seat, self.secrets[deal.ctx.deal]).to_bytes()]

    def shuffle(self, state: State, deal: Deal) -> Body:
        """The deck re-encrypted, permuted and proven."""
        deck, proof = make_shuffle(deal.ctx, self.seat, deck_key(deal), deal.chain[-1], self.rng)
        return [deck.to_bytes(), proof]

    def deal(self, state: State, step: int) -> Body:
        """The shares of all slots dealt to others."""
        number = state.deal + 1
        deal = state.deals[number]
        label = label_of(0, step, "deal")
        slots = dealt_slots(state, self.seat)
        secret = self.secrets[number]
        data = make_shares(deal.ctx, self.seat, label, secret, deal.chain[-1], slots, self.rng)
        return [state.deck_names[number], data]

    def call(self, state: State, step: int) -> Body:
        """No, or the slot that holds the called tile, with its share."""
        tile = called_tile(state)
        slot = next((slot for slot, held in self.dealt_tiles(state) if held == tile), None)
        if slot is None:
            return []
        claim = placement_points(state.table.rules, tile.pips) if state.table.rules.claims else None
        return [slot, self._shares(state, label_of(0, step, "call"), (slot,)), claim]

    def dealt_tiles(self, state: State) -> list[tuple[int, Tile]]:
        """The slots that this seat was dealt, with their tiles."""
        slots = deal_slots(state.table.rules, state.table.seats)[self.seat]
        return [(slot, self.tile(state, slot)) for slot in slots]

    def tile(self, state: State, slot: int) -> Tile:
        """The tile in an own slot whose other shares are public."""
        deal = state.current
        return ALL_TILES[deal.dealt.own_tile(slot, self.secrets[deal.ctx.deal])]

    def play(self, state: State, step: int, move: Play, auto: bool) -> Body:
        """A placement with the share that shows the tile."""
        data = self._shares(state, label_of(0, step, "play"), (move.slot,))
        return [move.slot, move.tile.index, move.end, data, move.claim, auto]

    def draw(self, state: State, step: int, move: Draw, auto: bool) -> Body:
        """A draw with the proof that nothing fits."""
        return [self._unplayable(state, label_of(0, step, "draw")), auto]

    def pass_(self, state: State, step: int, move: Pass, auto: bool) -> Body:
        """A pass with the same proof."""
        return [self._unplayable(state, label_of(0, step, "pass")), auto]

    def share(self, state: State, step: int) -> Body:
        """The share of the tile that another seat drew."""
        assert state.drawn is not None, "shares without a draw"
        return [self._shares(state, label_of(0, step, "share"), (state.drawn[1],))]

    def claim_body(self, state: State, number: int) -> Body:
        """A commitment to a claim."""
        self.claim = number, self._claim_salt(state)
        return [claim_commitment(self.seat, *self.claim)]

    def _claim_salt(self, state: State) -> bytes:
        """Fresh for each placement, even if the random source repeats itself: a salt that came
        twice would let the others read the second claim before it is opened."""
        placed = len(state.match.moves).to_bytes(2, "big")
        secret = self.secrets[state.deal].to_bytes()
        return hashlib.sha256(SALT_LABEL + secret + placed + self.rng(CLAIM_SALT_BYTES)).digest()

    def reveal(self, state: State, step: int) -> Body:
        """The claim that was committed to."""
        assert self.claim is not None, "a claim was committed to"
        return list(self.claim)

    def open(self, state: State, step: int) -> Body:
        """The deal key and the second coin: this deal is over."""
        return [final_opening(self.secrets[state.deal])]

    def result(self, state: State, step: int) -> Body:
        """Scores and winners."""
        result = state.match.result
        assert result is not None, "a result before the end"
        return [list(state.match.scores), list(result.winners)]

    def _shares(self, state: State, label: bytes, slots: tuple[int, ...]) -> bytes:
        deal = state.current
        secret = self.secrets[deal.ctx.deal]
        return make_shares(deal.ctx, self.seat, label, secret, deal.dealt.deck, slots, self.rng)

    def _unplayable(self, state: State, label: bytes) -> bytes:
        slots, candidates = unplayable_statement(state, self.seat)
        deal = state.current
        secret = self.secrets[deal.ctx.deal]
        return make_unplayable(
            deal.ctx, self.seat, label, secret, deal.dealt, slots, candidates, self.rng
        )
