"""What a match makes of a seat that leaves, and of one that is proven to cheat."""

import pytest
from support.engine.scenes import FIVES, deal_of, first_hand, place, set_scores

from engine.errors import EngineError
from engine.events import HandEnded, MatchEnded
from engine.match import Match, MatchResult
from engine.rules import Rules


def test_a_leaver_kills_the_hand_and_the_others_go_on() -> None:
    match, hand = first_hand(FIVES, 3, hand_size="9/8/2")
    place(match, "6-4")
    (ended,) = match.drop_seat(0)
    assert ended == HandEnded("left", None, (None, None, None), (0, 0, 0), (10, 0, 0))
    assert (match.hand, match.seats, hand.turn) == (None, (1, 2), None)
    assert match.starter_rule() == "lot"
    after = match.begin_hand(1)
    assert (after.seats, len(after.slots(1)), after.slots(0)) == ((1, 2), 9, ())
    with pytest.raises(EngineError, match=r"^seat 0 is not in the match$"):
        match.drop_seat(0)


def test_a_leaver_cannot_win() -> None:
    match, hand = first_hand(deal_of("6-4", "5-1", "0-0"), 3, preset="pagat", hand_size="1")
    set_scores(match, 300, 195, 0)
    match.drop_seat(0)
    hand = match.begin_hand(1, known=deal_of("6-4", "5-1"))
    place(match, "6-4")
    events = match.finish_hand(hand.known)
    assert events[1] == MatchEnded("target", (1,), (300, 210, 0))


def test_who_went_out_and_left_does_not_start() -> None:
    match, hand = first_hand(deal_of("6-4", "5-1", "0-0"), 3, hand_size="1")
    place(match, "6-4")
    match.finish_hand(hand.known)
    assert match.starter_rule() == 0
    assert match.drop_seat(0) == ()
    assert match.starter_rule() == "lot"


def test_of_two_one_leaves() -> None:
    match, _ = first_hand(FIVES)
    assert match.drop_seat(1) == (
        HandEnded("left", None, (None, None), (0, 0), (0, 0)),
        MatchEnded("abandoned", (), (0, 0)),
    )
    assert match.result == MatchResult("abandoned", ())


def test_of_partners_one_leaves() -> None:
    match, _ = first_hand(FIVES, 4, partners="yes")
    assert match.drop_seat(2)[1] == MatchEnded("abandoned", (), (0, 0, 0, 0))


def test_leaving_does_not_undo_a_decided_match() -> None:
    match, _ = first_hand(FIVES)
    set_scores(match, 240, 0)
    place(match, "6-4")
    assert match.drop_seat(0) == ()
    assert match.result == MatchResult("target", (0,))


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
    match.drop_seat(3)
    set_scores(match, 0, 5, 9, 90)
    assert match.fault(2) == (MatchEnded("fault", (1,), (0, 5, 9, 90)),)


def test_a_cheat_does_not_keep_a_decided_match() -> None:
    match, _ = first_hand(FIVES)
    set_scores(match, 240, 0)
    place(match, "6-4")
    assert match.fault(0)[1] == MatchEnded("fault", (1,), (250, 0))
