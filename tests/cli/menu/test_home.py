"""Coming home: commands run in processes of their own, and the menu comes back."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.command_line import allfives
from cli.files.home import Home
from cli.files.settings import Settings
from cli.menu import home as coming
from cli.menu import lines
from cli.menu.home import come_home, run_command
from cli.menu.pages import House
from cli.menu.walk import Run, Walk
from cli.screen.line.look import Look


def test_a_command_runs_with_its_code_and_shows_no_arguments(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Sequence[str]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, arguments: Sequence[str], pass_fds: tuple[int, ...]) -> None:
            started.append(arguments)
            super().__init__(arguments, pass_fds=pass_fds)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    assert run_command(["rules", "guitar-orbit-lunar"]) == 2
    assert "There are no rules 'guitar-orbit-lunar'" in capfd.readouterr().err
    assert "guitar" not in str(started)


def test_the_menu_comes_back_after_each_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["Ana", "learn", "seven", "help", "commands", "back", "quit"]
    ran: list[Sequence[str]] = []

    def ask(_: str) -> str:
        return answers.pop(0)

    def note(arguments: Sequence[str]) -> int:
        ran.append(arguments)
        return 1

    monkeypatch.setattr("builtins.input", ask)
    monkeypatch.setattr(lines.stroll, "__defaults__", (ask, print))
    monkeypatch.setattr(coming, "run_command", note)
    assert come_home(Home(tmp_path / "home"), allfives, True) == 0
    folder = str(tmp_path / "home")
    assert ran == [("--data-dir", folder, "learn", "--plain"), ("--help",)]
    said = capsys.readouterr().out
    assert said.count("== Welcome ==") == 3
    assert "Ana is your name from now on." in said
    assert "Type a number from 1 to 9, or the word beside it." in said


def test_after_what_shows_all_at_the_screen_the_menu_is_there_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [Run(("looked",), silent=True), Run(("failed",), silent=True), Run(("played",))]
    ran, read = list[str](), list[str]()

    def choose(walk: Walk, _: House) -> None:
        walk.run = runs.pop(0) if runs else None

    def note(arguments: Sequence[str]) -> int:
        ran.append(arguments[0])
        return int(arguments[0] == "failed")

    def wait() -> bool:
        read.append(ran[-1])
        return True

    monkeypatch.setattr("cli.screen.terminal.is_screen", lambda: True)
    monkeypatch.setattr(coming, "_at_screen", choose)
    monkeypatch.setattr(coming, "run_command", note)
    monkeypatch.setattr(coming, "_read_on", wait)
    assert come_home(Home(tmp_path / "home"), allfives, plain=False) == 0
    assert (ran, read) == (["looked", "failed", "played"], ["failed", "played"])
    house = House(Home(tmp_path), allfives, lambda: None, plain=False)
    shown = [("learn",), ("replay", "a.fives"), ("replay", "a.fives", "--html", "b"), ("play",)]
    assert [house.run(*one).silent for one in shown] == [True, True, False, False]


def test_the_menu_looks_as_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    home.identity()
    looks: list[tuple[Look, bool]] = []
    monkeypatch.setattr("cli.screen.terminal.is_screen", lambda: True)
    monkeypatch.setattr(
        "cli.menu.screen.stroll", lambda walk, look, find, mouse: looks.append((look, mouse))
    )
    for kept in ("unicode = true\n", 'unicode = true\ntheme = "solarized"\nno-mouse = true\n'):
        home.config.write_text(kept)
        assert come_home(home, allfives, False) == 0
    assert looks == [(Look(True), True), (Look(True, "solarized"), False)]


def test_who_wants_lines_by_settings_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    Settings(home.config, allfives).keep("plain", "yes")
    home.identity()
    shown: list[bool] = []
    monkeypatch.setattr("cli.screen.terminal.is_screen", lambda: True)
    monkeypatch.setattr(lines, "stroll", lambda walk: shown.append(True))
    assert come_home(home, allfives, False) == 0
    assert shown == [True]
