"""cli.screen.modes.choosing: from one cursor to the next, round the hand and round the ends."""

from cli.screen.drawing.view import Choice, Cursor, HandTile
from cli.screen.modes.choosing import (
    ends_of,
    lettered_end,
    numbered_tile,
    on_tile,
    other_end,
    other_tile,
)
from engine.tiles import ALL_TILES, Tile

DOUBLE, HIGH, LOW, STUCK = Tile(6, 6), Tile(6, 4), Tile(5, 1), Tile(2, 0)


def may(tile: Tile, *ends: str | None) -> HandTile:
    return HandTile(tile, tuple(Choice(end, 0) for end in ends))


HAND = [may(STUCK), may(HIGH, "L", "4U", "5U"), may(LOW, "R"), may(DOUBLE, "L", "R")]


def test_a_tile_is_chosen_with_its_first_end() -> None:
    assert on_tile(HAND[1]) == Cursor(HIGH, "L")
    assert on_tile(HAND[0]) == Cursor(STUCK, None)
    assert on_tile(may(DOUBLE, None)) == Cursor(DOUBLE, None)


def test_left_and_right_go_round_the_tiles_that_can_be_played() -> None:
    assert other_tile(HAND, Cursor(HIGH, "5U"), 1) == Cursor(LOW, "R")
    assert other_tile(HAND, Cursor(DOUBLE, "R"), 1) == Cursor(HIGH, "L")
    assert other_tile(HAND, Cursor(HIGH, "L"), -1) == Cursor(DOUBLE, "L")
    assert other_tile(HAND, Cursor(), 1) == Cursor(HIGH, "L")
    assert other_tile([may(STUCK)], Cursor(STUCK), 1) == Cursor(STUCK)


def test_up_and_down_go_round_the_ends_of_the_chosen_tile() -> None:
    assert ends_of(HAND, Cursor(HIGH, "L")) == ["L", "4U", "5U"]
    assert other_end(HAND, Cursor(HIGH, "L"), 1) == Cursor(HIGH, "4U")
    assert other_end(HAND, Cursor(HIGH, "L"), -1) == Cursor(HIGH, "5U")
    assert other_end(HAND, Cursor(STUCK), 1) == Cursor(STUCK)
    assert ends_of([may(DOUBLE, None)], Cursor(DOUBLE)) == []


def test_a_letter_goes_to_the_next_end_of_that_name() -> None:
    assert lettered_end(HAND, Cursor(HIGH, "L"), "u") == Cursor(HIGH, "4U")
    assert lettered_end(HAND, Cursor(HIGH, "4U"), "u") == Cursor(HIGH, "5U")
    assert lettered_end(HAND, Cursor(HIGH, "5U"), "u") == Cursor(HIGH, "4U")
    assert lettered_end(HAND, Cursor(HIGH, "L"), "r") == Cursor(HIGH, "L")


def test_a_digit_goes_to_the_next_tile_whose_number_ends_with_it() -> None:
    many = [may(one, "L") for one in ALL_TILES[:22]]
    assert numbered_tile(many, Cursor(many[3].tile, "L"), 1) == 0
    assert numbered_tile(many, Cursor(many[0].tile, "L"), 1) == 10
    assert numbered_tile(many, Cursor(many[10].tile, "L"), 1) == 20
    assert numbered_tile(many, Cursor(many[20].tile, "L"), 1) == 0
    assert numbered_tile(many, Cursor(), 0) == 9
    assert numbered_tile(many[:9], Cursor(), 0) is None
    stuck = [*many[:10], may(many[10].tile), *many[11:]]
    assert numbered_tile(stuck, Cursor(many[0].tile, "L"), 1) == 20
    # Of those that do not fit it is the first, of which that is said.
    assert numbered_tile([may(one.tile) for one in many], Cursor(), 1) == 0
