"""The mouse as bytes for the terminal, and whether that has colours."""

import io
import subprocess
import sys

import pytest
from prompt_toolkit.data_structures import Size

from cli.screen.painting import Clicks, has_colours


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


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "vt100"}, False),
        ({"TERM": "unheard-of"}, True),
        ({}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_colours_are_for_terminals_that_have_some_and_who_wants_them(
    environment: dict[str, str], coloured: bool
) -> None:
    assert has_colours(environment, {"xterm": 8, "vt100": -1}.get) is coloured


def test_the_system_knows_what_a_terminal_has() -> None:
    """In a process of its own, in which this name is the one that counts."""
    pytest.importorskip("curses", reason="terminfo is where curses is")
    asked = "from cli.screen.painting import has_colours; print(has_colours({'TERM': 'vt100'}))"
    program = [sys.executable, "-c", asked]
    ended = subprocess.run(program, capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"
