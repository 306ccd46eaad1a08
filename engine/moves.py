"""What a seat may do on its turn, as frozen values; and whose turn it is, the course of a hand.

`Turns` is what a hand of a match runs on. It knows a placement as an *option*: the index of a tile
and the key of an end. Sets of tiles are bits of plain integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.ends import END_COUNT, END_KEYS, END_NAMES, LEAD, end_keys
from engine.errors import EngineError
from engine.line import Line
from engine.rules import Rules
from engine.seats import MAX_SEATS
from engine.tiles import ALL_TILES, HIGH, LOW, TILE_COUNT, Tile

_MOST_KEPT: Final = 4096  # options of a tile on some ends: less than a megabyte

Option = tuple[int, int]
"""A placement as the line knows it: the index of a tile and the key of an end."""


@lru_cache(maxsize=_MOST_KEPT)
def _options(index: int, ends: int) -> tuple[Option, ...]:
    """The options of a tile by the bits of the end keys to play on (0: the lead)."""
    return tuple([(index, key) for key in end_keys(ends)]) or ((index, LEAD),)


_FOUR_ENDS: Final = 1 << 4
OPTIONS: Final = tuple(
    tuple(_options(index, ends) for ends in range(_FOUR_ENDS)) for index in range(TILE_COUNT)
)
"""The options by tile index and by the bits of the ends that the tile fits, shared by all hands:
those of up to four ends, as there are but where every double is a spinner."""


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
    option: Option = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        key = END_KEYS.get(self.end, END_COUNT)  # a name that no end has is refused by `check`
        object.__setattr__(self, "option", (self.tile.index, key))


@dataclass(frozen=True, slots=True)
class Draw:
    """Takes the next tile of the boneyard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Gives the turn on without placing."""

    seat: int


Move = Play | Draw | Pass


class Plays(dict[Option, Play]):
    """The plays of a seat from one slot by their options, made when first asked for and then
    shared by all hands.

    Building a frozen value costs a microsecond, as much as the whole rest of a move.
    """

    __slots__ = ("_made",)

    def __init__(self, seat: int, slot: int, claim: int | None) -> None:
        super().__init__()
        self._made = (seat, slot, claim)

    def __missing__(self, option: Option) -> Play:
        seat, slot, claim = self._made
        index, key = option
        end = END_NAMES[key] if key != LEAD else None
        self[option] = made = Play(seat, slot, ALL_TILES[index], end, claim)
        return made


PLAYS: Final = {
    claim: tuple(
        tuple(Plays(seat, slot, claim) for slot in range(TILE_COUNT)) for seat in range(MAX_SEATS)
    )
    for claim in (None, 0)
}
"""The shared plays by what they claim, by seat and slot."""

NOTHING_FITS: Final = tuple(((Pass(seat),), (Draw(seat),)) for seat in range(MAX_SEATS))
"""By seat, and whether anything can be drawn: the only move of who can place nothing."""

UNKNOWN: Final = -1
TILE_BITS: Final = (*(1 << index for index in range(TILE_COUNT)), 0)
"""By tile index, the last for `UNKNOWN`."""


@dataclass(slots=True, eq=False)
class Turns:
    """What decides the course of a hand. Methods that take a seat, the one to move, check nothing.

    By seat of the table: `held` has the bits of the tiles known to be held, `hidden` counts the
    others. `order` has the tile index by slot, perhaps `UNKNOWN`; `next` is the slot drawn next,
    `stop` the first that is never drawn. `after` has the seat that follows each seat of the deal;
    `turn` is None once the hand is over; `passes` counts those that followed each other;
    `offered` are the options that were asked for in this state.
    """

    rules: Rules
    line: Line
    held: list[int]
    hidden: list[int]
    order: Sequence[int]
    next: int
    stop: int
    turn: int | None
    passes: int
    after: dict[int, int]
    offered: tuple[Option, ...] = field(init=False, default=())

    def options(self) -> tuple[Option, ...]:
        """Every placement in canonical order; () if nothing that is held fits, or nobody moves.

        Raises `EngineError` unless all tiles of the seat are known.
        """
        seat, line = self.turn, self.line
        if seat is None:
            return ()
        if self.hidden[seat]:
            raise EngineError(f"the legal moves of seat {seat} need all its tiles to be known")
        fitting, masks = self.held[seat] & line.fitting, line.masks
        found: tuple[Option, ...] = ()
        while fitting:
            index = fitting.bit_length() - 1
            fitting ^= 1 << index
            ends = masks[HIGH[index]] | masks[LOW[index]]
            found += OPTIONS[index][ends] if ends < _FOUR_ENDS else _options(index, ends)
        self.offered = found
        return found

    def draw(self, seat: int) -> int:
        """Draws the next tile; its bit, 0 if it is not known."""
        bit = TILE_BITS[self.order[self.next]]
        self.next += 1
        if bit:
            self.held[seat] |= bit
        else:
            self.hidden[seat] += 1
        return bit

    def draw_until_fit(self, seat: int) -> int:
        """Draws until a tile fits; its bit, 0 if none of those left does, or one is not known."""
        fitting, order, at = self.line.fitting, self.order, self.next
        drawn = found = 0
        while at < self.stop and not found:
            bit = TILE_BITS[order[at]]
            at += 1
            if not bit:
                self.hidden[seat] += 1
                break
            drawn |= bit
            found = bit & fitting
        self.next = at
        self.held[seat] |= drawn
        return found

    def skip(self, seat: int) -> bool:
        """Passes; whether nobody could move, which blocks the hand, else the next seat moves."""
        self.passes += 1
        if self.passes == len(self.after):
            return True
        self.turn = self.after[seat]
        return False
