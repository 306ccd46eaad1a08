"""What a seat may do on its turn, as frozen values."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.line import END_COUNT, end_names
from engine.tiles import ALL_TILES, TILE_COUNT, Tile

_MOST_KEPT: Final = 1 << 13  # plays of one seat: two megabytes


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


class PlayTable(dict[int, tuple[Play, ...]]):
    """The plays of one seat, made when first asked for and then shared by all hands.

    Building a frozen value costs a microsecond, as much as the whole rest of a move. A key packs
    slot, tile index and the ends to play on: (slot * 28 + index) << 18 | bits of end keys, no bit
    for the lead.
    """

    def __init__(self, seat: int, claim: int | None) -> None:
        super().__init__()
        self._seat = seat
        self._claim = claim

    def __missing__(self, key: int) -> tuple[Play, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        rest, ends = divmod(key, 1 << END_COUNT)
        slot, index = divmod(rest, TILE_COUNT)
        names: tuple[str | None, ...] = end_names(ends) if ends else (None,)
        tile = ALL_TILES[index]
        made = tuple(Play(self._seat, slot, tile, name, self._claim) for name in names)
        self[key] = made
        return made


@cache
def play_tables(seats: int, claim: int | None) -> tuple[PlayTable, ...]:
    """The shared plays of each seat of a table, all with this claim."""
    return tuple(PlayTable(seat, claim) for seat in range(seats))


@cache
def draw(seat: int) -> Draw:
    """The shared `Draw` of a seat."""
    return Draw(seat)


@cache
def pass_(seat: int) -> Pass:
    """The shared `Pass` of a seat."""
    return Pass(seat)
