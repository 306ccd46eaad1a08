"""The set of tiles."""

import pytest

from engine.errors import EngineError
from engine.tiles import ALL_TILES, FITTING, LEAD_RANKING, SET_PIPS, Tile, pips_of, tile


def test_the_set_has_28_distinct_tiles_and_168_pips() -> None:
    assert len(set(ALL_TILES)) == 28
    assert pips_of(ALL_TILES) == SET_PIPS == 168


def test_each_tile_knows_its_place() -> None:
    assert [each.index for each in ALL_TILES] == list(range(28))
    assert [each.index for each in ALL_TILES] == [
        each.high * (each.high + 1) // 2 + each.low for each in ALL_TILES
    ]
    assert list(ALL_TILES) == sorted(ALL_TILES)


def test_a_tile_is_one_object_in_either_order() -> None:
    assert tile(4, 6) is tile(6, 4) is ALL_TILES[25]
    assert tile(6, 4) == Tile(6, 4)
    assert hash(Tile(6, 4)) == hash(tile(4, 6))
    assert str(tile(4, 6)) == "6-4"
    assert list(tile(4, 6)) == [6, 4]
    assert (tile(6, 4).pips, tile(6, 4).is_double, tile(3, 3).is_double) == (10, False, True)


@pytest.mark.parametrize(("a", "b"), [(7, 0), (0, -1), (7, 7)])
def test_there_are_no_other_tiles(a: int, b: int) -> None:
    with pytest.raises(EngineError, match=f"^there is no tile {a}-{b}: halves are from 0 to 6"):
        tile(a, b)


def test_the_smaller_half_cannot_come_first() -> None:
    with pytest.raises(EngineError, match="there is no tile 4-6"):
        Tile(4, 6)


def test_the_ranking_of_leads() -> None:
    names = [str(each) for each in LEAD_RANKING]
    assert names[:7] == ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"]
    assert names[7:13] == ["6-5", "6-4", "6-3", "5-4", "6-2", "5-3"]
    assert names[-1] == "1-0"
    assert len(set(names)) == 28


def test_the_table_of_fitting_tiles() -> None:
    for pips in range(128):
        for each in ALL_TILES:
            fits = any(pips >> half & 1 for half in each)
            assert bool(FITTING[pips] >> each.index & 1) == fits
