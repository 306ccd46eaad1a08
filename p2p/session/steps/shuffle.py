"""One seat after the other shuffles the coming deck."""

from collections.abc import Mapping, Sequence

from p2p.deck.errors import DeckFault
from p2p.deck.pairs import Deck
from p2p.deck.shuffles import Shuffled, check_shuffle, check_shuffles, make_shuffle
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ShuffleBody


def make(own: SeatSecrets, state: State, place: Place) -> ShuffleBody:
    """The deck re-encrypted, permuted and proven."""
    deal = state.coming
    deck, proof = make_shuffle(deal.ctx, own.seat, deal.deck_key, deal.deck, own.rng)
    return ShuffleBody(deck.to_bytes(), proof)


def judge(state: State, message: Message) -> Deck:
    """A shuffled deck with its proof."""
    deal = state.coming
    shuffled = _shuffled(message)
    if (deal.deck, shuffled) not in deal.vouched:
        key, before = deal.deck_key, deal.deck
        check_shuffle(deal.ctx, message.seat, key, before, shuffled.deck, shuffled.proof)
    return shuffled.deck


def _shuffled(message: Message) -> Shuffled:
    said = ShuffleBody.read(message.body)
    return Shuffled(message.seat, Deck.from_bytes(said.deck), said.proof)


def check_together(state: State, messages: Sequence[Message]) -> None:
    """Check the shuffles of a whole chain, if these messages are one, in one relation.

    It decides nothing: those that hold need no check of their own when they are judged, and where
    it fails each is judged by itself, which names the seat.
    """
    deal = state.coming
    try:
        chain = [_shuffled(message) for message in messages]
        check_shuffles(deal.ctx, deal.deck_key, chain)
    except (DeckFault, DecodeError):
        return
    decks = [deal.chain[0], *(link.deck for link in chain)]
    deal.vouched.update(zip(decks, chain, strict=False))


def finish(state: State, said: Mapping[int, Deck]) -> None:
    """The next seat shuffles this deck, or it is ready to be dealt."""
    deal = state.coming
    deal.chain.extend(said.values())
    if deal.shuffles == len(deal.ctx.seats):
        deal.phase = Phase.READY
    state.proofs["shuffle"] += len(said)
    state.tell_parts("shuffle", said)
