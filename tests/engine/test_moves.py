"""Moves as values, and the plays that hands share."""

from engine.ends import END_KEYS
from engine.moves import NOTHING_FITS, Draw, Pass, Play, Plays, play_tables
from engine.notation import parse_tile


def ends_of(*ends: str) -> int:
    return sum(1 << END_KEYS[end] for end in ends)


def test_moves_are_values() -> None:
    assert Draw(1) == Draw(1) != Draw(2)
    assert len({Draw(1), Pass(1)}) == 2
    assert {Play(0, 1, parse_tile("6-4"), "L"), Play(0, 1, parse_tile("4-6"), "L", None)} == {
        Play(0, 1, parse_tile("6-4"), "L")
    }
    assert NOTHING_FITS[3] == ((Pass(3),), (Draw(3),))


def test_the_plays_of_a_tile_in_a_slot() -> None:
    tile = parse_tile("6-4")
    plays = Plays(2, 5, tile.index, 0)
    assert plays[ends_of("L", "4D")] == (Play(2, 5, tile, "L", 0), Play(2, 5, tile, "4D", 0))
    assert plays[0] == (Play(2, 5, tile, None, 0),)
    assert plays[0] is plays[0]


def test_a_table_has_the_plays_of_every_place() -> None:
    tables = play_tables(3, None)
    assert tables is play_tables(3, None)
    for seat, slot, text in ((0, 0, "0-0"), (1, 13, "6-4"), (2, 27, "6-6")):
        tile = parse_tile(text)
        lead = tables[seat][tile.index][slot][0]
        assert lead == (Play(seat, slot, tile, None, None),)


def test_a_table_stays_small() -> None:
    plays = Plays(0, 3, parse_tile("5-5").index, None)
    for ends in range(1, 200):
        assert len(plays[ends]) == ends.bit_count()
        assert len(plays) <= 32
