"""Lines for people are as wide as the terminal, whole where none shows them, and no word is cut."""

import io
import itertools
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import wcwidth
from support.session.tables import Game, rules_for

from cli.command_line import allfives, run
from cli.learning.lesson import Lesson
from cli.learning.plain import learn_in_lines
from cli.menu.lines import page_lines
from cli.menu.pages import House
from cli.plain.help import help_lines
from cli.process.output import ask, columns, shown, tell, tell_aside
from cli.telling.doing import Deed, Moment
from cli.telling.pages import tip_lines
from engine.rules import PRESETS, Rules

WIDTHS = (40, 60, 80)


class Terminal(io.StringIO):
    """A terminal of the width that COLUMNS says."""

    def isatty(self) -> bool:
        return True


@cache
def record() -> bytes:
    """A short match of two."""
    return Game.make(rules_for(2, target="10"), "lines").play().sessions[0].record()


COMMANDS = (
    "rules",
    *(f"rules {name}" for name in PRESETS),
    "config",
    "history",
    "fair match.fives",
    "verify match.fives",
    "replay --plain match.fives",
    "play --partners",
    "--help",
    *(f"{name} --help" for name in allfives.commands),
)


def fits(line: str, width: int) -> bool:
    """Whether a line is no wider, or is a word that alone is, or a command to be pasted."""
    wide = wcwidth.width(line) > width
    return not wide or len(line.split()) == 1 or line.startswith("  allfives ")


def said(command: str, tty: bool, width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command says, to a terminal or to a pipe."""
    out, err = (Terminal(), Terminal()) if tty else (io.StringIO(), io.StringIO())
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    run(command.split())
    assert [line for line in err.getvalue().split("\n") if tty and not fits(line, width)] == []
    return out.getvalue()


@pytest.mark.parametrize("command", COMMANDS)
def test_what_commands_say_is_no_wider_than_the_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALLFIVES_HOME", str(tmp_path / "home"))
    Path("match.fives").write_bytes(record())
    whole = said(command, False, 200, monkeypatch)
    for width in WIDTHS:
        told = said(command, True, width, monkeypatch)
        assert [line for line in told.split("\n") if not fits(line, width)] == []
        # Every word is there as it was; lines are the ones that a pipe gets, wrapped.
        assert told.split() == whole.split()
        if "--help" not in command:
            assert told.count("\n") >= whole.count("\n")


def menu_help() -> list[str]:
    """The menu's page of help, and its first."""
    house = House(None, allfives, lambda: None)  # type: ignore[arg-type]
    return page_lines(house.help())


def learned() -> list[str]:
    """All that the scenes tell before they are answered."""
    lines: list[str] = []
    learn_in_lines(Lesson("Ana"), lambda prompt: "skip", lines.append)
    return lines


PAGES: dict[str, Callable[[], object]] = {
    "menu": menu_help,
    "learn": learned,
    "help": lambda: help_lines(Moment("It is your turn.", frozenset(Deed))),
    "tips": lambda: tip_lines(Rules.make("pagat", 4, {"claims": "yes", "partners": "yes"})),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_line_ends_of_their_own(name: str) -> None:
    page = PAGES[name]()
    assert isinstance(page, list | tuple)
    lines = [line for text in page for line in text.split("\n")]
    for width in WIDTHS:
        rows = [shown(line, width) for line in lines]
        assert [row for one in rows for row in one if not fits(row, width)] == []
    # A line that ends in the middle of a sentence would be ragged when it is wrapped.
    for line, after in itertools.pairwise(lines):
        ragged = len(line) > 60 and line[-1] not in ".:?" and after[:1].islower()
        assert "  " in line or not ragged, line


def test_what_goes_on_is_set_in_below_the_last_column() -> None:
    assert shown("level          normal           How well the bots play, in a few words", 60) == [
        "level          normal           How well the bots play, in a",
        "                                few words",
    ]
    assert shown("level          normal           How well they play", 45) == [
        "level          normal           How well they",
        "               play",
    ]
    assert shown("hint          what to play, and why it is so", 40) == [
        "hint          what to play, and why it",
        "              is so",
    ]
    assert shown("  two of them and more words", 12) == [
        "  two of",
        "    them and",
        "    more",
        "    words",
    ]
    assert shown("wide 龍龍龍 龍龍龍", 12) == ["wide 龍龍龍", "  龍龍龍"]
    assert shown("", 10) == [""]
    assert shown("a\n\nb", 10) == ["a", "", "b"]
    assert shown("a line that nobody's terminal shows", None) == [
        "a line that nobody's terminal shows"
    ]


def test_a_long_word_and_a_command_to_be_pasted_stay_whole() -> None:
    path = "/" + "x" * 50
    assert shown(f"The record is {path}.", 40) == ["The record is", f"  {path}."]
    command = f"  allfives join 192.168.1.5:5525 {'guitar-orbit-lunar-' * 3}"
    assert shown(command, 40) == [command]


def test_the_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "57")
    assert columns(io.StringIO()) is None
    assert columns(Terminal()) == 57
    for none in ("", "0", "-3", "wide"):
        monkeypatch.setenv("COLUMNS", none)
        assert columns(Terminal()) is None


def test_where_lines_go(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tell("one", "two")
    tell_aside("three")
    assert capsys.readouterr() == ("one\ntwo\n", "three\n")
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "yes"

    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr("builtins.input", answer)
    assert ask("The invite, the code, or an address? ") == "yes"
    assert asked == ["  address? "]
    assert terminal.getvalue() == "The invite, the\n  code, or an\n"
