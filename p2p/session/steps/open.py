"""The keys of a deal are given away: its whole hand can be checked, and is settled."""

from collections.abc import Mapping

from engine.tiles import ALL_TILES, LEAD_RANKING
from p2p.deck.errors import DeckFault
from p2p.deck.keys import final_opening
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import OpenBody


def make(own: SeatSecrets, state: State, place: Place) -> OpenBody:
    """The deal key and the second coin: this deal is over."""
    return OpenBody(final_opening(own.of(state.current)))


def judge(state: State, message: Message) -> tuple[int, bytes]:
    """Key and second coin: they fit the public ones; and if nobody had a lead, the seat lied."""
    deal, seat = state.current, message.seat
    data = OpenBody.read(message.body).opening
    secret, coin = state.checks.final_opening(deal.ctx, seat, deal.openings[seat], data)
    if deal.denied == len(LEAD_RANKING):
        tile = ALL_TILES[deal.dealt.tile_with(state.slots(seat)[0], {seat: secret})]
        raise DeckFault(seat, f"it said that it did not hold {tile}, and held it")
    return secret, coin


def finish(state: State, said: Mapping[int, tuple[int, bytes]]) -> None:
    """Every tile is known: count the pips; then the next deal, or the result."""
    deal = state.current
    deal.secrets = {seat: secret for seat, (secret, _) in said.items()}
    deal.last_coins = {seat: coin for seat, (_, coin) in said.items()}
    known, held = _seen(state)
    indices = state.checks.open_all(deal.dealt, deal.secrets, known, held)
    deal.tiles = tuple(ALL_TILES[index] for index in indices)
    state.tell(state.match.finish_hand(dict(enumerate(deal.tiles))))
    state.phase = Phase.RESULT if state.match.result is not None else Phase.DEAL


def _seen(state: State) -> tuple[Mapping[int, int], frozenset[int]]:
    """The tiles of slots that are known already, and the slots that hands hold at the end."""
    hand = state.match.hand
    if hand is None:
        return {}, frozenset()
    known = {slot: tile.index for slot, tile in hand.known.items()}
    return known, frozenset(slot for seat in state.seats for slot in hand.slots(seat))
