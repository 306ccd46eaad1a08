"""One match after another with the same people: processes of their own, records of their own."""

import re
import signal
from contextlib import ExitStack
from pathlib import Path

from support.process.tables import CODE, Running, free_port, started

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
        host.end_input()
        joiner.wait_line("has left, so there is no other match at this table")
        assert [host.end(), joiner.end()] == [0, 0]
        assert [host.err, joiner.err] == [[], []]
    ids = {
        checked(tmp_path / f"{name}{number}.fives")
        for name in ("host", "joiner")
        for number in ("", "-2")
    }
    assert len(ids) == 2


def test_a_bot_plays_on_and_who_is_interrupted_then_is_told_that_the_match_was_over(
    tmp_path: Path,
) -> None:
    flags = ["--plain", "--level", "easy", "--target", "5"]
    with started("play", *flags, home=tmp_path / "home", typed=True) as person:
        play(person)
        person.type("again")
        play(person)
        assert person.end(signal.SIGINT) == 130
        (said,) = person.err
        assert said.startswith("Stopped by Ctrl-C; the match was over. Its record: ")
        checked(Path(said.rpartition(" ")[2].rstrip(".")))
    assert len(list((tmp_path / "home" / "records").iterdir())) == 2
