"""Lines of play, as far as they matter for what may follow: worked out once, and kept.

Who looks ahead comes to the same lines again and again. Lines of one shape (`Line.shape`) are one
object here, which knows what each placement leads to. `Line` has found all of it.
"""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from engine.line import Line
from engine.moves import Option
from engine.rules import Rules
from engine.tiles import ALL_TILES, TILE_COUNT, WHOLE_SET

_MOST_RULES: Final = 1  # of which shapes are kept: those of a match
_MOST_SHAPES: Final = 8_000  # three to five kilobytes apiece


@dataclass(frozen=True, eq=False, slots=True)
class Way:
    """A way of playing by a rule of thumb, which knows the tiles on the table and its own.

    A placement is worth what its weights say: `points` for each point that it makes, `pip` for each
    pip that is got rid of, `double` if it is a double; and, where it is not `plain`, for what it
    leaves: `keeps` for each own tile that fits then, `opens` and `offers` times the share of all
    other tiles not on the table that fit then, and that then score.
    """

    points: float
    pip: float
    double: float = 0.0
    keeps: float = 0.0
    opens: float = 0.0
    offers: float = 0.0

    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", not (self.keeps or self.opens or self.offers))

    def worth(self, after: "Shape") -> float:
        """What a placement is worth but for its tile, as if no tile was seen."""
        if self.plain:
            return after.points
        leaves = self.opens * after.fitting.bit_count() + self.offers * after.scoring.bit_count()
        return self.points * after.points + leaves / TILE_COUNT


Liked = tuple[float, "Shape", int, int]
"""What a placement is worth in a way of playing but for what it leaves, what it leads to, and the
tiles that fit and that score there."""


class Shape:
    """All lines of one shape. `points` is what the count of the ends scores, `fitting` has bit t
    set if the tile of index t fits. `liked` has what `like` has found, by way of playing and by the
    bit of the tile."""

    __slots__ = ("_after", "_kept", "_line", "_scoring", "fitting", "liked", "name", "points")

    def __init__(self, line: Line, name: tuple[Any, ...], kept: "Shapes") -> None:
        self._line = line
        self._kept = kept
        self.name = name
        self._after: dict[int, tuple[Shape, ...]] = {}
        self._scoring: int | None = None
        # Before the lead a line may say that one tile must be led: that is no matter of its shape.
        self.fitting = line.fitting if line.pips else WHOLE_SET
        self.points = line.total if kept.fives and not line.total % 5 else 0
        self.liked: dict[Way, dict[int, Liked]] = {}

    def after(self, bit: int) -> tuple["Shape", ...]:
        """The shapes that placing the tile of that bit leads to, each once, in the order of their
        names: which of the lines of this shape was met first must not matter."""
        known = self._after.get(bit)
        if known is None:
            found = []
            for index, key, _ in self._line.outcomes(bit):
                found.append(self._kept.after(self._line, (index, key)))
            if len(found) > 1:
                found = sorted(set(found), key=lambda shape: shape.name)
            self._after[bit] = known = tuple(found)
        return known

    @property
    def scoring(self) -> int:
        """Has bit t set if the tile of index t can be placed so that it scores."""
        if self._scoring is None:
            self._scoring = self._line.scoring() if self._kept.fives else 0
        return self._scoring

    def forget(self) -> None:
        """Lets go of all other shapes: they form circles, which nobody may collect for a while."""
        self._after.clear()
        self.liked.clear()

    def like(self, way: Way, bit: int) -> Liked:
        """The best placement of the tile of that bit, judged as if no other tile was seen, the
        first of equal ones."""
        best, *others = self.after(bit)
        if others:
            best = max((best, *others), key=way.worth)
        tile = ALL_TILES[bit.bit_length() - 1]
        worth = way.points * best.points + way.pip * tile.pips + way.double * tile.is_double
        found = (worth, best, best.fitting, 0 if way.plain else best.scoring)
        self.liked.setdefault(way, {})[bit] = found
        return found

    def choose(self, way: Way, fitting: int, held: int, others: int) -> tuple[int, "Shape"]:
        """The bit of the tile that is placed by who plays in that way, and what that leads to.

        `fitting` are those of its tiles `held` that fit, `others` all that it does not see.
        """
        liked = self.liked.get(way)
        if liked is None:
            liked = self.liked[way] = {}
        chosen = fitting & -fitting
        found = liked.get(chosen) or self.like(way, chosen)
        if fitting == chosen:
            return chosen, found[1]
        best = -math.inf
        if way.plain:
            while fitting:
                bit = fitting & -fitting
                fitting ^= bit
                each = liked.get(bit) or self.like(way, bit)
                if each[0] >= best:  # of equal ones the last: the first in canonical order
                    best, chosen, found = each[0], bit, each
            return chosen, found[1]
        share = 1 / (others.bit_count() or 1)
        keeps, opens, offers = way.keeps, way.opens * share, way.offers * share
        while fitting:
            bit = fitting & -fitting
            fitting ^= bit
            each = liked.get(bit) or self.like(way, bit)
            worth, _, fits, scores = each
            worth += keeps * (fits & held & ~bit).bit_count()
            worth += opens * (fits & others).bit_count() + offers * (scores & others).bit_count()
            if worth >= best:
                best, chosen, found = worth, bit, each
        return chosen, found[1]


class Shapes:
    """Those met so far by some rules; all forgotten once they are many."""

    def __init__(self, rules: Rules) -> None:
        self.fives = rules.play_points == "fives"
        self._known: dict[tuple[Any, ...], Shape] = {}

    @property
    def size(self) -> int:
        """How many are kept."""
        return len(self._known)

    def of(self, line: Line) -> Shape:
        """The shape of a line."""
        return self._known.get(line.shape()) or self.own(line.copy())

    def after(self, line: Line, option: Option) -> Shape:
        """What a placement leads to, which names an end of this very line."""
        line = line.copy()
        line.put(option)
        return self.own(line)

    def own(self, line: Line) -> Shape:
        """The same of a line that nobody else will change."""
        name = line.shape()
        shape = self._known.get(name)
        if shape is None:
            if len(self._known) >= _MOST_SHAPES:
                for one in self._known.values():
                    one.forget()
                self._known.clear()
            shape = self._known[name] = Shape(line, name, self)
        return shape


shapes_of = lru_cache(_MOST_RULES)(Shapes)
"""The shapes by some rules."""
