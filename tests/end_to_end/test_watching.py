"""Looking on with real processes: in by the code in the middle of a match, seen, heard, and with
the record of all that there was when it stops."""

from pathlib import Path

from support.process.tables import CODE, free_port, run_here, started

from cli.telling.links import LOOKING_FIRST
from p2p.session.verify import replay_record


def test_somebody_looks_on_by_the_same_code_and_keeps_the_record(tmp_path: Path) -> None:
    at = f"127.0.0.1:{free_port()}"
    ip, _, port = at.partition(":")
    opens = ["host", "--plain", "--no-lan", "--code", CODE, "--bind", ip, "--port", port]
    with (
        started(*opens, home=tmp_path / "host", typed=True) as host,
        started("join", at, CODE, "--auto", "easy", home=tmp_path / "guest") as guest,
    ):
        host.wait_line("Hand 1")
        record = tmp_path / "seen.fives"
        watch = ["watch", at, CODE, "--plain", "--record", str(record)]
        with started(*watch, home=tmp_path / "third", typed=True) as third:
            third.wait_line(LOOKING_FIRST)
            third.wait_line("Hand 1")
            third.type("say well played")
            host.wait_line(r" \(looking on\): well played$")
            third.type("pause")
            third.wait_line("You look on: those who play decide about that.")
            host.type("quit")
            host.type("yes")
            third.wait_line("has left the match, so it stops here, undecided.")
            assert third.end() == 1
        host.end()
        guest.end()
    assert replay_record(record.read_bytes())
    shown = run_here("history", home=tmp_path / "third")
    assert "No match" in shown.stdout
