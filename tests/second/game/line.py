"""The line of tiles on the table (13.2)."""

from dataclasses import dataclass, replace

from second.game.rules import TILES, Rules
from second.refusing import demand

_SIDES = ("L", "R")


def end_order(name: str) -> tuple[int, int, int]:
    """The canonical order of ends: L, R, U, D, 0U, 0D, 1U, ... 6D."""
    if name in _SIDES:
        return (0, 0, _SIDES.index(name))
    pip = -1 if len(name) == 1 else int(name[0])
    return (1, pip, "UD".index(name[-1]))


@dataclass(frozen=True)
class Spinner:
    """A double with arms: their names, and how many of its two sides are covered."""

    pip: int
    arms: tuple[str, str]
    opened: bool


@dataclass(frozen=True)
class End:
    """An open end. `spinner`: it is that spinner's free side."""

    value: int
    worth: int
    bare: bool = False
    arm_of: Spinner | None = None
    free_side_of: Spinner | None = None


class Line:
    """The open ends; `lone` is the double that lies alone, if one does."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ends: dict[str, End] = {}
        self.tiles: list[int] = []
        self._lone: int | None = None
        self._lone_spinner: Spinner | None = None
        self._spinners = 0

    def copy(self, other: "Line") -> None:
        """Become what another line is."""
        self.ends, self.tiles = dict(other.ends), list(other.tiles)
        self._lone, self._lone_spinner = other._lone, other._lone_spinner
        self._spinners = other._spinners

    def names(self) -> list[str]:
        """The open ends in canonical order."""
        return sorted(self.ends, key=end_order)

    def values(self) -> frozenset[int]:
        """The values of the open ends."""
        return frozenset(end.value for end in self.ends.values())

    def count(self) -> int:
        """The sum of the worths."""
        return sum(end.worth for end in self.ends.values())

    def points(self) -> int:
        """What the last placement scores."""
        count = self.count()
        scores = self.rules.has("play-points", "fives") and count > 0 and count % 5 == 0
        return count if scores else 0

    def moves(self, hand: list[int]) -> list[tuple[int, str | None]]:
        """The legal moves with these tiles in canonical order."""
        ordered = sorted(hand, reverse=True)
        if not self.tiles:
            return [(tile, None) for tile in ordered]
        return [(t, name) for t in ordered for name in self.names() if self._may(t, name)]

    def _may(self, tile: int, name: str) -> bool:
        if name not in self.ends or self.ends[name].value not in TILES[tile]:
            return False
        return not self._second_of_two_bare_arms(name)

    def _second_of_two_bare_arms(self, name: str) -> bool:
        spinner = self.ends[name].arm_of
        if spinner is None or name != spinner.arms[1]:
            return False
        return self.ends[name].bare and self.ends[spinner.arms[0]].bare

    def place(self, tile: int, name: str | None) -> int:
        """Place a tile and say what it scores; refused where no rule allows it."""
        demand(tile not in self.tiles, "a tile that lies already")
        if not self.tiles:
            demand(name is None, "a lead has no end")
            self._lead(tile)
        else:
            demand(name is not None and self._may(tile, name), "it does not fit there")
            self._add(tile, str(name))
        self.tiles.append(tile)
        return self.points()

    def _lead(self, tile: int) -> None:
        high, low = TILES[tile]
        if high == low:
            self._lone = high
            self.ends["L"] = End(high, 2 * high)
            if not self.rules.has("spinner", "none"):
                self._lone_spinner = self._spinner(high)
        else:
            self.ends["L"], self.ends["R"] = End(high, high), End(low, low)

    def _spinner(self, pip: int) -> Spinner:
        self._spinners += 1
        arms = ("U", "D") if self._spinners == 1 else (f"{pip}U", f"{pip}D")
        return Spinner(pip, arms, False)

    def _add(self, tile: int, name: str) -> None:
        end = self.ends[name]
        high, low = TILES[tile]
        other = low if high == end.value else high
        doubles_before = any(TILES[lying][0] == TILES[lying][1] for lying in self.tiles)
        if self._lone is not None:
            self._cover_lone(end.value)
        elif end.free_side_of is not None and not end.bare:
            self._cover_spinner(end.free_side_of, end.value)
        worth = 2 * other if high == low else other
        self.ends[name] = End(other, worth)
        if high == low and self._makes_spinner(doubles_before):
            self.ends[name] = replace(self.ends[name], free_side_of=self._spinner(high))
            self._open_at_once(name)

    def _makes_spinner(self, doubles_before: bool) -> bool:
        if self.rules.has("spinner", "every"):
            return True
        return self.rules.has("spinner", "first") and not doubles_before

    def _open_at_once(self, name: str) -> None:
        spinner = self.ends[name].free_side_of
        if spinner is not None and self.rules.has("arms", "at-once"):
            self._open_arms(spinner)
            self.ends[name] = replace(self.ends[name], free_side_of=replace(spinner, opened=True))

    def _open_arms(self, spinner: Spinner) -> None:
        for arm in spinner.arms:
            self.ends[arm] = End(spinner.pip, 0, True, spinner)

    def _cover_lone(self, value: int) -> None:
        self.ends["R"] = End(value, 2 * value, free_side_of=self._lone_spinner)
        self._lone = None
        self._open_at_once("R")

    def _cover_spinner(self, spinner: Spinner, value: int) -> None:
        if not spinner.opened:
            self._open_arms(spinner)
        if self.rules.has("bare-arms", "half"):
            for arm in spinner.arms:
                if self.ends[arm].bare:
                    self.ends[arm] = replace(self.ends[arm], worth=value)
