"""The screen in terminals of several kinds, with names of many scripts: no stray cell is left.

What has changed is drawn alone; where that leaves something behind, all drawn anew (Ctrl-L) is
another screen.
"""

from pathlib import Path

import pytest
from support.limits import FULL
from support.places import SUPPORT
from support.screen.terminal import Terminal, on_terminal
from support.screen.tmux import IS_HERE, Pane, in_tmux

TABLE = [str(SUPPORT / "screen" / "table.py"), "odd", "players=4"]
TURN = "Your turn|Enter goes on"
KINDS = {
    "xterm": {"term": "xterm", "locale": "C"},
    "16 colours": {"term": "linux"},
}
HEBREW, HANGUL = "\u05e9\u05dc\u05d5\u05dd", "\ud55c\uae00"
PAGES = (("f", "Fairness"), ("cabc", "> abc_"), ("i", "== Tips =="))


def play_on(terminal: Terminal) -> str:
    """Some moves, pages opened and closed, a line begun and dropped; the screen then."""
    for _ in range(3):
        before = terminal.wait(TURN)
        terminal.send("\r")
        terminal.wait_other_than(before)
    terminal.wait(TURN)
    for opening, shown in PAGES:
        terminal.send(opening)
        terminal.wait(shown)
        terminal.send("\x1b")
        terminal.wait(TURN)
    return terminal.settle()


@pytest.mark.parametrize("kind", KINDS if FULL else ["xterm"])
def test_no_stray_cell_is_left(kind: str) -> None:
    said = {"term": "xterm-256color", "locale": ""} | KINDS[kind]
    environment = {"TERM": said["term"], "LC_ALL": said["locale"]}
    with on_terminal([*TABLE, "names=odd"], 80, 24, **environment) as terminal:
        before = play_on(terminal)
        terminal.spoil()
        terminal.send("\x0c")
        terminal.wait_whole(before)
        assert all(name in before for name in (HEBREW, HANGUL, "Dot \U0001f44d: "))


def play_on_in_tmux(pane: Pane) -> str:
    """The same in tmux."""
    for _ in range(2):
        pane.wait("Your turn")
        pane.press("Enter")
    pane.wait("Your turn")
    for opening, shown in PAGES:
        pane.press(*opening)
        pane.wait(shown)
        pane.press("Escape")
        pane.wait("Your turn", shown)
    return pane.wait("Your turn")


@pytest.mark.skipif(not IS_HERE, reason="tmux is not here")
def test_no_stray_cell_is_left_in_tmux(tmp_path: Path) -> None:
    with in_tmux([*TABLE, "names=odder"], tmp_path) as pane:
        before = play_on_in_tmux(pane)
        pane.spoil()
        pane.press("C-l")
        assert pane.wait("Your turn", "something else") == before
        assert all(name in before for name in (HEBREW, HANGUL, "\u0c24", "Dot \U0001f44d: "))
