"""One match after another with the same people: processes of their own, records of their own."""

import json
import re
import signal
from contextlib import ExitStack
from pathlib import Path

from support.process.tables import CODE, Running, free_port, started
from support.screen.terminal import on_terminal

from p2p.session.verify import verify_record

OFFER = "Another match with the same people"


def play(*people: Running) -> None:
    """Everybody plays what is offered, until the match is over for all."""
    waiting = list(people)
    while waiting:
        for one in list(waiting):
            line = one.next_line(rf"^Your turn|{OFFER}|hand_end|the match stops")
            if line is None:
                continue
            if OFFER in line:
                waiting.remove(one)
            else:
                offered = re.search(r"You can play: ([^,(.]+?)(?: \((?:\+|count )\d+\))?[,.]", line)
                one.type(offered.group(1) if offered else "")


def checked(record: Path) -> bytes:
    """The id of the table whose record this is, which is in order."""
    report = verify_record(record.read_bytes())
    assert (report.ok, report.closed) == (True, True)
    return report.table


def test_two_people_play_two_matches_and_one_leaves_then(tmp_path: Path) -> None:
    port, common = free_port(), ["--plain", "--bind", "127.0.0.1"]
    where = ["--port", str(port), "--no-lan", "--code", CODE, "--target", "5"]
    with ExitStack() as stack:

        def start(name: str, *arguments: str) -> Running:
            record = ["--record", str(tmp_path / f"{name}.fives")]
            home = tmp_path / name
            return stack.enter_context(started(*arguments, *record, home=home, typed=True))

        host = start("host", "host", *where, *common)
        host.wait_line("Others join")
        joiner = start("joiner", "join", f"127.0.0.1:{port}", CODE, *common)
        play(host, joiner)
        joiner.type("again")
        host.wait_line("asks for another match")
        host.type("again")
        play(host, joiner)
        joiner.type("again")
        host.type("")
        joiner.wait_line("has left, so there is no other match at this table")
        assert [host.end(), joiner.end()] == [0, 0]
    ids = {
        checked(tmp_path / f"{name}{number}.fives")
        for name in ("host", "joiner")
        for number in ("", "-2")
    }
    assert len(ids) == 2


def test_bots_play_on_with_whoever_asks_and_end_with_the_table(tmp_path: Path) -> None:
    flags = ["--plain", "--bots", "2", "--level", "easy", "--target", "5", "--pace", "0"]
    with started("play", *flags, home=tmp_path / "home", typed=True) as person:
        play(person)
        person.type("again")
        play(person)
        person.type("")
        assert person.end() == 0
        assert person.err == []
    assert len(list((tmp_path / "home" / "records").iterdir())) == 2


def test_a_second_match_at_the_screen(tmp_path: Path) -> None:
    arguments = ["-m", "cli", "play", "--level", "easy", "--target", "5", "--pace", "0"]
    with on_terminal([*arguments, "--data-dir", str(tmp_path / "home")]) as terminal:
        for match in (1, 2):
            for _ in range(3000):
                text = terminal.wait(r"Your turn|Enter goes on|a asks for another")
                if "a asks for another" in text:
                    break
                if "Enter goes on" in text:
                    terminal.close_page()
                    terminal.wait_other_than(text)
                else:
                    terminal.press("\r")
            terminal.wait("was proven and checked")
            if match == 1:
                # Not its table: the other's first tile may end the second match at once.
                terminal.press("a")
        assert terminal.leave() == 0
        assert terminal.is_restored()
    assert len(list((tmp_path / "home" / "records").iterdir())) == 2


def test_who_is_interrupted_after_a_match_is_told_that_it_was_over(tmp_path: Path) -> None:
    flags = ["--plain", "--level", "easy", "--target", "5", "--pace", "0"]
    with started("play", *flags, home=tmp_path / "home", typed=True) as person:
        play(person)
        assert person.end(signal.SIGINT) == 130
        (said,) = person.err
        assert said.startswith("Stopped by Ctrl-C; the match was over, and its record is ")
        checked(Path(said.rpartition(" ")[2].rstrip(".")))


def test_a_bot_that_plays_for_somebody_leaves_at_the_end_and_the_other_is_told(
    tmp_path: Path,
) -> None:
    port, common = free_port(), ["--bind", "127.0.0.1"]
    where = ["--port", str(port), "--no-lan", "--code", CODE, "--target", "5"]
    with ExitStack() as stack:
        hosting = ["host", "--plain", *where, *common]
        host = stack.enter_context(started(*hosting, home=tmp_path / "a", typed=True))
        host.wait_line("Others join")
        joining = ["join", f"127.0.0.1:{port}", CODE, "--auto", "easy", "--json", *common]
        bot = stack.enter_context(started(*joining, home=tmp_path / "b"))
        while "there is no other match" not in (
            line := host.wait_line("^Your turn|there is no other match")
        ):
            offered = re.search(r"You can play: ([^,(.]+?)(?: \((?:\+|count )\d+\))?[,.]", line)
            host.type(offered.group(1) if offered else "")
        assert [bot.end(), host.end()] == [0, 0]
        assert json.loads(bot.out[-1])["event"] == "match_end"
