"""Reads a drawn screen back: tiles, open ends, count and scores, from its characters alone."""

import re
from dataclasses import dataclass

from engine.tiles import Tile, tile

# What a tile looks like; d stands for a half. Larger ones first.
_TEMPLATES = (
    ("+---+---+", "| d | d |", "+---+---+"),
    ("┌───┬───┐", "│ d │ d │", "└───┴───┘"),
    ("+---+", "| d |", "+---+", "| d |", "+---+"),
    ("┌───┐", "│ d │", "├───┤", "│ d │", "└───┘"),
    ("+-+-+", "|d|d|", "+-+-+"),
    ("┌─┬─┐", "│d│d│", "└─┴─┘"),
    ("+-+", "|d|", "+-+", "|d|", "+-+"),
    ("┌─┐", "│d│", "├─┤", "│d│", "└─┘"),
    ("[d]", "[-]", "[d]"),
    ("┌d┐", "├─┤", "└d┘"),
    ("[d|d]",),
    ("[d│d]",),
    ("[d]", "[d]"),
    ("┌d┐", "└d┘"),
)
_END = re.compile(r"(?<![\w])([0-6]?[LRUD]):([0-6])(?!\d)")
# A player, or one who shares the score of a partner above.
_PLAYER = re.compile(r" pts|[AB] {9,}.*: \d+ tile")
SIDE = 38


@dataclass(frozen=True)
class Read:
    """What was read of a screen."""

    table: list[Tile]
    ends: dict[str, int]
    count: int | None
    scores: list[int]
    tile_counts: list[int]
    everywhere: set[Tile]


def read_screen(text: str, width: int) -> Read:
    """Read a whole screen of `width` columns."""
    rows = text.rstrip("\n").split("\n")
    rule = next((at for at, row in enumerate(rows) if re.match(r"--|──", row)), len(rows))
    table_width = width - SIDE - 1 if width >= 100 else width
    below = (at for at, row in enumerate(rows) if at and not _PLAYER.search(row))
    first = 1 if width >= 100 else next(below)
    area = [row[:table_width].ljust(table_width) for row in rows[first:rule]]
    count = re.search(r" count (\d+)", rows[rule]) if rule < len(rows) else None
    players = [row for row in rows if _PLAYER.search(row)]
    shown = "\n".join(players)
    return Read(
        table=read_tiles(area),
        ends={name: int(value) for row in area for name, value in _END.findall(row)},
        count=int(count[1]) if count else None,
        scores=[int(score) for score in re.findall(r"(-?\d+) pts", shown)],
        tile_counts=[int(held) for held in re.findall(r": (\d+) tiles?\b", shown)],
        everywhere=set(read_tiles([row.ljust(width) for row in rows])) | words_tiles(text),
    )


def words_tiles(text: str) -> set[Tile]:
    """Tiles in running text: 6-4."""
    found = re.findall(r"(?<![\w-])([0-6])-([0-6])(?![\w-])", text)
    return {tile(int(a), int(b)) for a, b in found if int(a) >= int(b)}


def read_tiles(rows: list[str]) -> list[Tile]:
    """The tiles drawn in `rows`, which are equally long."""
    cells = [list(row) for row in rows]
    found: list[Tile] = []
    for template in _TEMPLATES:
        for y in range(len(cells) - len(template) + 1):
            for x in range(len(cells[0]) - len(template[0]) + 1):
                halves = _match(cells, template, x, y)
                if halves:
                    found.append(tile(*halves))
                    for row in range(len(template)):
                        cells[y + row][x : x + len(template[0])] = " " * len(template[0])
    return found


def _match(
    cells: list[list[str]], template: tuple[str, ...], x: int, y: int
) -> tuple[int, int] | None:
    halves: list[int] = []
    for row, pattern in enumerate(template):
        for column, char in enumerate(pattern):
            there = cells[y + row][x + column]
            if char == "d" and there in "0123456":
                halves.append(int(there))
            elif char != there:
                return None
    return halves[0], halves[1]
