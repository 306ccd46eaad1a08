"""Choosing a tile of the hand and an end for it: pure functions from one cursor to the next."""

from collections.abc import Sequence
from typing import TypeVar

from cli.screen.drawing.view import Cursor, HandTile

T = TypeVar("T")
Hand = Sequence[HandTile]


def ends_of(hand: Hand, cursor: Cursor) -> list[str]:
    """The ends on which the chosen tile may be placed."""
    for one in hand:
        if one.tile == cursor.tile:
            return [choice.end for choice in one.choices if choice.end]
    return []


def on_tile(one: HandTile) -> Cursor:
    """The cursor on a tile that can be played, and on the end that scores best: the first of
    these."""
    best = max(one.choices, key=lambda choice: choice.points, default=None)
    return Cursor(one.tile, None if best is None else best.end)


def other_tile(hand: Hand, cursor: Cursor, by: int) -> Cursor:
    """The next or previous tile that can be played, round the hand."""
    playable = [one for one in hand if one.choices]
    if not playable:
        return cursor
    tiles = [one.tile for one in playable]
    return on_tile(playable[_step(tiles, cursor.tile, by)])


def other_end(hand: Hand, cursor: Cursor, by: int) -> Cursor:
    """The next or previous end for the chosen tile, round again."""
    ends = ends_of(hand, cursor)
    return Cursor(cursor.tile, ends[_step(ends, cursor.end, by)]) if ends else cursor


def numbered_tile(hand: Hand, cursor: Cursor, digit: int) -> int | None:
    """The place of the tile that a digit chooses: of those whose number ends with it the next one
    that can be played; None where there is no such tile. 0 is the tenth, 1 the first, then the
    eleventh."""
    places = [at for at in range(len(hand)) if (at + 1) % 10 == digit]
    fitting = [at for at in places if hand[at].choices]
    now = [at for at in fitting if hand[at].tile == cursor.tile]
    if not fitting:
        return places[0] if places else None
    return fitting[_step(fitting, now[0] if now else None, 1)]


def lettered_end(hand: Hand, cursor: Cursor, letter: str) -> Cursor:
    """The next end whose name ends with the letter: U, then 4U, 5U."""
    ends = [end for end in ends_of(hand, cursor) if end.endswith(letter.upper())]
    return Cursor(cursor.tile, ends[_step(ends, cursor.end, 1)]) if ends else cursor


def _step(among: Sequence[T], one: T | None, by: int) -> int:
    at = among.index(one) if one in among else -1
    return (at + by) % len(among)
