"""One seat after the other shuffles the coming deck."""

from collections.abc import Mapping

from p2p.deck.pairs import Deck
from p2p.deck.shuffles import make_shuffle
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ShuffleBody


def make(own: SeatSecrets, state: State, place: Place) -> ShuffleBody:
    """The deck re-encrypted, permuted and proven."""
    deal = state.coming
    deck, proof = make_shuffle(deal.ctx, own.seat, deal.deck_key, deal.deck, own.rng)
    return ShuffleBody(deck.to_bytes(), proof)


def judge(state: State, message: Message) -> Deck:
    """A shuffled deck with its proof."""
    deal, said = state.coming, ShuffleBody.read(message.body)
    after = state.checks.read_deck(said.deck)
    state.checks.shuffle(deal.ctx, message.seat, deal.deck_key, deal.deck, after, said.proof)
    return after


def finish(state: State, said: Mapping[int, Deck]) -> None:
    """The next seat shuffles this deck, or it is ready to be dealt."""
    deal = state.coming
    deal.chain.extend(said.values())
    if deal.shuffles == len(deal.ctx.seats):
        deal.phase = Phase.READY
    state.proofs["shuffle"] += len(said)
    state.tell_parts("shuffle", said)
