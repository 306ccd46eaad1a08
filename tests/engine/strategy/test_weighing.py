"""Weighing moves over the deals that can be: all of them where few, else guesses."""

import random

import pytest
from support.engine.dealing import begin
from support.engine.slow_dominoes import Game, Shape, Table
from support.engine.slow_minimax import Minimax, Scoring

from engine.match import Match
from engine.moves import Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.ahead.budget import Budget
from engine.strategy.guesses import Guesses
from engine.strategy.stakes import Points
from engine.strategy.weighing import Weighed, weigh, worth_going_on
from engine.tiles import ALL_TILES

R2_HAND = "0-0 6-6 6-3 3-0 4-3 3-1 5-1 5-4 6-1 3-3 1-0 6-0 5-5 6-5"
R2_MOVES = (
    "0-0, 2-0 L, 6-0 R, 2-2 L, 3-0 U, 3-2 U, 6-3 R, 5-3 R, 6-5 R, 6-2 U, 1-0 D, 4-2 L, 5-1 D, "
    "4-1 L, 5-4 D, 1-1 L, 6-1 L, 6-4 L, 6-6 R, 4-4 L, 4-3 L, 4-0 D, 3-3 L, 5-0 D"
)


def replayed(rules: Rules, hand: str, moves: str) -> Match:
    """A match in its first hand after these moves; seat 0 holds `hand` and leads."""
    own = [parse_tile(text) for text in hand.split()]
    tiles = own + [tile for tile in ALL_TILES if tile not in own]
    match = Match(rules, 2)
    match.begin_hand(0, known=dict(enumerate(tiles)))
    for number, text in enumerate(moves.split(", ")):
        name, *end = text.split()
        tile = parse_tile(name)
        seat = number % 2
        match.apply(Play(seat, tiles.index(tile), tile, end[0] if end else None))
    return match


def test_the_endgame_that_was_thrown_away() -> None:
    """It was played 3-1 L, which brings 30 points less than nothing; 5-5 D brings 5."""
    match = replayed(Rules.make("pagat", 2, {"hand-size": "14/9/7"}), R2_HAND, R2_MOVES)
    view = make_view(match, 0)
    weighed = weigh(view, Points(match.rules, 0, (0, 1)), random.Random(1), 200, Budget())
    assert weighed.exact
    values = {
        f"{move.tile} {move.end}": value
        for move, value in zip(view.legal, weighed.values, strict=True)
        if isinstance(move, Play)
    }
    assert values["3-1 L"] == -30
    assert values["5-5 D"] == max(values.values()) == 5
    chosen = make_player("hard", random.Random(1)).choose(view)
    assert isinstance(chosen, Play)
    assert f"{chosen.tile} {chosen.end}" == "5-5 D"


def pairs_of(match: Match, seat: int) -> list[tuple[int, int]]:
    hand = match.hand
    assert hand is not None
    return [(hand.known[slot].high, hand.known[slot].low) for slot in hand.slots(seat)]


@pytest.mark.parametrize("preset", ["classic", "pagat", "block", "draw"])
def test_two_seats_who_know_all_play_the_best_move(preset: str) -> None:
    rules = Rules.make(preset, 2, {"hand-size": "14/9/7", "target": "9999", "starter": "lot"})
    rng = random.Random(f"two {preset}")
    player = make_player("hard", rng)
    scoring = Scoring(rules.play_points, rules.hand_end, rules.block_winner, partners=False)
    compared = 0
    while compared < 12:
        match = Match(rules, 2)
        hand, _ = begin(match, rng)
        while hand.turn is not None:
            view = make_view(match, hand.turn)
            if sum(view.tile_counts) <= 7 and len(view.legal) > 1:
                placed = [((p.tile.high, p.tile.low), p.end) for p in hand.line.placements]
                table = Table(Shape(rules.spinner, rules.arms, rules.bare_arms), placed)
                hands = [pairs_of(match, 0), pairs_of(match, 1)]
                game = Game(table, hands, [], hand.turn, drawing=False)
                slow, sign = Minimax(scoring), -1 if hand.turn % 2 else 1
                values = {
                    move: sign * slow.after(game, ((move.tile.high, move.tile.low), move.end))
                    for move in view.legal
                    if isinstance(move, Play)
                }
                choice = player.choose(view)
                assert isinstance(choice, Play)
                assert values[choice] == max(values.values())
                compared += 1
            match.apply(rng.choice(view.legal))


def late_view(rules: Rules, seed: int, most: int) -> SeatView:
    """What the seat to move sees in a hand of random play, with a choice, and few tiles left."""
    rng = random.Random(seed)
    while True:
        match = Match(rules, rules.players)
        hand, _ = begin(match, rng)
        while hand.turn is not None:
            view = make_view(match, hand.turn)
            if sum(view.tile_counts) <= most and len(view.legal) > 1:
                return view
            match.apply(rng.choice(view.legal))


def test_of_few_deals_all_are_gone_through() -> None:
    rules = Rules.make("classic", 4, {"hand-size": "7", "partners": "yes", "target": "9999"})
    for seed in range(4):
        view = late_view(rules, seed, 8)
        stake = Points(rules, view.seat, view.seats)
        one, other = (weigh(view, stake, random.Random(seed), 200, Budget()) for seed in range(2))
        assert one.exact
        assert one == other  # no chance in it


@pytest.mark.parametrize("preset", ["pagat", "classic"])
def test_a_move_of_partners_is_worth_its_mean_over_the_deals(preset: str) -> None:
    rules = Rules.make(preset, 4, {"hand-size": "7", "partners": "yes", "target": "9999"})
    scoring = Scoring(rules.play_points, rules.hand_end, rules.block_winner, partners=True)
    view = late_view(rules, 3, 7)
    slow, sign = Minimax(scoring), -1 if view.seat % 2 else 1
    placed = [((p.tile.high, p.tile.low), p.end) for p in view.line.placements]
    deals = Guesses(view, random.Random(1)).every(10**6)
    assert deals is not None
    assert len({guess.weight for guess in deals}) > 1
    sums = [0.0] * len(view.legal)
    for guess in deals:
        tiles = [(ALL_TILES[index].high, ALL_TILES[index].low) for index in guess.tiles]
        for at, move in enumerate(view.legal):
            assert isinstance(move, Play)
            game = Game(
                Table(Shape(rules.spinner, rules.arms, rules.bare_arms), list(placed)),
                [[tiles[slot] for slot in view.hand.slots(seat)] for seat in range(4)],
                [],
                view.seat,
                drawing=False,
            )
            made = ((move.tile.high, move.tile.low), move.end)
            sums[at] += guess.weight * sign * slow.after(game, made)
    whole = sum(guess.weight for guess in deals)
    weighed = weigh(view, Points(rules, view.seat, view.seats), random.Random(1), 9, Budget())
    assert weighed.exact
    assert weighed.values == pytest.approx([each / whole for each in sums])


def test_a_spent_budget_leaves_a_choice() -> None:
    for preset, size in (("online", "7/6/5"), ("pagat", "14/9/7")):
        rules = Rules.make(preset, 2, {"hand-size": size})
        match = Match(rules, 2)
        hand, _ = begin(match, random.Random(3))
        while hand.turn is not None and len(hand.legal_moves(hand.turn)) == 1:
            match.apply(hand.legal_moves(hand.turn)[0])
        assert hand.turn is not None
        view = make_view(match, hand.turn)
        stake = Points(rules, view.seat, view.seats)
        weighed = weigh(view, stake, random.Random(1), 200, Budget(positions=1))
        assert len(weighed.values) == len(view.legal)
        assert weighed.best() in range(len(view.legal))
        assert not weighed.exact


def test_playing_a_hand_out_counts_as_some_positions() -> None:
    """So that the clock is looked at as often as in a search."""
    match = Match(Rules.make("online", 2, {"starter": "lot"}), 2)
    begin(match, random.Random(3))
    assert match.hand is not None
    assert match.hand.turn is not None
    view = make_view(match, match.hand.turn)
    budget = Budget()
    weigh(view, Points(match.rules, view.seat, view.seats), random.Random(1), 5, budget)
    assert budget.used > 2 * 5 * len(view.legal)


def test_the_first_of_equal_moves_is_the_best() -> None:
    assert Weighed((1.0, 2.0, 2.0), (0, 1, 2), exact=True).best() == 1
    assert Weighed((9.0, 2.0, 3.0), (1, 2), exact=False).best() == 2  # the first was given up


def test_moves_clearly_behind_are_given_up() -> None:
    best, close, behind = [0.5, 0.6, 0.4, 0.5], [0.6, 0.4, 0.5, 0.4], [0.1, 0.2, 0.0, 0.2]
    assert worth_going_on([0, 1, 2], [behind, close, best]) == [1, 2]
    assert worth_going_on([0, 2], [behind, close, best]) == [2]
    assert worth_going_on([0, 1], [best, best]) == [0]  # the same in every world: the first
