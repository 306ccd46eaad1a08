"""A person at a real pseudo-terminal, in plain lines, against a bot."""

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest
from support.limits import HANG_SECONDS
from support.process.tables import CAN_PLAY, ONE_THING, run_here, run_once
from support.screen.terminal import on_terminal

# The first tile of a hand scores 10 at most: nobody wins before the other's first turn.
TARGET = "15"


def terminal(folder: Path, *arguments: str) -> "pexpect.spawn[str]":
    """`allfives` at a terminal of its own."""
    return pexpect.spawn(
        sys.executable,
        ["-m", "cli", *arguments, "--data-dir", str(folder / "home")],
        encoding="utf-8",
        timeout=HANG_SECONDS,
        env={**os.environ, "COLUMNS": "400"},
    )


def matched(child: "pexpect.spawn[str]") -> str:
    """The first group of what was expected last."""
    assert isinstance(child.match, re.Match)
    return str(child.match.group(1))


def play_to_the_end(child: "pexpect.spawn[str]") -> str:
    """Play the first move offered, and no second match; all that was shown."""
    shown = ""
    while True:
        found = child.expect([CAN_PLAY, ONE_THING, "Enter alone leaves", pexpect.EOF])
        shown += str(child.before) + (str(child.after) if found < 3 else "")
        if found == 3:
            child.close()
            return shown
        child.sendline(matched(child) if found == 0 else "")


def test_a_whole_match_at_a_terminal(tmp_path: Path) -> None:
    record = tmp_path / "p.fives"
    child = terminal(
        tmp_path, "play", "--plain", "--level", "easy", "--target", TARGET, "--record", str(record)
    )
    shown = play_to_the_end(child)
    assert child.exitstatus == 0, shown
    check_shown(shown)
    assert str(record) in shown.splitlines()
    checked = run_here("verify", str(record), home=tmp_path / "third")
    assert checked.returncode == 0
    assert "The match is decided, without fault, and its result signed by all." in checked.stdout


def check_shown(shown: str) -> None:
    """All that the plain interface owes a person was there."""
    for pattern in [
        r"Bot Ada \[[0-9a-f]{16}\] is at the table \(2 of 2 are here\)\.",
        r"The match begins: .* \(you\)",
        r"shuffles? the tiles; the shuffle is proven\.",
        r"Hand 1: 9 tiles each, 10 tiles in the boneyard\. (You start|Bot Ada starts)\.",
        r"Table: L \d-\d",
        r"Ends: (double )?\d on L",
        r"Scores: .* target 15\.",
        r"Bot Ada \d+ tiles?.*; \d+ tiles? in the boneyard\.",
        r"(You win|Bot Ada wins) the match\.",
        r"Every shuffle, tile, draw and pass of both players was proven",
    ]:
        assert re.search(pattern, shown), pattern


def test_wrong_input_loses_nothing_and_commands_answer(tmp_path: Path) -> None:
    child = terminal(tmp_path, "play", "--plain")
    child.expect(CAN_PLAY + "|" + ONE_THING)
    for typed, answer in [
        ("9-9", r"'9-9' is no tile: write two halves from 0 to 6, as 6-4\."),
        ("jump", r"'jump' is nothing that can be done now\."),
        ("help", r"quit +leave; asks first"),
        ("hand", r"Your hand: \d-\d"),
        ("scores", r"target 250\."),
        ("hint", r"Hint: (\d-\d|draw|pass)"),
        ("line", r"(The table is empty\.|Table: L)"),
        ("quit", r"Type yes to leave, Enter to stay\."),
        ("", r"You stay\."),
    ]:
        child.sendline(typed)
        child.expect(answer)
    child.send("\x04")
    child.expect(r"The input has ended, so you leave\. The match ends here\. Its record: (\S+)")
    record = Path(matched(child))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert record.parent == tmp_path / "home" / "records"
    assert record.is_file()


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    child = terminal(tmp_path, "play", "--plain")
    child.expect(CAN_PLAY + "|" + ONE_THING)
    child.send("\x03")
    child.expect(r"Stopped by Ctrl-C; the match ends here\. Its record: \S+")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_the_menu_starts_a_game_and_comes_back(tmp_path: Path) -> None:
    arguments = ["-m", "cli", "--data-dir", str(tmp_path / "home")]
    with on_terminal(arguments, width=160, height=50) as screen:
        screen.wait("Your name, as others shall see it")
        screen.send("Ana\r")
        screen.wait("Ana is your name from now on")
        screen.send("1")
        screen.wait("Play against bots")
        screen.send("1")
        screen.wait("Your turn")
        screen.press("q")
        screen.wait("y leaves, n stays")
        screen.send("y")
        screen.wait("Enter goes back to the menu")
        told = re.search(r"The match ends here\. Its record: (\S+)", screen.left_behind)
        assert told
        assert Path(told[1]).parent == tmp_path / "home" / "records"
        screen.send("\r")
        screen.wait("Play against bots")
        screen.send("q")
        assert screen.end() == 0
        assert screen.is_restored()


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 0)])
def test_leaving_the_menu_in_lines(tmp_path: Path, keys: str, code: int) -> None:
    child = terminal(tmp_path, "--plain")
    child.expect("Your name, as others shall see it")
    child.sendline("Ana")
    child.expect("Your choice: ")
    child.send(keys)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code
    assert ("Stopped by Ctrl-C." in str(child.before)) == (code == 130)


def test_the_bare_command_elsewhere_is_help(tmp_path: Path) -> None:
    ended = run_once(home=tmp_path / "home")
    assert ended.returncode == 0
    assert ended.stdout.startswith("Usage: allfives")
    assert not (tmp_path / "home").exists()
