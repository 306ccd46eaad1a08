"""A rectangle of character cells to write on, which never grows: what is outside is cut off."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

import wcwidth

from cli.process.output import rows_of

Span = tuple[str, str]
"""A style class and the text that has it."""

# The second cell of a wide character.
_SHADOW: Final = ""
# Zero-width joiner, the selectors of text and emoji style, the keycap, and, in ranges, tones of
# skins and tags; and the letters that flags are made of.
_JOINERS: Final = frozenset(
    map(chr, (0x200D, 0xFE0E, 0xFE0F, 0x20E3, *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)))
)
_LETTERS_OF_FLAGS: Final = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
# Marks that take a cell in some terminals and none in others: vowel signs of Indian scripts.
_SPACING_MARK: Final = "Mc"


class Zone(NamedTuple):
    """Cells that answer a mouse click, and what they stand for: the place of a tile in hand, the
    name of an open end, or what a key does."""

    x: int
    y: int
    w: int
    h: int
    on: int | str | Enum


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawn screen: its rows from the top, each a row of spans, and what can be clicked;
    `page`: of a page the rows in view, and the row from which on the rest of it is."""

    width: int
    height: int
    rows: tuple[tuple[Span, ...], ...]
    zones: tuple[Zone, ...]
    page: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """The characters alone, rows without spaces at their ends."""
        lines = ("".join(text for _, text in row).rstrip() for row in self.rows)
        return "\n".join(lines) + "\n"


@lru_cache(maxsize=4096)
def steady(text: str) -> str:
    """A text without that on whose width terminals disagree, and which would leave stray letters
    on the screen: flags, the tones of skins, what is joined to one picture, some vowel signs. Of
    such a cluster that part stays which all terminals draw alike; letters of parts, as Hangul may
    be written, are put together."""
    if text.isascii():
        return text
    return "".join(
        _alike(cluster) for cluster in wcwidth.iter_graphemes(unicodedata.normalize("NFC", text))
    )


def _alike(cluster: str) -> str:
    """The longest beginning that is as wide as its characters are one by one."""
    while cluster and not _is_alike(cluster):
        cluster = cluster[:-1]
    return cluster


def _is_alike(cluster: str) -> bool:
    if any(char in _JOINERS or char in _LETTERS_OF_FLAGS for char in cluster):
        return False
    if any(unicodedata.category(char) == _SPACING_MARK for char in cluster):
        return False
    one_by_one = sum(max(0, wcwidth.wcwidth(char)) for char in cluster)
    return len(cluster) == 1 or one_by_one == wcwidth.width(cluster, control_codes="ignore")


def cells(text: str) -> int:
    """How many columns a text takes."""
    return wcwidth.width(steady(text), control_codes="ignore")


def cut(text: str, room: int) -> str:
    """`text` in at most `room` columns; a "~" stands at its end where something is missing."""
    if cells(text) <= room:
        return steady(text)
    return wcwidth.clip(steady(text), 0, room - 1, control_codes="ignore") + "~" if room > 0 else ""


def end_of(text: str, room: int) -> str:
    """The end of `text` in at most `room` columns; a "<" stands before it where something is
    missing."""
    if cells(text) <= room:
        return steady(text)
    while text and cells(text) > room - 1:
        text = text[1:]
    return f"<{text}"


def wrapped(text: str, width: int) -> list[str]:
    """A text in rows of at most `width` columns, as `rows_of` has it."""
    return rows_of(steady(text), width, cuts=True)


def beginning(text: str, width: int, count: int) -> list[str]:
    """The first `count` of these rows, 1 or more; a "~" ends the last where something is
    missing."""
    rows = wrapped(text, width)
    if len(rows) <= count:
        return rows
    last = rows[count - 1]
    return [*rows[: count - 1], f"{last}~" if cells(last) < width else cut(f"{last} ", width)]


def latest(lines: Sequence[str], width: int, count: int) -> list[str]:
    """The last lines that stand whole in at most `count` rows; of one that is longer by itself its
    beginning."""
    if count < 1:
        return []
    fitting = whole(lines, width, count)
    if not fitting:
        return [row for line in lines[-1:] for row in beginning(line, width, count)]
    return [row for line in lines[-fitting:] for row in wrapped(line, width)]


def whole(lines: Sequence[str], width: int, count: int) -> int:
    """How many of the last lines stand whole in at most `count` rows."""
    for at, line in enumerate(reversed(lines)):
        count -= len(wrapped(line, width))
        if count < 0:
            return at
    return len(lines)


class Canvas:
    """The cells, each with its style class; rows and columns count from 0 at the top left."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]
        self.zones: list[Zone] = []
        self.page: tuple[int, int] | None = None

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write `text` from column x of row y on; what is outside, or no character, is left out."""
        if not 0 <= y < self.height:
            return
        chars, styles = self._chars[y], self._styles[y]
        for cluster in wcwidth.iter_graphemes(steady(wcwidth.strip_sequences(text))):
            wide = cells(cluster)
            if wide == 0 or x + wide > self.width or x < 0:
                continue
            chars[x], styles[x] = cluster, style
            if wide == 2:
                chars[x + 1], styles[x + 1] = _SHADOW, style
            x += wide

    def fill(self, y: int, char: str, style: str) -> None:
        """A whole row of one character."""
        self.put(0, y, char * self.width, style)

    def frame(self) -> Frame:
        """What was drawn."""
        rows = tuple(
            tuple(_spans(chars, styles))
            for chars, styles in zip(self._chars, self._styles, strict=True)
        )
        return Frame(self.width, self.height, rows, tuple(self.zones), self.page)


def _spans(chars: list[str], styles: list[str]) -> list[Span]:
    spans: list[Span] = []
    begin = 0
    for at in range(1, len(chars) + 1):
        if at == len(chars) or styles[at] != styles[begin]:
            spans.append((styles[begin], "".join(chars[begin:at])))
            begin = at
    return spans
