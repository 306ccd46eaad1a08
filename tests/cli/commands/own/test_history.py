"""`allfives history` as a command."""

import json
from pathlib import Path

import pytest
from support.session.tables import make_table, rules_for

from cli.command_line import run
from cli.files.home import Home
from p2p.store import Store

TABLE = make_table(rules_for(2), "one")[0]


def test_listing_copying_and_deleting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path / "home")

    def said(*words: str, code: int = 0) -> str:
        assert run(["history", *words, "--data-dir", str(home.folder)]) == code
        read = capsys.readouterr()
        return read.err if code else read.out

    assert said().startswith("No match has been played here yet.")
    assert said("--json") == "[]\n"
    with Store(home.store) as store:
        store.open_match(TABLE.id, TABLE.description, ["Ana", "Ben"])
        record = home.record_path(TABLE.id)
        record.write_bytes(b"record")
        store.finish(TABLE.id, "finished", (255, 120), record)
    (listed,) = json.loads(said("--json"))
    assert list(listed) == ["table", "when", "state", "players", "scores", "record"]
    assert (listed["table"], listed["state"]) == (TABLE.id.hex(), "finished")
    assert (listed["players"], listed["scores"]) == (["Ana", "Ben"], [255, 120])
    assert "Ana 255 won, Ben 120" in said()
    assert str(home.folder / "records") in said()
    said("export", "last", str(tmp_path / "copy"))
    assert (tmp_path / "copy").read_bytes() == b"record"
    assert said("delete", "last", code=2).startswith("There is nobody to ask; --yes")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for answer in ("", "n", "No", "perhaps"):
        monkeypatch.setattr("builtins.input", lambda asked, line=answer: line)
        assert said("delete", "last").endswith("\nNothing is deleted.\n")
        assert record.exists()
    monkeypatch.setattr("builtins.input", lambda asked: "Y")
    assert "is deleted." in said("delete", TABLE.id.hex()[:6])
    assert not record.exists()
    assert said("--json") == "[]\n"
