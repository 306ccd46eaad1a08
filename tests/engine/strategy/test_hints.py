"""What a hint says of a move."""

import pytest

from engine.match import Match
from engine.moves import Draw, Pass, Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.strategy import SeatView, make_view
from engine.strategy.hints import reason
from engine.tiles import ALL_TILES


def view_of(own: str, lead: str = "", **options: str) -> SeatView:
    """What seat 0 sees with these tiles, about to lead, or after a lead of seat 1."""
    mine = [parse_tile(text) for text in own.split()]
    first = [parse_tile(lead)] if lead else []
    spare = [tile for tile in ALL_TILES if tile not in mine + first]
    theirs = first + spare[: len(mine) - len(first)]
    tiles = mine + theirs + [tile for tile in spare if tile not in theirs]
    rules = Rules.make("classic", 2, {"hand-size": str(len(mine)), "target": "900"} | options)
    match = Match(rules, 2)
    match.begin_hand(1 if lead else 0, known=dict(enumerate(tiles)))
    if lead:
        match.apply(Play(1, len(mine), first[0], None))
    return make_view(match, 0)


@pytest.mark.parametrize(
    ("own", "lead", "move", "words"),
    [
        ("6-4 4-1", "", "6-4", "+10, keeps 4s"),
        ("6-4 6-1 4-3", "", "6-4", "+10, keeps 6s and 4s"),
        ("6-3 3-2", "", "3-2", "+5, keeps 3s"),
        ("6-5 3-2", "", "6-5", "keeps nothing that fits"),
        ("6-3", "", "6-3", "goes out"),
        ("5-5", "", "5-5", "+10, goes out"),
        ("5-1 6-5", "6-1", "5-1", "keeps 6s and 5s"),
        ("6-4 4-4 5-1", "5-0", "5-1", "keeps nothing that fits"),
    ],
)
def test_a_play(own: str, lead: str, move: str, words: str) -> None:
    view = view_of(own, lead)
    plays = {str(one.tile): one for one in view.legal if isinstance(one, Play)}
    assert reason(view, plays[move]) == words


def test_where_points_are_claimed_they_are_not_said() -> None:
    view = view_of("6-4 4-1", claims="yes")
    assert reason(view, view.legal[0]) == "keeps 4s"


def test_a_draw_and_a_pass() -> None:
    view = view_of("6-4 4-4", "5-1")
    assert reason(view, Draw(0)) == "nothing you hold fits"
    assert reason(view, Pass(0)) == "nothing you hold fits, nothing to draw"
