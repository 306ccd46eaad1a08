"""What a complete step of ladder 0 does (sections 10, 12.2, 13.3 to 13.7)."""

from collections.abc import Callable

from second.deck.keys import lot
from second.game.rules import pips
from second.game.scoring import claimed, settled, side_of
from second.match.hand import Hand, Placed
from second.match.state import State
from second.wire.values import Value

Values = dict[int, Value]


def agree(state: State, values: Values) -> None:
    """All are agreed: prepare a deal, unless votes decided or one is left alone."""
    state.absent += state.pending_absent
    state.pending_absent = []
    state.base_voices, state.gone = state.voices(), set()
    if len(state.seats) == 1:
        state.phase, state.winners = "abandoned", []
    elif state.winners:
        state.phase = "result"
    else:
        state.phase = "deal"


def deal(state: State, values: Values) -> None:
    """The deal is in play: find who leads."""
    ladder = state.ladders[state.next_deal]
    hand = Hand(state.rules, ladder, values)
    state.hand = hand
    state.next_deal += 1
    state.begin_ladder()
    state.proven.share += sum(len(given) for given in values.values())
    follows = state.rules.has("next-starter", "out") and state.last_out in state.seats
    if not follows and state.rules.has("starter", "highest-double"):
        state.phase = "call"
        return
    lot_needed = not follows or state.last_out is None
    hand.turn = _by_lot(state, hand) if lot_needed else int(state.last_out or 0)
    _begin(state)
    state.phase = "turn"


def _begin(state: State) -> None:
    """The leader is known."""
    state.hands += 1
    state.playing().begun = True


def _by_lot(state: State, hand: Hand) -> int:
    """Who leads by lot: over first coins in an era's first deal, else over second ones."""
    if state.coins is None:
        coins = [hand.ladder.openings[seat].coin for seat in hand.seats]
        drawn = lot(hand.place(hand.seats[0]), "first", coins)
    else:
        before = state.ladders[hand.ladder.number - 1]
        drawn = lot(before.place(hand.seats[0]), "next", state.coins)
    return hand.seats[drawn % len(hand.seats)]


def call(state: State, values: Values) -> None:
    """The lowest seat that says yes has the lead; 28 times no: all lied."""
    hand = state.playing()
    hand.calls += 1
    yes = [seat for seat in sorted(values) if values[seat] is not None]
    if yes:
        state.proven.share += 1
        hand.turn, hand.lead = yes[0], values[yes[0]]
        state.phase = "rank"
        if hand.calls == 1:
            _lead(state)
    elif hand.calls == 28:
        state.phase = "open"


def rank(state: State, values: Values) -> None:
    """Nothing that was dealt ranks above the lead, so it counts."""
    state.proven.unplayable += sum(values.values())
    _lead(state)


def _lead(state: State) -> None:
    hand = state.playing()
    assert hand.lead is not None
    _begin(state)
    _place(state, hand.turn, hand.lead)


def turn(state: State, values: Values) -> None:
    """A placement, a draw, or a pass."""
    hand = state.playing()
    seat, value = next(iter(values.items()))
    if isinstance(value, Placed):
        state.proven.share += 1
        _place(state, seat, value)
        return
    state.proven.unplayable += value
    hand.note(seat)
    if hand.drawable():
        hand.drawn = hand.next_slot
        hand.held[seat].append(hand.next_slot)
        hand.next_slot += 1
        state.phase = "share"
        return
    hand.passes += 1
    hand.drawn = None
    if hand.passes == len(hand.seats):
        state.phase = "open"
    else:
        hand.turn = hand.after(seat)


def _place(state: State, seat: int, placed: Placed) -> None:
    hand = state.playing()
    hand.held[seat].remove(placed.slot)
    hand.placer, hand.turn = seat, hand.after(seat)
    hand.passes, hand.drawn = 0, None
    hand.real = hand.line.place(placed.tile, placed.end)
    hand.claim = placed.claim or 0
    if not hand.held[seat]:
        hand.out = seat
    if state.rules.claims:
        add_points(state, _points_of(state, {}))
        state.phase = "claim"
    else:
        points = dict.fromkeys(side_of(state.rules, seat, hand.seats), hand.real)
        _scored(state, points)


def _scored(state: State, points: dict[int, int]) -> None:
    """Points for a placement were made; the hand may be over."""
    add_points(state, points)
    hand = state.playing()
    hand.by_target = state.rules.has("match-end", "at-once") and state.look_at_target()
    state.phase = "open" if hand.by_target or hand.out is not None else "turn"


def add_points(state: State, points: dict[int, int]) -> None:
    """Add to the scores."""
    for seat, amount in points.items():
        state.scores[seat] += amount


def share(state: State, values: Values) -> None:
    """The drawn slot is known to its owner."""
    hand = state.playing()
    assert hand.drawn is not None
    hand.shares[hand.drawn].update(values)
    state.proven.share += len(values)
    state.phase = "turn"


def claim(state: State, values: Values) -> None:
    """The answers are bound."""
    state.playing().commitments = dict(values)
    state.phase = "reveal"


def _points_of(state: State, answers: dict[int, int]) -> dict[int, int]:
    hand = state.playing()
    said = {hand.placer: hand.claim, **answers}
    return claimed(state.rules, hand.seats, hand.placer, hand.real, said)


def claim_points(state: State, answers: dict[int, int]) -> dict[int, int]:
    """The points that these answers bring, beside those of the placer, which it has already."""
    before, after = _points_of(state, {}), _points_of(state, answers)
    return {seat: after[seat] - before[seat] for seat in after}


def reveal(state: State, values: Values) -> None:
    """The claims are scored."""
    _scored(state, claim_points(state, values))


def open_keys(state: State, values: Values) -> None:
    """The hand is over: settle it, and look at the target."""
    hand = state.playing()
    tiles = hand.opened({seat: x for seat, (x, _) in values.items()})
    state.coins = [values[seat][1] for seat in hand.seats]
    state.last_out = hand.out
    if not hand.by_target:
        left = {seat: [tiles[slot] for slot in hand.held[seat]] for seat in hand.seats}
        settle(state, left, hand.out)
        state.look_at_target()
    state.hand = None
    state.phase = "result" if state.winners else "deal"


def settle(state: State, left: dict[int, list[int]], out: int | None) -> None:
    """Points for the tiles that are left."""
    sums = {seat: sum(pips(tile) for tile in tiles) for seat, tiles in left.items()}
    counts = {seat: len(tiles) for seat, tiles in left.items()}
    add_points(state, settled(state.rules, sums, counts, out))


def result(state: State, values: Values) -> None:
    """All have signed."""
    state.phase = "closed"


Effect = Callable[[State, Values], None]

EFFECTS: dict[str, Effect] = {
    "agree": agree,
    "deal": deal,
    "call": call,
    "rank": rank,
    "turn": turn,
    "share": share,
    "claim": claim,
    "reveal": reveal,
    "open": open_keys,
    "result": result,
}
