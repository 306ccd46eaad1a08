"""Moves as values, and the plays that hands share."""

import pytest

from engine import moves
from engine.line import END_COUNT, END_KEYS
from engine.moves import Draw, Pass, Play, PlayTable
from engine.notation import parse_tile


def key(slot: int, text: str, *ends: str) -> int:
    tile = parse_tile(text)
    return (slot * 28 + tile.index) << END_COUNT | sum(1 << END_KEYS[end] for end in ends)


def test_moves_are_values() -> None:
    assert Draw(1) == Draw(1) != Draw(2)
    assert len({Draw(1), Pass(1)}) == 2
    assert {Play(0, 1, parse_tile("6-4"), "L"), Play(0, 1, parse_tile("4-6"), "L", None)} == {
        Play(0, 1, parse_tile("6-4"), "L")
    }
    assert moves.draw(3) is moves.draw(3)
    assert moves.pass_(3) == Pass(3)


def test_a_table_makes_the_plays_of_a_key() -> None:
    table = PlayTable(2, 0)
    tile = parse_tile("6-4")
    assert table[key(5, "6-4", "L", "4D")] == (
        Play(2, 5, tile, "L", 0),
        Play(2, 5, tile, "4D", 0),
    )
    assert table[key(27, "6-4")] == (Play(2, 27, tile, None, 0),)
    assert table[key(27, "6-4")] is table[key(27, "6-4")]


def test_a_table_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "_MOST_KEPT", 10)
    table = PlayTable(0, None)
    for slot in range(28):
        assert table[key(slot, "5-5", "R")] == (Play(0, slot, parse_tile("5-5"), "R"),)
        assert len(table) <= 10
