"""Tiles and open ends as text art, in ASCII or with box-drawing characters."""

from collections.abc import Container
from typing import Final

from cli.screen.line.canvas import Canvas, Zone
from cli.screen.line.layout import Laid, Layout
from cli.screen.line.look import Look
from cli.screen.line.search import label_text
from engine.tiles import Tile

# Rows of a tile, its halves as {0} and {1}: by shape, whether it stands, and the look.
_ASCII: Final = {
    ("large", False): ("+---+---+", "| {0} | {1} |", "+---+---+"),
    ("large", True): ("+---+", "| {0} |", "+---+", "| {1} |", "+---+"),
    ("big", False): ("+-+-+", "|{0}|{1}|", "+-+-+"),
    ("big", True): ("+-+", "|{0}|", "+-+", "|{1}|", "+-+"),
    ("compact", False): ("[{0}|{1}]",),
    ("compact", True): ("[{0}]", "[-]", "[{1}]"),
    ("small", False): ("[{0}|{1}]",),
    ("small", True): ("[{0}]", "[{1}]"),
}
_UNICODE: Final = {
    ("large", False): ("┌───┬───┐", "│ {0} │ {1} │", "└───┴───┘"),
    ("large", True): ("┌───┐", "│ {0} │", "├───┤", "│ {1} │", "└───┘"),
    ("big", False): ("┌─┬─┐", "│{0}│{1}│", "└─┴─┘"),
    ("big", True): ("┌─┐", "│{0}│", "├─┤", "│{1}│", "└─┘"),
    ("compact", False): ("[{0}│{1}]",),
    ("compact", True): ("┌{0}┐", "├─┤", "└{1}┘"),
    ("small", False): ("[{0}│{1}]",),
    ("small", True): ("┌{0}┐", "└{1}┘"),
}


def tile_rows(tile: Laid, shape: str, look: Look) -> list[str]:
    """The rows of a tile that lies on the table."""
    rows = (_UNICODE if look.unicode else _ASCII)[shape, tile.stands]
    return [row.format(tile.first, tile.second) for row in rows]


def hand_tile(tile: Tile, look: Look) -> str:
    """A tile in one row of 5 cells: "[6|4]"."""
    return f"[{tile.high}{'│' if look.unicode else '|'}{tile.low}]"


def boxed(tile: Tile, look: Look) -> tuple[str, ...]:
    """A tile of the hand as a box of 5 cells in 3 rows."""
    rows = (_UNICODE if look.unicode else _ASCII)["big", False]
    return tuple(row.format(tile.high, tile.low) for row in rows)


def draw_layout(
    canvas: Canvas, layout: Layout, top: int, look: Look, fresh: Container[Tile], end: str | None
) -> None:
    """Draw the line from row `top` on; `end` is the chosen end, `fresh` the tiles to be marked."""
    for tile in layout.tiles:
        style = "tile.last" if tile.tile in fresh else "tile"
        for row, text in enumerate(tile_rows(tile, layout.shape.name, look)):
            canvas.put(tile.rect.x, top + tile.rect.y + row, text, style)
    across, upright = ("─", "│") if look.unicode else ("-", "|")
    for dash in layout.dashes:
        for row in range(dash.h):
            text = across * dash.w if dash.h == 1 and dash.w > 1 else upright
            canvas.put(dash.x, top + dash.y + row, text, "tile")
    for note in layout.notes:
        canvas.put(note.rect.x, top + note.rect.y, note.text, "faint")
    for label in layout.labels:
        text = label_text(label.end)
        chosen = label.end.name == end
        shown = f">{text}<" if chosen else f" {text} "
        at = (label.rect.x, top + label.rect.y)
        canvas.put(*at, shown, "end.chosen" if chosen else "end")
        canvas.zones.append(Zone(*at, label.rect.w, 1, label.end.name))
