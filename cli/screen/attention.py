"""What tells a person who looks elsewhere that it is their turn: title, bell, desktop notice."""

from contextlib import suppress
from typing import Final

from prompt_toolkit.output import Output

_TITLE: Final = "allfives"
_TURN: Final = "Your turn"
# The title that the window has is kept, and comes back (xterm's window operations 22 and 23); a
# notice is OSC 9, of iTerm2 and others. What a terminal does not know it leaves out.
_KEEP_TITLE: Final = "\x1b[22;2t"
_OLD_TITLE: Final = "\x1b[23;2t"
_NOTICE: Final = "\x1b]9;{}\x07"


class Attention:
    """`notice`: whether the desktop shall tell it, too."""

    def __init__(self, output: Output, notice: bool) -> None:
        self._output = output
        self._notice = notice

    def begin(self) -> None:
        """The screen opens."""
        self._write(_KEEP_TITLE)
        self._output.set_title(_TITLE)
        self._output.flush()

    def turn(self, game: str, bell: bool) -> None:
        """It is the person's turn in that game."""
        self._output.set_title(f"{_TURN} - {game}")
        if self._notice:
            self._write(_NOTICE.format(f"{_TURN}: {game}"))
        if bell:
            self._output.bell()
        self._output.flush()

    def over(self) -> None:
        """It is no more."""
        self._output.set_title(_TITLE)
        self._output.flush()

    def end(self) -> None:
        """The screen is closed, or its terminal gone."""
        with suppress(OSError, EOFError):
            self._write(_OLD_TITLE)
            self._output.flush()

    def _write(self, code: str) -> None:
        self._output.write_raw(code)
