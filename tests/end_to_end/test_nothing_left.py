"""Nothing stays in the folder for temporary files, however a program ends; nor of its bots."""

import os
import select
import signal
from pathlib import Path

import pytest
from support.limits import HANG_SECONDS
from support.process.tables import bots_of, run_once, started

from p2p.store import Store


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of every process that the test starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_after_a_match_that_was_killed_and_one_that_was_not(
    tmp_path: Path, temporary: Path
) -> None:
    home, record = tmp_path / "home", tmp_path / "match.fives"
    with started("play", "--plain", "--bots", "2", home=home, typed=True) as person:
        person.wait_line("^Your hand")
        bots = [os.pidfd_open(pid) for pid in bots_of(person)]
        assert len(bots) == 2
        assert person.end(signal.SIGKILL) == -signal.SIGKILL
    for bot in bots:
        ended, _, _ = select.select([bot], [], [], HANG_SECONDS)
        assert ended == [bot], "a bot goes on without the program that started it"
        os.close(bot)
    assert names(temporary) == set()
    # They wait for the match to go on; when it cannot, what they kept goes with the next start.
    assert any(name.startswith("allfives-bots-") for name in names(home))
    with Store(home / "allfives.sqlite3") as store:
        (left,) = store.unfinished()
        store.finish(left.table, "broken", (), None)
    again = ["--level", "easy", "--auto", "easy", "--target", "5", "--record", str(record)]
    assert run_once("play", *again, home=home).returncode == 0
    assert names(temporary) == set()
    assert names(home) == {"identity.json", "allfives.sqlite3", "lock", "records"}
    twice = [str(record), str(record)]
    assert run_once("verify", "--jobs", "2", *twice, home=home).returncode == 0
    assert names(temporary) == set()
