"""Where the highest double leads: each seat proves that it was dealt no tile that ranks higher.

The lead counts once all have: no answer to a call rests on its word.
"""

from collections.abc import Mapping

from engine.moves import Play
from engine.tiles import LEAD_RANKING
from p2p.deck.errors import DeckFault
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps import turn
from p2p.session.steps.deal import begin_hand
from p2p.session.steps.turn import (
    JudgedTurn,
    UnplayableStatement,
    check_unplayable,
    prove_unplayable,
)
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import RankBody


def follow(state: State) -> None:
    """The lead was shown: if a tile ranks higher, nobody has it, which all prove first."""
    if state.current.denied:
        state.phase = Phase.RANK
    else:
        _begin(state)


def _lead(state: State) -> Play:
    lead = state.current.lead
    assert lead is not None, "ranks without a lead"
    return lead


def statement(state: State, seat: int) -> UnplayableStatement:
    """The slots that `seat` was dealt, without that of the lead; all tiles that rank below it."""
    slots = tuple(slot for slot in state.slots(seat) if slot != _lead(state).slot)
    below = LEAD_RANKING[state.current.denied + 1 :]
    return slots, tuple(sorted(tile.index for tile in below))


def make(own: SeatSecrets, state: State, place: Place) -> RankBody:
    """The proof; the leader's too, of its other slots."""
    label = place.label(RankBody.kind)
    return RankBody(prove_unplayable(own, state, label, statement(state, own.seat)))


def judge(state: State, message: Message) -> int:
    """How many slots are proven to rank below the lead."""
    proof, seat = RankBody.read(message.body).proof, message.seat
    try:
        return check_unplayable(state, message, statement(state, seat), proof)
    except DeckFault as error:
        lead = _lead(state).tile
        raise DeckFault(seat, f"that it was dealt no tile above {lead} is not proven") from error


def finish(state: State, said: Mapping[int, int]) -> None:
    """The hand begins with the lead."""
    state.proofs["unplayable"] += sum(said.values())
    _begin(state)


def _begin(state: State) -> None:
    """As if by a play, whose share is there already."""
    lead = _lead(state)
    begin_hand(state, lead.seat, lead.tile)
    turn.finish(state, {lead.seat: JudgedTurn(lead, False)})
