"""What has happened, to be read again in plain lines."""

from collections import deque
from collections.abc import Iterable
from typing import Final

# A long match has some thousand lines; whoever asks for all of them wants to look far back.
_KEPT: Final = 10_000
_LAST: Final = 40
ALL: Final = "all"
HOW_LONG: Final = "Type log for the last lines, log all for all, or log and how many."
NOTHING: Final = "Nothing has happened yet."


class Diary:
    """The lines of a match, as they were told."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_KEPT)

    def add(self, lines: Iterable[str]) -> None:
        """They have been told."""
        self._lines.extend(lines)

    def begin(self) -> None:
        """Another match begins."""
        self._lines.clear()

    def read(self, which: str) -> list[str]:
        """The last lines; from the beginning for "all", and so many for a number."""
        lines, which = list(self._lines), which.lower()
        if not lines:
            return [NOTHING]
        if which == ALL:
            return lines
        if which.isascii() and which.isdigit() and int(which[:6]):
            return lines[-int(which[:6]) :]
        if which:
            return [HOW_LONG]
        before = len(lines) - _LAST
        more = [f"{before} lines before; log all reads them too."] if before > 0 else []
        return [*more, *lines[-_LAST:]]
