"""Lines for people: as wide as the terminal that shows them, whole where none does.

Words are kept whole, and what goes on is set in below the last column of the line.
"""

import os
import re
import sys
import textwrap
from functools import lru_cache
from typing import Final, TextIO

# What sets the columns of a line apart.
_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
# To be pasted: a shell takes the rows of a wrapped one for several commands.
_COMMAND: Final = re.compile(r"\s+allfives ")
_INDENT: Final = 2
_NARROW: Final = 10
# So far in begins a column, and no line of its own.
_DEEP: Final = 8


def columns(stream: TextIO) -> int | None:
    """How wide the terminal is that the stream goes to; None: it goes to none, or to one that does
    not say."""
    if not stream.isatty():
        return None
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdigit() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def tell(*lines: str, aside: bool = False) -> None:
    """Print lines for a person, `aside`: where errors go. Raises OSError."""
    stream = sys.stderr if aside else sys.stdout
    width = columns(stream)
    print(*(row for line in lines for row in shown(line, width)), sep="\n", file=stream, flush=True)


def tell_aside(line: str) -> None:
    """Print a line where errors go."""
    tell(line, aside=True)


def ask(question: str) -> str:
    """The line that is typed for an answer behind the question. Raises EOFError."""
    *above, last = shown(question.rstrip(), columns(sys.stdout))
    if above:
        print(*above, sep="\n", flush=True)
    return input(f"{last} ")


def shown(text: str, width: int | None) -> list[str]:
    """A text, perhaps of several lines, in rows of that width (None: as it is); words that are
    longer, and commands to be pasted, are left to the terminal."""
    lines = text.split("\n")
    if width is None:
        return lines
    return [
        row for line in lines for row in ([line] if _COMMAND.match(line) else rows_of(line, width))
    ]


def rows_of(text: str, width: int, *, cuts: bool = False) -> list[str]:
    """A line in rows of at most `width` columns, at least one row, spaces before it kept. A word
    that is longer begins in a row of its own, and goes on in the next ones if `cuts`."""
    if len(text) <= width and text.isascii():
        return [text]
    indent = " " * _hanging(text, width)
    rows = _wrapped(text, width, indent, cuts=False)
    return (
        [part for row in rows for part in _wrapped(row, width, indent, cuts=True)] if cuts else rows
    )


def _hanging(text: str, width: int) -> int:
    """How far what goes on is set in: to the last column of the line that leaves it room, else a
    little."""
    if width <= _NARROW:
        return 0
    before = len(text) - len(text.lstrip(" "))
    starts = [before + (_INDENT if before < _DEEP else 0)]
    starts += [_cells(text[: gap.end()]) for gap in _GAP.finditer(text)]
    return max((start for start in starts if start <= width * 3 // 5), default=_INDENT)


def _wrapped(text: str, width: int, indent: str, *, cuts: bool) -> list[str]:
    if text.isascii():
        rows = textwrap.wrap(
            text,
            width,
            subsequent_indent=indent,
            break_long_words=cuts,
            break_on_hyphens=False,
        )
        return rows or [text]
    import wcwidth  # not at the top: `--help` is to be quick

    rows = wcwidth.wrap(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=cuts,
        break_on_hyphens=False,
        control_codes="ignore",
    )
    return rows or [text]


@lru_cache(maxsize=256)
def _cells(text: str) -> int:
    import wcwidth

    return len(text) if text.isascii() else wcwidth.width(text, control_codes="ignore")
