"""What is written to the terminal beside the frames: colours or none, the mouse, and how all is
drawn anew."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.output.vt100 import Vt100_Output


class Clicks(Vt100_Output):
    """A terminal that is asked for clicks and the wheel alone (xterm's mode 1000, told as in 1006):
    where the mouse moves is nobody's business, and would be a byte a cell."""

    def enable_mouse_support(self) -> None:
        """Listen to the mouse."""
        self.write_raw("\x1b[?1000h\x1b[?1006h")

    def disable_mouse_support(self) -> None:
        """Listen no more."""
        self.write_raw("\x1b[?1000l\x1b[?1006l")


def terminal_output(environment: Mapping[str, str]) -> Output:
    """The terminal of this process."""
    if sys.platform == "win32":
        return create_output()
    return Clicks.from_pty(sys.stdout, term=environment.get("TERM"))


def has_colours(
    environment: Mapping[str, str], count: Callable[[str], int | None] | None = None
) -> bool:
    """Whether the person wants colours (NO_COLOR, not empty: none), and the terminal has some;
    `count`: how many a kind of terminal has, None where that is not known."""
    if environment.get("NO_COLOR"):
        return False
    known = (count or _colours)(environment.get("TERM", ""))
    return known is None or known > 0


def _colours(term: str) -> int | None:
    """What terminfo says (max_colors, terminfo(5)): -1 of a terminal without any."""
    try:
        import curses  # not everywhere: Windows has none
    except ImportError:
        return None
    try:
        # Where its output goes is of no matter here; the name counts once in a process.
        curses.setupterm(term, 1)
    except curses.error:
        return None
    return curses.tigetnum("colors")


def draw_anew(app: Application[Any]) -> None:
    """Draw every cell again, whatever has been written over the screen."""
    app.renderer.reset(leave_alternate_screen=False)
    app.output.erase_screen()
    app.output.cursor_goto(0, 0)
    app.output.flush()
    app.invalidate()


def take_back(app: Application[Any]) -> None:
    """After the program was stopped: the terminal is as the shell has left it."""
    if app.is_running:
        # Never left: what the terminal was before the program is restored by the first one.
        app.input.raw_mode().__enter__()
        app.output.enter_alternate_screen()
        draw_anew(app)
