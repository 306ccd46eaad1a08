"""A sample of the hostile inputs of fuzz.py, which tries as many as one likes."""

from collections.abc import Sequence

import fuzz
import pytest
from support.fuzz.targets import Door, Frames, Sittings

INPUTS = 1500


def test_nothing_is_raised_and_memory_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--inputs", str(INPUTS), "--seed", "7"]) == 0
    first, memory, _ = capsys.readouterr().out.splitlines()
    for name in ("decoder", "door", "sitting"):
        assert f"{name} {INPUTS // 3}" in first
    assert memory.startswith("memory ")


@pytest.mark.parametrize("target", [Frames, Door, Sittings])
def test_what_raises_is_shown_with_its_command(
    target: type, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(self: object, signed: bool) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(target, "feed", fails)
    assert fuzz.main(["--inputs", "10", "--seed", "3"]) == 1
    out: Sequence[str] = capsys.readouterr().out.splitlines()
    assert "KeyError: 'planted'" in out
    assert out[-1] == "python tests/fuzz.py --inputs 10 --seed 3"
