"""The hard player: its budgets, what it must see, and that it beats normal."""

import random
from dataclasses import replace

import pytest
from support.engine.dealing import begin, play_hand
from support.limits import FULL

from engine.match import Match
from engine.moves import Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.habits import _options
from engine.strategy.hard import POSITIONS, points_to_play_for, winning
from engine.strategy.outlook import Outlook, _pacing, pace, start_worth
from engine.tiles import ALL_TILES


def first_view(seed: int, **options: str) -> SeatView:
    """What the starter of a hand sees before it leads."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    match = Match(Rules.make("classic", 2, named), 2)
    hand, _ = begin(match, random.Random(seed))
    assert hand.turn is not None
    return make_view(match, hand.turn)


class Clock:
    """Goes on by `step` seconds each time it is read."""

    def __init__(self, step: float) -> None:
        self.step = step
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return self.reads * self.step


class Over(Clock):
    """Is over, for who may think for a second, once it has been read so many times more."""

    def __init__(self, reads: int) -> None:
        super().__init__(0.0)
        self.left = reads

    def __call__(self) -> float:
        self.left -= 1
        return 0.0 if self.left >= 0 else 2.0


def test_whenever_the_time_is_over_it_moves_at_once() -> None:
    """Nothing that takes time comes after: neither the pace of the rules, nor what the choices of
    others tell, nor the first guess."""
    rng = random.Random(2)
    match = Match(Rules.make("online", 2), 2)
    hand, _ = begin(match, rng)
    while hand.turn is not None:
        view = make_view(match, hand.turn)
        if len(view.legal) > 1:
            for reads in (1, 2, 3, 5, 8, 13, 40, 150, 400):
                _pacing.cache_clear()
                _options.cache_clear()
                clock = Over(reads)
                player = make_player("hard", random.Random(1), clock=clock)
                assert player.choose(view) in view.legal
                assert clock.left >= -2
        match.apply(rng.choice(view.legal))


def test_a_first_move_takes_no_longer_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no time at all plays no hand out, looks at no choice and makes no guess."""

    def too_late(*_: object) -> None:
        raise AssertionError("this takes time")

    monkeypatch.setattr("engine.strategy.outlook.random_hand", too_late)
    monkeypatch.setattr("engine.strategy.habits._options", too_late)
    monkeypatch.setattr("engine.strategy.guesses.Guesses.deal", too_late)
    _pacing.cache_clear()
    match = Match(Rules.make("online", 2), 2)
    hand, _ = begin(match, random.Random(2))
    while hand.turn is not None:
        view = make_view(match, hand.turn)
        clock = Over(1)
        player = make_player("hard", random.Random(1), think=1.0, clock=clock)
        match.apply(player.choose(view))


@pytest.mark.parametrize("think", [0.0, 3.5, 20.0])
def test_with_a_clock_it_stops_when_the_time_is_over(think: float) -> None:
    clock = Clock(1.0)
    view = first_view(1)
    player = make_player("hard", random.Random(1), worlds=10**6, think=think, clock=clock)
    assert player.choose(view) in view.legal
    assert think < clock.reads <= think + 2  # once before, then until it is over


def test_a_clock_that_stands_still_does_not_keep_it() -> None:
    view = first_view(5)
    clock = Clock(0.0)
    player = make_player("hard", random.Random(1), worlds=10**6, think=60, clock=clock)
    assert player.choose(view) in view.legal
    assert clock.reads < POSITIONS


def test_the_only_move_needs_no_thought() -> None:
    clock = Clock(1.0)
    view = first_view(1, starter="highest-double")
    assert len(view.legal) == 1
    assert make_player("hard", random.Random(1), think=60, clock=clock).choose(view) in view.legal
    assert clock.reads == 0


def test_the_same_chance_gives_the_same_move() -> None:
    for seed in range(6):
        view = first_view(seed)
        moves = [make_player("hard", random.Random(7), worlds=24).choose(view) for _ in range(2)]
        assert moves[0] == moves[1]


def in_play(rules: Rules, hands: str, lead: str, scores: tuple[int, int]) -> SeatView:
    """What seat 0 sees after seat 1 has led; `hands` has the tiles of seat 0, then of seat 1."""
    dealt = [parse_tile(text) for text in hands.split()]
    tiles = dealt + [tile for tile in ALL_TILES if tile not in dealt]
    match = Match(rules, 2)
    match.scores = list(scores)
    match.begin_hand(1, known=dict(enumerate(tiles)))
    match.apply(Play(1, tiles.index(parse_tile(lead)), parse_tile(lead), None))
    return make_view(match, 0)


def chosen(view: SeatView) -> str:
    move = make_player("hard", random.Random(1)).choose(view)
    assert isinstance(move, Play)
    return f"{move.tile} {move.end}"


@pytest.mark.parametrize("behind", [95, 10, -300])
def test_it_ends_the_match_when_it_can(behind: int) -> None:
    rules = Rules.make("classic", 2, {"hand-size": "3", "target": "100"})
    # 6-1 on R makes 2 + 6, no points; 2-0 on L makes 0 + 1; 4-1 on R makes 2 + 4; 3-1: 2 + 3 = 5
    view = in_play(rules, "6-1 4-1 3-1 2-1 0-0 5-5", "2-1", (95, behind))
    assert chosen(view) == "3-1 R"
    played_on = replace(view, rules=Rules.make("online", 2, {"hand-size": "3", "target": "100"}))
    assert winning(played_on) is None


def test_it_may_leave_points_that_cost_more_than_they_bring() -> None:
    """Where normal takes points always, hard does not."""
    rng = random.Random(3)
    hard, normal = make_player("hard", rng, worlds=60), make_player("normal", rng)
    left_lying = 0
    for _ in range(6):
        match = Match(Rules.make("online", 2), 2)
        hand, _ = begin(match, rng)
        while hand.turn is not None:
            view = make_view(match, hand.turn)
            move, usual = hard.choose(view), normal.choose(view)
            if isinstance(move, Play) and isinstance(usual, Play):
                left_lying += view.points_for(move) < view.points_for(usual)
            match.apply(usual)
    assert left_lying > 0


def test_it_claims_what_its_play_scores() -> None:
    claimed = set()
    for seed in range(12, 18):
        view = first_view(seed, claims="yes")
        move = make_player("hard", random.Random(1), worlds=12).choose(view)
        assert isinstance(move, Play)
        assert move.claim == view.points_for(Play(move.seat, move.slot, move.tile, move.end))
        claimed.add(move.claim)
    assert len(claimed) > 1


@pytest.mark.parametrize(("players", "partners"), [(2, "no"), (3, "no"), (4, "no"), (4, "yes")])
def test_the_chance_to_win(players: int, partners: str) -> None:
    rules = Rules.make("online", players, {"partners": partners})
    outlook = Outlook(rules, 0, range(players))
    own = {0, 2} if partners == "yes" else {0}

    def chance(lead: int, others: int) -> float:
        at = [others + lead if seat in own else others for seat in range(players)]
        return outlook.chance(at)

    assert chance(0, 50) == 0.5
    assert chance(0, 150) == 0.5  # level at the top: another hand
    assert chance(5, 145) == 1.0
    assert chance(-5, 150) == 0.0
    chances = [chance(lead, 50) for lead in range(-45, 50, 5)]
    assert chances == sorted(set(chances))
    assert chance(20, 100) > chance(20, 20) > 0.5  # a lead late in the match is worth more


def test_who_goes_out_leads_and_that_is_worth_something() -> None:
    rules = Rules.make("online", 4, {"partners": "yes"})
    outlook, scores = Outlook(rules, 0, range(4)), [50, 55, 50, 55]
    chances = [outlook.chance(scores, out) for out in (1, None, 2)]
    assert chances == sorted(set(chances))
    assert outlook.chance(scores, 0) == chances[2]
    assert outlook.chance([150, 55, 150, 55], 1) == 1.0  # no hand follows
    every = Rules.make("online", 4, {"partners": "yes", "next-starter": "starter"})
    assert Outlook(every, 0, range(4)).chance(scores, 1) == chances[1]


@pytest.mark.parametrize(
    ("target", "score", "start"), [("150", 0, True), ("150", 130, None), ("100000", 0, False)]
)
def test_what_is_played_for(target: str, score: int, start: bool | None) -> None:
    match = Match(Rules.make("online", 2, {"target": target, "starter": "lot"}), 2)
    hand, _ = begin(match, random.Random(3))
    assert hand.turn is not None
    match.scores = [score, 0]
    found = points_to_play_for(make_view(match, hand.turn))
    assert found == (None if start is None else start_worth(match.rules, 2) * start)


def test_who_has_left_is_no_opponent() -> None:
    rules = Rules.make("online", 3)
    assert Outlook(rules, 0, (0, 2)).chance([50, 140, 50]) == 0.5
    match = Match(rules, 3)
    match.scores = [50, 140, 50]
    match.retire({1})
    hand, _ = begin(match, random.Random(4))
    while hand.turn is not None:
        view = make_view(match, hand.turn)
        move = make_player("hard", random.Random(1), worlds=12).choose(view)
        assert move in view.legal
        match.apply(move)


def test_the_pace_is_that_of_the_rules() -> None:
    two, four = Rules.make("online", 2), Rules.make("draw", 2)
    assert pace(two) == pace(Rules.make("online", 2))
    assert 10 < pace(two).points < 100
    assert pace(four).points < pace(two).points  # nothing is scored for placing there


@pytest.mark.parametrize(("players", "partners"), [(2, "no"), (4, "yes")][not FULL :])
def test_hard_beats_normal(players: int, partners: str) -> None:
    rules = Rules.make("online", players, {"partners": partners})
    ahead = 0
    for seed in range(6):
        rng = random.Random(seed)
        match = Match(rules, players)
        pair = [make_player("hard", rng, worlds=60), make_player("normal", rng)]
        seated = (pair if seed % 2 == 0 else pair[::-1]) * (players // 2)
        while match.result is None:
            play_hand(match, seated, rng)
        ahead += match.scores[seed % 2] - match.scores[1 - seed % 2]
    assert ahead > 60
