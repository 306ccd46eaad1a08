"""Tiles and moves as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ends import END_NAMES
from engine.errors import NotationError
from engine.hand import Draw, Hand, Move, Pass, Play
from engine.notation import Written, format_move, move_of, parse_move, parse_tile
from engine.rules import Rules
from engine.tiles import ALL_TILES, Tile


@pytest.mark.parametrize("tile", ALL_TILES)
def test_tiles_round_trip(tile: Tile) -> None:
    assert parse_tile(str(tile)) is tile
    assert parse_tile(f" {tile.low}-{tile.high} ") is tile


@given(
    st.sampled_from(ALL_TILES),
    st.none() | st.sampled_from(END_NAMES),
    st.none() | st.integers(0, 168),
)
def test_plays_round_trip(tile: Tile, end: str | None, claim: int | None) -> None:
    said = parse_move(format_move(Play(1, 5, tile, end, claim)))
    assert said == Written("play", tile, end, claim)


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Play(0, 0, parse_tile("6-4"), "R"), "6-4 R"),
        (Play(0, 0, parse_tile("6-4"), None), "6-4"),
        (Play(0, 0, parse_tile("6-4"), "4U", 15), "6-4 4U =15"),
        (Play(0, 0, parse_tile("6-4"), None, 0), "6-4 =0"),
        (Draw(2), "draw"),
        (Pass(2), "pass"),
    ],
)
def test_moves_as_they_are_written(move: Move, text: str) -> None:
    assert format_move(move) == text
    said = parse_move(text)
    assert format_move(move) == text
    assert said == parse_move(f"  {text.lower()}  ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no move is written: write a tile and an end, draw or pass"),
        ("6-7 L", "'6-7' is no tile: write two halves from 0 to 6, as 6-4"),
        ("67 L", "'67' is no tile: write two halves from 0 to 6, as 6-4"),
        ("6-45", "'6-45' is no tile: write two halves from 0 to 6, as 6-4"),
        ("[6|4", "'[6|4' is no tile: write two halves from 0 to 6, as 6-4"),
        ("6-4RU", "'6-4RU' is no tile: write two halves from 0 to 6, as 6-4"),
        ("6--4", "'6--4' is no tile: write two halves from 0 to 6, as 6-4"),
        ("\u0666-4", "'\\u0666-4' is no tile: write two halves from 0 to 6, as 6-4"),
        ("6-4 X", "'X' is no end: ends are L, R, U, D, or as 4U and 4D"),
        ("6-4 L 15", "'15' is no claim: write = and a number up to 168, as =15"),
        ("6-4 =x", "'=x' is no claim: write = and a number up to 168, as =15"),
        ("6-4 L =015", "'=015' is no claim: write = and a number up to 168, as =15"),
        ("6-4 L =1000", "'=1000' is no claim: write = and a number up to 168, as =15"),
        ("6-4 L =5 R", "'R' is too much: a move is a tile, an end and a claim"),
        ("draw 6-4", "draw stands alone, without '6-4'"),
        ("PASS now", "pass stands alone, without 'now'"),
    ],
)
def test_what_is_no_move(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_move(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("spinner", "ends"),
    [
        ("none", "L and R"),
        ("first", "L, R, U and D"),
        ("every", "L, R, U, D, or as 4U and 4D"),
    ],
)
def test_only_ends_that_the_table_can_have_are_named(spinner: str, ends: str) -> None:
    with pytest.raises(NotationError, match=rf"^'X' is no end: ends are {ends}$"):
        parse_move("6-4 X", spinner)


@pytest.mark.parametrize(
    "text", ["6-4", "4-6", "6|4", "[6|4]", "64", "46", "6/4", "6:4", "6│4", "[6│4]", "6 4", "6–4"]
)
@pytest.mark.parametrize(
    ("behind", "end", "claim"),
    [
        ("", None, None),
        (" L", "L", None),
        ("r", "R", None),
        ("4U", "4U", None),
        (" 4d =15", "4D", 15),
        ("=15", None, 15),
        ("R=0", "R", 0),
        (" R = 7", "R", 7),
        (" =  7 ", None, 7),
    ],
)
def test_tiles_are_read_however_they_are_typed(
    text: str, behind: str, end: str | None, claim: int | None
) -> None:
    assert parse_move(text + behind) == Written("play", parse_tile("6-4"), end, claim)


def test_a_double_is_typed_like_any_tile() -> None:
    for text in ("66 L", "6-6L", "[6|6] l"):
        assert parse_move(text) == Written("play", parse_tile("6-6"), "L", None)


def read(text: str) -> str:
    try:
        return parse_move(text).verb
    except NotationError as refused:
        return str(refused)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_printable_sentence(text: str) -> None:
    assert read(text).isprintable()


def test_a_said_move_finds_its_slot() -> None:
    tiles = dict(enumerate(ALL_TILES))
    hand = Hand(Rules.make("classic", 2), (0, 1), 0, tiles)
    assert move_of(parse_move("1-1 L"), hand, 0) == Play(0, 2, parse_tile("1-1"), "L")
    assert move_of(parse_move("draw"), hand, 1) == Draw(1)
    assert move_of(parse_move("pass"), hand, 1) == Pass(1)
    with pytest.raises(NotationError, match=r"^6-6 is not in your hand$"):
        move_of(parse_move("6-6"), hand, 0)
    claims = Hand(Rules.make("classic", 2, {"claims": "yes"}), (0, 1), 0, tiles)
    assert move_of(parse_move("1-1"), claims, 0) == Play(0, 2, parse_tile("1-1"), None, 0)
    assert move_of(parse_move("1-1 =5"), claims, 0) == Play(0, 2, parse_tile("1-1"), None, 5)
