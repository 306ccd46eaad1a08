"""What a seat may do on its turn, as frozen values."""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from engine.ends import END_COUNT, END_KEYS, end_keys, end_names
from engine.tiles import ALL_TILES, TILE_COUNT, Tile

_MOST_KEPT: Final = 32  # sets of ends: of a whole seat never more than some megabytes


@cache
def _option(index: int, key: int) -> tuple[int, int]:
    return index, key


@dataclass(frozen=True, slots=True)
class Play:
    """Places the tile of a slot on an end; the lead has no end.

    `claim` is None unless the rules have claims: then the points the placer claims, 0 for none.
    `option` says the tile by its index and the end by its key, as the line does.
    """

    seat: int
    slot: int
    tile: Tile
    end: str | None
    claim: int | None = None
    option: tuple[int, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        key = END_KEYS.get(self.end, END_COUNT)  # a name that no end has is refused by `check`
        object.__setattr__(self, "option", _option(self.tile.index, key))


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
        seat, slot, tile, claim = self._made
        made: tuple[Play, ...]
        if ends & ends - 1:
            made = tuple([self[1 << key][0] for key in end_keys(ends)])
        else:
            made = (Play(seat, slot, tile, end_names(ends)[0] if ends else None, claim),)
        if len(self) >= _MOST_KEPT:
            self.clear()
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
