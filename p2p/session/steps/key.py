"""Each seat opens its key and first coin for the coming deal."""

from collections.abc import Mapping

from p2p.deck.keys import KeyOpening, open_key
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import KeyBody


def make(own: SeatSecrets, state: State, place: Place) -> KeyBody:
    """The public key, its proof and the first coin."""
    deal = state.coming
    return KeyBody(open_key(deal.ctx, own.seat, own.of(deal)).to_bytes())


def judge(state: State, message: Message) -> KeyOpening:
    """The opening of key and first coin, as committed."""
    deal = state.coming
    opening = KeyOpening.from_bytes(KeyBody.read(message.body).opening)
    state.checks.key_opening(deal.ctx, message.seat, deal.commitments[message.seat], opening)
    return opening


def finish(state: State, said: Mapping[int, KeyOpening]) -> None:
    """The deck key is the sum of all keys; the open deck is encrypted under it."""
    deal = state.coming
    deal.openings.update(said)
    deal.chain.append(state.checks.open_deck(deal.deck_key))
    deal.phase = Phase.SHUFFLE
    state.proofs["key"] += len(said)
    state.tell_parts("key", said)
