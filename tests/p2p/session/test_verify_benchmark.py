"""The benchmark of verify prints every key of the interface, on records that it plays itself."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support.places import ROOT

NAMES = {"unit_us", "jobs_ratio", "peak_mib"} | {
    f"{what}_a_hand_{seats}" for what in ("units", "mult", "adds") for seats in (2, 4)
}


@pytest.fixture
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """benchmarks/verify.py as a module, with short matches and a folder of its own."""
    path = ROOT / "benchmarks" / "verify.py"
    spec = importlib.util.spec_from_file_location("benchmark_of_verify", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(module, "TARGETS", {2: "5", 4: "5"})
    monkeypatch.setattr(module, "LEAST_HANDS", 1)
    return module


def test_one_round_has_every_key_and_the_records_are_kept(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["verify.py", "--json", "--rounds", "1"])
    benchmark.main()
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) == NAMES
    assert all(figure > 0 for figure in figures.values())
    kept = {path.name: path.read_bytes() for path in benchmark.FOLDER.iterdir()}
    assert set(kept) == {"2.fives", "4.fives"}
    assert benchmark.record_of(2) == kept["2.fives"]
