"""The screen in a real (pseudo-)terminal: a table in memory played by keys and by mouse."""

import asyncio
import itertools
import os
import re
import signal
from collections.abc import Callable
from unittest.mock import Mock

import pytest
import trio
import trio.testing
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import DummyInput
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput
from support.limits import FULL, HANG_SECONDS
from support.places import SUPPORT
from support.screen.hinter import hinter
from support.screen.reader import read_screen
from support.screen.terminal import Terminal, on_terminal

from cli.screen.app import Surface
from cli.screen.drawing.keys import Act
from cli.screen.line.look import Look
from cli.screen.seat import ScreenSeat, Settings
from cli.table.port import Leave, Opened

TABLE = str(SUPPORT / "screen" / "table.py")
TURN = "Your turn"
OVER = "End of the match"
RIGHT = "\x1b[C"
# Of the codes of "select graphic rendition" (ECMA-48): foregrounds and backgrounds.
COLOURS = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


Move = Callable[[Terminal, str], None]


def play(terminal: Terminal, move: Move, asked: str = TURN) -> None:
    """Play until the match is over; `move` answers what is asked: a turn."""
    for _ in range(400):
        text = terminal.wait(rf"{asked}|{OVER}|Enter goes on")
        if OVER in text:
            return
        if "Enter goes on" in text:
            terminal.close_page()
        else:
            move(terminal, text)
        terminal.wait_other_than(text)
    raise AssertionError("the match does not end")


def by_enter(terminal: Terminal, text: str) -> None:
    """The move that Enter makes."""
    terminal.send("\r")


def by_keys(terminal: Terminal, text: str) -> None:
    """Another tile or end first, where there is one, then Enter."""
    if "another tile" in text:
        terminal.send(RIGHT)
    elif "another end" in text:
        terminal.send("\x1b[B")
    terminal.send("\r")


def by_mouse(terminal: Terminal, text: str) -> None:
    """Two clicks on the chosen tile, or one on the sentence that says what can be done."""
    for at, row in enumerate(text.split("\n")):
        chosen = re.search(r">\d?\[\d.\d\]<", row)
        if chosen or TURN in row:
            terminal.click(chosen.start() + 2 if chosen else 3, at)
            if chosen:
                terminal.click(chosen.start() + 2, at)
            return


def by_turns() -> Move:
    """By keys and by mouse, one after the other."""
    moves = itertools.cycle((by_keys, by_mouse))
    return lambda terminal, text: next(moves)(terminal, text)


def test_a_whole_match() -> None:
    with on_terminal([TABLE, "whole", "target=40"]) as terminal:
        play(terminal, by_turns())
        assert "Every shuffle was proven" in terminal.wait("record is here")
        assert "\x1b]2;Your turn - All Fives\x07" in terminal.raw
        terminal.send("q")
        assert terminal.end() == 0
        assert terminal.is_restored()
        assert "the match. Scores" in terminal.text


def test_a_claim_that_cannot_be_is_asked_for_again_at_both_questions() -> None:
    refused: set[str] = set()

    def by_claims(terminal: Terminal, _: str) -> None:
        asked = re.search("What does|What did", terminal.text)
        if asked and asked[0] not in refused:
            refused.add(asked[0])
            terminal.send("170\r")
            terminal.wait("A claim is a number from 0 to 168, 0 for none")
        elif asked:
            terminal.send("5\r")
        else:
            terminal.send("\r")

    with on_terminal([TABLE, "claims", "target=15", "claims=yes"], width=120) as terminal:
        play(terminal, by_claims, f"{TURN}|What does|What did")
        assert refused == {"What does", "What did"}
        terminal.send("q")
        assert terminal.end() == 0


def test_a_key_that_is_held_down_asks_for_hints_and_breaks_nothing_and_leaving_asks_first() -> None:
    with on_terminal([TABLE, "hints"]) as terminal:
        terminal.wait(TURN)
        terminal.send("h" * 300)
        terminal.wait("Hint: ")
        terminal.send("q")
        terminal.wait("y leaves, n stays")
        terminal.send("n")
        terminal.wait(TURN)
        terminal.send("qy")
        assert terminal.end() == 1
        assert terminal.is_restored()
        assert "Failed" not in terminal.text


def test_resized_in_play_the_screen_fits_again() -> None:
    with on_terminal([TABLE, "resize", "players=3"]) as terminal:
        terminal.wait(TURN)
        for width, height in ((120, 40), (60, 20), (101, 25), (80, 24)):
            terminal.resize(width, height)
            terminal.wait(rf"\A All Fives.*\n(.*\n){{{height - 4},{height - 3}}} Your turn")
            assert read_screen(terminal.text, width).scores
        terminal.resize(50, 12)
        terminal.wait("needs 60 columns and 20 rows")


def test_keys_do_nothing_where_the_screen_has_no_room() -> None:
    with on_terminal([TABLE, "resize", "players=2"]) as terminal:
        before = terminal.wait(TURN)
        terminal.resize(50, 12)
        terminal.wait("Please enlarge")
        terminal.send("\r\rq")
        for width in (51, 52):  # drawn again, it has read the keys before it
            terminal.resize(width, 12)
            terminal.wait(rf"here\s+are\s+{width}\s+and\s+12")
        terminal.resize(80, 24)
        assert terminal.wait(TURN) == before
        terminal.send("\r")
        terminal.wait_other_than(before)
        terminal.resize(59, 24)
        terminal.wait("Please enlarge")
        terminal.send("\x03")
        assert terminal.end() == 130


SIGNALS = {
    signal.SIGQUIT: 131,
    signal.SIGHUP: 129,
    signal.SIGINT: 130,
    signal.SIGTERM: 143,
}


@pytest.mark.parametrize(
    ("signum", "code"), SIGNALS.items() if FULL else [(signal.SIGQUIT, SIGNALS[signal.SIGQUIT])]
)
def test_a_signal_restores_the_terminal_and_leaves_a_clear_line(signum: int, code: int) -> None:
    """One of them; ALLFIVES_FULL=1: each."""
    with on_terminal([TABLE, "signal"]) as terminal:
        terminal.wait(TURN)
        terminal.child.kill(signum)
        assert terminal.end() == code
        assert terminal.is_restored()
        assert "Stopped by" in terminal.text
        assert "Traceback" not in terminal.text


def test_all_is_drawn_anew_esc_acts_at_once_and_the_second_ctrl_c_is_the_same_as_sigint() -> None:
    with on_terminal([TABLE, "anew"]) as terminal:
        before = terminal.wait(TURN)
        for anew in (_ctrl_l, _stop_and_go_on):
            terminal.spoil()
            anew(terminal)
            terminal.wait_whole(before)
        assert "\x1b[?1003h" not in terminal.raw
        terminal.send("?")
        terminal.wait("== Help ==")
        terminal.send("\x1b")
        terminal.wait_whole(before)
        terminal.send("\x03")
        terminal.wait("y leaves, n stays")
        terminal.send("\x03")
        assert terminal.end() == 130
        assert terminal.is_restored()


def _ctrl_l(terminal: Terminal) -> None:
    terminal.send("\x0c")


def _stop_and_go_on(terminal: Terminal) -> None:
    """As with Ctrl-Z, which stops nothing where no shell waits."""
    terminal.child.kill(signal.SIGSTOP)
    os.waitpid(terminal.child.pid or 0, os.WUNTRACED)
    terminal.spoil()
    terminal.child.kill(signal.SIGCONT)


@pytest.mark.parametrize("where", ["key", "draw", "trio"])
def test_a_failure_restores_the_terminal_and_comes_out(where: str) -> None:
    with on_terminal([TABLE, "fail", f"fail={where}"]) as terminal:
        terminal.wait(TURN)
        terminal.send("h")
        assert terminal.end() == 1
        assert terminal.is_restored()
        assert "Failed: on purpose" in terminal.text


def test_no_color_means_none_and_the_same_text() -> None:
    texts = []
    for no_color, coloured in (("1", False), ("", True)):
        with on_terminal([TABLE, "colour"], NO_COLOR=no_color) as terminal:
            terminal.wait(TURN)
            texts.append(terminal.text)
            codes = {
                int(code)
                for codes in re.findall(r"\x1b\[([\d;]+)m", terminal.raw)
                for code in codes.split(";")
            }
            assert bool(codes & COLOURS) == coloured
    assert texts[0] == texts[1]


def unseen(mouse: bool = True) -> ScreenSeat:
    """A seat without a terminal."""
    settings = Settings(guard=0.0, mouse=mouse)
    return ScreenSeat(hinter, settings, Look(), {}, DummyInput(), DummyOutput())


def test_after_esc_what_belongs_to_it_is_waited_for_as_long_as_a_key_takes() -> None:
    assert unseen().app.ttimeoutlen <= 0.05


def test_ctrl_z_gives_the_terminal_back_to_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    app, stopped = unseen().app, list[bool]()
    monkeypatch.setattr(app, "suspend_to_background", lambda: stopped.append(True))
    assert app.key_bindings is not None
    (binding,) = app.key_bindings.get_bindings_for_keys((Keys.ControlZ,))[-1:]
    binding.call(Mock(app=app))
    assert stopped == [True]


def test_the_mouse_is_the_terminal_s_where_the_person_wants_it_so() -> None:
    assert unseen().app.renderer.mouse_support()
    assert not unseen(mouse=False).app.renderer.mouse_support()


def test_the_wheel_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    control, acts = unseen().control, list[Act]()
    monkeypatch.setattr(control, "act", acts.append)
    for turned in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
        wheel = MouseEvent(Point(0, 0), turned, MouseButton.NONE, frozenset())
        Surface(control).mouse_handler(wheel)
    assert acts == [Act.WHEEL_UP, Act.WHEEL_DOWN]


def test_how_to_join_is_printed_in_whole_lines_too(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("den is open", f"  allfives join allfives:{'x' * 200}")
    opened = Opened("den", "a-b-c", "allfives:x", ("10.0.0.7",), 5525, lines)

    async def show() -> None:
        unseen().show(opened)
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    asyncio.run(show())
    assert capsys.readouterr().out == "".join(f"{line}\n" for line in lines)


def test_what_is_printed_above_the_screen_is_cut_between_words_and_commands_are_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.process.output.columns", lambda _stream: 30)
    lines = ("'Table of Ana' is open: 3 players, classic rules.", "  allfives join " + "x" * 40)

    async def show() -> None:
        unseen().show(Opened("den", "a-b-c", "allfives:x", ("10.0.0.7",), 5525, lines))
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    asyncio.run(show())
    *said, command = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert " ".join(" ".join(said).split()) == lines[0]
    assert command == lines[1]


async def test_who_leaves_is_asked_for_no_more_lines() -> None:
    seat = unseen()
    asked: list[str] = []

    async def read() -> None:
        asked.extend([line async for line in seat.lines()])

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            seat._want(Leave())
    assert asked == []
