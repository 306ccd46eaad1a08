"""Random hands under random rules, checked move by move against the slow game.

`ALLFIVES_HANDS` says how many hands are played (default 100); the full size is
`ALLFIVES_HANDS=300000 pytest tests/properties/test_engine_hands.py -n 2`.
"""

import os
import random

import pytest
from support.engine.dealing import seen, shuffled
from support.engine.slow_dominoes import Game, Pair, Shape, Table

from engine.deal import highest_lead
from engine.ends import END_NAMES
from engine.errors import IllegalMove, RulesError
from engine.hand import Draw, Hand, Move, Pass, Play, deal_slots
from engine.rules import OPTIONS, PRESETS, Rules
from engine.scoring import Settlement, rounded
from engine.tiles import ALL_TILES, SET_PIPS, Tile, pips_of

HANDS = int(os.environ.get("ALLFIVES_HANDS", "100"))
BATCHES = 10
REFUSALS = 40  # illegal moves tried after each move

VALUES = {
    "hand-size": ["1", "3", "5", "7", "9/7/5", "13/8/6", "14/9/7"],
    "reserve": ["0", "1", "2"],
    "target": ["100", "250/200"],
    "turn-seconds": ["none", "15"],
}


def random_rules(rng: random.Random) -> Rules:
    """Rules that can work, from random values of some options."""
    while True:
        chosen = {
            option.name: rng.choice(
                VALUES.get(option.name) or option.allowed.replace(" or ", ", ").split(", ")
            )
            for option in rng.sample(OPTIONS, rng.randrange(len(OPTIONS)))
        }
        try:
            return Rules.make(rng.choice(list(PRESETS)), rng.choice((2, 3, 4)), chosen)
        except RulesError:
            continue


def pair(tile: Tile) -> Pair:
    return (tile.high, tile.low)


class Played:
    """One random hand: the engine with all tiles, with none, and the slow game, side by side."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rules = random_rules(rng)
        seats = list(range(self.rules.players))
        if len(seats) > 2 and not self.rules.partners and rng.random() < 0.2:
            seats.remove(rng.choice(seats))
        self.seats = tuple(seats)
        self.deal = shuffled(rng)
        starter, lead = rng.choice(seats), None
        if self.rules.starter == "highest-double":
            starter, lead = highest_lead(self.rules, seats, self.deal)
        self.hand = Hand(self.rules, seats, starter, self.deal, lead)
        self.public = Hand(self.rules, seats, starter, lead=lead)
        self.slow = self._slow(starter)
        self.proven: dict[int, list[frozenset[int]]] = {}  # slot: end values shown not to match

    def _slow(self, starter: int) -> Game:
        rules = self.rules
        slots = deal_slots(rules, self.seats)
        hands = [[pair(self.deal[slot]) for slot in slots[seat]] for seat in self.seats]
        first = len(self.seats) * rules.hand_size_for(len(self.seats))
        boneyard = [pair(self.deal[slot]) for slot in range(first, 28)]
        table = Table(Shape(rules.spinner, rules.arms, rules.bare_arms))
        turn = self.seats.index(starter)
        return Game(table, hands, boneyard, turn, rules.draws == "until-fit", rules.reserve)

    def run(self) -> None:
        while not self.slow.over:
            self.compare()
            seat = self.seats[self.slow.turn]
            move = self.rng.choice(self.hand.legal_moves(seat))
            self.show(move)
            self.hand.apply(move)
            self.public.apply(move)
            self.slow.make(self.plain(move))

    def plain(self, move: Move) -> tuple[Pair, str | None] | str:
        if isinstance(move, Play):
            return (pair(move.tile), move.end)
        return "draw" if isinstance(move, Draw) else "pass"

    def compare(self) -> None:
        """The same legal moves in the same order, each accepted; every other refused."""
        hand, slow = self.hand, self.slow
        seat = self.seats[slow.turn]
        legal = hand.legal_moves(seat)
        expected = slow.moves()
        if hand.lead is not None and not slow.table.placed:
            expected = [(pair(hand.lead), None)]
        assert [self.plain(move) for move in legal] == expected
        ends = [(end.name, end.value, end.counts, end.bare) for end in hand.line.ends()]
        assert hand.line.count() == slow.table.count() if slow.table.placed else not ends
        if len(slow.table.placed) > 1:
            assert ends == [
                (end.name, end.value, end.counts, end.bare) for end in slow.table.ends()
            ]
        for move in legal:
            hand.check(move)
            self.public.check(move)
        self.refuse(set(legal))

    def refuse(self, legal: set[Move]) -> None:
        before = seen(self.hand)
        ends = [end.name for end in self.hand.line.ends()]
        moves = {self.any_move(ends) for _ in range(REFUSALS)} - legal
        for move in moves:
            said = self.refusal(move)
            assert said
            assert said.isprintable()
        assert seen(self.hand) == before

    def refusal(self, move: Move) -> str:
        """What is said of an illegal move; asking by pytest takes longer than the move."""
        try:
            self.hand.apply(move)
        except IllegalMove as refused:
            return str(refused)
        raise AssertionError(f"{move} was accepted")

    def any_move(self, open_ends: list[str]) -> Move:
        rng = self.rng
        turn = self.hand.turn
        seat = turn if turn is not None and rng.random() < 0.9 else rng.randrange(4)
        if rng.random() < 0.2:
            return rng.choice((Draw, Pass))(seat)
        held = self.hand.slots(seat) if seat in self.seats else ()
        slot = rng.choice(held) if held and rng.random() < 0.8 else rng.randrange(28)
        tile = self.deal[slot] if rng.random() < 0.8 else rng.choice(ALL_TILES)
        end = rng.choice([None, *open_ends, *open_ends, *open_ends, rng.choice(END_NAMES)])
        return Play(seat, slot, tile, end, 0 if self.rules.claims else None)

    def show(self, move: Move) -> None:
        """Keeps what draws and passes showed as deck.md says it, slot by slot."""
        if isinstance(move, Play):
            self.proven.pop(move.slot, None)
            return
        values = frozenset(end.value for end in self.hand.line.ends())
        due = tuple(
            slot
            for slot in self.hand.slots(move.seat)
            if not any(values <= before for before in self.proven.get(slot, []))
        )
        assert self.hand.due_slots(move.seat) == self.public.due_slots(move.seat) == due
        misfits = self.public.misfits()
        for slot in due:
            assert self.deal[slot] in misfits
            self.proven.setdefault(slot, []).append(values)

    def settle(self) -> Settlement:
        hand, public = self.hand, self.public
        assert hand.over == public.over
        assert hand.over is not None
        assert (hand.over.reason == "block") == (hand.over.seat is None)
        self.public.check_opening(self.deal)
        settled = hand.settle(self.deal)
        assert settled == public.settle(self.deal)
        placed = pips_of(placed.tile for placed in hand.line.placements)
        left = sum(pips_of(tiles) for tiles in settled.left)
        undealt = pips_of(self.deal[slot] for slot in hand.boneyard)
        assert placed + left + undealt == SET_PIPS
        if hand.over.reason == "block" and not hand.boneyard:
            assert left % 2 == 0
        return settled


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_hands_under_random_rules(batch: int) -> None:
    for number in range(batch, HANDS, BATCHES):
        played = Played(random.Random(number))
        played.run()
        check_points(played, played.settle())


def check_points(played: Played, settled: Settlement) -> None:
    """The points by the sentences of the rules, with sums written out."""
    rules, over = played.rules, played.hand.over
    assert over is not None
    points = settled.points
    if rules.hand_end != "collect-raw":
        assert all(each % 5 == 0 for each in points)
    pips = [sum(tile.high + tile.low for tile in tiles) for tiles in settled.left]
    if rules.partners:
        assert (points[0], points[1]) == (points[2], points[3])
    if rules.hand_end == "subtract-own":
        for seat in range(rules.players):
            own = (pips[seat % 2], pips[seat % 2 + 2]) if rules.partners else (pips[seat],)
            assert points[seat] == -sum(map(rounded, own))
        assert settled.winner == over.seat
    elif settled.winner is None:
        assert over.seat is None
        assert not any(points)
    else:
        assert over.seat in (None, settled.winner)
        collect(rules, pips, settled)


def collect(rules: Rules, pips: list[int], settled: Settlement) -> None:
    winner = settled.winner
    assert winner is not None
    side = {winner % 2, winner % 2 + 2} if rules.partners else {winner}
    others = [each for seat, each in enumerate(pips) if seat not in side]
    collected = {
        "collect-each": sum(5 * ((each + 2) // 5) for each in others),
        "collect-sum": 5 * ((sum(others) + 2) // 5),
        "collect-raw": sum(others),
    }[rules.hand_end]
    for seat, points in enumerate(settled.points):
        assert points == (collected if seat in side else 0)
