"""The line of play: the tiles on the table, the open ends, and what the ends count.

Inside, ends (by their keys) and pips are bits of plain integers.
"""

from typing import Any, Final

from engine.ends import (
    END_COUNT,
    END_KEYS,
    END_NAMES,
    LEAD,
    End,
    Placed,
    Spinner,
    end_keys,
    end_names,
)
from engine.errors import IllegalMove
from engine.rules import Rules
from engine.tiles import ALL_TILES, FITTING, HIGH, LOW, WHOLE_SET, Tile

__all__ = ["End", "Line", "Placed", "Spinner"]

_RIGHT: Final = 1
_CLOSED: Final = -1
_NO_END: Final = (_CLOSED, 0, 0)
_STEPS: Final = tuple(
    tuple(
        (high + low - pip, high + low if high == low else high + low - pip, 1 << high + low - pip)
        if pip in (high, low)
        else _NO_END
        for pip in range(7)
    )
    for high, low in ALL_TILES
)
"""By tile index and the pip it is joined by: the outward half, what the end then counts, and the
bit of that half."""


def _scoring(pip: int, others: int) -> int:
    found = 0
    for tile in ALL_TILES:
        if pip in tile:
            count = others + _STEPS[tile.index][pip][1]
            found |= (count > 0 and count % 5 == 0) << tile.index
    return found


_SCORING: Final = tuple(
    tuple(_scoring(pip, others) for others in (5, 1, 2, 3, 4, 0)) for pip in range(7)
)
"""By the pip of an end and what all other ends count (as what is left of it by five; 5: nothing):
the bits of the tiles that score there."""


class Line:
    """The one mutable board. `place` checks; `put` trusts a caller who has checked.

    `masks` has, by pip, the ends to name as bits, those the same by symmetry left out (`put` keeps
    it). `total` is the count of the ends; `pips` has bit p set if an open end shows p, `fitting`
    bit t if the tile of index t has such a pip (on an empty table: if it may be led).
    """

    __slots__ = (
        "_at_once",
        "_bare",
        "_ends",
        "_every",
        "_first",
        "_half",
        "_lone",
        "_placed",
        "_special",
        "_spins",
        "_uncovered",
        "fitting",
        "masks",
        "pips",
        "total",
    )

    def __init__(self, rules: Rules) -> None:
        self._spins = rules.spinner != "none"  # whether the next double will be a spinner
        self._every = rules.spinner == "every"
        self._at_once = rules.arms == "at-once"
        self._half = rules.bare_arms == "half"
        ends = END_COUNT if self._every else 4
        self._ends = [_NO_END] * ends  # by end key: the pip to match, what it counts, its bit
        self.masks = [0] * 7
        self._bare = 0  # ends that are arms without a tile
        self._uncovered = 0  # ends that are a spinner with one side still free
        self._special = 0  # both of these, and the end of a double alone on the table
        self._first = _CLOSED  # pip of the first spinner
        self._lone = False  # a double alone on the table
        self._placed: list[tuple[int, int]] = []  # (tile index, end key)
        self.pips = 0
        self.fitting = WHOLE_SET
        self.total = 0

    def copy(self) -> "Line":
        """An independent line in the same state."""
        new = object.__new__(Line)
        new._spins, new._every = self._spins, self._every
        new._at_once, new._half = self._at_once, self._half
        new._ends, new.masks, new._placed = self._ends[:], self.masks[:], self._placed[:]
        new._bare, new._uncovered = self._bare, self._uncovered
        new._special = self._special
        new._first, new._lone = self._first, self._lone
        new.pips, new.fitting, new.total = self.pips, self.fitting, self.total
        return new

    def shape(self) -> tuple[Any, ...]:
        """What of the line matters for all that may follow, beside which tiles lie on it: lines
        that differ only in the names of ends, or in the order of placing, have the same.
        """
        left, right, up, down, *others = self._ends
        uncovered, bare = self._uncovered, self._bare
        if self._every:  # its arms have other names than those of later spinners
            return (left, right, up, down, *others, bare, uncovered, self._first)
        one, two = (left, uncovered & 1), (right, uncovered >> 1)
        if two < one:
            one, two = two, one
        return (one, two, down, up, bare) if down < up else (one, two, up, down, bare)

    # What is on the table

    @property
    def placements(self) -> tuple[Placed, ...]:
        """Every tile on the table in the order of placing."""
        return tuple(self._outward())

    @property
    def tiles(self) -> int:
        """Has bit t set if the tile of index t is on the table."""
        return sum([1 << index for index, _ in self._placed])

    @property
    def lead(self) -> Tile | None:
        """The first tile; its larger half is on L."""
        return ALL_TILES[self._placed[0][0]] if self._placed else None

    def ends(self) -> tuple[End, ...]:
        """The open ends in canonical order; a double alone on the table has one, L."""
        return tuple(
            End(END_NAMES[key], value, counts, bool(self._bare >> key & 1))
            for key, (value, counts, _) in enumerate(self._ends)
            if value != _CLOSED
        )

    def count(self) -> int:
        """The sum of what the open ends count."""
        return self.total

    def arms(self) -> dict[str, tuple[Placed, ...]]:
        """The tiles on each arm that is open, from its start outward: L and R start at the lead
        (which lies on neither), the others at their spinner."""
        lying: dict[str, list[Placed]] = {end.name: [] for end in self.ends()}
        for placed in self._outward():
            if placed.end is not None:
                lying[placed.end].append(placed)
        return {name: tuple(tiles) for name, tiles in lying.items()}

    def spinners(self) -> tuple[Spinner, ...]:
        """The spinners in the order of placing, with the place each has on its arm."""
        found: list[Spinner] = []
        depths: dict[str | None, int] = {}
        for placed in self._outward():
            depth = depths.get(placed.end, 0)
            depths[placed.end] = depth + 1
            pip = placed.tile.high
            if placed.tile.is_double and (self._every or pip == self._first):
                up = self._arm_key(pip)
                names = (END_NAMES[up], END_NAMES[up + 1])
                opened = self._ends[up] != _NO_END
                found.append(Spinner(pip, placed.end, depth, names, opened))
        return tuple(found)

    def _outward(self) -> list[Placed]:
        """The placements, with outward halves found by following each arm."""
        outward: dict[int, int] = {}
        found: list[Placed] = []
        for index, key in self._placed:
            high, low = ALL_TILES[index]
            if key == LEAD:
                outward |= {0: high, _RIGHT: low}
                found.append(Placed(ALL_TILES[index], None, high))
                continue
            start = self._first if key < 4 else (key - 4) // 2
            outward[key] = high + low - outward.get(key, start)
            found.append(Placed(ALL_TILES[index], END_NAMES[key], outward[key]))
        return found

    # Looking ahead

    def outcomes(self, tiles: int) -> list[tuple[int, int, int]]:
        """Each placement of the tiles whose bits are set, in canonical order: tile index, end key,
        and the count of the ends after it. On an empty table every tile can be the lead."""
        found: list[tuple[int, int, int]] = []
        if not self.pips:
            while tiles:
                index = tiles.bit_length() - 1
                tiles ^= 1 << index
                found.append((index, LEAD, HIGH[index] + LOW[index]))
            return found
        masks, ends, total = self.masks, self._ends, self.total
        plain = not (self._lone or self._half)
        tiles &= self.fitting
        while tiles:
            index = tiles.bit_length() - 1
            tiles ^= 1 << index
            high, low = HIGH[index], LOW[index]
            for key in end_keys(masks[high] | masks[low]):
                value, counts, _ = ends[key]
                count = total - counts + _STEPS[index][value][1]
                found.append((index, key, count if plain else count + self._opened(key)))
        return found

    def scoring(self) -> int:
        """Has bit t set if the tile of index t, wherever it is, can be placed so that the count is
        a multiple of five above zero."""
        found = 0
        if self._lone or self._half or not self.pips:
            for index, _, count in self.outcomes(WHOLE_SET):
                if count and not count % 5:
                    found |= 1 << index
            return found
        for pip, counts, _ in set(self._ends):
            if pip >= 0:
                others = self.total - counts
                found |= _SCORING[pip][others % 5 if others else 5]
        return found

    def _opened(self, key: int) -> int:
        """What ends that a placement on the end of `key` opens, or makes count, add."""
        pip = self._ends[key][0]
        if self._lone:
            return 2 * pip
        if not (self._half and self._uncovered >> key & 1):
            return 0
        if not self._at_once:
            return 2 * pip
        return pip * (self._bare >> self._arm_key(pip) & 3).bit_count()

    # Placing

    def mask_for(self, index: int) -> int:
        """The ends that the tile of this index fits, as bits; symmetric ends are left out."""
        return self.masks[HIGH[index]] | self.masks[LOW[index]]

    def fits(self, tile: Tile) -> tuple[str, ...]:
        """The names of the ends that `tile` may go on, in canonical order, each move once."""
        return end_names(self.mask_for(tile.index))

    def moves_until(self, end: str) -> int | None:
        """How many tiles lie between now and an end of that name, at the least: 0 where it is open;
        None where there is never one on this line. Both sides of a double alone are open."""
        key = END_KEYS.get(end, LEAD)
        if not 0 <= key < len(self._ends):
            return None
        if key <= _RIGHT:
            return 0 if self._placed else 1
        if self._ends[key] != _NO_END:
            return 0
        if key >= 4 and (key - 4) // 2 == self._first:
            return None  # its arms are U and D
        pip = self._first if key < 4 else (key - 4) // 2
        if any(HIGH[index] == LOW[index] == pip for index, _ in self._placed):
            return 2 if self._lone and not self._at_once else 1
        if not self._spins:
            return None
        sides = 0 if self._at_once else 1
        # One that is led has both sides free; what has arms of its own name is not the first.
        return 1 + sides + (not self._placed) + (key >= 4 and self._first < 0)

    def refusal(self, tile: Tile, end: str | None) -> str | None:
        """Why `tile` may not be placed on `end` (None: as the lead), or None if it may."""
        index = tile.index
        if any(index == placed for placed, _ in self._placed):
            return f"{tile} is on the table already"
        if not self._placed:
            return None if end is None else f"the table is empty: {tile} is led without an end"
        if end is None and self.mask_for(index):
            return f"{tile} needs an end: open are {self._shown()}"
        if end is not None and self.mask_for(index) >> END_KEYS.get(end, END_COUNT) & 1:
            return None
        return self._misfit(tile, end)

    def _misfit(self, tile: Tile, end: str | None) -> str:
        if end is None:
            return f"{tile} does not match an open end ({self._shown()})"
        key = END_KEYS.get(end)
        if self._lone and key == _RIGHT:
            return "R is the same as L while a double lies alone: say L"
        if key is None or key >= len(self._ends) or self._ends[key] == _NO_END:
            return f"there is no open end {end!a:.12} (open: {self._shown()})"
        value = self._ends[key][0]
        if value not in tile:
            where = self.fits(tile)
            if where:
                return f"{tile} does not match {value} on {end} (it fits {' and '.join(where)})"
            return f"{tile} does not match an open end ({self._shown()})"
        other = END_NAMES[key - 1]
        return f"{end} is the same as {other} while both are bare: say {other}"

    def _shown(self) -> str:
        return ", ".join(f"{end.value} on {end.name}" for end in self.ends())

    def place(self, tile: Tile, end: str | None) -> None:
        """Places `tile` on `end`, the first tile on None; raises `IllegalMove` with the reason."""
        reason = self.refusal(tile, end)
        if reason:
            raise IllegalMove(reason)
        self.put((tile.index, END_KEYS[end]))

    def put(self, option: tuple[int, int]) -> None:
        """Places the tile of an index on the end of a key without any check."""
        self._placed.append(option)
        index, key = option
        if key < 0:
            self._put_lead(HIGH[index], LOW[index])
            return
        ends, masks, bit = self._ends, self.masks, 1 << key
        value, counted, covered = ends[key]
        ends[key] = outward, counts, shown = _STEPS[index][value]
        self.total += counts - counted
        masks[value] ^= bit
        masks[outward] |= bit
        if self._special & bit:
            self._touch_spinner(value, key, bit)
        if outward == value and self._spins:
            self._spin(outward, bit)
            if self._at_once:
                self._open_arms(outward)
        if masks[value]:
            covered = 0
        self.pips = pips = self.pips ^ covered | shown
        self.fitting = FITTING[pips]

    def _touch_spinner(self, value: int, key: int, bit: int) -> None:
        """The end of `key`, on which a tile was put, was a side or arm of a double of `value`."""
        if self._lone:
            self._free_right(value)
        elif self._bare & bit:
            self._bare ^= bit
            if not key & 1:  # U is covered, so D has a name of its own
                self.masks[value] |= bit << 1
        else:
            self._uncovered ^= bit
            self._covered(value)
        self._special = self._bare | self._uncovered

    def _put_lead(self, high: int, low: int) -> None:
        self.total = high + low
        self.pips = 1 << high | 1 << low
        self.fitting = FITTING[self.pips]
        self.masks[high] = 1
        if high == low:  # one end, L, that counts both halves
            self._lone = True
            self._special = 1
            self._ends[0] = high, high + low, 1 << high
            if self._spins:
                self._spin(high, 1)
        else:
            self._ends[0] = high, high, 1 << high
            self._ends[_RIGHT] = low, low, 1 << low
            self.masks[low] = 2

    def _free_right(self, pip: int) -> None:
        """L of a lone double is being covered: its other side becomes R, counting both halves."""
        self._lone = False
        self._ends[_RIGHT] = pip, 2 * pip, 1 << pip
        self.total += 2 * pip
        self.masks[pip] |= 2
        if self._uncovered:
            self._uncovered = 2
            if self._at_once:
                self._open_arms(pip)

    def _spin(self, pip: int, bit: int) -> None:
        """A double becomes a spinner at the end of `bit`."""
        self._uncovered |= bit
        self._special |= bit
        if self._first < 0:
            self._first = pip
            self._spins = self._every

    def _covered(self, pip: int) -> None:
        """The second side of the spinner of `pip` is being covered."""
        if not self._at_once:
            self._open_arms(pip)
        if self._half:
            up = self._arm_key(pip)
            for key in (up, up + 1):
                if self._bare >> key & 1:
                    self._ends[key] = pip, pip, 1 << pip
                    self.total += pip

    def _open_arms(self, pip: int) -> None:
        up = self._arm_key(pip)
        self._ends[up] = self._ends[up + 1] = pip, 0, 1 << pip
        self._bare |= 3 << up
        self._special |= 3 << up
        self.masks[pip] |= 1 << up

    def _arm_key(self, pip: int) -> int:
        return 2 if pip == self._first else 4 + 2 * pip
