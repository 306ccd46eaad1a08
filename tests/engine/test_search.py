"""The search beside plain minimax, which shares no code with it."""

import random

import pytest
from engine_table import begin
from slow_dominoes import Game, Shape, Table
from slow_minimax import Minimax, Scoring

from engine.hand import Hand
from engine.match import Match
from engine.moves import Draw, Play
from engine.rules import PRESETS, Rules
from engine.strategy.playout import world_of
from engine.strategy.search import Budget, Search
from engine.strategy.stakes import Points
from engine.tiles import Tile

Deal = dict[int, Tile]


def slow_game(hand: Hand, deal: Deal) -> Game:
    """The hand once more, as `slow_dominoes` has it."""
    rules = hand.rules
    shape = Shape(rules.spinner, rules.arms, rules.bare_arms)
    placed = [((p.tile.high, p.tile.low), p.end) for p in hand.line.placements]
    pairs = {slot: (tile.high, tile.low) for slot, tile in deal.items()}
    assert hand.turn is not None
    return Game(
        Table(shape, placed),
        [[pairs[slot] for slot in hand.slots(seat)] for seat in range(rules.players)],
        [pairs[slot] for slot in hand.boneyard],
        hand.turn,
        rules.draws == "until-fit",
        rules.reserve,
        None if hand.drawn is None else pairs[hand.drawn],
    )


def late_position(rules: Rules, rng: random.Random, most: int) -> tuple[Match, Hand, Deal]:
    """Random play until so many tiles are held in all, with a choice to be made."""
    while True:
        match = Match(rules, rules.players)
        hand, deal = begin(match, rng)
        while hand.turn is not None:
            held = sum(hand.held_count(seat) for seat in hand.seats)
            legal = hand.legal_moves(hand.turn)
            if held + hand.drawable() <= most and len(legal) > 1:
                return match, hand, deal
            match.apply(rng.choice(legal))


CASES = [(preset, 2, "14", "no") for preset in PRESETS] + [
    ("online", 2, "9", "no"),
    ("classic", 2, "11", "no"),
    ("classic", 4, "7", "yes"),
    ("pagat", 4, "7", "yes"),
    ("online", 4, "6", "yes"),
    ("block", 4, "7", "yes"),
]


@pytest.mark.parametrize(("preset", "players", "size", "partners"), CASES)
def test_it_finds_what_trying_everything_finds(
    preset: str, players: int, size: str, partners: str
) -> None:
    rng = random.Random(f"{preset}{size}")
    options = {"hand-size": size, "partners": partners, "target": "9999", "starter": "lot"}
    rules = Rules.make(preset, players, options)
    scoring = Scoring(rules.play_points, rules.hand_end, rules.block_winner, rules.partners)
    for _ in range(5):
        match, hand, deal = late_position(rules, rng, 6)
        assert hand.turn is not None
        game, slow = slow_game(hand, deal), Minimax(scoring)
        world = world_of(hand, [deal[slot].index for slot in range(28)], match.scores)
        search = Search(world, Points(rules, hand.turn, hand.seats), Budget())
        sign = -1 if hand.turn % 2 else 1
        for move in hand.legal_moves(hand.turn):
            if isinstance(move, Play):
                found = slow.after(game, ((move.tile.high, move.tile.low), move.end))
            else:
                found = slow.after(game, "draw" if isinstance(move, Draw) else "pass")
            assert search.value(move) == sign * found
