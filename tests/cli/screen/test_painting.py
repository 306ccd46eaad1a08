"""The mouse, and how all is drawn anew, as bytes for the terminal."""

import io

from prompt_toolkit.data_structures import Size

from cli.screen.painting import Clicks


def test_clicks_and_the_wheel_are_asked_for_and_no_movements() -> None:
    out = io.StringIO()
    terminal = Clicks(out, lambda: Size(24, 80))
    terminal.enable_mouse_support()
    terminal.flush()
    assert out.getvalue() == "\x1b[?1000h\x1b[?1006h"
    terminal.disable_mouse_support()
    terminal.flush()
    assert out.getvalue().endswith("\x1b[?1000l\x1b[?1006l")
    assert "1003" not in out.getvalue()
