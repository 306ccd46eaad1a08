"""What a seat may do on its turn, as frozen values."""

from dataclasses import dataclass
from functools import cache

from engine.tiles import ALL_TILES, Tile


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


@cache
def play(seat: int, slot: int, tile_index: int, end: str | None, claim: int | None) -> Play:
    """The shared `Play` with these values: building a frozen value anew costs a microsecond."""
    return Play(seat, slot, ALL_TILES[tile_index], end, claim)


@cache
def draw(seat: int) -> Draw:
    """The shared `Draw` of a seat."""
    return Draw(seat)


@cache
def pass_(seat: int) -> Pass:
    """The shared `Pass` of a seat."""
    return Pass(seat)
