"""What the person to move is told, and what a typed line means."""

from dataclasses import replace

import pytest
from support.engine.matches import players

from cli.telling.ask import claim_prompt, hint_text, turn_prompt
from cli.telling.prompts import answers, ask_claim, ask_move, claimed, only_move, understood
from cli.telling.scene import Scene
from engine.errors import EngineError, IllegalMove
from engine.hand import MOST_CLAIMED, check_claim
from engine.match import Match
from engine.moves import Draw, Pass, Play
from engine.notation import move_of, parse_move
from engine.rules import Rules
from engine.strategy import SeatView, make_view
from engine.strategy.advice import Advice
from engine.strategy.hints import ends_match
from engine.tiles import ALL_TILES, Tile, tile
from p2p.session.state.events import MatchBegan


def match_of(rules: Rules, *hands: str, moves: str = "") -> Match:
    """A hand in which seat 0 starts with the first of `hands`, after `moves` ("6-4, 6-5 L")."""
    match = Match(rules, rules.players)
    dealt = [tile(int(one[0]), int(one[2])) for hand in hands for one in hand.split()]
    rest = [one for one in ALL_TILES if one not in dealt]
    hand = match.begin_hand(0, known=dict(enumerate([*dealt, *rest])))
    for move in filter(None, moves.split(", ")):
        assert hand.turn is not None
        match.apply(move_of(parse_move(move), hand, hand.turn))
    return match


def view_of(*hands: str, moves: str = "", **options: str) -> SeatView:
    """What the seat to move sees; two players with as many tiles as their hands have."""
    size = str(len(hands[0].split()))
    named = {name.replace("_", "-"): value for name, value in options.items()}
    rules = Rules.make("classic", 2, {"hand-size": size, **named})
    match = match_of(rules, *hands, moves=moves)
    assert match.hand is not None
    seat = match.hand.turn
    return make_view(match, 0 if seat is None else seat)


def test_all_that_can_be_played_is_listed_with_its_points() -> None:
    view = view_of("6-4 4-1", "6-5 2-2")
    assert ask_move(view) == "Your turn. You can play: 6-4 (+10), 4-1 (+5)."
    view = view_of("6-4 4-1", "6-5 4-3", moves="6-4")
    assert ask_move(view) == "Your turn. You can play: 6-5 L (count 9), 4-3 R (count 9)."


def test_one_thing_only_is_said_and_enter_does_it() -> None:
    view = view_of("6-4 4-1", "6-1 2-2", moves="6-4")
    assert ask_move(view) == "Your turn. You can only play 6-1 L (+5); Enter plays it."
    assert understood(view, "") == view.legal[0] == only_move(view)
    view = view_of("6-4 4-1", "5-1 2-2", moves="6-4")
    assert ask_move(view) == (
        "Your turn: nothing you hold fits; Enter draws (24 tiles left to draw)."
    )
    assert understood(view, "  ") == Draw(1)
    view = view_of("6-4 4-1", "5-1 2-2", moves="6-4", draws="none")
    assert ask_move(view) == (
        "Your turn: nothing you hold fits and nothing may be drawn in this game; Enter passes."
    )
    assert understood(view, "") == Pass(1)


def test_the_turn_clock_is_told() -> None:
    view = view_of("6-4", "6-5", turn_seconds="15")
    only = "You can only play 6-4 (+10); Enter plays it."
    assert ask_move(view, begins=True) == f"Your turn (15 seconds). {only}"
    assert ask_move(view) == f"Your turn. {only}", "some of them are over"


def test_moves_are_understood_in_small_letters_and_either_order() -> None:
    view = view_of("6-4 4-1", "6-5 4-3", moves="6-4")
    for typed in ("6-5 L", "5-6 l", " 6-5  L "):
        move = understood(view, typed)
        assert isinstance(move, Play)
        assert (move.tile, move.end) == (tile(6, 5), "L")


def test_a_tile_that_fits_one_end_needs_no_end() -> None:
    view = view_of("6-4 4-1", "6-5 4-3", moves="6-4")
    move = understood(view, "4-3")
    assert isinstance(move, Play)
    assert move.end == "R"


def test_of_two_ends_that_are_the_same_one_has_the_name_and_is_said_for_the_other() -> None:
    alone = view_of("6-6 4-1", "6-5 6-3", moves="6-6")
    with pytest.raises(EngineError, match=r"^R is the same as L while a double lies alone: say L$"):
        understood(alone, "6-5 R")
    bare = view_of("6-6 6-3 4-1", "6-5 6-0 2-1", moves="6-6, 6-5 L, 6-3 R")
    assert ask_move(bare) == "Your turn. You can only play 6-0 U (count 8); Enter plays it."
    with pytest.raises(EngineError, match=r"^D is the same as U while both are bare: say U$"):
        understood(bare, "6-0 D")
    move = understood(bare, "6-0 U")
    assert isinstance(move, Play)
    assert move.end == "U"


def test_of_the_only_placement_a_number_alone_is_what_is_claimed_for_it() -> None:
    view = view_of("6-4", "6-5", claims="yes")
    for typed in ("=10", "10", " = 10 ", "6-4 =10"):
        assert understood(view, typed) == Play(0, 0, tile(6, 4), None, 10)
    for typed in ("64", "46"):
        assert understood(view, typed) == Play(0, 0, tile(6, 4), None, 0)
    with pytest.raises(EngineError, match=r"^a claim is a number from 0 to 168"):
        understood(view, "=170")
    several = view_of("6-4 4-1", "6-5 2-2", claims="yes")
    counted = view_of("6-4", "6-5")
    for other in (several, counted):
        for typed in ("=10", "10"):
            with pytest.raises(EngineError, match=r"is no tile|is not in your hand"):
                understood(other, typed)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "no move is written: you can play, so write a tile and its end"),
        ("6-1 L", "6-1 is not in your hand"),
        ("6-5 R", "6-5 does not match 4 on R (it fits L)"),
        ("2-2 L", "2-2 does not match an open end (6 on L, 4 on R)"),
        ("6-5 Q", "'Q' is no end: ends are L, R, U and D"),
        ("draw 3", "draw stands alone, without '3'"),
    ],
)
def test_wrong_moves_are_refused_with_the_engines_sentence(typed: str, sentence: str) -> None:
    view = view_of("6-4 4-1 1-1", "6-5 4-3 2-2", moves="6-4")
    with pytest.raises(EngineError) as caught:
        understood(view, typed)
    assert str(caught.value) == sentence


def test_drawing_is_refused_while_something_fits() -> None:
    view = view_of("6-4 4-1", "6-5 4-3", moves="6-4")
    for typed in ("draw", "pass"):
        with pytest.raises(EngineError):
            understood(view, typed)


def test_where_points_are_claimed_nothing_is_said_of_them() -> None:
    assert "6-4 (+10)" in ask_move(view_of("6-4 6-1", "6-5"))
    said = ask_move(view_of("6-4 6-1", "6-5", claims="yes"))
    assert said == "Your turn. You can play: 6-4, 6-1."


def test_enter_never_plays_where_points_are_to_be_claimed() -> None:
    view = view_of("6-4", "6-5", claims="yes")
    assert only_move(view) is None
    with pytest.raises(EngineError):
        understood(view, "")
    move = understood(view, "6-4 =10")
    assert isinstance(move, Play)
    assert move.claim == 10


def test_claims() -> None:
    scene = Scene(1)
    scene.apply(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), players(2)))

    def asked(*hands: str, moves: str, placed: Play) -> list[str]:
        return ask_claim(replace(view_of(*hands, moves=moves), awaiting=placed), 8.0, scene)

    lead = Play(0, 0, tile(6, 4), None, 0)
    assert asked("6-4 4-1", "6-5 4-3", moves="6-4", placed=lead) == [
        "Table: L 6-4 R",
        "Ends: 6 on L, 4 on R.",
        "Ana leads 6-4, claiming nothing. What did it score? Type the points you claim within "
        "8 s; Enter alone claims nothing.",
    ]
    too_much = asked("6-4 4-1", "6-5 4-3", moves="6-4", placed=replace(lead, claim=25))[-1]
    assert too_much == (
        "Ana leads 6-4, claiming 25. What did it score? If not 25, type the points you claim "
        "within 8 s; Enter alone claims nothing."
    )
    at_screen = claim_prompt(
        replace(view_of("6-4 4-1", "6-5 4-3", moves="6-4"), awaiting=replace(lead, claim=25)), scene
    )
    assert at_screen == too_much.replace("25. ", "25. The ends are 6 on L, 4 on R. ", 1).replace(
        " within 8 s", ""
    )
    hands, last = ("6-6 6-3 4-1", "6-5 4-3 2-1"), Play(0, 1, tile(6, 3), "R", 0)
    told = asked(*hands, moves="6-6, 6-5 L, 6-3 R", placed=last)
    assert told[1] == "Ends: 5 on L, 3 on R, bare 6 on U, bare 6 on D."
    told = asked(*hands, moves="6-6", placed=Play(0, 0, tile(6, 6), None, 0))
    assert told[:2] == ["Table: L 6-6 R", "Ends: 6-6 alone, the same on L and R."]
    typed = ("", " ", "15", "=15", "0", "0015", " 168 ", "= 5", "No", "nothing")
    assert [claimed(line) for line in typed] == [0, 0, 15, 15, 0, 15, 168, 5, 0, 0]
    view = view_of("6-4 4-1", "6-5 4-3", moves="6-4")
    assert not answers(view, "no"), "a no is no move"


@pytest.mark.parametrize(
    "line", ["x", "-5", "169", "170", "999", "1000", "9" * 8000, "1.5", "1 5", "²", "=", "==5"]
)
def test_what_cannot_be_claimed_is_refused_with_the_sentence_of_the_engine(line: str) -> None:
    with pytest.raises(IllegalMove) as of_the_engine:
        check_claim(MOST_CLAIMED + 1)
    with pytest.raises(IllegalMove) as refused:
        claimed(line)
    assert str(refused.value) == str(of_the_engine.value)


def test_a_claim_with_a_placement_has_the_limit_of_the_engine() -> None:
    view = view_of("6-4", "6-5", claims="yes")
    assert understood(view, f"6-4 ={MOST_CLAIMED}")
    with pytest.raises(EngineError, match=r"^a claim is a number from 0 to 168, 0 for none$"):
        understood(view, f"6-4 ={MOST_CLAIMED + 1}")


def test_where_tiles_are_drawn_and_none_is_left_it_is_said_so() -> None:
    view = view_of("6-4 4-1", "5-1 2-2", moves="6-4")
    assert "nothing is left to draw" in ask_move(replace(view, legal=(Pass(1),)))
    assert "nothing is left to draw" in turn_prompt(view, Pass(1))
    blocked = view_of("6-4 4-1", "5-1 2-2", moves="6-4", draws="none")
    assert "nothing may be drawn in this game" in turn_prompt(blocked, Pass(1))


def test_a_hint_says_the_move_and_why_what_it_leaves_and_how_much_better_it_is() -> None:
    view = view_of("6-4 4-1", "6-5 4-3")
    best, other = view.legal
    said = hint_text(Advice(best, 10, 15, {best: 12.4, other: 9.0}), view)
    assert said == (
        "Hint: 6-4 (+10, keeps 4s, leaves the next player 15 at most, 3 points better than the "
        "next best)."
    )
    said = hint_text(Advice(other, 5, 0, {best: 0.0, other: 0.4}), view)
    assert said == "Hint: 4-1 (+5, keeps 4s, leaves the next player nothing)."
    draw = view_of("6-4 4-1", "5-1 2-2", moves="6-4")
    only = hint_text(Advice(draw.legal[0], 0, 0, {draw.legal[0]: 0.0}), draw)
    assert only == "Hint: draw (nothing you hold fits)."


def test_a_hint_that_gives_up_points_says_for_what() -> None:
    """Near the target for the match, before that for the lead of the next hand."""
    view = view_of("6-4 4-1", "6-5 4-3")
    best, other = view.legal
    points = {best: 12.4, other: 9.0}
    near = Advice(other, 5, 0, points, {best: 0.584, other: 0.62})
    assert hint_text(near, view) == (
        "Hint: 4-1 (+5, keeps 4s, leaves the next player nothing, wins the match 62 times in 100, "
        "and 6-4 58 times)."
    )
    level = replace(near, chances={best: 0.62, other: 0.62})
    assert hint_text(level, view) == "Hint: 4-1 (+5, keeps 4s, leaves the next player nothing)."
    most = hint_text(Advice(best, 10, 15, points, {best: 0.6, other: 0.5}), view)
    assert most.endswith("3 points better than the next best).")
    far = hint_text(Advice(other, 5, 0, points), view)
    assert far.endswith(", may go out sooner, which leads the next hand).")


def test_a_hint_says_that_it_wins_the_match() -> None:
    view = replace(view_of("6-4 4-1", "6-5 4-3"), scores=(240, 245))
    best, other = view.legal
    points = {best: 3.0, other: 9.0}
    wins = Advice(best, 10, 15, points, {best: 1.0, other: 0.5})
    assert hint_text(wins, view).endswith("wins the match).")
    assert not hint_text(replace(wins, move=other), view).endswith("wins the match).")
    for changed in ({"claims": "yes"}, {"match-end": "hand"}):
        rules = Rules.make("classic", 2, {"hand-size": "2", **changed})
        assert not ends_match(replace(view, rules=rules), best)


def test_where_nothing_is_counted_no_count_is_told() -> None:
    rules = Rules.make("draw", 2, {"hand-size": "2", "starter": "lot"})
    view = make_view(match_of(rules, "6-4 4-1", "6-5 4-3"), 0)
    assert ask_move(view) == "Your turn. You can play: 6-4, 4-1."
    assert turn_prompt(view, view.legal[0]).startswith("Your turn: Enter plays 6-4 as the lead.")
    best, other = view.legal
    said = hint_text(Advice(best, 0, 0, {best: 2.0, other: 0.0}), view)
    assert said == "Hint: 6-4 (keeps 4s, 2 points better than the next best)."


def test_every_legal_move_that_is_offered_is_understood() -> None:
    view = view_of("6-4 4-1 6-6", "6-5 4-3 4-4", moves="6-4, 4-4 R, 6-6 L")
    offered = ask_move(view).partition(": ")[2].removesuffix(".").split(", ")
    moves = [understood(view, one.partition(" (")[0]) for one in offered]
    assert moves == list(view.legal)
    assert all(isinstance(move, Play) and isinstance(move.tile, Tile) for move in moves)
