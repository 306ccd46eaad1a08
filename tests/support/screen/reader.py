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


def _pattern(row: str) -> re.Pattern[str]:
    """One row of it, wherever it begins; its first group is all of it, the others are halves."""
    return re.compile(f"(?=({re.escape(row).replace('d', '([0-6])')}))")


_PATTERNS = tuple(tuple(_pattern(row) for row in template) for template in _TEMPLATES)
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
    rows = list(rows)
    found: list[Tile] = []
    for template in _PATTERNS:
        for y in range(len(rows) - len(template) + 1):
            for begin in template[0].finditer(rows[y]):
                halves = _match(rows, template, begin.start(), y)
                if halves:
                    found.append(tile(*halves))
    return found


def _match(
    rows: list[str], template: tuple[re.Pattern[str], ...], x: int, y: int
) -> tuple[int, int] | None:
    """The halves of a tile that is drawn there, which is wiped out."""
    halves: list[int] = []
    for row, pattern in enumerate(template, y):
        there = pattern.match(rows[row], x)
        if there is None:
            return None
        whole, *read = there.groups()
        width = len(whole)
        halves += map(int, read)
    for row in range(y, y + len(template)):
        rows[row] = rows[row][:x] + " " * width + rows[row][x + width :]
    return halves[0], halves[1]
