"""The search beside plain minimax, which shares no code with it."""

import copy
import random

import pytest
from support.engine.dealing import begin
from support.engine.slow_dominoes import Game, Shape, Table
from support.engine.slow_minimax import Minimax, Scoring

from engine.hand import Hand
from engine.match import Match
from engine.moves import Draw, Move, Play
from engine.rules import PRESETS, Rules
from engine.strategy.ahead.budget import Budget, OutOfBudget
from engine.strategy.outlook import Outlook
from engine.strategy.playout import world_of
from engine.strategy.search import Search
from engine.strategy.stakes import Chances, Points
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
    compare(preset, players, size, partners, most=6, positions=5)


@pytest.mark.parametrize("preset", ["pagat", "sniff", "block"])
def test_positions_met_again_are_worth_what_they_were(preset: str) -> None:
    """With so many tiles most positions are met more than once, often with other bounds."""
    compare(preset, 2, "14", "no", most=9, positions=3)


def compare(
    preset: str, players: int, size: str, partners: str, *, most: int, positions: int
) -> None:
    rng = random.Random(f"{preset}{size}")
    options = {"hand-size": size, "partners": partners, "target": "9999", "starter": "lot"}
    rules = Rules.make(preset, players, options)
    scoring = Scoring(rules.play_points, rules.hand_end, rules.block_winner, rules.partners)
    for _ in range(positions):
        match, hand, deal = late_position(rules, rng, most)
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


def by_chances(match: Match, deal: Deal, move: Move, own: int) -> float:
    """The chance that comes of a move if both do their best for it, by playing real matches."""
    then = copy.deepcopy(match)
    then.apply(move)
    hand = then.hand
    assert hand is not None
    if hand.turn is None:
        then.finish_hand(deal)
        if then.result is not None:
            return 1.0 if own in then.result.winners else 0.0
        leads = then.starter_rule()
        out = leads if isinstance(leads, int) else None
        return Outlook(match.rules, own, range(2)).chance(then.scores, out)
    mine = hand.turn == own
    values = [by_chances(then, deal, each, own) for each in hand.legal_moves(hand.turn)]
    return max(values) if mine else min(values)


@pytest.mark.parametrize(("preset", "size"), [("classic", "14"), ("pagat", "14"), ("online", "11")])
def test_near_the_target_it_finds_the_best_chance(preset: str, size: str) -> None:
    rng = random.Random(f"chance {preset}")
    options = {"hand-size": size, "target": "60", "starter": "lot"}
    rules = Rules.make(preset, 2, options)
    decided = set()
    for _ in range(8):
        match, hand, deal = late_position(rules, rng, 6)
        if match.result is not None or hand.turn is None:
            continue
        match.scores = [rng.choice((35, 40, 45, 50)), rng.choice((35, 40, 45, 50))]
        world = world_of(hand, [deal[slot].index for slot in range(28)], match.scores)
        stake = Chances(rules, hand.turn, hand.seats, match.scores)
        search = Search(world, stake, Budget())
        for move in hand.legal_moves(hand.turn):
            value = search.value(move)
            assert value == pytest.approx(by_chances(match, deal, move, hand.turn))
            decided.add(value in (0.0, 1.0))
    assert True in decided


def test_three_for_themselves_are_one_against_the_others() -> None:
    rules = Rules.make("classic", 3, {"hand-size": "9", "target": "9999"})
    rng = random.Random(4)
    for _ in range(4):
        match, hand, deal = late_position(rules, rng, 6)
        own = hand.turn
        assert own is not None
        world = world_of(hand, [deal[slot].index for slot in range(28)], match.scores)
        stake = Points(rules, own, hand.seats)
        assert stake.scale == 2
        for move in hand.legal_moves(own):
            before = list(match.scores)
            assert Search(world, stake, Budget()).value(move) == one_against_all(
                match, deal, move, own, before
            )


def one_against_all(match: Match, deal: Deal, move: Move, own: int, before: list[int]) -> int:
    then = copy.deepcopy(match)
    then.apply(move)
    hand = then.hand
    assert hand is not None
    if hand.turn is None:
        then.finish_hand(deal)
        made = [now - was for now, was in zip(then.scores, before, strict=True)]
        return 3 * made[own] - sum(made)
    mine = hand.turn == own
    values = [
        one_against_all(then, deal, each, own, before) for each in hand.legal_moves(hand.turn)
    ]
    return max(values) if mine else min(values)


def test_a_budget_ends_a_search() -> None:
    rules = Rules.make("pagat", 2, {"hand-size": "14"})
    match, hand, deal = late_position(rules, random.Random(1), 14)
    world = world_of(hand, [deal[slot].index for slot in range(28)], match.scores)
    stake = Points(rules, 0, hand.seats)
    (move, *_) = hand.legal_moves(hand.turn if hand.turn is not None else 0)
    whole = Budget()
    Search(world, stake, whole).value(move)
    with pytest.raises(OutOfBudget):
        Search(world, stake, Budget(whole.used // 2)).value(move)


def test_a_search_tells_whether_it_went_to_the_end() -> None:
    rules = Rules.make("pagat", 2, {"hand-size": "14"})
    _, hand, deal = late_position(rules, random.Random(1), 8)
    assert hand.turn is not None
    world = world_of(hand, [deal[slot].index for slot in range(28)], [0, 0])
    stake = Points(rules, hand.turn, hand.seats)
    for depth, exact in ((2, False), (8, True)):
        search = Search(world, stake, Budget(), depth)
        for move in hand.legal_moves(hand.turn):
            search.value(move)
        assert search.exact is exact
