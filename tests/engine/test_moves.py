"""Moves as values, and the plays that hands share."""

from engine.ends import END_KEYS, LEAD, end_keys
from engine.moves import NOTHING_FITS, OPTIONS, Draw, Pass, Play, Plays
from engine.notation import parse_tile


def test_moves_are_values() -> None:
    assert Draw(1) == Draw(1) != Draw(2)
    assert len({Draw(1), Pass(1)}) == 2
    assert {Play(0, 1, parse_tile("6-4"), "L"), Play(0, 1, parse_tile("4-6"), "L", None)} == {
        Play(0, 1, parse_tile("6-4"), "L")
    }
    assert NOTHING_FITS[3] == ((Pass(3),), (Draw(3),))


def test_the_plays_from_a_slot() -> None:
    tile = parse_tile("6-4")
    plays = Plays(2, 5, 0)
    assert plays[tile.index, END_KEYS["4D"]] == Play(2, 5, tile, "4D", 0)
    assert plays[tile.index, LEAD] == Play(2, 5, tile, None, 0)
    assert plays[tile.index, LEAD] is plays[tile.index, LEAD]


def test_the_options_of_a_tile() -> None:
    index = parse_tile("5-5").index
    assert OPTIONS[index][0] == ((index, LEAD),)
    for ends in range(1, 16):
        assert OPTIONS[index][ends] == tuple((index, key) for key in end_keys(ends))
