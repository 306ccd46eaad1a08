"""What a person is told can be done now: sentences, and pure functions to one or two of them."""

from collections.abc import Mapping
from typing import Final

from cli.telling.prompts import spelled, told_points
from cli.telling.scene import Scene
from cli.telling.words import ends_text, plural
from engine.moves import Draw, Move, Pass, Play
from engine.strategy.hints import reason
from engine.strategy.view import SeatView

LEAVE_TABLE: Final = "Leave? y leaves, n stays."
LEAVE_MATCH: Final = "Leave? The match ends for everybody then. y leaves, n stays."
NO_HINT: Final = "A hint is for your own turn."
AGAIN_ASKED: Final = "You ask for another match; it begins when everybody does."
PAUSED: Final = "The match is paused; p goes on."


def turn_prompt(seen: SeatView, chosen: Move | None) -> str:
    """To the seat whose turn it is; `chosen` is the move that Enter would make."""
    if isinstance(chosen, Draw):
        left = plural(seen.drawable, "tile")
        return f"Your turn, and nothing you hold fits. Enter draws a tile ({left} left to draw)."
    if isinstance(chosen, Pass):
        return "Your turn, nothing you hold fits and nothing is left to draw. Enter passes."
    plays = [move for move in seen.legal if isinstance(move, Play)]
    if not isinstance(chosen, Play):
        return "Your turn. Choose a tile with its number or the arrows, then Enter."
    does = f"Enter plays {_told(seen, chosen)}"
    if len(plays) == 1:
        return f"Your turn, and you have one move: {does}."
    tiles = " Left/right: another tile." if len({move.tile for move in plays}) > 1 else ""
    ends = sum(move.tile == chosen.tile for move in plays)
    return f"Your turn: {does}.{tiles}{' Up/down: another end.' if ends > 1 else ''}"


def _told(seen: SeatView, move: Play) -> str:
    where = "as the lead" if move.end is None else f"on {move.end}"
    if seen.rules.claims:
        return f"{move.tile} {where}; then you say what it scores"
    points = told_points(seen, move)
    return f"{move.tile} {where} for {points} points" if points else f"{move.tile} {where}"


def own_claim_prompt(tile: object) -> str:
    """To the placer where points are claimed."""
    return f"What does {tile} score there? Type the points you claim; Enter alone claims nothing."


def claim_prompt(seen: SeatView) -> str:
    """To the opponents of the placer where points are claimed."""
    return (
        f"The ends are {ends_text(seen.line)}. Did the other miss points? "
        "Type what you claim; Enter alone claims nothing."
    )


def wait_prompt(scene: Scene) -> str:
    """To who has nothing to decide now."""
    if not scene.dealt or scene.turn is None:
        return "The tiles are being shuffled by everybody. Nothing to do: it goes on by itself."
    if scene.unsettled:
        return "Everybody says what they claim for the placement; it goes on by itself."
    if scene.turn == scene.me:
        return "It is your turn as soon as the others are heard; it goes on by itself."
    return f"{scene.name(scene.turn)} is to move; it goes on by itself. c writes to the others."


def away_prompt(away: Mapping[str, str]) -> str:
    """To who waits for others to come back; `away` says by name since when."""
    who = ", ".join(f"{name} is {since}" for name, since in away.items())
    back = "all are" if len(away) > 1 else f"{next(iter(away))} is"
    return f"{who}. The match goes on where it was as soon as {back} back. q leaves."


def hint_text(move: Move, seen: SeatView) -> str:
    """What a hint says: the move, and in a few words why."""
    does = spelled(move) if isinstance(move, Play) else "draw" if isinstance(move, Draw) else "pass"
    return f"Hint: {does} ({reason(seen, move)})."
