"""What a seat may do on its turn, as frozen values."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.ends import end_names
from engine.tiles import ALL_TILES, TILE_COUNT, Tile

_MOST_KEPT: Final = 32  # sets of ends: of a whole seat never more than some megabytes


@dataclass(frozen=True, slots=True)
class Play:
    """Places the tile of a slot on an end; the lead has no end.

    `claim` is None unless the rules have claims: then the points the placer claims, 0 for none.
    """

    seat: int
    slot: int
    tile: Tile
    end: str | None
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Takes the next tile of the boneyard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Gives the turn on without placing."""

    seat: int


Move = Play | Draw | Pass


class Plays(dict[int, tuple[Play, ...]]):
    """The plays of one tile in one slot of a seat, by the bits of the end keys to play on (0: the
    lead); made when first asked for and then shared by all hands.

    Building a frozen value costs a microsecond, as much as the whole rest of a move.
    """

    __slots__ = ("_made",)

    def __init__(self, seat: int, slot: int, index: int, claim: int | None) -> None:
        super().__init__()
        self._made = (seat, slot, ALL_TILES[index], claim)

    def __missing__(self, ends: int) -> tuple[Play, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        seat, slot, tile, claim = self._made
        names: tuple[str | None, ...] = end_names(ends) if ends else (None,)
        made = tuple(Play(seat, slot, tile, name, claim) for name in names)
        self[ends] = made
        return made


PlayTable = tuple[tuple[Plays, ...], ...]
"""The plays of one seat, by tile index and slot."""


@cache
def play_tables(seats: int, claim: int | None) -> tuple[PlayTable, ...]:
    """The shared plays of each seat of a table, all with this claim."""
    places = range(TILE_COUNT)
    return tuple(
        tuple(tuple(Plays(seat, slot, index, claim) for slot in places) for index in places)
        for seat in range(seats)
    )


NOTHING_FITS: Final = tuple(((Pass(seat),), (Draw(seat),)) for seat in range(4))
"""By seat, and whether anything can be drawn: the only move of who can place nothing."""
