"""Points that must be claimed: by the placer with the tile, then by every opponent."""

import pytest
from support.engine.scenes import deal_of, first_hand, place, set_scores

from engine.errors import EngineError, IllegalMove
from engine.events import Claimed, HandEnded, Played
from engine.hand import Hand, HandOver, Play
from engine.match import Match, MatchResult
from engine.notation import parse_tile


def claims_table(players: int = 3, **options: str) -> tuple[Match, Hand]:
    tiles = deal_of("6-4 5-1", "4-0 5-5", "3-3 2-2", "1-1 0-0")
    return first_hand(tiles, players, claims="yes", **options)


def test_claims_are_answered_before_the_next_player_goes_on() -> None:
    match, hand = claims_table()
    event = place(match, "6-4", claim=10)
    assert event == Played(0, 0, parse_tile("6-4"), None, 10, 10, (10, 0, 0), 10)
    assert match.awaiting_claims() == (1, 2)
    move = Play(1, 2, parse_tile("4-0"), "R", 0)
    sentence = r"^claims are open: seats 1, 2 answer before anybody moves$"
    for act in (match.check, match.apply):
        with pytest.raises(IllegalMove, match=sentence):
            act(move)
    for answers in ({1: 0}, {0: 0, 1: 0, 2: 0}, {}):
        with pytest.raises(IllegalMove, match=r"^exactly the seats 1, 2 answer with a claim$"):
            match.apply_claims(answers)
    with pytest.raises(IllegalMove, match=r"^a claim is a number from 0 to 168, 0 for none$"):
        match.apply_claims({1: -1, 2: 0})
    assert match.apply_claims({1: 0, 2: 0}) == ()
    assert (match.awaiting_claims(), hand.turn) == ((), 1)
    with pytest.raises(IllegalMove, match=r"^no claims are open$"):
        match.apply_claims({1: 0, 2: 0})


def test_what_the_placer_misses_is_the_first_claimers() -> None:
    match, _ = claims_table()
    event = place(match, "6-4", claim=0)
    assert isinstance(event, Played)
    assert (event.points, event.scores, event.claim) == (0, (0, 0, 0), 0)
    assert match.apply_claims({2: 10, 1: 10}) == (
        Claimed(1, 10, 10, (0, 10, 0)),
        Claimed(2, 10, 0, (0, 10, 0)),
    )


def test_a_wrong_claim_costs_its_number() -> None:
    match, _ = claims_table()
    event = place(match, "6-4", claim=15)
    assert isinstance(event, Played)
    assert (event.points, event.scores) == (-15, (-15, 0, 0))
    assert match.apply_claims({1: 5, 2: 10}) == (
        Claimed(1, 5, -5, (-15, -5, 0)),
        Claimed(2, 10, 10, (-15, -5, 10)),
    )


def test_answers_come_in_seat_order_after_the_placer_and_not_from_partners() -> None:
    match, _ = claims_table(4, partners="yes")
    place(match, "6-4", claim=0)
    assert match.awaiting_claims() == (1, 3)
    match.apply_claims({1: 0, 3: 10})
    assert match.scores == [0, 10, 0, 10]
    place(match, "4-0", "R", claim=0)
    assert match.awaiting_claims() == (2, 0)


def test_the_target_is_checked_after_the_answers() -> None:
    match, hand = claims_table()
    set_scores(match, 195, 0, 190)
    place(match, "6-4", claim=0)
    assert hand.turn == 1
    match.apply_claims({1: 0, 2: 10})
    assert (match.result, hand.over) == (MatchResult("target", (2,)), HandOver("target", None))


def test_the_placers_claim_reaches_the_target_after_the_answers_too() -> None:
    match, _ = claims_table()
    set_scores(match, 195, 0, 190)
    place(match, "6-4", claim=10)
    assert match.result is None
    match.apply_claims({1: 10, 2: 0})
    assert match.result == MatchResult("target", (0,))
    assert match.scores == [205, -10, 190]


def test_claims_on_the_last_tile_come_before_the_end_of_the_hand() -> None:
    match, hand = claims_table(hand_size="1")
    place(match, "6-4", claim=10)
    assert hand.over == HandOver("domino", 0)
    with pytest.raises(EngineError, match=r"^the hand is not over$"):
        match.finish_hand(hand.known)
    match.apply_claims({1: 0, 2: 0})
    (ended,) = match.finish_hand(hand.known)
    assert isinstance(ended, HandEnded)
    assert ended.points == (0, -5, -5)
    assert ended.scores == (10, -5, -5)
