"""Why a move is a good one, in a few words for the person who asked for a hint."""

from engine.moves import Draw, Move, Play
from engine.strategy.view import SeatView
from engine.tiles import HALVES, PIPS
from engine.wording import listed


def reason(view: SeatView, move: Move) -> str:
    """What a legal move of the view brings and keeps: "+10, keeps 5s and 3s".

    Where points are claimed they are for the person to find, and nothing is said of them.
    """
    if not isinstance(move, Play):
        return "nothing you hold fits" + ("" if isinstance(move, Draw) else ", nothing to draw")
    after = view.line.copy()
    after.place(move.tile, move.end)
    points = 0 if view.rules.claims else view.points_for(move)
    return ", ".join([f"+{points}"] * bool(points) + [_kept(view, move, after.pips)])


def ends_match(view: SeatView, move: Move) -> bool:
    """Whether a legal move is seen to win the match at once. Where points are claimed that is for
    the person to find."""
    return not view.rules.claims and view.wins_with(move)


def _kept(view: SeatView, move: Play, open_pips: int) -> str:
    """What the tiles that stay in hand can be played on."""
    left = [tile for slot, tile in view.tiles if slot != move.slot]
    if not left:
        return "goes out"
    held = 0
    for tile in left:
        held |= HALVES[tile.index]
    kept = [f"{pip}s" for pip in reversed(PIPS) if (held & open_pips) >> pip & 1]
    if not kept:
        return "keeps nothing that fits"
    return f"keeps {listed(kept)}"
