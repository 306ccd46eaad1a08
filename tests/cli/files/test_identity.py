"""The identity: made once, for its owner alone, moved by export and import, never shown."""

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from cli.command_line import run
from cli.files.identity import (
    Identity,
    checked_name,
    checked_person,
    name_of_user,
    own_identity,
    read_identity,
    write_identity,
)
from cli.process.errors import Stop
from p2p.crypto.identity import IdentityKey, fingerprint
from p2p.session.state.table import BadName, check_name

ANA = Identity("Ana", IdentityKey.from_private_bytes(b"a" * 32))
BEN = Identity("Ben", IdentityKey.from_private_bytes(b"b" * 32))


def test_the_first_start_makes_an_identity_and_later_ones_find_it(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    first = own_identity(path)
    again = own_identity(path)
    assert first.key.public == again.key.public
    assert first.name == again.name == name_of_user()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert own_identity(tmp_path / "other.json").key.public != first.key.public


def test_writing_replaces_at_once_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    write_identity(path, ANA)
    write_identity(path, BEN)
    assert read_identity(path).name == "Ben"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["identity.json"]


def test_a_full_disk_leaves_no_half_identity_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        own_identity(tmp_path / "identity.json")
    assert list(tmp_path.iterdir()) == []


SEED = (b"a" * 32).hex()
DAMAGED = [
    "",
    "nothing",
    "[]",
    '{"name": "Ana"}',
    json.dumps({"name": "Ana", "key": SEED[:-2]}),
    json.dumps({"name": "Ana", "key": "zz" * 32}),
    json.dumps({"name": "", "key": SEED}),
    json.dumps({"name": "A\n", "key": SEED}),
    json.dumps({"name": 5, "key": SEED}),
    json.dumps({"name": "Ana", "key": 5}),
]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_refused_without_showing_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "identity.json"
    path.write_text(text)
    with pytest.raises(Stop) as caught:
        read_identity(path)
    assert (caught.value.sentence, caught.value.code) == (f"{path} is no identity file.", 2)
    assert caught.value.__cause__ is None


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Stop, match="is no identity file"):
        read_identity(path)


def test_names_are_normalised_and_checked() -> None:
    assert checked_name("Zoe\u0301") == "Zo\xe9"
    for wrong in ("", "x" * 25, "a\x07", " a", "a\u202eb"):
        with pytest.raises(Stop) as caught:
            checked_name(wrong)
        assert caught.value.code == 2
        assert "cannot be your name" in caught.value.sentence


@pytest.mark.parametrize("name", ["You", "you", "\uff39ou", "Ana (you)", "Ana (YOU)"])
def test_what_programs_write_of_their_own_person_is_nobodys_name(name: str) -> None:
    with pytest.raises(BadName):
        check_name(name)
    with pytest.raises(Stop, match="the program itself writes that of whoever sits before it"):
        checked_person(name)


@pytest.mark.parametrize("name", ["Bot Ada", "bot x", "\uff22ot Bea"])
def test_a_person_takes_no_name_of_a_bot(name: str) -> None:
    assert check_name(name) == name
    with pytest.raises(Stop, match="bots are told by such names"):
        checked_person(name)
    assert checked_person("Botolf") == "Botolf"


def test_a_name_that_was_taken_before_it_was_reserved_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    path.write_text('{"name": "You", "key": "' + "11" * 32 + '"}')
    assert read_identity(path).name == "Player"


def test_a_name_is_the_persons_own_once_it_was_taken(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    first = own_identity(path)
    assert not first.chosen
    assert not read_identity(path).chosen
    assert run(["id", "--name", first.name, "--data-dir", str(tmp_path)]) == 0
    taken = read_identity(path)
    assert (taken.name, taken.fingerprint, taken.chosen) == (first.name, first.fingerprint, True)
    assert "chosen" not in path.read_text()


def test_the_user_of_the_machine_gives_the_first_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for user, name in [("ana", "ana"), ("a" * 40, "a" * 24), ("b\x07d", "Player"), ("", "Player")]:
        monkeypatch.setattr("getpass.getuser", lambda user=user: user)
        assert name_of_user() == name

    def unknown() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert name_of_user() == "Player"


def test_moving_to_another_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "moved.json"
    assert run(["id", "--name", "Ana", "--data-dir", str(old)]) == 0
    assert run(["id", "export", str(file), "--data-dir", str(old)]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = own_identity_of(new)
    capsys.readouterr()
    assert run(["id", "import", str(file), "--data-dir", str(new)]) == 0
    moved = read_identity(old / "identity.json")
    assert capsys.readouterr().out == f"You are Ana, key {moved.fingerprint}.\n"
    assert read_identity(new / "identity.json").key.public == moved.key.public
    kept = read_identity(new / f"identity-{before.fingerprint}.json")
    assert kept.key.public == before.key.public


def own_identity_of(folder: Path) -> Identity:
    folder.mkdir()
    return own_identity(folder / "identity.json")


def test_an_export_never_replaces_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "there.json"
    file.write_text("mine")
    assert run(["id", "export", str(file), "--data-dir", str(tmp_path / "home")]) == 2
    assert capsys.readouterr().err == f"{file} is there already; name a new file.\n"
    assert file.read_text() == "mine"


def test_id_says_name_and_fingerprint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = ["--data-dir", str(tmp_path)]
    write_identity(tmp_path / "identity.json", ANA)
    assert run(["id", *home]) == 0
    assert run(["id", "--json", *home]) == 0
    key = fingerprint(ANA.key.public)
    expected = f'Ana, key {key}\n{{"name":"Ana","key":"{key}"}}\n'
    assert capsys.readouterr().out == expected
    assert run(["id", "--name", "Anna", "--json", *home]) == 0
    assert capsys.readouterr().out == f'{{"name":"Anna","key":"{key}"}}\n'
    assert read_identity(tmp_path / "identity.json").name == "Anna"


def test_the_key_is_in_no_repr() -> None:
    assert (b"a" * 32).hex() not in repr(ANA)
    assert "aaaa" not in repr(ANA)


def test_a_damaged_own_identity_is_refused_with_a_way_on(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    path.write_text("{")
    with pytest.raises(Stop) as caught:
        own_identity(path)
    assert (caught.value.sentence, caught.value.code) == (
        f"{path} is no identity file. Move it away; then a new key is made at the next start, or "
        "`allfives id import` takes one that you have exported.",
        2,
    )
    assert path.read_text() == "{"
