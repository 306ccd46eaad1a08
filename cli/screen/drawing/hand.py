"""One's hand: each tile with its number, and with the points that each end would bring."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cli.screen.drawing.view import Choice, HandTile, TableView
from cli.screen.line.art import boxed, hand_tile
from cli.screen.line.canvas import Canvas, Zone, wrapped
from cli.screen.line.look import Look, TileSize

_ROOMY: Final = 18
_TENTH: Final = 10
# For each line of boxes so many rows of table and hand; None: never.
_BOXED_ROOM: Final[dict[TileSize, int | None]] = {"auto": 28, "small": None, "large": 15}


@dataclass(frozen=True, slots=True)
class Run:
    """A text in a row of the hand, its style, and the number of the tile that a click chooses."""

    x: int
    text: str
    style: str
    tile: int | None = None


Row = tuple[Run, ...]


def choice_text(choice: Choice) -> str:
    """ "R+15", or "R=12": what it would score, or else what the ends would count; a lead has no
    end."""
    if choice.points:
        return f"{choice.end or ''}+{choice.points}"
    count = "" if choice.count is None else f"={choice.count}"
    return f"{choice.end or ''}{count}"


def _choices(tile: HandTile, chosen: str | None) -> str:
    shown = [
        f"<{choice_text(one)}>" if one.end == chosen and len(tile.choices) > 1 else choice_text(one)
        for one in tile.choices
    ]
    return " ".join(text for text in shown if text)


@dataclass(frozen=True, slots=True)
class _Cell:
    number: int
    head: str
    below: str
    style: str
    box: tuple[str, ...]


def _label(number: int) -> str:
    """What stands beside a tile, the first being 0: its key, 1 to 9 and 0; those behind have their
    number, of which the last digit is the key, again."""
    return "0" if number + 1 == _TENTH else str(number + 1)


def _cells(view: TableView, look: Look) -> list[_Cell]:
    """The tiles with their labels."""
    found: list[_Cell] = []
    for number, tile in enumerate(view.hand or ()):
        chosen = tile.tile == view.front.cursor.tile
        label = _label(number)
        left, right = "><" if chosen else "  "
        head = f"{left}{label}{hand_tile(tile.tile, look)}{right}"
        style = "hand.chosen" if chosen else "hand.fits" if tile.choices else "hand"
        below = _choices(tile, view.front.cursor.end if chosen else None)
        box = _boxed(label, left, right, boxed(tile.tile, look))
        found.append(_Cell(number, head, below, style, box))
    return found


def _boxed(label: str, left: str, right: str, box: Sequence[str]) -> tuple[str, ...]:
    """A box with its number at its side, and what says that it is chosen."""
    above, middle, below = box
    return f"{label:>2}{above} ", f"{left} {middle}{right}", f"  {below} "


def hand_rows(view: TableView, width: int, room: int, look: Look) -> list[Row]:
    """The rows of the hand in `width` columns, where table and hand have `room` rows: the tiles as
    boxes, points below them, if there is room; points beside them where there is little."""
    if view.hand is None:
        return _open_hands(view, width, look)
    return _rows_of(_cells(view, look), width, room, look)


def _rows_of(cells: Sequence[_Cell], width: int, room: int, look: Look) -> list[Row]:
    columns = [max(len(cell.head), 3 + len(cell.below)) for cell in cells]
    lines = _wrap(columns, width)
    boxes = _BOXED_ROOM[look.tiles]
    if boxes is not None and room >= boxes * len(lines):
        return [row for line in lines for row in _boxes(cells, columns, line)]
    if len(lines) <= (2 if room >= _ROOMY else 1):
        return [row for line in lines for row in _pair(cells, columns, line)]
    texts = [f"{cell.head}{cell.below}" for cell in cells]
    apart, close = ([len(text) + gap for text in texts] for gap in (2, 1))
    # What stands behind a tile is its own: where that costs no row there is room between them.
    beside = apart if len(_wrap(apart, width)) == len(_wrap(close, width)) else close
    return [_single(cells, texts, beside, line) for line in _wrap(beside, width)]


def _open_hands(view: TableView, width: int, look: Look) -> list[Row]:
    """Everybody's tiles, where they are open to view."""
    rows: list[Row] = []
    for seat in view.seats:
        if seat.hand is not None:
            tiles = " ".join(hand_tile(tile, look) for tile in seat.hand)
            texts = wrapped(f"{seat.name}: {tiles}", width - 1)
            rows += [(Run(1, text, "hand"),) for text in texts]
    return rows


def _wrap(columns: Sequence[int], width: int) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = 0
    for index, size in enumerate(columns):
        if used + size > width and lines[-1]:
            lines.append([])
            used = 0
        lines[-1].append(index)
        used += size
    return lines


def _pair(cells: Sequence[_Cell], columns: Sequence[int], line: Sequence[int]) -> list[Row]:
    heads: list[Run] = []
    below: list[Run] = []
    x = 0
    for index in line:
        cell = cells[index]
        heads.append(Run(x, cell.head, cell.style, cell.number))
        below.append(Run(x + 2, cell.below, cell.style, cell.number))
        x += columns[index]
    return [tuple(heads), tuple(below)] if any(one.text for one in below) else [tuple(heads)]


def _boxes(cells: Sequence[_Cell], columns: Sequence[int], line: Sequence[int]) -> list[Row]:
    rows: list[list[Run]] = [[], [], []]
    below = _pair(cells, columns, line)[1:]
    x = 0
    for index in line:
        cell = cells[index]
        for row, text in zip(rows, cell.box, strict=True):
            row.append(Run(x, text, cell.style, cell.number))
        x += columns[index]
    return [*map(tuple, rows), *below]


def _single(
    cells: Sequence[_Cell], texts: Sequence[str], columns: Sequence[int], line: Sequence[int]
) -> Row:
    row: list[Run] = []
    x = 0
    for index in line:
        row.append(Run(x, texts[index], cells[index].style, cells[index].number))
        x += columns[index]
    return tuple(row)


def draw_hand(canvas: Canvas, rows: Sequence[Row], top: int) -> None:
    """Draw the rows from row `top` on; every tile can be clicked."""
    for at, row in enumerate(rows):
        for piece in row:
            canvas.put(piece.x, top + at, piece.text, piece.style)
            if piece.tile is not None:
                canvas.zones.append(Zone(piece.x, top + at, len(piece.text), 1, piece.tile))
