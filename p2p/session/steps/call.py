"""The lead is called for, tile by tile in rank, where the highest double leads.

A no is only said here. Behind the lead everybody proves it (rank.py).
"""

from collections.abc import Mapping
from copy import copy

from engine.moves import Move, Play
from engine.strategy.view import SeatView, make_view
from engine.tiles import LEAD_RANKING, Tile
from p2p.crypto.group import Point
from p2p.deck.errors import DeckFault
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps import rank
from p2p.session.steps.share import own_shares
from p2p.session.steps.turn import judge_tile
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import CallBody, DenialBody

# The lead, and its owner's share of the slot.
ShownLead = tuple[Play, Mapping[int, Point]]


def called_tile(state: State) -> Tile:
    """The tile that is called for now."""
    return LEAD_RANKING[state.current.denied]


def own_slot(own: SeatSecrets, state: State) -> int | None:
    """The own slot that holds the called tile; None: another seat's, or nobody's."""
    tile = called_tile(state)
    return next((slot for slot, held in own.dealt_tiles(state) if held == tile), None)


def make(own: SeatSecrets, state: State, place: Place) -> CallBody | DenialBody | None:
    """No, or the slot that holds the called tile, with its share; None where its owner is to say
    what the lead scores."""
    slot = own_slot(own, state)
    if slot is None:
        return DenialBody()
    return None if state.table.rules.claims else make_lead(own, state, place, None)


def make_lead(own: SeatSecrets, state: State, place: Place, claim: int | None) -> CallBody:
    """Yes, with what the owner claims for the lead."""
    slot = own_slot(own, state)
    assert slot is not None, "a lead that is not held"
    share = own_shares(own, state.current, place.label(CallBody.kind), (slot,))
    return CallBody(slot, share, claim)


def make_decided(own: SeatSecrets, state: State, place: Place, move: Move) -> CallBody:
    """The same, as its owner has decided. IllegalMove if that breaks a rule."""
    view(own, state).hand.check(move)
    assert isinstance(move, Play), "a hand begins with a placement"
    return make_lead(own, state, place, move.claim)


def view(own: SeatSecrets, state: State) -> SeatView:
    """What the seat that holds the called tile sees: the hand as it will begin, with that lead."""
    match = copy(state.match)
    match.begin_hand(own.seat, lead=called_tile(state), known=dict(own.dealt_tiles(state)))
    return make_view(match, own.seat)


def judge(state: State, message: Message) -> ShownLead | None:
    """No, or yes with slot, share and proof (and the claim that rides on every placement)."""
    if not message.body:
        return None
    said = CallBody.read(message.body)
    if (said.claim is not None) != state.table.rules.claims:
        raise DecodeError("a claim where the rules have none, or none where they have them")
    if said.slot not in state.slots(message.seat):
        raise DeckFault(message.seat, f"slot {said.slot} is not in its hand")
    tile = called_tile(state)
    share = judge_tile(state, message, said.slot, tile, said.share)
    return Play(message.seat, said.slot, tile, None, said.claim), share


def finish(state: State, said: Mapping[int, ShownLead | None]) -> None:
    """The first yes is the lead; without one the next in rank is called for."""
    deal = state.current
    leads = {seat: lead for seat, lead in said.items() if lead is not None}
    if leads:
        seat = min(leads)
        deal.lead, share = leads[seat]
        state.add_shares({seat: share})
        rank.follow(state)
        return
    deal.denied += 1
    if deal.denied == len(LEAD_RANKING):
        # Everybody has denied every tile, and holds some: the keys tell which.
        state.phase = Phase.OPEN
