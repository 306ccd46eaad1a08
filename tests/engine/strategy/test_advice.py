"""The numbers of an advice: what a move brings, leaves, and is expected to come to."""

import itertools
import random

import pytest
from support.engine.dealing import begin

from engine.match import Match
from engine.moves import Draw, Move, Pass, Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.scoring import placement_points
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.advice import advise, leaves
from engine.strategy.ahead.budget import Budget
from engine.strategy.hard import HardPlayer
from engine.strategy.outlook import _pacing
from engine.strategy.stakes import Points
from engine.strategy.weighing import Weighed, weigh
from engine.tiles import ALL_TILES


def views(rules: Rules, seed: int) -> list[SeatView]:
    """What each seat to move sees in a hand of random play."""
    rng = random.Random(seed)
    match = Match(rules, rules.players)
    hand, _ = begin(match, rng)
    seen = []
    while hand.turn is not None:
        seen.append(make_view(match, hand.turn))
        match.apply(rng.choice(seen[-1].legal))
    return seen


def by_hand(view: SeatView, move: Move) -> int:
    """The most points the next player may make, tile by tile and end by end."""
    seats = view.seats
    following = seats[(seats.index(view.seat) + 1) % len(seats)]
    line = view.line.copy()
    if isinstance(move, Play):
        line.place(move.tile, move.end)
    own = {tile for _, tile in view.tiles} | {placed.tile for placed in line.placements}
    lacking = [set(pips) for pips in view.lacks[following].values()]
    most = 0
    for tile in ALL_TILES:
        may_hold = any(not pips & set(tile) for pips in lacking) or view.drawable
        if tile in own or not may_hold:
            continue
        for end in line.fits(tile):
            after = line.copy()
            after.place(tile, end)
            most = max(most, placement_points(view.rules, after.count()))
    return most


@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [
        ("classic", 2, {}),
        ("pagat", 2, {"hand-size": "14"}),
        ("sniff", 3, {}),
        ("classic", 4, {"partners": "yes", "hand-size": "7"}),
    ],
)
def test_what_a_move_leaves(preset: str, players: int, options: dict[str, str]) -> None:
    rules = Rules.make(preset, players, options | {"starter": "lot"})
    found = []
    for seed in range(3):
        for view in views(rules, seed):
            for move in view.legal:
                over = isinstance(move, Play) and len(view.tiles) == 1
                expected = 0 if over or isinstance(move, Draw) else by_hand(view, move)
                assert leaves(view, move) == expected
                found.append(expected)
    assert len(set(found)) > 3


def test_tiles_that_the_next_player_showed_not_to_have_are_not_feared() -> None:
    """Seat 1 passed at 5-5, so it has no 5: on 6-5 it cannot play 5-0 on R, which would be 20."""
    match = Match(Rules.make("block", 2, {"play-points": "fives", "hand-size": "3"}), 2)
    names = "6-5 0-0 5-5 4-4 1-0 2-0"
    dealt = [parse_tile(text) for text in names.split()]
    tiles = dealt + [tile for tile in ALL_TILES if tile not in dealt]
    match.begin_hand(0, known=dict(enumerate(tiles)), lead=dealt[2])
    match.apply(Play(0, 2, dealt[2], None))
    match.apply(Pass(1))
    view = make_view(match, 0)
    (move,) = view.legal
    assert move == Play(0, 0, dealt[0], "L")
    assert leaves(view, move) == 10  # 6-0 on L: 0 + 10


def test_the_advice_is_the_best_of_what_is_expected() -> None:
    rules = Rules.make("pagat", 2, {"hand-size": "14", "target": "9999"})
    for view in [one for one in views(rules, 5) if len(one.legal) > 1][-3:]:
        advice = advise(view, random.Random(1))
        assert set(advice.expected) == set(view.legal)
        assert advice.expected[advice.move] == max(advice.expected.values())
        assert advice.move == make_player("hard", random.Random(1)).choose(view)
        assert isinstance(advice.move, Play)
        assert advice.points == view.points_for(advice.move)
        assert advice.leaves == leaves(view, advice.move)
        others = [value for move, value in advice.expected.items() if move != advice.move]
        assert advice.lead == advice.expected[advice.move] - max(others)
        for move in view.legal:
            assert advice.better_than(move) >= 0


def test_the_only_move_is_better_than_no_other() -> None:
    for view in views(Rules.make("online", 2), 3):
        if len(view.legal) == 1:
            advice = advise(view, random.Random(1), worlds=4)
            assert (advice.move, advice.lead) == (view.legal[0], None)
            assert advice.better_than(advice.move) == 0


@pytest.mark.parametrize(
    ("hands", "lead", "behind", "wins"),
    [
        ("6-1 4-1 3-1 2-1 0-0 5-5", "2-1", 95, "3-1"),
        (
            "3-0 0-0 5-1 6-2 1-0 2-2 3-1 6-5 6-3 2-1 4-1 6-0 2-0 6-1 6-4 5-2 4-4 5-3",
            "5-3",
            10,
            "3-0",
        ),
    ],
)
def test_near_the_target_the_match_is_what_counts(
    hands: str, lead: str, behind: int, wins: str
) -> None:
    """Five are missing, and one tile makes five on R. Who is far ahead wins by any move, and would
    make more points by going on: it ends the match all the same."""
    dealt = [parse_tile(text) for text in hands.split()]
    size = len(dealt) // 2
    rules = Rules.make("classic", 2, {"hand-size": str(size), "target": "100"})
    tiles = dealt + [tile for tile in ALL_TILES if tile not in dealt]
    match = Match(rules, 2)
    match.scores = [95, behind]
    match.begin_hand(1, known=dict(enumerate(tiles)))
    match.apply(Play(1, tiles.index(parse_tile(lead)), parse_tile(lead), None))
    for seed in range(5):
        advice = advise(make_view(match, 0), random.Random(seed), worlds=40)
        assert isinstance(advice.move, Play)
        assert (str(advice.move.tile), advice.move.end, advice.points) == (wins, "R", 5)
        assert advice.leaves == 0


def test_advice_is_for_who_is_to_move() -> None:
    match = Match(Rules.make("classic", 2), 2)
    hand, _ = begin(match, random.Random(1))
    assert hand.turn is not None
    with pytest.raises(ValueError, match=r"^seat . is not to move$"):
        advise(make_view(match, 1 - hand.turn), random.Random(1))


def test_with_three_it_is_better_than_the_others_on_average() -> None:
    rules = Rules.make("classic", 3, {"hand-size": "9", "target": "9999"})
    view = next(one for one in reversed(views(rules, 2)) if len(one.legal) > 1)
    advice = advise(view, random.Random(1))
    stake = Points(rules, view.seat, view.seats)
    weighed = weigh(view, stake, random.Random(1), 200, Budget())
    assert weighed.exact
    twice = [2 * advice.expected[move] for move in view.legal]
    assert twice == pytest.approx(weighed.values)


@pytest.mark.parametrize(
    ("best", "behind", "exact", "alive", "takes"),
    [
        (0.6, 0.02, False, (0, 1), 1),  # too little to tell: the points decide
        (0.6, 0.05, False, (0, 1), 0),
        (0.6, 0.02, True, (0, 1), 0),  # nothing is guessed
        (0.6, 0.02, False, (0,), 0),  # given up before
        (1.0, 0.02, False, (0, 1), 0),  # the match is won
    ],
)
def test_near_the_target_points_are_given_up_for_a_clearly_better_chance_alone(
    best: float,
    behind: float,
    exact: bool,
    alive: tuple[int, ...],
    takes: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(Rules.make("classic", 2, {"hand-size": "2"}), 2)
    names = ["6-4", "4-1", "6-5", "4-3"]
    match.begin_hand(0, known=dict(enumerate(map(parse_tile, names))))
    match.scores = [230, 230]
    view = make_view(match, 0)
    chances = Weighed((best, best - behind), alive, exact)
    points = Weighed((3.0, 9.0), (0, 1), exact=False)
    monkeypatch.setattr(HardPlayer, "weigh", lambda *_: chances)
    monkeypatch.setattr("engine.strategy.advice.weigh", lambda *_: points)
    advice = advise(view, random.Random(1))
    assert advice.move == view.legal[takes]
    assert advice.chances == dict(zip(view.legal, chances.values, strict=True))


@pytest.mark.parametrize(("behind", "takes"), [(5.0, 0), (6.5, 1)])
def test_no_more_points_are_given_up_than_the_lead_of_the_next_hand_is_worth(
    behind: float, takes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the choice is made of few guesses. With two seats the lead is worth 5.7."""
    match = Match(Rules.make("classic", 2, {"hand-size": "2"}), 2)
    match.begin_hand(0, known=dict(enumerate(map(parse_tile, ["6-4", "4-1", "6-5", "4-3"]))))
    match.scores = [180, 180]
    view = make_view(match, 0)
    scale = Points(view.rules, view.seat, view.seats).scale
    points = Weighed((3.0 * scale, (3.0 + behind) * scale), (0, 1), exact=False)
    monkeypatch.setattr(HardPlayer, "weigh", lambda *_: Weighed((20.0, 0.0), (0, 1), exact=False))
    monkeypatch.setattr("engine.strategy.advice.weigh", lambda *_: points)
    assert advise(view, random.Random(1)).move == view.legal[takes]


def test_without_time_it_does_nothing_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object) -> None:
        raise AssertionError("this takes time")

    monkeypatch.setattr("engine.strategy.outlook.random_hand", too_late)
    monkeypatch.setattr("engine.strategy.guesses.Guesses.deal", too_late)
    _pacing.cache_clear()
    for view in views(Rules.make("online", 2), 3):
        seconds = itertools.count()
        advice = advise(view, random.Random(1), think=1.0, clock=seconds.__next__)
        assert advice.move in view.legal
