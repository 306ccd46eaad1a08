"""A match: points, starters, claims, ends, and what happens when a seat leaves or cheats."""

import random

import pytest
from support.engine.dealing import PRESETS_AND_CLAIMS, begin, play_match
from support.engine.scenes import FIVES, deal_of, first_hand, place, set_scores

from engine.errors import EngineError, IllegalMove
from engine.events import Drawn, HandEnded, MatchEnded, Passed, Played
from engine.hand import Draw, HandOver, Pass, Play
from engine.match import Match, MatchResult
from engine.notation import parse_tile
from engine.rules import PRESETS, Rules
from engine.strategy import make_player


def test_points_of_placements_are_scored_at_once() -> None:
    match, hand = first_hand(FIVES)
    assert place(match, "6-4") == Played(0, 0, parse_tile("6-4"), None, 10, 10, (10, 0), None)
    assert place(match, "4-0", "R") == Played(1, 2, parse_tile("4-0"), "R", 6, 0, (10, 0), None)
    match.check(Draw(0))
    with pytest.raises(IllegalMove, match=r"^24 tiles can be drawn: draw before passing$"):
        match.check(Pass(0))
    assert match.apply(Draw(0)) == (Drawn(0, 4),)
    assert match.scores == [10, 0]
    assert match.moves[2:] == [Draw(0)]
    assert hand.turn == 0


def test_passes_and_a_block() -> None:
    match, hand = first_hand(deal_of("6-4 5-1", "3-0 2-2"), preset="block")
    place(match, "6-4")
    assert match.apply(Pass(1)) == (Passed(1),)
    assert match.apply(Pass(0)) == (Passed(0),)
    assert hand.over == HandOver("block", None)
    (ended,) = match.finish_hand(hand.known)
    left = ((parse_tile("5-1"),), (parse_tile("3-0"), parse_tile("2-2")))
    assert ended == HandEnded("block", 0, left, (7, 0), (7, 0))
    assert (match.hand, match.result, match.starter_rule()) == (None, None, "lot")


def test_a_domino_and_who_starts_next() -> None:
    match, hand = first_hand(deal_of("6-5 6-1", "5-0 4-3", boneyard="0-0"))
    for text, end in [("6-5", None), ("5-0", "R"), ("6-1", "L")]:
        place(match, text, end)
    assert hand.over == HandOver("domino", 0)
    (ended,) = match.finish_hand(hand.known)
    left = ((), (parse_tile("4-3"),))
    assert ended == HandEnded("domino", 0, left, (0, -5), (0, -5))
    assert match.starter_rule() == 0


def test_at_once_the_placement_that_reaches_the_target_ends_the_match() -> None:
    match, hand = first_hand(FIVES)
    set_scores(match, 240, 100)
    place(match, "6-4")
    assert match.result == MatchResult("target", (0,))
    assert hand.over == HandOver("target", None)
    with pytest.raises(IllegalMove, match=r"^the hand is over$"):
        match.apply(Pass(1))
    assert match.finish_hand({}) == (
        HandEnded("target", None, ((FIVES[1],), (FIVES[2], FIVES[3])), (0, 0), (250, 100)),
        MatchEnded("target", (0,), (250, 100)),
    )
    with pytest.raises(EngineError, match=r"^the match is decided$"):
        match.begin_hand(0)


def test_at_once_also_with_the_last_tile_and_without_points_at_the_end() -> None:
    match, hand = first_hand(FIVES, hand_size="1")
    set_scores(match, 245, 100)
    place(match, "6-4")
    assert hand.over == HandOver("target", 0)
    ended, over = match.finish_hand(FIVES)
    assert ended == HandEnded("target", 0, ((), (FIVES[1],)), (0, 0), (255, 100))
    assert over == MatchEnded("target", (0,), (255, 100))


def test_what_is_left_is_unknown_when_keys_stay_closed() -> None:
    match, _ = first_hand({0: FIVES[0]})
    set_scores(match, 240, 0)
    place(match, "6-4")
    ended = match.finish_hand({2: FIVES[2], 3: FIVES[3]})[0]
    assert isinstance(ended, HandEnded)
    assert ended.left == (None, (FIVES[2], FIVES[3]))


def test_with_match_end_hand_the_hand_is_played_out() -> None:
    match, hand = first_hand(deal_of("6-4", "5-1"), preset="pagat", hand_size="1")
    set_scores(match, 245, 300)
    place(match, "6-4")
    assert (match.result, hand.over) == (None, HandOver("domino", 0))
    ended, over = match.finish_hand(hand.known)
    assert ended == HandEnded("domino", 0, ((), (parse_tile("5-1"),)), (5, 0), (260, 300))
    assert over == MatchEnded("target", (1,), (260, 300)), "the highest wins"


def test_level_at_the_top_another_hand_is_played() -> None:
    match, hand = first_hand(deal_of("6-4", "5-1"), preset="pagat", hand_size="1")
    set_scores(match, 245, 260)
    place(match, "6-4")
    assert len(match.finish_hand(hand.known)) == 1
    assert (match.scores, match.result, match.starter_rule()) == ([260, 260], None, 0)
    match.begin_hand(0)
    assert match.hand_number == 2


def test_collected_points_can_reach_the_target_at_once() -> None:
    match, hand = first_hand(
        deal_of("6-5", "5-3"), preset="pagat", hand_size="1", match_end="at-once"
    )
    set_scores(match, 245, 0)
    place(match, "6-5")
    assert match.result is None
    assert match.finish_hand(hand.known)[1] == MatchEnded("target", (0,), (255, 0))


def test_partners_share_points_and_win_together() -> None:
    match, hand = first_hand(FIVES, 4, hand_size="2", partners="yes")
    set_scores(match, 190, 50, 190, 50)
    event = place(match, "6-4")
    assert isinstance(event, Played)
    assert (event.points, event.scores) == (10, (200, 50, 200, 50))
    assert match.result == MatchResult("target", (0, 2))
    assert hand.over == HandOver("target", None)


@pytest.mark.parametrize(
    ("starter", "next_starter", "reason", "rule"),
    [
        ("lot", "out", "domino", 0),
        ("lot", "out", "block", "lot"),
        ("lot", "starter", "domino", "lot"),
        ("highest-double", "out", "domino", 0),
        ("highest-double", "out", "block", "highest-double"),
        ("highest-double", "starter", "domino", "highest-double"),
    ],
)
def test_starter_rules(starter: str, next_starter: str, reason: str, rule: str | int) -> None:
    options = {"starter": starter, "next-starter": next_starter, "hand-size": "2", "draws": "none"}
    match = Match(Rules.make("pagat", 2, options), 2)
    assert match.starter_rule() == starter
    tiles = deal_of("6-6 6-5" if reason == "domino" else "6-6 5-1", "3-0 2-2")
    lead = parse_tile("6-6") if starter == "highest-double" else None
    hand = match.begin_hand(0, known=tiles, lead=lead)
    while hand.turn is not None:
        match.apply(hand.legal_moves(hand.turn)[0])
    assert hand.over is not None
    assert hand.over.reason == reason
    match.finish_hand(tiles)
    assert match.starter_rule() == rule


def test_the_lot_names_a_seat_of_the_next_deal() -> None:
    match = Match(Rules.make("classic", 3), 3)
    assert [match.lot_seat(lot) for lot in range(5)] == [0, 1, 2, 0, 1]
    match.retire({1})
    assert [match.lot_seat(lot) for lot in range(3)] == [0, 2, 0]


def test_a_hand_begins_by_its_rule_only() -> None:
    match, _ = first_hand(FIVES)
    with pytest.raises(EngineError, match=r"^a hand is running$"):
        match.begin_hand(0)
    with pytest.raises(EngineError, match=r"^the hand is not over$"):
        match.finish_hand(FIVES)
    lead = parse_tile("6-6")
    sentence = r"^a lead is given exactly where the highest double starts$"
    with pytest.raises(EngineError, match=sentence):
        Match(Rules.make("classic", 2), 2).begin_hand(0, lead=lead)
    with pytest.raises(EngineError, match=sentence):
        Match(Rules.make("online", 2), 2).begin_hand(0)
    with pytest.raises(EngineError, match=r"^these rules are for 2 seats, not for 3$"):
        Match(Rules.make("classic", 2), 3)
    out, hand = first_hand(deal_of("6-4", "5-1"), hand_size="1")
    place(out, "6-4")
    out.finish_hand(hand.known)
    with pytest.raises(EngineError, match=r"^seat 0 starts this hand, not seat 1$"):
        out.begin_hand(1)
    with pytest.raises(IllegalMove, match=r"^no hand is running$"):
        out.check(Pass(0))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_whole_matches_of_every_preset(preset: str, players: int) -> None:
    rng = random.Random(f"{preset} {players}")
    bots = [make_player("normal" if seat else "easy", rng) for seat in range(players)]
    match, events = play_match(Rules.make(preset, players), bots, rng)
    assert match.result is not None
    over = events[-1]
    assert isinstance(over, MatchEnded)
    assert over.reason == "target"
    (winner,) = over.winners
    assert over.scores[winner] == max(over.scores) >= match.rules.target


@pytest.mark.parametrize(("preset", "claims"), PRESETS_AND_CLAIMS)
def test_whole_matches_of_partners(preset: str, claims: str) -> None:
    rng = random.Random(f"{preset} partners {claims}")
    bots = [make_player(level, rng) for level in ("normal", "easy") * 2]
    rules = Rules.make(preset, 4, {"partners": "yes", "claims": claims})
    match, events = play_match(rules, bots, rng)
    over = events[-1]
    assert isinstance(over, MatchEnded)
    assert over.winners in ((0, 2), (1, 3))
    assert over.scores[0] == over.scores[2] != over.scores[1] == over.scores[3]
    assert match.result == MatchResult("target", over.winners)


def test_the_same_seed_gives_the_same_match() -> None:
    runs = []
    for _ in range(2):
        rng = random.Random(3)
        bots = [make_player("easy", rng) for _ in range(3)]
        runs.append(play_match(Rules.make("online", 3), bots, rng)[1])
    assert runs[0] == runs[1]


def test_a_started_hand_of_the_highest_double() -> None:
    match = Match(Rules.make("online", 3), 3)
    hand, tiles = begin(match, random.Random(8))
    assert hand.lead is not None
    (move,) = hand.legal_moves(hand.turn or 0)
    assert isinstance(move, Play)
    assert (move.tile, tiles[move.slot]) == (hand.lead, hand.lead)
