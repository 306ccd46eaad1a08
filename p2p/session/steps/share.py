"""The others give their shares of the slot just drawn; and shares in any other message."""

from collections.abc import Mapping, Sequence

from engine.events import Drawn
from p2p.crypto.group import Point
from p2p.deck.shares import make_shares
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import DealState, Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ShareBody


def own_shares(own: SeatSecrets, deal: DealState, label: bytes, slots: Sequence[int]) -> bytes:
    """This seat's shares of slots of a deal, proven for the message that `label` names."""
    return make_shares(deal.ctx, own.seat, label, own.of(deal), deal.deck, slots, own.rng)


def proven_shares(
    state: State, deal: DealState, message: Message, slots: Sequence[int], data: bytes
) -> Mapping[int, Point]:
    """The sender's shares of exactly these slots of a deal, as a message gives them."""
    label, key = message.place.label(message.kind), deal.openings[message.seat].key
    return state.checks.shares(deal.ctx, message.seat, label, key, deal.deck, slots, data)


def _drawn(state: State) -> tuple[int, int]:
    assert state.drawn is not None, "shares without a draw"
    return state.drawn


def make(own: SeatSecrets, state: State, place: Place) -> ShareBody:
    """The share of the tile that another seat drew."""
    label = place.label(ShareBody.kind)
    return ShareBody(own_shares(own, state.current, label, _drawn(state)[1:]))


def judge(state: State, message: Message) -> Mapping[int, Point]:
    """A share of the tile just drawn, for the one who drew it."""
    said = ShareBody.read(message.body)
    return proven_shares(state, state.current, message, _drawn(state)[1:], said.share)


def finish(state: State, said: Mapping[int, Mapping[int, Point]]) -> None:
    """The drawer can see its tile now; its turn goes on."""
    state.add_shares(said)
    state.tell([Drawn(*_drawn(state))], state.draw_was_automatic)
    state.drawn = None
    state.phase = Phase.TURN
