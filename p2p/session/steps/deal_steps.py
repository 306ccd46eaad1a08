"""The steps of a deal's own ladder: commitments, keys, shuffles. Judged from public state alone.

Each `judge_...` returns what the message says, or raises DeckFault or DecodeError; each
`finish_...` takes the whole step, by seat, and moves the deal on.
"""

from collections.abc import Mapping

from p2p.crypto.group import Point
from p2p.deck import pairs
from p2p.deck.keys import COMMITMENT_BYTES, KeyOpening
from p2p.deck.pairs import Deck, open_deck
from p2p.session.state.events import DeckStep
from p2p.session.state.state import Deal, Phase, State
from p2p.wire.codec import fields, octets
from p2p.wire.envelope import Message


def judge_commit(state: State, message: Message) -> bytes:
    """A commitment to the deal key and both coins."""
    (commitment,) = fields(message.body, bytes)
    return octets(commitment, size=COMMITMENT_BYTES)


def finish_commit(state: State, deal: Deal, said: Mapping[int, bytes]) -> None:
    """All are bound: the keys may open."""
    deal.commitments.update(said)
    deal.phase = Phase.KEY
    _report(state, deal, said, "commit", 0)


def judge_key(state: State, message: Message) -> KeyOpening:
    """The opening of key and first coin, as committed."""
    (data,) = fields(message.body, bytes)
    deal = state.deal_number(message.ladder)
    opening = KeyOpening.from_bytes(data)
    state.checks.key_opening(deal.ctx, message.seat, deal.commitments[message.seat], opening)
    return opening


def finish_key(state: State, deal: Deal, said: Mapping[int, KeyOpening]) -> None:
    """The deck key is the sum of all keys; the open deck is encrypted under it."""
    deal.openings.update(said)
    deal.chain.append(open_deck(deck_key(deal)))
    deal.phase = Phase.SHUFFLE
    state.proofs["key"] += len(said)
    _report(state, deal, said, "key", len(deal.ctx.seats))


def judge_shuffle(state: State, message: Message) -> Deck:
    """A shuffled deck with its proof."""
    deal = state.deal_number(message.ladder)
    data, proof = fields(message.body, bytes, bytes)
    before, after = deal.chain[-1], Deck.from_bytes(data)
    state.checks.shuffle(deal.ctx, message.seat, deck_key(deal), before, after, proof)
    return after


def finish_shuffle(state: State, deal: Deal, said: Mapping[int, Deck]) -> None:
    """The next seat shuffles this deck, or it is ready to be dealt."""
    deal.chain.extend(said.values())
    done = len(deal.chain) - 1
    if done == len(deal.ctx.seats):
        deal.phase = Phase.READY
    state.proofs["shuffle"] += len(said)
    _report(state, deal, said, "shuffle", 2 * len(deal.ctx.seats) + done - 1)


def deck_key(deal: Deal) -> Point:
    """The sum of all seats' keys."""
    return pairs.deck_key({seat: deal.key(seat) for seat in deal.ctx.seats})


def shuffler(deal: Deal) -> int:
    """The seat whose turn it is to shuffle."""
    return deal.ctx.seats[len(deal.chain) - 1]


def _report(state: State, deal: Deal, said: Mapping[int, object], stage: str, before: int) -> None:
    total = 3 * len(deal.ctx.seats)
    for place, seat in enumerate(said, 1):
        state.events.append(DeckStep(deal.ctx.deal, seat, stage, before + place, total))
