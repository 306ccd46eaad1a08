"""Each seat binds itself to its key and coins for the coming deal."""

from collections.abc import Mapping

from p2p.deck.keys import DealSecret, commitment
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import CommitBody


def make(own: SeatSecrets, state: State, place: Place) -> CommitBody:
    """A fresh secret for this deal, committed to."""
    ctx = state.coming.ctx
    own.deals[ctx.deal] = DealSecret.make(ctx, own.seat, own.rng)
    own.fresh.append(ctx.deal)
    return CommitBody(commitment(ctx, own.seat, own.deals[ctx.deal]))


def judge(state: State, message: Message) -> bytes:
    """A commitment to the deal key and both coins."""
    return CommitBody.read(message.body).commitment


def finish(state: State, said: Mapping[int, bytes]) -> None:
    """All are bound: the keys may open."""
    state.coming.commitments.update(said)
    state.coming.phase = Phase.KEY
    state.tell_parts("commit", said)
