"""The ends of a line, and the values that tell what lies on it.

Ends are numbered in canonical order: L, R, U, D, then by pip ascending 0U, 0D, 1U ... 6D (the arms
of later spinners where every double is one).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from engine.tiles import PIPS, Tile

END_NAMES: Final = ("L", "R", "U", "D", *(f"{pip}{arm}" for pip in PIPS for arm in "UD"))
END_COUNT: Final = len(END_NAMES)
LEAD: Final = -1
"""The end key of the first tile, which has no end."""
END_KEYS: Final[dict[str | None, int]] = {None: LEAD} | {
    name: key for key, name in enumerate(END_NAMES)
}


class End(NamedTuple):
    """An open end: its name, the pip that must match, what it counts, and whether it is an arm
    of a spinner on which no tile lies yet."""

    name: str
    value: int
    counts: int
    bare: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile on the table: the end it was placed on (None: the lead) and its outward half."""

    tile: Tile
    end: str | None
    outward: int


@dataclass(frozen=True, slots=True)
class Spinner:
    """A spinner: its pip, the end it was placed on (None: the lead), how many tiles lie between
    it and the start of that end's arm, the names of its two arms, and whether they are open."""

    pip: int
    end: str | None
    depth: int
    arms: tuple[str, str]
    open: bool


def ends_said(spinner: str) -> str:
    """The names that the ends of a table can have, in words, by its option `spinner`."""
    if spinner == "none":
        return "L and R"
    return "L, R, U, D, or as 4U and 4D" if spinner == "every" else "L, R, U and D"


@cache
def end_names(mask: int) -> tuple[str, ...]:
    """The names of the ends whose bits are set, in canonical order."""
    return tuple(name for key, name in enumerate(END_NAMES) if mask >> key & 1)


@cache
def end_keys(mask: int) -> tuple[int, ...]:
    """The keys of the ends whose bits are set, in canonical order."""
    return tuple(key for key in range(END_COUNT) if mask >> key & 1)
