"""What the person to move is told, and the move that a typed line means: pure functions."""

import re
from dataclasses import replace
from typing import Final

from cli.telling.phrases import plural, signed
from cli.telling.scene import Scene
from cli.telling.words import claiming, line_text
from engine.errors import NotationError
from engine.hand import check_claim
from engine.moves import Draw, Move, Play
from engine.notation import format_move, move_of, parse_move
from engine.rules import Rules
from engine.strategy.view import SeatView

# A number of the digits that a claim can have: whether one of that size is, the engine says.
_CLAIM: Final = re.compile(r"=?\s*0*([0-9]{1,3})", re.ASCII)
_NO_CLAIM: Final = ("", "no", "n", "none", "nothing", "pass")
HOW_TO_CLAIM: Final = "What a tile scores you claim with it: =10 behind the tile claims 10."


def ask_move(view: SeatView, begins: bool = False) -> str:
    """One line that says what can be done now; when it is one thing only, Enter does it. A turn
    that `begins` has all its seconds, which a draw does not bring back."""
    seconds = view.rules.turn_seconds if begins else None
    turn = "Your turn" if seconds is None else f"Your turn ({plural(seconds, 'second')})"
    only = only_move(view)
    if only is None:
        plays = [move for move in view.legal if isinstance(move, Play)]
        return f"{turn}. You can play: {', '.join(_worth(view, move) for move in plays)}."
    if isinstance(only, Play):
        return f"{turn}. You can only play {_worth(view, only)}; Enter plays it."
    # The ends were read with the table.
    nothing = "nothing you hold fits"
    if isinstance(only, Draw):
        return f"{turn}: {nothing}; Enter draws ({plural(view.drawable, 'tile')} left to draw)."
    return f"{turn}: {nothing} and {why_no_draw(view)}; Enter passes."


def why_no_draw(view: SeatView) -> str:
    """Why who cannot play does not draw: a clause."""
    return (
        "nothing may be drawn in this game"
        if view.rules.draws == "none"
        else "nothing is left to draw"
    )


def _worth(view: SeatView, move: Play) -> str:
    points, count = told_points(view, move), told_count(view, move)
    worth = signed(points) if points else None if count is None else f"count {count}"
    return f"{spelled(move)}{'' if worth is None else f' ({worth})'}"


def told_points(view: SeatView, move: Play) -> int:
    """What a person is told that a placement scores: nothing where points are claimed."""
    return 0 if view.rules.claims else view.points_for(move)


def told_count(view: SeatView, move: Play) -> int | None:
    """What a person is told that the ends count then: None where they are not counted, or are for
    the person to count."""
    return view.count_after(move) if tells_counts(view.rules) else None


def tells_counts(rules: Rules) -> bool:
    """Whether a person is told what a placement would make of the ends."""
    return rules.play_points == "fives" and not rules.claims


def spelled(move: Play) -> str:
    """A placement as it is typed, without a claim."""
    return format_move(replace(move, claim=None))


def only_move(view: SeatView) -> Move | None:
    """The one legal move, if there is just one and nothing to claim with it."""
    if len(view.legal) != 1 or (view.rules.claims and isinstance(view.legal[0], Play)):
        return None
    return view.legal[0]


def understood(view: SeatView, line: str) -> Move:
    """The legal move that a line means. Raises EngineError, its sentence for the person.

    Enter alone means the only move there is. A tile without its end means the one end it fits. Of
    the only placement that can be made a number alone means what is claimed for it.
    """
    only = only_move(view)
    if not line.strip():
        if only is None:
            raise NotationError("no move is written: you can play, so write a tile and its end")
        return only
    if (claim := _claimed_alone(view, line.strip())) is not None:
        return claim
    said = parse_move(line, view.rules.spinner)
    move = move_of(said, view.hand, view.seat)
    if isinstance(move, Play) and move.end is None and view.line.lead is not None:
        fits = view.line.fits(move.tile)
        if len(fits) == 1:
            move = Play(move.seat, move.slot, move.tile, fits[0], move.claim)
    view.hand.check(move)
    return move


def _claimed_alone(view: SeatView, typed: str) -> Play | None:
    """The only placement, with the claim that is typed alone: "=10", or "10" where that is no tile
    of the hand."""
    found = _CLAIM.fullmatch(typed)
    if found is None or not view.rules.claims or len(view.legal) != 1:
        return None
    (only,) = view.legal
    if not isinstance(only, Play):
        return None
    if not typed.startswith("="):
        held = {f"{tile.high}{tile.low}" for _, tile in view.tiles}
        if held & {typed, typed[::-1]}:
            return None
    return replace(only, claim=check_claim(int(found[1])))


def ask_claim(view: SeatView, seconds: float, scene: Scene) -> list[str]:
    """The question to an opponent of the placer, who has so many seconds, below the line."""
    assert view.awaiting is not None, "no placement to claim for"
    asked = f"{claiming(scene, view.awaiting)} {what_it_scored(view.awaiting, seconds)}"
    return [*line_text(view.line, counted=False), asked]


def what_it_scored(placed: Play, seconds: float | None = None) -> str:
    """The question to who may claim for what another has placed, perhaps for so many seconds: too
    much may have been claimed, too little, or nothing."""
    otherwise = f"If not {placed.claim}, type" if placed.claim else "Type"
    within = "" if seconds is None else f" within {seconds:g} s"
    return (
        f"What did it score? {otherwise} the points you claim{within}; Enter alone claims nothing."
    )


def claimed(line: str) -> int:
    """The number that a line claims, 0 for an empty one or a no. Raises IllegalMove, as a claim
    does."""
    text = line.strip()
    if text.lower() in _NO_CLAIM:
        return 0
    found = _CLAIM.fullmatch(text)
    return check_claim(int(found[1]) if found else None)


def question(view: SeatView, seconds: float, scene: Scene, begins: bool) -> list[str]:
    """What is asked of whom it waits for, who has so many seconds for a claim; whether a turn
    `begins`."""
    return [ask_move(view, begins)] if view.awaiting is None else ask_claim(view, seconds, scene)


def is_move(line: str) -> bool:
    """Whether a line may be meant as a move or a claim: a number in it, or a word for no tile."""
    return line.strip().lower() in ("draw", "pass") or any(char.isdigit() for char in line)


def answers(view: SeatView, line: str) -> bool:
    """Whether a line may be meant as an answer to what is asked: where points are claimed a no is
    one too."""
    return is_move(line) or (view.awaiting is not None and line.strip().lower() in _NO_CLAIM)
