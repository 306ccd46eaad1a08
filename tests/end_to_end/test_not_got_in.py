"""Every way not to get in: the whole sentence, the exit code, and the others play on.

A table that is full but waits lasts for moments: see p2p/net/door/test_host.py. One where the match
is on: test_lobby.py.
"""

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.process.tables import CODE, Running, free_port, run_here, started

BIND = ["--bind", "127.0.0.1"]
OTHER_VERSION = """
import sys
import p2p.wire.envelope
p2p.wire.envelope.VERSION = 3
from cli.__main__ import main
main()
"""


def hosting(folder: Path, port: int, *flags: str) -> list[str]:
    """The arguments of a host whose seat a bot plays."""
    record = ["--record", str(folder / "host.fives")]
    table = ["--bind", "127.0.0.1", "--port", str(port), "--no-lan", "--name", "den"]
    return ["host", *table, "--auto", "normal", "--json", *record, *flags]


@pytest.fixture
def port() -> int:
    return free_port()


@dataclass(frozen=True)
class Open:
    """A table that stays open while strangers try it."""

    folder: Path
    port: int
    host: Running

    @property
    def at(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def invite(self) -> str:
        return str(json.loads(self.host.out[0])["invite"])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """One for all who do not get in; after them a proper joiner with an invite, who needs no code,
    finds the host as it was, and both play to the end."""
    folder, port = tmp_path_factory.mktemp("open"), free_port()
    flags = hosting(folder, port, "--code", CODE, "--target", "5")
    with started(*flags, home=folder / "host") as running:
        running.wait_line("open")
        yield Open(folder, port, running)
        invite = json.loads(running.out[0])["invite"]
        seat = ["--auto", "normal", "--json", *BIND]
        with started("join", invite, *seat, home=folder / "friend") as friend:
            assert friend.end() == 0
        assert running.end() == 0
        assert running.events()[-1]["event"] == "match_end"


def refused(
    folder: Path, *arguments: str, code: int = 1, name: str = "stranger"
) -> subprocess.CompletedProcess[str]:
    """A join that must fail, with nothing on standard output."""
    seat = ["--auto", "normal", "--json", "--bind", "127.0.0.1"]
    ended = run_here("join", *arguments, *seat, home=folder / name)
    assert ended.returncode == code, ended
    assert ended.stdout == ""
    return ended


def test_a_wrong_code(tmp_path: Path, table: Open) -> None:
    ended = refused(tmp_path, table.at, "guitar-orbit-solar")
    assert ended.stderr == "The table did not accept this code. Ask the host for the right one.\n"


def test_no_code_where_one_is_asked(tmp_path: Path, table: Open) -> None:
    ended = refused(tmp_path, table.at)
    assert ended.stderr == (
        "This table asks for a code. Ask its host for it, and try again with it.\n"
    )


def test_another_table_than_the_one_wanted(tmp_path: Path, table: Open) -> None:
    ended = refused(tmp_path, table.at, CODE, "--table", "salon")
    assert ended.stderr == (
        "Another table than the one asked for is open there. Check the name and the address.\n"
    )


def test_nobody_there(tmp_path: Path, port: int) -> None:
    ended = refused(tmp_path, f"127.0.0.1:{port}", CODE)
    assert ended.stderr == (
        f"Nobody answers at 127.0.0.1:{port}. "
        "Check the address and port, that the table is still open, and that no firewall there "
        "keeps you out.\n"
    )


def test_something_else_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        threading.Thread(target=answer_as_http, args=(other,), daemon=True).start()
        port = other.getsockname()[1]
        ended = refused(tmp_path, f"127.0.0.1:{port}", CODE)
    assert ended.stderr == (
        f"Something answers at 127.0.0.1:{port}, but it is not allfives. "
        "Check the address and port.\n"
    )


def answer_as_http(other: socket.socket) -> None:
    link, _ = other.accept()
    with link:
        link.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


def test_a_port_already_taken(tmp_path: Path, table: Open) -> None:
    arguments = hosting(tmp_path, table.port)
    ended = run_here(*arguments, home=tmp_path / "other")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        f"Port {table.port} is already taken. Choose another one, or leave out --port.\n"
    )


def test_another_protocol_version(tmp_path: Path, port: int) -> None:
    flags = hosting(tmp_path, port, "--code", CODE)
    program = ("-c", OTHER_VERSION)
    with started(*flags, home=tmp_path / "host", program=program) as other:
        other.wait_line("open")
        ended = refused(tmp_path, f"127.0.0.1:{port}", CODE)
    assert ended.stderr == (
        "The table speaks protocol version 3, this program 2. "
        "This program is the older one and must be updated.\n"
    )


def test_the_same_key_as_the_host(tmp_path: Path, table: Open) -> None:
    (tmp_path / "copy").mkdir(mode=0o700)
    shutil.copy(table.folder / "host" / "identity.json", tmp_path / "copy")
    ended = refused(tmp_path, table.at, CODE, name="copy")
    assert ended.stderr == (
        "Your key already sits at this table. Two seats need two keys: use another --data-dir.\n"
    )


def test_a_data_folder_in_use(table: Open) -> None:
    ended = refused(table.folder, table.at, CODE, code=2, name="host")
    assert ended.stderr == (
        f"Another allfives uses the data folder {table.folder / 'host'} now. "
        "Give this one a folder of its own with --data-dir.\n"
    )


def test_a_record_that_cannot_be_written(tmp_path: Path, table: Open) -> None:
    record = tmp_path / "nowhere" / "a.fives"
    ended = refused(tmp_path, table.at, CODE, "--record", str(record), code=2)
    assert ended.stderr == f"The record {record} cannot be written: No such file or directory.\n"


def test_a_damaged_invite(tmp_path: Path, table: Open) -> None:
    ended = refused(tmp_path, table.invite[:-3], code=2)
    assert ended.stderr == "This invite is damaged. Copy the whole line and try again.\n"


def test_a_bot_that_read_its_code_from_a_pipe_ends_with_the_pipe(tmp_path: Path, port: int) -> None:
    flags = hosting(tmp_path, port, "--code", CODE, "--players", "3")
    with started(*flags, home=tmp_path / "host") as host:
        host.wait_line("open")
        where = ["join", f"127.0.0.1:{port}", "-", "--auto", "normal", *BIND]
        with started(*where, home=tmp_path / "bot", typed=True) as bot:
            bot.type(CODE)
            host.wait_line("2 of 3 are here")
            bot.end_input()
            assert bot.end() == 1
            assert bot.err == ["The program that started this bot has ended."]
        host.wait_line("1 of 3 are here")


def test_an_open_table_takes_anyone(tmp_path: Path, port: int) -> None:
    flags = hosting(tmp_path, port, "--open", "--players", "3")
    with started(*flags, home=tmp_path / "host") as host:
        host.wait_line("open")
        assert json.loads(host.out[0])["code"] is None
        where = ["join", f"127.0.0.1:{port}", "--auto", "normal", "--json", *BIND]
        with started(*where, home=tmp_path / "friend"):
            host.wait_line("2 of 3 are here")
