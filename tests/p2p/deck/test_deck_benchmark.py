"""The benchmark prints every key of the interface and counts what the arguments promise."""

from __future__ import annotations

import importlib.util
import json
import sys
from types import ModuleType

import pytest
from support.places import ROOT

FLOORS = {
    "prove": 223,
    "prove_after_deck": 112,
    "verify": 149,
    "verify4": 313,
    "share_make": 2,
    "share_check": 3,
    "unplayable_make": 58,
    "unplayable_check1": 47,
    "unplayable_check9": 95,
    "unplayable_make_27": 73,
    "unplayable_check1_27": 58,
    "unplayable_check9_27": 106,
}


@pytest.fixture
def benchmark() -> ModuleType:
    """benchmarks/deck.py as a module."""
    path = ROOT / "benchmarks" / "deck.py"
    spec = importlib.util.spec_from_file_location("benchmark_of_the_deck", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_one_round_has_every_key_and_the_floors_of_the_design(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["deck.py", "--json", "--rounds", "1"])
    benchmark.main()
    figures = json.loads(capsys.readouterr().out)
    assert figures["shuffle_bytes"] == 3008
    assert figures["unplayable_bytes9"] == 3552
    assert figures["unit_us"] > 0
    for name, floor in FLOORS.items():
        assert figures[f"{name}_floor"] == floor
        assert figures[name] > 0
    assert len(figures) == 4 + 2 * len(FLOORS)
