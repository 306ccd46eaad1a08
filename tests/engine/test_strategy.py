"""Players: what a seat may see, and what easy and normal do with it."""

import copy
import random

import pytest
from support.engine.dealing import begin, play_hand, shuffled
from support.engine.slow_dominoes import Pair, Shape, Table

from engine.errors import EngineError
from engine.hand import Hand, Move, Play
from engine.match import Match
from engine.notation import parse_tile
from engine.rules import Rules
from engine.strategy import LEVELS, SeatView, make_player, make_view
from engine.tiles import Tile


def playing(seed: int, players: int = 3, steps: int = 12, **options: str) -> tuple[Match, Hand]:
    """A match some random moves into its first hand."""
    rng = random.Random(seed)
    overrides = {name.replace("_", "-"): value for name, value in options.items()}
    match = Match(Rules.make("classic", players, {"target": "9999"} | overrides), players)
    hand, _ = begin(match, rng)
    for _ in range(steps):
        if hand.turn is None:
            break
        match.apply(rng.choice(hand.legal_moves(hand.turn)))
        if match.awaiting_claims():
            match.apply_claims(dict.fromkeys(match.awaiting_claims(), 0))
    return match, hand


def test_a_view_has_what_the_seat_sees() -> None:
    match, hand = playing(1)
    seat = hand.turn
    assert seat is not None
    view = make_view(match, seat)
    assert (view.seat, view.players, view.seats, view.hand_number) == (seat, 3, (0, 1, 2), 1)
    assert view.tiles == tuple((slot, hand.known[slot]) for slot in hand.slots(seat))
    assert view.tile_counts == tuple(len(hand.slots(other)) for other in range(3))
    assert (view.boneyard_count, view.drawable) == (len(hand.boneyard), hand.drawable())
    assert (view.line.ends(), view.scores) == (hand.line.ends(), tuple(match.scores))
    assert view.legal == hand.legal_moves(seat)
    assert view.moves == tuple(match.moves)
    assert view.lacks == tuple(hand.lacks(other) for other in range(3))
    assert view.awaiting is None
    assert make_view(match, (seat + 1) % 3).legal == ()


def other_world(match: Match, seat: int, rng: random.Random) -> Match:
    """The same match with the tiles that `seat` cannot see dealt otherwise, as far as the draws
    and passes allow it."""
    hand = match.hand
    assert hand is not None
    seen = hand.seen_by(seat)
    hidden = [slot for slot in range(28) if slot not in seen.known]
    tiles = [hand.known[slot] for slot in hidden]
    while True:
        rng.shuffle(tiles)
        world = dict(zip(hidden, tiles, strict=True))
        changed = seen.copy()
        for slot, tile in world.items():
            changed.learn(slot, tile)
        lacks = {slot: pips for other in hand.seats for slot, pips in hand.lacks(other).items()}
        if all(not lacks.get(slot, frozenset()) & set(tile) for slot, tile in world.items()):
            break
    copied = copy.copy(match)
    copied.hand = changed
    return copied


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("players", "partners"), [(2, "no"), (3, "no"), (4, "yes")])
@pytest.mark.parametrize("seed", range(8))
def test_hidden_tiles_change_nothing(level: str, players: int, partners: str, seed: int) -> None:
    match, hand = playing(seed, players, partners=partners)
    seat = hand.turn
    assert seat is not None
    here, there = (
        make_view(match, seat),
        make_view(other_world(match, seat, random.Random(2)), seat),
    )
    assert here.tiles == there.tiles
    assert here.hand.known == there.hand.known
    assert set(here.hand.known) == {slot for slot, _ in here.tiles} | {
        move.slot for move in match.moves if isinstance(move, Play)
    }
    moves = [make_player(level, random.Random(5)).choose(view) for view in (here, there)]
    assert moves[0] == moves[1]


def test_playing_on_in_a_view_leaves_the_match_alone() -> None:
    match, hand = playing(4)
    assert hand.turn is not None
    before = hand.line.placements
    view = make_view(match, hand.turn)
    view.hand.apply(view.legal[0])
    assert hand.line.placements == before


def test_no_view_without_a_hand() -> None:
    with pytest.raises(EngineError, match=r"^no hand is running$"):
        make_view(Match(Rules.make("classic", 2), 2), 0)


def test_no_such_level() -> None:
    with pytest.raises(EngineError, match=r"^there is no level 'best': allowed is easy, normal"):
        make_player("best", random.Random(1))


def test_easy_plays_any_legal_move() -> None:
    match, hand = playing(3, steps=0)
    assert hand.turn is not None
    view = make_view(match, hand.turn)
    player = make_player("easy", random.Random(1))
    assert {player.choose(view) for _ in range(200)} == set(view.legal)


def pair(tile: Tile) -> Pair:
    return (tile.high, tile.low)


def by_the_sentence(view: SeatView) -> Move:
    """Most points now, then heavier tile, then first in canonical order; written once more."""
    rules = view.rules
    shape = Shape(rules.spinner, rules.arms, rules.bare_arms)
    table = [(pair(p.tile), p.end) for p in view.line.placements]
    ranked = []
    for place, move in enumerate(view.legal):
        if not isinstance(move, Play):
            return move
        count = Table(shape, [*table, (pair(move.tile), move.end)]).count()
        points = count if count % 5 == 0 and rules.play_points == "fives" else 0
        ranked.append((-points, -sum(pair(move.tile)), place))
    return view.legal[min(ranked)[2]]


@pytest.mark.parametrize("preset", ["classic", "online", "sniff", "five-up", "draw"])
def test_normal_plays_by_its_sentence(preset: str) -> None:
    rng = random.Random(preset)
    compared = 0
    for _ in range(12):
        match = Match(Rules.make(preset, 3), 3)
        hand, _ = begin(match, rng)
        while hand.turn is not None:
            view = make_view(match, hand.turn)
            move = make_player("normal", rng).choose(view)
            assert move == by_the_sentence(view)
            compared += len(view.legal) > 1
            match.apply(rng.choice(view.legal))
    assert compared > 50


def test_normal_claims_what_the_count_scores() -> None:
    match, hand = playing(1, 2, 0, claims="yes", hand_size="1", draws="none")
    seat = hand.turn
    assert seat is not None
    match.hand = Hand(match.rules, (0, 1), seat, {seat: parse_tile("6-4")})
    player = make_player("normal", random.Random(1))
    move = player.choose(make_view(match, seat))
    assert move == Play(seat, seat, parse_tile("6-4"), None, 10)


@pytest.mark.parametrize(("claim", "answer"), [(0, 10), (5, 10), (10, 0)])
def test_normal_answers_with_what_the_placer_missed(claim: int, answer: int) -> None:
    match = Match(Rules.make("classic", 2, {"claims": "yes"}), 2)
    tiles = shuffled(random.Random(1))
    at = next(slot for slot, tile in tiles.items() if str(tile) == "6-4")
    match.begin_hand(0, known=tiles | {0: tiles[at], at: tiles[0]})
    match.apply(Play(0, 0, parse_tile("6-4"), None, claim))
    view = make_view(match, 1)
    assert view.awaiting == Play(0, 0, parse_tile("6-4"), None, claim)
    assert make_view(match, 0).awaiting is None
    assert make_player("normal", random.Random(1)).claim(view) == answer
    easy = make_player("easy", random.Random(1))
    assert {easy.claim(view) for _ in range(50)} == {0, answer}


def test_easy_claims_every_other_time() -> None:
    match, _ = playing(2, 2, 0, claims="yes", hand_size="1")
    match.hand = Hand(match.rules, (0, 1), 0, {0: parse_tile("6-4")})
    view = make_view(match, 0)
    player = make_player("easy", random.Random(1))
    plays = [move for move in (player.choose(view) for _ in range(50)) if isinstance(move, Play)]
    assert {move.claim for move in plays} == {0, 10}


def test_normal_beats_easy() -> None:
    wins = 0
    for seed in range(60):
        rng = random.Random(seed)
        match = Match(Rules.make("online", 2), 2)
        players = [make_player("normal", rng), make_player("easy", rng)]
        if seed % 2:
            players.reverse()
        while match.result is None:
            play_hand(match, players, rng)
        wins += match.result.winners == (seed % 2,)
    assert wins >= 45
