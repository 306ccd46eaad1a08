"""One seat after the other shuffles the coming deck."""

from collections.abc import Callable, Mapping
from functools import partial

from p2p.deck.pairs import Deck
from p2p.deck.shuffles import make_shuffle, prepare_shuffle
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ShuffleBody


def ahead(own: SeatSecrets, state: State) -> Callable[[], None] | None:
    """How to make the part of this seat's turn that needs no deck, while others are at theirs; None
    if there is nobody to wait for, or it is made."""
    deal = state.coming
    waits = deal.phase is Phase.SHUFFLE and own.seat in state.seats[deal.shuffles + 1 :]
    made = own.ahead is not None and own.ahead[0] == deal.ctx
    return partial(_prepare, own, state) if waits and not made else None


def _prepare(own: SeatSecrets, state: State) -> None:
    deal = state.coming
    own.ahead = deal.ctx, prepare_shuffle(deal.ctx, own.seat, deal.deck_key, own.rng)


def make(own: SeatSecrets, state: State, place: Place) -> ShuffleBody:
    """The deck re-encrypted, permuted and proven. What was prepared for it serves once."""
    deal = state.coming
    (ctx, prepared), own.ahead = own.ahead or (None, None), None
    if prepared is not None and (ctx, prepared.key) != (deal.ctx, deal.deck_key):
        prepared = None
    deck, proof = make_shuffle(deal.ctx, own.seat, deal.deck_key, deal.deck, own.rng, prepared)
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
