"""The lead is called for, tile by tile in rank, where the highest double leads."""

from collections.abc import Mapping

from engine.moves import Play
from engine.scoring import placement_points
from engine.tiles import LEAD_RANKING, Tile
from p2p.deck.errors import DeckFault
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps import turn
from p2p.session.steps.deal import begin_hand
from p2p.session.steps.share import own_shares
from p2p.session.steps.turn import JudgedTurn, judge_tile
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import CallBody, DenialBody


def called_tile(state: State) -> Tile:
    """The tile that is called for now."""
    return LEAD_RANKING[len(state.current.denials)]


def make(own: SeatSecrets, state: State, place: Place) -> CallBody | DenialBody:
    """No, or the slot that holds the called tile, with its share."""
    tile, rules = called_tile(state), state.table.rules
    slot = next((slot for slot, held in own.dealt_tiles(state) if held == tile), None)
    if slot is None:
        return DenialBody()
    claim = placement_points(rules, tile.pips) if rules.claims else None
    share = own_shares(own, state.current, place.label(CallBody.kind), (slot,))
    return CallBody(slot, share, claim)


def judge(state: State, message: Message) -> JudgedTurn | None:
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
    return JudgedTurn(Play(message.seat, said.slot, tile, None, said.claim), False, share)


def finish(state: State, said: Mapping[int, JudgedTurn | None]) -> None:
    """The first yes is the lead, as if by a play; without one the next in rank is called for."""
    tile, denials = called_tile(state), state.current.denials
    leads = {seat: lead for seat, lead in said.items() if lead is not None}
    denials.append((tile, tuple(seat for seat in said if seat not in leads)))
    if leads:
        seat = min(leads)
        begin_hand(state, seat, tile)
        turn.finish(state, {seat: leads[seat]})
    elif len(denials) == len(LEAD_RANKING):
        # Somebody denied a tile it holds: the keys tell who.
        state.phase = Phase.OPEN
