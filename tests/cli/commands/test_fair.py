"""`allfives fair`: over files and over one's own matches, in words and as JSON, and what cannot be
counted."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from support.session.tables import Game, rules_for

from cli.command_line import run
from cli.commands.fair import _comparison
from cli.telling.chance import Count


@cache
def record() -> bytes:
    """A short match of two."""
    return Game.make(rules_for(2, target="10"), "fair").play().sessions[0].record()


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.fives"
    path.write_bytes(record())
    return str(path)


def test_in_words(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fair", file, file]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 match, ")
    assert "  doubles dealt: " in out
    assert "No seat could have chosen these tiles" in out
    found = re.search(r"Of (8|10) such numbers chance alone makes about 0\.(4|5) come out", out)
    assert found is not None
    assert int(found[1]) == 2 * int(found[2])
    begun = "  first to play, of hands begun by lot or double: 1 of 1 hand, by chance 0.5 (100)\n"
    assert begun in out


@pytest.mark.parametrize(("mean", "told"), [(5.25, "5.3"), (1.25, "1.3"), (0.1 * 3.5, "0.4")])
def test_a_half_is_rounded_upwards(mean: float, told: str) -> None:
    """As people round; a sum of floats may lie a little below the half that it means."""
    said = _comparison("doubles", Count(2, 3, mean, 1.0, (0.875, 0.0, 0.125)))
    assert f"by chance {told} (" in said
    assert _comparison("doubles", Count(2, 3, 0.0, 1.0, (0.875, 0.0, 0.125))).endswith("(13)")


def test_as_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fair", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["matches", "hands", "people"]
    assert told["matches"] == 1
    for person in told["people"]:
        assert list(person) == ["name", "key", "doubles", "leads", "pips", "starts", "draws"]
        assert set(person["pips"]) == {"seen", "of", "chance", "deviation", "likely"}
        assert person["pips"]["chance"] == 6 * person["pips"]["of"]


def test_what_cannot_be_counted(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b.fives").write_bytes(b"no record")
    assert run(["fair", file, str(tmp_path / "b.fives")]) == 2
    assert str(tmp_path / "b.fives") in capsys.readouterr().err
    assert run(["fair", "--data-dir", str(tmp_path / "home")]) == 1
    assert capsys.readouterr().err.startswith("There is no match to count")
