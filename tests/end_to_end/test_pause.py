"""Pauses by agreement and lost links, between processes."""

import signal
import socket
from contextlib import ExitStack
from pathlib import Path

from support.process.tables import CODE, Running, free_port, started
from support.screen.terminal import on_terminal


def test_two_people_stop_in_a_pause_and_come_back_another_day_at_other_ports(
    tmp_path: Path,
) -> None:
    ports, common = (free_port(), free_port()), ["--plain", "--bind", "127.0.0.1"]
    where = ["--port", str(ports[0]), "--code", CODE]
    with ExitStack() as stack:

        def start(name: str, *arguments: str) -> Running:
            return stack.enter_context(started(*arguments, home=tmp_path / name, typed=True))

        host = start("host", "host", *where, *common)
        host.wait_line("Others join")
        at = ["--port", str(ports[1])]
        joiner = start("joiner", "join", f"127.0.0.1:{ports[0]}", CODE, *at, *common)
        for one in (host, joiner):
            one.wait_line("Hand 1")
        host.type("pause")
        joiner.wait_line("Type pause to agree")
        joiner.type("pause")
        for one in (host, joiner):
            one.wait_line("The match is paused by all")
        host.type("quit")
        host.type("yes")
        host.wait_line("You stop here. The match waits, paused")
        # The window is closed.
        assert [host.end(), joiner.end(signal.SIGHUP)] == [0, 129]
        # Nobody can be where the others look: somebody else is there.
        for port in ports:
            stack.enter_context(socket.create_server(("127.0.0.1", port)))
        host, joiner = (start(name, "resume", *common) for name in ("host", "joiner"))
        for one in (host, joiner):
            one.wait_line("You are back at the table")
            one.wait_line("The match is paused by all")
        joiner.type("resume")
        host.wait_line("goes on with the match")
        host.type("quit")
        host.type("yes")
        joiner.wait_line("has left the match, so the match stops here, undecided")
        assert [host.end(), joiner.end()] == [1, 1]


def test_a_bot_agrees_at_once_and_nothing_is_played(tmp_path: Path) -> None:
    arguments = ["-m", "cli", "play", "--turn-seconds", "600"]
    with on_terminal([*arguments, "--data-dir", str(tmp_path / "home")]) as terminal:
        terminal.wait("Your turn")
        terminal.send("p")
        terminal.wait(r"paused +clock (9|10):\d\d")
        terminal.press("\r")
        terminal.wait("Nothing is chosen or played in a pause")
        terminal.send("p")
        terminal.wait(r"\A(?!.*paused)(.*\n)*.*Your turn")
        terminal.send("qy")
        assert terminal.end() == 1


def test_a_match_that_broke_off_stays_on_the_screen_until_the_person_leaves(
    tmp_path: Path,
) -> None:
    port = free_port()
    where = ["--port", str(port), "--no-lan", "--code", CODE, "--bind", "127.0.0.1"]
    arguments = ["-m", "cli", "host", *where, "--data-dir", str(tmp_path / "a")]
    with on_terminal(arguments, width=120) as host:
        host.wait("allfives join 127")
        joining = ["join", "--plain", f"127.0.0.1:{port}", CODE, "--bind", "127.0.0.1"]
        with started(*joining, home=tmp_path / "b", typed=True) as joiner:
            host.wait("Your turn|is to move")
            joiner.process.terminate()
            host.wait("== The match has stopped ==")
            host.wait("so the match stops here, undecided")
            host.wait(r"left, \d+ pts")
            assert host.leave() == 1
            assert host.is_restored()
            assert "The record of the match:" in host.text
