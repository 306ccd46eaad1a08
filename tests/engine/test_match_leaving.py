"""What a match makes of a seat that leaves, and of one that is proven to cheat."""

import pytest
from support.engine.scenes import FIVES, deal_of, first_hand, place, set_scores

from engine.errors import EngineError
from engine.events import HandEnded, MatchEnded
from engine.hand import Hand
from engine.match import Match, MatchResult
from engine.moves import Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.tiles import Tile


def test_a_leaver_kills_the_hand_and_the_others_go_on() -> None:
    match, hand = first_hand(FIVES, 3, hand_size="9/8/2")
    place(match, "6-4")
    (ended,) = match.retire({0})
    assert ended == HandEnded("left", None, (None, None, None), (0, 0, 0), (10, 0, 0))
    assert (match.hand, match.seats, hand.turn) == (None, (1, 2), None)
    assert match.starter_rule() == "lot"
    after = match.begin_hand(1)
    assert (after.seats, len(after.slots(1)), after.slots(0)) == ((1, 2), 9, ())
    with pytest.raises(EngineError, match=r"^only seats that are in can be put out$"):
        match.retire({0})


def test_the_target_is_not_looked_at_when_a_hand_dies() -> None:
    match, _ = first_hand(FIVES, 3, match_end="hand", target="10")
    place(match, "6-4")
    match.retire({2}, "fault")
    assert (match.result, match.scores) == (None, [10, 0, 0])


def test_a_leaver_cannot_win() -> None:
    match, hand = first_hand(deal_of("6-4", "5-1", "0-0"), 3, preset="pagat", hand_size="1")
    set_scores(match, 300, 195, 0)
    match.retire({0})
    hand = match.begin_hand(1, known=deal_of("6-4", "5-1"))
    place(match, "6-4")
    events = match.finish_hand(hand.known)
    assert events[1] == MatchEnded("target", (1,), (300, 210, 0))


def test_who_went_out_and_left_does_not_start() -> None:
    for out, rule in ((0, "lot"), (1, 0)):
        match, hand = first_hand(deal_of("6-4", "5-1", "0-0"), 3, hand_size="1")
        place(match, "6-4")
        match.finish_hand(hand.known)
        assert match.starter_rule() == 0
        assert match.retire({out}) == ()
        assert match.starter_rule() == rule


def over(preset: str, **options: str) -> tuple[Match, dict[int, Tile]]:
    """Seat 0 has gone out; 5-1 and 0-0 are left to the others, whose tiles are opened."""
    match, _ = first_hand(deal_of("6-4", "5-1", "0-0"), 3, preset=preset, hand_size="1", **options)
    place(match, "6-4", claim=10 if options.get("claims") else None)
    return match, {1: parse_tile("5-1"), 2: parse_tile("0-0")}


def test_a_hand_that_is_over_is_settled_among_those_who_stay() -> None:
    match, tiles = over("classic")
    del tiles[2]
    (ended,) = match.retire({2}, tiles=tiles)
    assert ended == HandEnded("domino", 0, ((), (parse_tile("5-1"),), ()), (0, -5, 0), (10, -5, 0))
    assert match.starter_rule() == 0


def test_who_went_out_and_is_out_collects_nothing() -> None:
    match, tiles = over("pagat")
    (ended,) = match.retire({0}, tiles=tiles)
    assert isinstance(ended, HandEnded)
    assert (ended.reason, ended.seat, ended.points) == ("domino", None, (0, 0, 0))
    assert match.starter_rule() == "lot"
    match, tiles = over("classic")
    match.retire({0}, tiles=tiles)
    assert match.scores == [10, -5, 0]


def test_a_block_is_won_by_one_who_stays() -> None:
    match, hand = first_hand(
        deal_of("6-6", "5-1", "0-0"), 3, preset="pagat", hand_size="1", draws="none"
    )
    hand.end("block")
    (ended,) = match.retire({2}, tiles={0: parse_tile("6-6"), 1: parse_tile("5-1")})
    assert isinstance(ended, HandEnded)
    assert (ended.seat, ended.left[2], ended.points) == (1, (), (0, 10, 0))


def test_a_settled_hand_may_decide_the_match() -> None:
    match, tiles = over("classic", target="10", match_end="hand")
    assert match.retire({1}, tiles=tiles)[1] == MatchEnded("target", (0,), (10, 0, 0))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("4-1", "4-1", "an opened deal has no tile twice"),
        ("6-4", "4-1", "an opened deal has no tile twice"),
        ("5-1", "4-1", "slot 1 was shown not to fit, but holds 5-1"),
    ],
)
def test_tiles_that_cannot_be_are_refused(one: str, other: str, why: str) -> None:
    onlooker = Hand(first_hand(FIVES, 3, hand_size="1", draws="none")[0].rules, (0, 1, 2), 0)
    with pytest.raises(EngineError, match=r"^the hand has no end to be settled$"):
        onlooker.settle({}, (1, 2))
    onlooker.apply(Play(0, 0, parse_tile("6-4"), None))
    onlooker._shown[1] = ((1 << 5, 28),)
    tiles = {1: parse_tile(one), 2: parse_tile(other)}
    with pytest.raises(EngineError, match=f"^{why}$"):
        onlooker.settle(tiles, (1, 2))


def test_a_tile_that_was_seen_is_no_other() -> None:
    match, _ = over("classic")
    with pytest.raises(EngineError, match=r"^slot 2 holds 0-0, not 5-5$"):
        match.retire({0}, tiles={1: parse_tile("5-1"), 2: parse_tile("5-5")})


@pytest.mark.parametrize(("answers", "scores"), [({}, [0, -10, 0]), ({2: 10}, [0, -10, 10])])
def test_claims_that_are_awaited_are_scored_with_the_answers_there_are(
    answers: dict[int, int], scores: list[int]
) -> None:
    match, _ = first_hand(FIVES, 3, claims="yes")
    set_scores(match, 0, -10, 0)
    place(match, "6-4", claim=0)
    match.retire({1}, answers=answers)
    assert (match.scores, match.awaiting_claims(), match.hand) == (scores, (), None)


def test_a_claim_that_was_answered_may_decide_the_match() -> None:
    match, _ = first_hand(FIVES, 3, claims="yes", target="10")
    place(match, "6-4", claim=10)
    (ended, decided) = match.retire({1})
    assert ended == HandEnded("target", None, (None, None, None), (0, 0, 0), (10, 0, 0))
    assert decided == MatchEnded("target", (0,), (10, 0, 0))
    match, _ = first_hand(FIVES, 3, claims="yes", target="10")
    place(match, "6-4", claim=10)
    (ended,) = match.retire({0})
    assert (match.result, match.scores) == (None, [10, 0, 0])


def test_claims_after_a_last_tile_bring_no_score_for_the_end() -> None:
    match, _ = over("classic", claims="yes")
    (ended,) = match.retire({2}, answers={1: 0})
    assert ended == HandEnded("left", None, ((), None, None), (0, 0, 0), (10, 0, 0))


def test_one_seat_left_is_abandoned() -> None:
    match, _ = first_hand(FIVES, 3, hand_size="9/8/2")
    assert match.retire({1, 2}) == (
        HandEnded("left", None, (None, None, None), (0, 0, 0), (0, 0, 0)),
        MatchEnded("abandoned", (), (0, 0, 0)),
    )
    assert match.result == MatchResult("abandoned", ())


def decided(others: int = 0) -> Match:
    """Seat 0 has won at once; the others have so many points."""
    match, _ = first_hand(FIVES, 3, hand_size="9/8/2")
    set_scores(match, 195, others, 0)
    place(match, "6-4")
    assert match.result == MatchResult("target", (0,))
    return match


def test_only_its_winner_undoes_a_decided_match() -> None:
    match = decided()
    with pytest.raises(EngineError, match=r"^the match is decided$"):
        match.retire({1})
    after = decided()
    after.finish_hand({})
    assert after.retire({1}) == (MatchEnded("target", (0,), (205, 0, 0)),)
    (ended,) = match.retire({0}, "fault")
    assert ended == HandEnded("fault", None, (None, None, None), (0, 0, 0), (205, 0, 0))
    assert (match.result, match.seats) == (None, (1, 2))


def test_when_a_decision_falls_the_target_is_looked_at_again() -> None:
    match = decided(200)
    assert match.retire({0}, "fault")[1] == MatchEnded("target", (1,), (205, 200, 0))


@pytest.mark.parametrize(
    ("scores", "faulty", "winners"),
    [((50, 40, 30), 0, (1,)), ((50, 40, 40), 0, (1, 2)), ((50, 40, 30), 2, (0,))],
)
def test_after_a_fault_the_best_of_the_others_win(
    scores: tuple[int, ...], faulty: int, winners: tuple[int, ...]
) -> None:
    match, _ = first_hand(FIVES, 3)
    set_scores(match, *scores)
    assert match.fault(faulty) == (
        HandEnded("fault", None, (None, None, None), (0, 0, 0), scores),
        MatchEnded("fault", winners, scores),
    )


def test_after_a_fault_of_a_partner_the_other_side_wins() -> None:
    match, _ = first_hand(FIVES, 4, partners="yes")
    set_scores(match, 90, 40, 90, 40)
    assert match.fault(2)[1] == MatchEnded("fault", (1, 3), (90, 40, 90, 40))


def test_a_fault_between_hands_and_after_a_leaver() -> None:
    match = Match(Rules.make("classic", 4), 4)
    match.retire({3})
    set_scores(match, 0, 5, 9, 90)
    assert match.fault(2) == (MatchEnded("fault", (1,), (0, 5, 9, 90)),)


def test_a_cheat_does_not_keep_a_decided_match() -> None:
    match, _ = first_hand(FIVES)
    set_scores(match, 240, 0)
    place(match, "6-4")
    assert match.fault(0)[1] == MatchEnded("fault", (1,), (250, 0))
