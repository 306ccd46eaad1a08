"""The program itself at the full screen: a match against a bot, one between two people, replay."""

import re
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.limits import FULL
from support.process.tables import run_here
from support.screen.reader import read_screen
from support.screen.terminal import Terminal, on_terminal
from support.session.matches import classic

from cli.process.clipboard import clip
from p2p.net.find.invite import parse_invite

# The first tile of a hand scores 10 at most: the match is not over before the person's first turn.
TARGET = "15"
# What the rule below the table is drawn with.
LOOKS = {"--ascii": "--------", "--unicode": "────────"}


def step(terminal: Terminal) -> bool:
    """Make the move that Enter makes, or go on; False when the match is over."""
    text = terminal.settle()
    if "End of the match" in text:
        return False
    if "Enter goes on" in text:
        terminal.close_page()
        terminal.wait_other_than(text)
    elif "Your turn" in text:
        terminal.press("\r")
    else:
        terminal.read()
    return True


def play(terminal: Terminal) -> str:
    """Play until the match is over; the screen then."""
    for _ in range(5000):
        if not step(terminal):
            return terminal.wait("was proven and checked")
    raise AssertionError("the match does not end")


def test_two_matches_against_a_bot_leave_records_that_check(tmp_path: Path) -> None:
    arguments = ["-m", "cli", "play", "--level", "easy", "--target", TARGET, "--pace", "0"]
    with on_terminal([*arguments, "--data-dir", str(tmp_path / "home")]) as terminal:
        terminal.wait("Your turn")
        read = read_screen(terminal.text, 80)
        assert read.scores
        assert read.ends or not read.table
        terminal.resize(120, 40)
        over = play(terminal)
        assert "End of the match" in over
        terminal.press("a")
        terminal.wait("Your turn")
        play(terminal)
        assert terminal.leave() == 0
        assert terminal.is_restored()
    records = [str(path) for path in (tmp_path / "home" / "records").iterdir()]
    assert len(records) == 2
    checked = run_here("verify", *records, home=tmp_path / "third")
    assert checked.returncode == 0, checked.stdout


def test_two_people_at_two_screens_see_their_own_tiles_and_the_other_s_chat(
    tmp_path: Path,
) -> None:
    table = ["host", "--no-lan", "--bind", "127.0.0.1", "--code", "guitar-orbit", "--target", "10"]
    with ExitStack() as stack:
        arguments = ["-m", "cli", *table, "--data-dir", str(tmp_path / "a")]
        host = stack.enter_context(on_terminal(arguments, width=120, height=30))
        lobby = host.wait(r"allfives join (127\.0\.0\.1:\d+) guitar-orbit")
        found = re.search(r"allfives join (127\.0\.0\.1:\d+) guitar-orbit", lobby)
        assert found
        # Whole, and where the terminal's own means reach it, before the screen lies over it.
        above = host.raw.rpartition("\x1b[?1049h")[0]
        invite = re.search(r"allfives join (allfives:[\w-]+)\r\n", above)
        assert invite
        assert parse_invite(invite[1])
        host.send("y")
        host.wait("The invite is copied")
        assert clip(invite[1]) in host.raw
        joiner = stack.enter_context(
            on_terminal(
                [
                    "-m",
                    "cli",
                    "join",
                    found[1],
                    "Guitar",
                    "orbit",
                    "--data-dir",
                    str(tmp_path / "b"),
                ]
            )
        )
        screens = (host, joiner)
        for screen in screens:
            screen.wait("Your turn|is to move")
        joiner.send("chello there\r")
        host.wait("hello there")
        for _ in range(5000):
            going = [step(screen) for screen in screens]
            if not any(going):
                break
        scores = [read_screen(screen.text, 80).scores for screen in screens]
        assert scores[0] == scores[1]
        for screen in screens:
            assert screen.leave() == 0


def test_a_signal_in_play_says_where_the_record_is(tmp_path: Path) -> None:
    record = tmp_path / "p.fives"
    arguments = ["-m", "cli", "play", "--record", str(record), "--data-dir", str(tmp_path / "home")]
    with on_terminal(arguments, width=200) as terminal:
        terminal.wait("Your turn")
        terminal.child.kill(signal.SIGTERM)
        assert terminal.end() == 143
        assert terminal.is_restored()
        assert f"Its record: {record}" in terminal.left_behind


@pytest.mark.parametrize(("look", "rule"), LOOKS.items() if FULL else [("--ascii", "--------")])
def test_a_replay_at_the_screen(tmp_path: Path, look: str, rule: str) -> None:
    """In the look that was asked for, where the other one could be shown."""
    record = tmp_path / "p.fives"
    record.write_bytes(classic(2).record)
    arguments = ["-m", "cli", "replay", look, str(record)]
    with on_terminal(arguments, PYTHONUTF8="1", TERM_PROGRAM="iTerm.app") as terminal:
        assert rule in terminal.wait("Step 0 of")
        terminal.send("q")
        assert terminal.end() == 0
        assert terminal.is_restored()
