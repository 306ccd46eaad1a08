"""The players: whose turn it is, names, tiles, scores, links."""

from collections.abc import Sequence
from typing import Final

from cli.screen.drawing.view import SeatLine
from cli.screen.line.canvas import Canvas, cells, cut
from cli.telling.phrases import plural

_NARROWEST: Final = 30
_FEW: Final = 6


def _columns(width: int) -> int:
    return 2 if width >= 2 * _NARROWEST else 1


def seat_row_count(seats: Sequence[SeatLine]) -> int:
    """The rows that the players take, two in a row."""
    return (len(seats) + 1) // 2


def draw_seats(canvas: Canvas, seats: Sequence[SeatLine], x: int, y: int, width: int) -> None:
    """Every player, two in a row where there is room for two."""
    columns = _columns(width)
    room = width // columns
    for at, seat in enumerate(seats):
        text = seat_text(seat, room - 1)
        style = "player.away" if seat.link else "player.turn" if seat.to_move else "player"
        canvas.put(x + at % columns * room, y + at // columns, text, style)


def seat_text(seat: SeatLine, room: int) -> str:
    """ "> Ana (you): 7 tiles, 35 pts"; a link that is not well stands in place of the tiles, and a
    score that partners share stands once: "> A 35 pts  Ana (you): 7 tiles"."""
    mark = ">" if seat.to_move else " "
    held = seat.link or ("" if seat.tiles is None else plural(seat.tiles, "tile"))
    if seat.side:
        score = "" if seat.score is None else f"{seat.score} pts"
        head = f"{mark}{seat.side} {score:>7}  "
        facts = cut(held, max(9, room - len(head) - 10))
    else:
        head = mark
        facts = f"{held}, {seat.score} pts" if held else f"{seat.score} pts"
        if len(facts) > room - 8 and seat.link:
            facts = f"{cut(held, room - 18)}, {seat.score} pts"
    name = _named(seat, room - cells(facts) - cells(head) - 2)
    return f"{head}{name}: {facts}" if facts else f"{head}{name}"


def _named(seat: SeatLine, space: int) -> str:
    """Of the own name a few letters say less than "you" does."""
    you = " (you)" if seat.me else ""
    if seat.me and space < len(you) + min(cells(seat.name), _FEW):
        return cut("you", space)
    return cut(seat.name, space - len(you)) + you
