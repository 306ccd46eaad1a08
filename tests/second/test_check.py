"""Verdicts on records: as in record.json, and as the program's on altered and forged ones."""

import itertools
import os
from typing import Any

import pytest

from second.check import check, main
from second.compare import Tally, compared
from second.forging.forge import forged
from second.forging.made import judged_source, source_of
from second.game.rules import preset
from second.play.local import LocalMatch
from second.record.file import written
from second.vectors import records, small_records, vectors

COUNT = int(os.environ.get("ALLFIVES_SECOND", "0"))
"""How many altered and forged records more are compared."""


def told(data: bytes) -> dict[str, Any]:
    """A verdict as record.json writes it."""
    verdict = check(data)
    if verdict.exit == 2:
        return {"exit": 2}
    said = verdict.json()
    del said["ok"]
    absent = [[a["seat"], a["hand"], a["reason"], a["by"]] for a in said["absent"]]
    return {"exit": verdict.exit, "faulty": verdict.faulty, **said, "absent": absent}


@pytest.mark.parametrize("one", vectors("record")["whole"], ids=lambda one: one["name"])
def test_whole_records(one: Any) -> None:
    """Every field of the verdict."""
    assert told(bytes.fromhex(one["record"])) == one["verdict"]


@pytest.mark.parametrize("one", vectors("record")["cut"], ids=lambda one: str(one["first_bytes"]))
def test_cut_records(one: Any) -> None:
    """What a record says whose end is missing."""
    assert told(records()[one["of"]][: one["first_bytes"]]) == one["verdict"]


@pytest.mark.parametrize(
    "one", vectors("record")["altered"], ids=lambda one: str(one["byte_xor_1"])
)
def test_records_with_another_byte(one: Any) -> None:
    """In the head, and behind it."""
    data, at = records()[one["of"]], one["byte_xor_1"]
    assert told(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]) == one["verdict"]


@pytest.mark.parametrize("one", vectors("record")["spliced"], ids=lambda o: str(o["about"]))
def test_records_with_other_frames_behind(one: Any) -> None:
    """In a file whose head is in order."""
    whole = source_of(records()[one["of"]])
    frames = [*whole.frames[: one["first_frames"]], *map(bytes.fromhex, one["then_frames"])]
    assert told(written(whole.description, frames)) == one["verdict"]


def test_the_program_says_the_same_of_altered_and_forged_records() -> None:
    """A sample; `python -m second.compare` in tests/ goes on."""
    sources = [judged_source(data) for data in small_records()]
    made = list(itertools.islice(forged(1, sources), 40 + COUNT))
    assert list(compared(made, Tally())) == []


def test_a_match_of_its_own_is_closed_and_without_fault() -> None:
    """Of three, with calls and claims; whoever wins a hand gains, so that it ends soon."""
    options = {"starter": "highest-double", "claims": "yes", "hand-size": "2", "target": "5"}
    match = LocalMatch.new({**preset("pagat", 3), **options}, 3, 1)
    match.play()
    verdict = check(match.record())
    assert (verdict.exit, verdict.why) == (0, "")


def test_the_command_gives_the_worst_exit_code(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """2, 1, 3, 0, from the worst on."""
    left, whole = records()["one left"], records()["one idle"]
    for name, data in (("whole", whole), ("left", left), ("none", b"")):
        (tmp_path / name).write_bytes(data)
    assert main([str(tmp_path / "whole")]) == 0
    assert main([str(tmp_path / "whole"), str(tmp_path / "left")]) == 1
    assert main([str(tmp_path / name) for name in ("none", "left")]) == 2
    assert capsys.readouterr().out.count("\n") == 5
