"""A view drawn as a frame of exactly the size of the terminal: a pure function, no input or output.

From the top: title, players, the line of play, the ends with their sum, the log, the hand, what
can be done now, the keys. From 100 columns on players and log stand at the right of the table.
"""

from collections.abc import Sequence
from typing import Final

from cli.screen.drawing.hand import draw_hand, hand_rows
from cli.screen.drawing.keys import Act
from cli.screen.drawing.page import Laid, lay_page
from cli.screen.drawing.panels import Panel
from cli.screen.drawing.seats import draw_seats, seat_row_count
from cli.screen.drawing.view import TableView
from cli.screen.line.art import draw_layout
from cli.screen.line.canvas import (
    Canvas,
    Frame,
    Zone,
    beginning,
    cells,
    cut,
    end_of,
    latest,
    wrapped,
)
from cli.screen.line.layout import lay_out
from cli.screen.line.look import Look

SMALLEST: Final = (60, 20)
_WIDE: Final = 100
_SIDE: Final = 38
_EMPTY: Final = "The table is empty. ? shows the keys and the game."
_LOG_ROWS: Final = 4
_LEAST_TABLE: Final = 8
# Where only a sentence stands on it.
_LEAST_EMPTY: Final = 3
# So the table does not jump when a hint comes or a sentence is longer.
_FOOT_ROWS: Final = 2
# A question is read to its end: at 60 columns one about all the ends of many spinners takes seven.
_PROMPT_ROWS: Final = 7
# A note is read to its end too, where the question leaves it room.
_NOTE_ROWS: Final = 2
_BOTH_ROWS: Final = 7
_TOO_SMALL: Final = (
    "The screen needs {} columns and {} rows; here are {} and {}. Please enlarge; Ctrl-C leaves."
)


def fits(width: int, height: int) -> bool:
    """Whether a terminal has room for the screen."""
    return width >= SMALLEST[0] and height >= SMALLEST[1]


def render(view: TableView, width: int, height: int, look: Look) -> Frame:
    """The screen; below 60x20 one sentence."""
    canvas = Canvas(width, height)
    if not fits(width, height):
        sentence = _TOO_SMALL.format(*SMALLEST, width, height)
        for row, text in enumerate(wrapped(sentence, max(1, width))):
            canvas.put(0, row, text)
        return canvas.frame()
    _Screen(canvas, view, look).draw()
    return canvas.frame()


def _with_keys(rows: Sequence[str], width: int) -> list[str]:
    """Rows of a sentence in which a key, "q", stands in one row with what it does: "leaves"."""
    kept = list(rows)
    for at in range(len(kept) - 1):
        before, _, key = kept[at].rpartition(" ")
        below = kept[at + 1]
        follows = below.lstrip(" ")
        if before.strip() and len(key) == 1 and key.islower() and cells(below) + 2 <= width:
            indent = " " * (len(below) - len(follows))
            kept[at : at + 2] = [before, f"{indent}{key} {follows}"]
    return kept


class _Screen:
    def __init__(self, canvas: Canvas, view: TableView, look: Look) -> None:
        self.canvas, self.view, self.look = canvas, view, look
        self.wide = canvas.width >= _WIDE

    def draw(self) -> None:
        canvas = self.canvas
        top = self._head()
        if self.view.front.panel is not None:
            self._panel(top, self.view.front.panel)
            return
        bottom = self._foot(self._foot_rows(self.view.note))
        if self.wide:
            side = canvas.width - _SIDE
            self._side(side, top, bottom)
            self._middle(top, bottom, side - 1)
        else:
            self._middle(top, bottom, canvas.width)

    def _head(self) -> int:
        """The title, and the players unless they stand at the side; the first row below."""
        canvas, view = self.canvas, self.view
        canvas.fill(0, " ", "bar")
        hand = f", hand {view.hand_number}" if view.hand_number else ""
        right = self._right()
        room, words = canvas.width - cells(right) - 3, view.title.split(", ")
        # The rules are read elsewhere too; the number of the hand is not.
        while len(words) > 1 and cells(", ".join(words) + hand) > room:
            words.pop()
        canvas.put(1, 0, cut(", ".join(words) + hand, room), "bar")
        canvas.put(canvas.width - cells(right) - 1, 0, right, "bar")
        if self.wide and view.front.panel is None:
            return 1
        draw_seats(canvas, view.seats, 0, 1, canvas.width)
        return 1 + seat_row_count(view.seats)

    def _right(self) -> str:
        view = self.view
        parts = [view.undealt] if view.dealt else []
        if view.paused:
            parts.append("paused")
        if view.clock is not None:
            warning = " !" if view.clock <= 10 else ""
            parts.append(f"clock {view.clock // 60}:{view.clock % 60:02}{warning}")
        return "  ".join(parts)

    def _foot_rows(self, noted: str) -> list[tuple[str, str]]:
        """What can be done, below the note: rows and their styles."""
        view, width = self.view, self.canvas.width - 2
        said = _with_keys(wrapped(view.front.prompt, width), width)[:_PROMPT_ROWS]
        typed = [] if view.front.typed is None else [f"> {end_of(view.front.typed, width - 3)}_"]
        most = max(_NOTE_ROWS, _BOTH_ROWS - len(said) - len(typed))
        note = beginning(noted, width, most) if noted else []
        note += [""] * (_FOOT_ROWS - len(note) - len(said) - len(typed))
        asked = "ask.now" if view.front.urgent else "ask"
        return [(row, "note") for row in note] + [(row, asked) for row in (*said, *typed)]

    def _foot(self, rows: Sequence[tuple[str, str]]) -> int:
        """These rows and the keys; the first row of both."""
        canvas = self.canvas
        first = canvas.height - 1 - len(rows)
        for at, (text, style) in enumerate(rows):
            canvas.put(1, first + at, text, style)
            canvas.zones.append(Zone(1, first + at, cells(text), 1, Act.DO))
        self._keys(canvas.height - 1)
        return first

    def _keys(self, row: int) -> None:
        self.canvas.fill(row, " ", "bar")
        x = 1
        for label in self.view.front.row:
            text = f"{label.shown} {label.text}"
            if x + len(text) >= self.canvas.width:
                break
            self.canvas.put(x, row, label.shown, "bar.key")
            self.canvas.put(x + len(label.shown) + 1, row, label.text, "bar")
            if label.clicked:
                self.canvas.zones.append(Zone(x, row, len(text), 1, label.act))
            x += len(text) + 2

    def _panel(self, top: int, panel: Panel) -> None:
        """A page, and below it a note, unless that stands on the page too."""
        view, width = self.view, self.canvas.width - 4

        def laid(note: str) -> tuple[list[tuple[str, str]], Laid]:
            foot = self._foot_rows(note)
            room = self.canvas.height - 1 - len(foot) - top - 2
            return foot, lay_page(panel, view.front.top, width, room)

        foot, page = laid(view.note)
        if view.note in page.told:
            foot, page = laid("")
        bottom = self._foot(foot)
        self.canvas.put(1, top, f"== {panel.title} ==", "title")
        for at, text in enumerate(page.rows, top + 1):
            self.canvas.put(2, at, text)
        below = bottom - 1 - len(page.news)
        self.canvas.page = below - top - 1, page.last
        self.canvas.put(2, below, page.at, "faint")
        for at, text in enumerate(page.news, below + 1):
            self.canvas.put(2, at, text)

    def _middle(self, top: int, bottom: int, width: int) -> None:
        """The table, the ends, the log unless it stands at the side, and the hand."""
        view = self.view
        # What stands below the hand for a while takes its rows from the log: the table stays.
        more = self.canvas.height - 1 - bottom - _FOOT_ROWS
        given = 0 if self.wide else min(more, _LOG_ROWS - 1)
        hand = hand_rows(view, width, bottom - top + given, self.look)
        hand_top = bottom - len(hand)
        draw_hand(self.canvas, hand, hand_top)
        log = [] if self.wide else self._log(width, hand_top - top, _LOG_ROWS - given)
        ends_row = hand_top - len(log) - 1
        self._write(log, 1, ends_row + 1)
        self._ends(ends_row, width)
        layout = lay_out(view.tree, width, ends_row - top, self.look.tiles)
        draw_layout(self.canvas, layout, top, self.look, view.fresh, view.front.cursor.end)
        if view.tree is None:
            text = _EMPTY if view.dealt else "No tiles yet."
            self.canvas.put((width - len(text)) // 2, (top + ends_row) // 2, text, "faint")

    def _log(self, width: int, room: int, most: int) -> list[str]:
        """The latest lines of the log in at most so many rows, as many as leave the table its room;
        where one more does not fit whole, its rows stay empty, so that the table does not jump. The
        latest may take what the table only has for show: it is told whole, if it can be."""
        least = _LEAST_TABLE if self.view.tree is not None else _LEAST_EMPTY
        count = max(1, min(most, room - 1 - least - 2))
        latest_rows = sum(len(wrapped(line, width - 2)) for line in self.view.log[-1:])
        count = max(count, min(latest_rows, room - 1 - least))
        rows = latest(self.view.log, width - 2, count)
        told = sum(len(wrapped(line, width - 2)) for line in self.view.log[-count:])
        return [""] * (min(count, told) - len(rows)) + rows

    def _write(self, rows: Sequence[str], x: int, y: int) -> None:
        for at, text in enumerate(rows):
            self.canvas.put(x, y + at, text, "" if at == len(rows) - 1 else "faint")

    def _ends(self, row: int, width: int) -> None:
        rule = "─" if self.look.unicode else "-"
        self.canvas.put(0, row, rule * width, "faint")
        view = self.view
        if not view.ends or not view.counting:
            return
        if view.count is None:
            self.canvas.put(2, row, " the count shows when all have claimed ", "count")
            return
        counting = [f"{end.name} {end.counts}" for end in view.ends if end.counts or not end.bare]
        text = f" count {view.count} = {' + '.join(counting)} "
        if len(text) > width - 4 or len(counting) < 2:
            text = f" count {view.count} "
        self.canvas.put(2, row, text, "count")

    def _side(self, x: int, top: int, bottom: int) -> None:
        """Players and log at the right of the table."""
        width = self.canvas.width - x
        draw_seats(self.canvas, self.view.seats, x, top, width)
        below = top + len(self.view.seats) + 1
        self._write(latest(self.view.log, width - 1, bottom - below), x, below)
