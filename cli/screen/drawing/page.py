"""A page laid out for the rows that there are: where not all of it fits, it scrolls."""

from dataclasses import dataclass
from typing import Final

from cli.screen.drawing.panels import Panel
from cli.screen.line.canvas import latest, whole, wrapped

# Of a page that scrolls so many rows are kept for what comes in.
_NEWS_ROWS: Final = 4


@dataclass(frozen=True, slots=True)
class Laid:
    """The rows of a page in view: those that scroll, `at` says which they are ("": all are there),
    and below that the newest ones; how far it may scroll; the lines that are in view whole."""

    rows: tuple[str, ...]
    at: str
    news: tuple[str, ...]
    last: int
    told: frozenset[str]


def lay_page(panel: Panel, top: int, width: int, room: int) -> Laid:
    """A page from its row `top` on, in so many columns and rows."""
    every = (*panel.lines, *panel.news)
    if len(_rows(every, width)) <= room:
        return Laid(tuple(row for row, _ in _rows(every, width)), "", (), 0, frozenset(every))
    count = min(_NEWS_ROWS, room // 2)
    news, kept = latest(panel.news, width, count), whole(panel.news, width, count)
    scrolled = _rows(every[: len(every) - kept], width)
    room -= len(news)
    last = max(0, len(scrolled) - room)
    first = max(0, min(top, last))
    until = min(len(scrolled), first + room)
    seen = scrolled[first:until]
    cut = {line for _, line in (*scrolled[:first], *scrolled[until:])}
    told = {every[line] for _, line in seen if line not in cut} | set(every[len(every) - kept :])
    at = f"rows {first + 1}-{until} of {len(scrolled)}: up, down, PgUp, Space"
    return Laid(tuple(row for row, _ in seen), at, tuple(news), last, frozenset(told))


def _rows(lines: tuple[str, ...], width: int) -> list[tuple[str, int]]:
    """Each row, and which line it is of."""
    return [(row, at) for at, line in enumerate(lines) for row in wrapped(line, width)]
