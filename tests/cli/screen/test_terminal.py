"""cli.screen.terminal: what the terminal can do, from the environment and the streams alone."""

import io
import sys

import pytest

from cli.screen.terminal import is_screen, look_for, prefers_unicode


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("term", ["xterm-256color", "linux"])
def test_two_streams_of_a_terminal_are_a_screen(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdin", Tty())
    monkeypatch.setattr(sys, "stdout", Tty())
    assert is_screen()


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_dumb_terminal_is_no_screen(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdin", Tty())
    monkeypatch.setattr(sys, "stdout", Tty())
    assert not is_screen()


@pytest.mark.parametrize("piped", ["stdin", "stdout"])
def test_a_pipe_is_no_screen(monkeypatch: pytest.MonkeyPatch, piped: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, io.StringIO() if name == piped else Tty())
    assert not is_screen()


@pytest.mark.parametrize(
    ("environment", "encoding", "safe"),
    [
        ({"VTE_VERSION": "7006"}, "utf-8", True),
        ({"KITTY_WINDOW_ID": "1"}, "UTF8", True),
        ({"VTE_VERSION": "7006"}, "iso-8859-1", False),
        ({"VTE_VERSION": ""}, "utf-8", False),
        ({"TERM": "linux"}, "utf-8", False),
    ],
)
def test_box_drawing_only_where_it_is_known_to_look_well(
    environment: dict[str, str], encoding: str, safe: bool
) -> None:
    assert prefers_unicode(environment, encoding) is safe


@pytest.mark.parametrize("unicode", [True, False])
def test_what_was_asked_for_counts(monkeypatch: pytest.MonkeyPatch, unicode: bool) -> None:
    monkeypatch.setenv("VTE_VERSION", "" if unicode else "7006")
    assert look_for(unicode).unicode is unicode
