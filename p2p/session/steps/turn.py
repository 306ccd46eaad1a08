"""A turn: a placement, or a draw or pass with the proof that nothing fits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.moves import Draw, Move, Pass, Play
from engine.tiles import ALL_TILES, LEAD_RANKING, Tile
from p2p.crypto.group import Point
from p2p.deck.errors import DeckFault
from p2p.deck.unplayable import make_unplayable
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps.share import own_shares, proven_shares
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import DrawBody, PassBody, PlayBody

# Slots, and the tiles (indices, ascending) of which each of them is shown to hold one.
UnplayableStatement = tuple[tuple[int, ...], tuple[int, ...]]


def make(
    own: SeatSecrets, state: State, place: Place, move: Move, auto: bool
) -> PlayBody | DrawBody:
    """The move that was decided, with its proof. IllegalMove if it breaks a rule."""
    state.match.check(move)
    if isinstance(move, Play):
        share = own_shares(own, state.current, place.label(PlayBody.kind), (move.slot,))
        return PlayBody(move.slot, move.tile.index, move.end, share, move.claim, auto)
    body = DrawBody if isinstance(move, Draw) else PassBody
    statement = unplayable_statement(state, own.seat)
    return body(prove_unplayable(own, state, place.label(body.kind), statement), auto)


def prove_unplayable(
    own: SeatSecrets, state: State, label: bytes, statement: UnplayableStatement
) -> bytes:
    """The proof, for the message that `label` names, that each of these slots of this seat holds
    one of these tiles."""
    deal, (slots, candidates) = state.current, statement
    return make_unplayable(
        deal.ctx, own.seat, label, own.of(deal), deal.dealt, slots, candidates, own.rng
    )


def check_unplayable(
    state: State, message: Message, statement: UnplayableStatement, proof: bytes
) -> int:
    """The proof of that in a message: how many slots it is about. Raises DeckFault."""
    seat, deal, (slots, candidates) = message.seat, state.current, statement
    label = message.place.label(message.kind)
    state.checks.unplayable(deal.ctx, seat, label, deal.dealt, slots, candidates, proof)
    return len(slots)


@dataclass(frozen=True)
class JudgedTurn:
    """A turn that was judged: the move, whether a clock made it, and what its proof gave: the
    share of the tile that is placed, or how many slots cannot be played."""

    move: Move
    auto: bool
    share: Mapping[int, Point] = field(default_factory=dict)
    unplayable: int = 0


def judge_play(state: State, message: Message) -> JudgedTurn:
    """A placement: it obeys the rules, and the slot holds the tile."""
    said = PlayBody.read(message.body)
    tile = ALL_TILES[said.tile]
    move = Play(message.seat, said.slot, tile, said.end, said.claim)
    if said.slot not in state.hand.slots(message.seat):
        state.match.check(move)
    # The tile first: what the engine says then follows from public facts alone, so that a seat
    # that knows its own tiles judges with the same words as an onlooker.
    share = judge_tile(state, message, said.slot, tile, said.share)
    if said.slot in state.slots(message.seat) and tile in LEAD_RANKING[: state.current.denied]:
        raise DeckFault(message.seat, f"it said that it did not hold {tile}, and played it")
    state.match.check(move)
    return JudgedTurn(move, said.auto, share)


def judge_tile(
    state: State, message: Message, slot: int, tile: Tile, data: bytes
) -> Mapping[int, Point]:
    """The owner's share of its slot, if slot and shares together hide that tile."""
    share = proven_shares(state, state.current, message, (slot,), data)
    shown = state.current.dealt.add_shares(message.seat, share)
    if not state.checks.holds(shown, slot, tile.index):
        raise DeckFault(message.seat, f"slot {slot} does not hold {tile}")
    return share


def judge_idle(state: State, message: Message) -> JudgedTurn:
    """A draw, or a pass, with the proof that no tile held fits an open end; the engine knows
    whether something can be drawn."""
    seat, draws = message.seat, message.kind == DrawBody.kind
    said = (DrawBody if draws else PassBody).read(message.body)
    move = Draw(seat) if draws else Pass(seat)
    state.match.check(move)
    shown = check_unplayable(state, message, unplayable_statement(state, seat), said.proof)
    return JudgedTurn(move, said.auto, unplayable=shown)


def unplayable_statement(state: State, seat: int) -> UnplayableStatement:
    """The slots that `seat` has to prove unplayable, and the tiles (indices) that fit no end."""
    hand = state.hand
    return hand.due_slots(seat), tuple([tile.index for tile in hand.misfits()])


def finish(state: State, said: Mapping[int, JudgedTurn]) -> None:
    """Place, draw or pass; then shares, claims, the next turn, or the end of the hand."""
    ((seat, turn),) = said.items()
    made = state.match.apply(turn.move)
    state.proofs["unplayable"] += turn.unplayable
    if isinstance(turn.move, Play):
        state.add_shares({seat: turn.share})
    if not isinstance(turn.move, Draw):  # a draw is told once the drawer can see its tile
        state.tell(made, turn.auto)
    slot = state.hand.drawn
    if isinstance(turn.move, Draw) and slot is not None:
        state.drawn, state.draw_was_automatic = (seat, slot), turn.auto
        state.phase = Phase.SHARE
    else:
        state.phase = after_move(state)


def after_move(state: State) -> Phase:
    """What comes once a placement, pass or claim is settled."""
    if state.match.awaiting_claims():
        return Phase.CLAIM
    return Phase.TURN if state.hand.over is None else Phase.OPEN
