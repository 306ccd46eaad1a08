"""The data folder: where it is, one process at a time, defaults from config.toml."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.places import TESTS

from cli.command_line import run
from cli.files.home import Home, find_folder
from cli.process.errors import Stop

HOLDER = """
import sys
from pathlib import Path
from cli.files.settings import load_defaults
from cli.files.home import Home
with Home(Path(sys.argv[1])).locked():
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_the_folder_is_the_named_one_else_the_variable_else_the_platforms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALLFIVES_HOME", str(tmp_path / "variable"))
    assert find_folder(str(tmp_path / "named")) == tmp_path / "named"
    assert find_folder(None) == tmp_path / "variable"
    monkeypatch.delenv("ALLFIVES_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "allfives" in find_folder(None).name
    assert tmp_path in find_folder(None).parents


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "b")
    home.make()
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o500])
def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    home.folder.chmod(mode)
    home.make()
    assert stat.S_IMODE(home.folder.stat().st_mode) == mode


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_umask")
def test_what_is_secret_is_closed_in_a_folder_that_others_may_look_into(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    table = ("--bots", "1", "--level", "easy", "--auto", "easy", "--target", "5")
    assert run(["play", *table, "--data-dir", str(tmp_path)]) == 0
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    open_to_others = {file.name for file in tmp_path.iterdir() if file.stat().st_mode & 0o077}
    assert open_to_others == {"lock"}


def test_keys_with_loose_modes_are_closed_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.identity()
    former = home.former_identity_path("0123456789abcdef")
    former.write_bytes(home.identity_path.read_bytes())
    other = tmp_path / "identity-card.json"
    other.touch()
    keys = [home.identity_path, former]
    for file in (*keys, other):
        file.chmod(0o644)
    for _ in range(2):
        home.identity()
    assert [stat.S_IMODE(file.stat().st_mode) for file in (*keys, other)] == [0o600, 0o600, 0o644]
    assert capsys.readouterr().err.splitlines() == [
        f"{file} holds your key and was open to others; now only you can read it." for file in keys
    ]


def everybodys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder as that for temporary files is; why it is refused."""
    folder.chmod(0o1777)
    return "can be written by everybody on this machine, so your key would not be safe there"


def somebody_elses(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder as a person finds it who is not its owner; why it is refused."""
    folder.chmod(0o755)
    stranger = folder.stat().st_uid + 1
    monkeypatch.setattr("os.geteuid", lambda: stranger)
    return "belongs to somebody else, so your key would not be safe there"


each_unsuitable = pytest.mark.parametrize("spoil", [everybodys, somebody_elses])


@each_unsuitable
@pytest.mark.parametrize(
    "command", [["id"], ["play", "--auto", "easy"], ["join", "--auto", "easy", "127.0.0.1", "a-b"]]
)
def test_a_folder_where_a_key_is_not_safe_is_refused_as_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path, pytest.MonkeyPatch], str],
    command: list[str],
) -> None:
    why = spoil(tmp_path, monkeypatch)
    before = tmp_path.stat().st_mode
    assert run([*command, "--data-dir", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"The data folder {tmp_path} {why}. Name a folder of your own with --data-dir.\n"
    )
    assert tmp_path.stat().st_mode == before
    assert list(tmp_path.iterdir()) == []


@each_unsuitable
def test_settings_count_only_from_a_folder_of_ones_own(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path, pytest.MonkeyPatch], str],
) -> None:
    why = spoil(tmp_path, monkeypatch)
    rules = ["rules", "classic", "--data-dir", str(tmp_path)]
    assert run(rules) == 0
    (tmp_path / "config.toml").write_text("[rules]\nplayers = 4\n")
    capsys.readouterr()
    assert run(rules) == 2
    assert why in capsys.readouterr().err


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Stop) as caught:
        Home(tmp_path / "file" / "home").make()
    assert caught.value.code == 2
    assert caught.value.sentence == (
        f"The data folder {tmp_path}/file/home cannot be made: Not a directory. "
        "Name another one with --data-dir."
    )


def test_a_second_process_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    command = [sys.executable, "-c", HOLDER, str(home.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(Stop) as caught, home.locked():
            raise AssertionError("it was let in")
        assert caught.value.code == 2
        assert caught.value.sentence == (
            f"Another allfives uses the data folder {home.folder} now. "
            "Give this one a folder of its own with --data-dir."
        )
        holder.kill()
    with home.locked():
        assert (home.folder / "lock").exists()


class Opened(sqlite3.Connection):
    """A connection that knows whether it was closed."""

    every: ClassVar[list["Opened"]] = []
    closed = False

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.every.append(self)

    def close(self) -> None:
        self.closed = True
        super().close()


def test_no_connection_stays_open_whether_the_lock_is_had_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Opened, "every", [])
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Opened))
    home = Home(tmp_path)
    with home.locked(), pytest.raises(Stop, match="Another allfives"), home.locked():
        raise AssertionError("it was let in")
    (tmp_path / "lock").write_bytes(b"no database" * 100)
    remove = rf"cannot be locked: file is not a database\. Remove {home.lock_path} when no other"
    with pytest.raises(Stop, match=remove), home.locked():
        raise AssertionError("it was let in")
    assert [one.closed for one in Opened.every] == [True, True, True]


def test_what_fails_inside_the_lock_comes_out_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="mine"), Home(tmp_path).locked():
        raise sqlite3.OperationalError("mine")


def test_records_are_named_by_day_and_table(tmp_path: Path) -> None:
    path = Home(tmp_path).record_path(b"\xab" * 32)
    assert path == tmp_path / "records" / f"{datetime.now(UTC):%Y-%m-%d}-abababababababab.fives"
    assert path.parent.is_dir()


OLD = json.loads((TESTS / "support" / "process" / "home_1.json").read_text())


def old_home(folder: Path) -> Home:
    """A data folder as allfives 0.1 left it, after a match and one in which it was killed."""
    home = Home(folder)
    home.make()
    for name in ("identity.json", "config.toml"):
        (folder / name).write_text(OLD[name])
    (folder / "lock").touch()
    (folder / "records").mkdir()
    record = OLD["record"]
    (folder / "records" / record["name"]).write_bytes(bytes.fromhex(record["bytes"]))
    with closing(sqlite3.connect(home.store)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript("".join(OLD["store"]).replace("{home}", str(folder)))
    return home


def test_a_folder_of_version_1_is_taken_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = old_home(tmp_path / "home")

    def told(code: int, *command: str) -> tuple[str, str]:
        assert run([*command, "--data-dir", str(home.folder)]) == code
        return capsys.readouterr()

    with closing(sqlite3.connect(home.store)) as db:
        secrets = [data for (data,) in db.execute("SELECT data FROM secrets")]
    name, key = json.loads(OLD["identity.json"])["name"], home.identity().fingerprint
    assert told(0, "id")[0] == f"{name}, key {key}\n"
    assert told(0, "config", "level")[0].split()[:2] == ["level", "easy"]
    first, second = json.loads(told(0, "history", "--json")[0])
    assert (first["state"], first["scores"]) == ("finished", [-30, 10])
    assert first["record"] == str(home.folder / "records" / OLD["record"]["name"])
    # That program kept nothing by which the others could be found again.
    assert (second["state"], second["record"]) == ("broken", None)
    assert told(2, "verify")[1].endswith(
        ": The record was written by allfives 0.1; that program checks it.\n"
    )
    assert told(1, "resume")[1].startswith("There is no unfinished match.")
    assert told(1, "replay", second["table"][:8])[1] == (
        "That match broke off, and no record of it was kept.\n"
    )
    left = b"".join(path.read_bytes() for path in home.folder.glob("allfives.sqlite3*"))
    assert len(secrets) == 2
    assert not any(secret in left for secret in secrets)
