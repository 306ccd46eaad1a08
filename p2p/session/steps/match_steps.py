"""Turns, shares of drawn tiles and claims: what may be said in a hand, and what it does.

Each `judge_...` returns what the message says, or raises DeckFault, IllegalMove or DecodeError;
each `finish_...` takes the whole step, by seat, and moves the state on.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from engine.hand import MOST_CLAIMED, Draw, Hand, Pass, Play
from engine.tiles import ALL_TILES, Tile
from p2p.crypto.group import Point
from p2p.deck.errors import DeckFault
from p2p.session.state import events
from p2p.session.state.state import Phase, State
from p2p.wire.codec import DecodeError, fields, integer, octets
from p2p.wire.envelope import Message

CLAIM_LABEL = b"allfives claim\0"
CLAIM_SALT_BYTES = 32


@dataclass(frozen=True)
class Turn:
    """A turn that was judged: the move, its proof's product, and whether a clock made it."""

    move: Play | Draw | Pass
    share: Mapping[int, Point]
    proven: int
    auto: bool


def step_label(message: Message) -> bytes:
    """Names the step in a proof's challenge, so that it holds nowhere else."""
    return label_of(message.ladder, message.step, message.kind)


def label_of(ladder: int, step: int, kind: str) -> bytes:
    """The same from its parts, for who makes the proof."""
    return f"{ladder}/{step}/{kind}".encode()


def judge_play(state: State, message: Message) -> Turn:
    """A placement: slot, tile, end, the owner's share with proof, claim, clock mark."""
    slot, index, end, data, claim, auto = fields(
        message.body, int, int, object, bytes, object, bool
    )
    if end is not None and not isinstance(end, str):
        raise DecodeError("an end that is no text")
    tile = ALL_TILES[integer(index, high=len(ALL_TILES) - 1)]
    claimed = None if claim is None else integer(claim, high=MOST_CLAIMED)
    move = Play(message.seat, integer(slot), tile, end, claimed)
    if slot not in _running(state).slots(message.seat):
        state.match.check(move)
    # The tile first: what the engine says then follows from public facts alone, so that a seat
    # that knows its own tiles judges with the same words as an onlooker.
    share = judge_tile(state, message, slot, tile, data)
    state.match.check(move)
    return Turn(move, share, 0, auto)


def judge_tile(
    state: State, message: Message, slot: int, tile: Tile, data: bytes
) -> Mapping[int, Point]:
    """The owner's share of its slot, if slot and shares together hide that tile."""
    deal = state.current
    key = deal.key(message.seat)
    share = state.checks.shares(
        deal.ctx, message.seat, step_label(message), key, deal.dealt.deck, (slot,), data
    )
    if deal.dealt.add_shares(message.seat, share).tile_of(slot) != tile.index:
        raise DeckFault(message.seat, f"slot {slot} does not hold {tile}")
    return share


def judge_draw(state: State, message: Message) -> Turn:
    """A draw, with the proof that no tile held fits an open end."""
    return _judge_idle(state, message, Draw(message.seat))


def judge_pass(state: State, message: Message) -> Turn:
    """A pass, with the same proof; the engine knows whether something could be drawn."""
    return _judge_idle(state, message, Pass(message.seat))


def _judge_idle(state: State, message: Message, move: Draw | Pass) -> Turn:
    proof, auto = fields(message.body, bytes, bool)
    state.match.check(move)
    slots, candidates = unplayable_statement(state, message.seat)
    deal = state.current
    label = step_label(message)
    state.checks.unplayable(deal.ctx, message.seat, label, deal.dealt, slots, candidates, proof)
    return Turn(move, {}, len(slots), auto)


def unplayable_statement(state: State, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The slots that `seat` has to prove unplayable, and the tiles (indices) that fit no end."""
    hand = _running(state)
    return hand.due_slots(seat), tuple(tile.index for tile in hand.misfits())


def _running(state: State) -> Hand:
    assert state.match.hand is not None, "a turn outside a hand"
    return state.match.hand


def finish_turn(state: State, said: Mapping[int, Turn]) -> None:
    """Place, draw or pass; then shares, claims, the next turn, or the end of the hand."""
    ((seat, turn),) = said.items()
    number = state.match.hand_number
    made = state.match.apply(turn.move)
    state.proofs["unplayable"] += turn.proven
    if isinstance(turn.move, Play):
        _add_share(state, seat, turn.share)
        state.events.extend(events.played(one, number, turn.auto) for one in made)
    elif isinstance(turn.move, Pass):
        state.events.append(events.Passed(number, seat, turn.auto))
    slot = _running(state).drawn
    if isinstance(turn.move, Draw) and slot is not None:
        state.drawn, state.draw_was_automatic = (seat, slot), turn.auto
        state.phase = Phase.SHARE
    else:
        state.phase = after_move(state)


def after_move(state: State) -> Phase:
    """What comes once a placement, pass or claim is settled."""
    if state.match.awaiting_claims():
        return Phase.CLAIM
    return Phase.TURN if _running(state).over is None else Phase.OPEN


def _add_share(state: State, seat: int, shares: Mapping[int, Point]) -> None:
    state.current.hidden = state.current.dealt.add_shares(seat, shares)
    state.proofs["share"] += len(shares)


def judge_share(state: State, message: Message) -> Mapping[int, Point]:
    """A share of the tile just drawn, for the one who drew it."""
    (data,) = fields(message.body, bytes)
    assert state.drawn is not None, "shares without a draw"
    deal = state.current
    slots = (state.drawn[1],)
    return state.checks.shares(
        deal.ctx,
        message.seat,
        step_label(message),
        deal.key(message.seat),
        deal.dealt.deck,
        slots,
        data,
    )


def finish_share(state: State, said: Mapping[int, Mapping[int, Point]]) -> None:
    """The drawer can see its tile now; its turn goes on."""
    assert state.drawn is not None, "shares without a draw"
    for seat, shares in said.items():
        _add_share(state, seat, shares)
    seat, slot = state.drawn
    number = state.match.hand_number
    state.events.append(events.Drawn(number, seat, slot, None, state.draw_was_automatic))
    state.drawn = None
    state.phase = Phase.TURN


def claim_commitment(seat: int, number: int, salt: bytes) -> bytes:
    """32 bytes that bind a seat to the number it claims; `salt` is 32 random bytes."""
    return hashlib.sha256(CLAIM_LABEL + bytes([seat]) + number.to_bytes(2, "big") + salt).digest()


def judge_claim(state: State, message: Message) -> bytes:
    """A commitment to a claim."""
    (commitment,) = fields(message.body, bytes)
    return octets(commitment, size=hashlib.sha256().digest_size)


def finish_claim(state: State, said: Mapping[int, bytes]) -> None:
    """All opponents are bound: the claims may open."""
    state.claims = dict(said)
    state.phase = Phase.REVEAL


def judge_reveal(state: State, message: Message) -> int:
    """The claim that was committed."""
    number, salt = fields(message.body, int, bytes)
    integer(number, high=MOST_CLAIMED)
    octets(salt, size=CLAIM_SALT_BYTES)
    if claim_commitment(message.seat, number, salt) != state.claims[message.seat]:
        raise DeckFault(message.seat, "the claim is not the one committed to")
    return number


def finish_reveal(state: State, said: Mapping[int, int]) -> None:
    """Score the claims; the game goes on."""
    number = state.match.hand_number
    played = state.match.claimed_play
    assert played is not None, "answers to no placement"
    made = state.match.apply_claims(said)
    state.events.append(events.Settled(number, played.seat))
    state.events.extend(events.claimed(one, number) for one in made)
    state.claims = {}
    state.phase = after_move(state)
