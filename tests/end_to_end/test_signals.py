"""Signals in every state: one line, the right code, the record kept.

With ALLFIVES_FULL=1 every signal in play; what each does: cli/process/test_running.py.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.limits import FULL
from support.process.tables import CODE, Running, bots_of, free_port, started

from p2p.session.verify import verify_record

SIGNALS = [
    (signal.SIGINT, 130, "Ctrl-C"),
    (signal.SIGTERM, 143, "SIGTERM"),
    (signal.SIGHUP, 129, "SIGHUP"),
]


@contextmanager
def host(folder: Path, *flags: str) -> Iterator[tuple[Running, list[str]]]:
    """A host at plain lines, and how to join it."""
    port = free_port()
    table = ["--bind", "127.0.0.1", "--port", str(port), "--code", CODE, "--no-lan", "--plain"]
    record = ["--record", str(folder / "host.fives")]
    with started("host", *table, *record, *flags, home=folder / "host", typed=True) as running:
        running.wait_line("allfives join")
        yield running, ["join", f"127.0.0.1:{port}", CODE, "--bind", "127.0.0.1"]


@contextmanager
def two_people(folder: Path) -> Iterator[list[Running]]:
    """A host and a joiner at plain lines, with all tiles dealt; who is to move comes first."""
    with host(folder) as (first, joining):
        record = ["--record", str(folder / "join.fives"), "--plain"]
        with started(*joining, *record, home=folder / "join", typed=True) as second:
            began = first.wait_line(r"starts?\.$")
            first.wait_line("^Your hand")
            second.wait_line("^Your hand")
            starter, other = (first, second) if "You start" in began else (second, first)
            starter.wait_line("^Your turn")
            yield [starter, other]


def stopped(cause: str, record: Path) -> str:
    return f"Stopped by {cause}; the match ends here. Its record: {record}"


def record_of(peer: Running) -> Path:
    return peer.home.parent / f"{peer.home.name}.fives"


def test_in_the_lobby(tmp_path: Path) -> None:
    """A process that a shell started in the background inherits an ignored SIGINT."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with host(tmp_path, "--players", "3") as (first, joining):
            signal.signal(signal.SIGINT, before)
            with started(*joining, "--plain", home=tmp_path / "join", typed=True) as second:
                second.wait_line("is at the table")
                first.wait_line("is at the table")
                assert second.end(signal.SIGTERM) == 143
                assert second.err == ["Stopped by SIGTERM."]
                first.wait_line(r"has left \(1 of 3 are here\)")
            assert first.end(signal.SIGINT) == 130
            assert first.err == ["Stopped by Ctrl-C."]
            assert not (tmp_path / "host.fives").exists()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("signum", "code", "cause", "on_turn"),
    [(*one, bool(at % 2)) for at, one in enumerate(SIGNALS if FULL else SIGNALS[1:])],
)
def test_during_play(tmp_path: Path, signum: int, code: int, cause: str, on_turn: bool) -> None:
    with two_people(tmp_path) as people:
        stopping, staying = people if on_turn else people[::-1]
        assert stopping.end(signum) == code
        assert stopping.err == [stopped(cause, record_of(stopping))]
        assert staying.end() == 1
        check_broken_off(stopping, staying)


def check_broken_off(stopping: Running, staying: Running) -> None:
    """The other side says what happened; both records go as far as the match went."""
    assert "so the match stops here, undecided. Its record so far is kept." in staying.out[-1]
    assert " has left the match, so" in staying.out[-1]
    assert staying.err == [f"The record of the match: {record_of(staying)}"]
    for peer in (stopping, staying):
        report = verify_record(record_of(peer).read_bytes())
        assert (report.fault, report.problem, report.decided) == (None, None, False)


@pytest.mark.parametrize(("signum", "code", "cause"), SIGNALS if FULL else SIGNALS[:1])
def test_while_the_deck_is_shuffled(tmp_path: Path, signum: int, code: int, cause: str) -> None:
    with host(tmp_path, "--players", "2") as (first, joining):
        with started(*joining, "--plain", home=tmp_path / "join", typed=True) as second:
            second.wait_line("The match begins")
            assert second.end(signum) == code
            (line,) = second.err
            assert line.startswith(f"Stopped by {cause}; the match ends here. Its record: ")
            assert Path(line.split()[-1]).parent == tmp_path / "join" / "records"
        assert first.end() == 1
        assert first.err == [f"The record of the match: {tmp_path / 'host.fives'}"]


def test_bots_go_with_the_program_that_started_them(tmp_path: Path) -> None:
    flags = ["--plain", "--record", str(tmp_path / "play.fives")]
    with started("play", "--bots", "1", *flags, home=tmp_path / "play", typed=True) as person:
        person.wait_line("^Your hand")
        assert len(bots_of(person)) == 1
        assert person.end(signal.SIGINT) == 130
        assert person.err == [stopped("Ctrl-C", tmp_path / "play.fives")]
    assert bots_of(person) == {}


def test_codes_show_in_no_command_line_of_a_bot(tmp_path: Path) -> None:
    port = str(free_port())
    flags = ["--players", "3", "--bots", "1", "--code", CODE, "--port", port, "--plain"]
    with started("host", *flags, "--no-lan", home=tmp_path / "host", typed=True) as host:
        host.wait_line("Bot Ada .* is at the table")
        (line,) = bots_of(host).values()
        assert b"join" in line
        assert CODE.encode() not in line
