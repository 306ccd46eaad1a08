"""The double-six set: 28 tiles, 168 pips, each tile known by an index from 0 to 27."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from engine.errors import EngineError

TOP_PIP: Final = 6
PIPS: Final = range(TOP_PIP + 1)
SET_PIPS: Final = 168


@dataclass(frozen=True, order=True, slots=True)
class Tile:
    """One tile, larger half first; equal tiles are equal, and `tile` gives the one shared object.

    `index` is its place in `ALL_TILES`, 0 to 27; a larger index comes first in canonical order.
    """

    high: int
    low: int
    index: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= TOP_PIP:
            raise EngineError(
                f"there is no tile {self.high}-{self.low}: halves are from 0 to {TOP_PIP}, "
                "the larger first"
            )
        object.__setattr__(self, "index", self.high * (self.high + 1) // 2 + self.low)

    def __hash__(self) -> int:
        return self.index

    def __iter__(self) -> Iterator[int]:
        return iter((self.high, self.low))

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def pips(self) -> int:
        """Spots on both halves, 0 to 12."""
        return self.high + self.low

    @property
    def is_double(self) -> bool:
        """Whether both halves are the same."""
        return self.high == self.low


ALL_TILES: Final[tuple[Tile, ...]] = tuple(
    Tile(high, low) for high in PIPS for low in range(high + 1)
)
TILE_COUNT: Final = len(ALL_TILES)
WHOLE_SET: Final = (1 << TILE_COUNT) - 1
"""The set as bits of tile indexes."""

# Tables by tile index: plain integers keep the moves of a playout cheap.
HIGH: Final[tuple[int, ...]] = tuple(each.high for each in ALL_TILES)
LOW: Final[tuple[int, ...]] = tuple(each.low for each in ALL_TILES)
HALVES: Final[tuple[int, ...]] = tuple(1 << each.high | 1 << each.low for each in ALL_TILES)
"""By tile index: bit p is set if a half of the tile shows p."""

FITTING: Final[tuple[int, ...]] = tuple(
    sum(1 << each.index for each in ALL_TILES if HALVES[each.index] & pips)
    for pips in range(1 << len(PIPS))
)
"""By bits of pips: bit t is set if the tile of index t has a half that shows one of them."""

LEAD_RANKING: Final[tuple[Tile, ...]] = tuple(
    sorted(ALL_TILES, key=lambda t: (t.is_double, t.pips, t.high), reverse=True)
)
"""Who leads under `starter=highest-double`: doubles downwards, then weight, then larger half."""


def tile(a: int, b: int) -> Tile:
    """The one `Tile` object with the halves `a` and `b`, in either order.

    Raises `EngineError` if a half is not from 0 to 6.
    """
    high, low = (a, b) if a >= b else (b, a)
    if low >= 0 and high <= TOP_PIP:
        return ALL_TILES[high * (high + 1) // 2 + low]
    return Tile(high, low)  # which says why there is none


def indexes_in(bits: int) -> list[int]:
    """The tile indexes whose bits are set, the first in canonical order first."""
    found = []
    while bits:
        index = bits.bit_length() - 1
        bits ^= 1 << index
        found.append(index)
    return found


def tiles_in(bits: int) -> tuple[Tile, ...]:
    """The tiles whose indexes are the bits that are set, the first in canonical order first."""
    return tuple([ALL_TILES[index] for index in indexes_in(bits)])


def pips_of(tiles: Iterable[Tile]) -> int:
    """Spots on all of `tiles` together."""
    return sum([each.high + each.low for each in tiles])
