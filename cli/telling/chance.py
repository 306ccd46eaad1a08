"""What came to each person over some matches, against what chance gives.

A hand is drawn from the 28 tiles without putting any back: how many of K tiles are among h has the
hypergeometric distribution, with mean h K/28 and variance h (K/28) (1 - K/28) (28 - h)/27; the sum
of numbers on the tiles has mean h m and variance h s (28 - h)/27, m and s being mean and variance
over the set (W. G. Cochran, Sampling Techniques, chapter 2). A drawn tile is each of the boneyard
with equal chance. Hands follow each other independently, so means and variances add up, and the
distributions of sums are convolved while they are short.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from statistics import NormalDist
from typing import Final

from cli.telling.scene import Scene
from engine.events import Drawn, HandEnded
from engine.rules import Rules
from engine.scoring import placement_points
from engine.tiles import ALL_TILES, TILE_COUNT, Tile
from p2p.session.state.events import (
    HandBegan,
    InHand,
    MatchBegan,
    SeatOut,
    SessionEvent,
    TakenBack,
)

WHAT: Final = ("doubles", "leads", "pips", "starts", "draws")
BOTS: Final = "bots"
# Sums below this are told by their exact distribution; for larger ones the normal one is as good.
MOST_EXACT: Final = 200
# Differences are compared as far as floats can.
_EQUAL: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Count:
    """What was `seen` in `cases` (tiles, hands or draws), the mean and variance of chance, and its
    `chances`: of 0, 1, 2 ...; None if they are not known, or too many."""

    seen: int = 0
    cases: int = 0
    mean: float = 0.0
    variance: float = 0.0
    chances: tuple[float, ...] | None = None

    def __add__(self, other: "Count") -> "Count":
        if not self.cases:
            return other
        return Count(
            self.seen + other.seen,
            self.cases + other.cases,
            self.mean + other.mean,
            self.variance + other.variance,
            _of_sum(self.chances, other.chances),
        )

    @property
    def likely(self) -> float:
        """How often chance gives as large a difference or a larger one, from 0 to 1.

        Exact while the chances are known, else by the normal distribution with the correction for
        whole numbers.
        """
        if not self.variance:
            return 1.0
        if self.chances is not None:
            far = abs(self.seen - self.mean) - _EQUAL
            return math.fsum(p for n, p in enumerate(self.chances) if abs(n - self.mean) >= far)
        off = max(0.0, abs(self.seen - self.mean) - 0.5)
        return 2 * NormalDist().cdf(-off / math.sqrt(self.variance))


def _of_sum(
    one: tuple[float, ...] | None, other: tuple[float, ...] | None
) -> tuple[float, ...] | None:
    """The chances of a sum of two that do not depend on each other."""
    if one is None or other is None or len(one) + len(other) > MOST_EXACT:
        return None
    found = [0.0] * (len(one) + len(other) - 1)
    for number, chance in enumerate(one):
        for more, also in enumerate(other):
            found[number + more] += chance * also
    return tuple(found)


@dataclass
class Person:
    """Somebody known by the raw key, or all bots together (b""): the name borne last, and a count
    for each of `WHAT`."""

    key: bytes
    name: str
    counts: dict[str, Count] = field(default_factory=lambda: dict.fromkeys(WHAT, Count()))


class Chances:
    """The counts over all matches that were `add`ed, by person in the order of their appearance.

    Bots have a new key for each match, and are counted as one. `closed`: of so many of the `hands`
    somebody's tiles were never opened.
    """

    def __init__(self) -> None:
        self.people: dict[bytes, Person] = {}
        self.tables: set[bytes] = set()
        self.hands = 0
        self.closed = 0

    def add(self, events: Iterable[SessionEvent]) -> bool:
        """Count a match; False, and nothing counted, if its table was counted before."""
        told = _whole(list(events))
        tables = {one.table for one in told if isinstance(one, MatchBegan)}
        if not tables or tables & self.tables:
            return False
        self.tables |= tables
        match = _Match(self)
        for event in told:
            match.take(event)
        return True

    def count(self, key: bytes, what: str, count: Count) -> None:
        """Add to what came to somebody."""
        counts = self.people[key].counts
        counts[what] += count


def _whole(events: list[SessionEvent]) -> list[SessionEvent]:
    """The events that hold: those that votes took back are left out."""
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, TakenBack):
            return [*_whole(list(event.told)), *events[at + 1 :]]
    return events


class _Match:
    """Follows one match."""

    def __init__(self, chances: Chances) -> None:
        self._chances = chances
        self._scene = Scene()
        self._keys: list[bytes] = []
        self._boneyard: list[Tile] | None = None
        # Whether chance says who starts the next hand; by the rules it may be who went out.
        self._by_chance = True

    def take(self, event: SessionEvent) -> None:
        match event:
            case MatchBegan():
                self._seat(event)
            case HandBegan():
                self._dealt(event)
            case InHand(event=Drawn(seat=seat), tile=Tile() as tile):
                self._drew(seat, tile)
            case InHand(event=HandEnded(reason=reason)):
                rules = self._scene.rules
                assert rules is not None, "a hand without rules"
                self._by_chance = rules.next_starter == "starter" or reason == "block"
            case SeatOut():
                # Who starts then may be who went out before, or a matter of chance.
                self._by_chance = False
        self._scene.apply(event)

    def _seat(self, event: MatchBegan) -> None:
        people = self._chances.people
        for one in event.players:
            key, name = (b"", BOTS) if one.bot else (one.key, one.name)
            people.setdefault(key, Person(key, name)).name = name
            self._keys.append(key)

    def _dealt(self, event: HandBegan) -> None:
        rules = self._scene.rules
        assert rules is not None, "a hand without rules"
        self._chances.hands += 1
        self._chances.closed += any(
            count and tiles is None for tiles, count in zip(event.hands, event.counts, strict=True)
        )
        self._boneyard = None if event.boneyard is None else list(event.boneyard)
        seats = [seat for seat, count in enumerate(event.counts) if count]
        for seat in seats:
            tiles = event.hands[seat]
            if tiles is not None:
                for what, value in _values(rules).items():
                    self._chances.count(self._keys[seat], what, dealt(tiles, value))
            if self._by_chance:
                share = 1 / len(seats)
                lead = _once(seat == event.starter, share)
                self._chances.count(self._keys[seat], "starts", lead)

    def _drew(self, seat: int, tile: Tile) -> None:
        line = self._scene.line
        if self._boneyard is None or line is None:
            return
        fitting = sum(bool(line.fits(one)) for one in self._boneyard)
        share = fitting / len(self._boneyard)
        drew = _once(bool(line.fits(tile)), share)
        self._chances.count(self._keys[seat], "draws", drew)
        self._boneyard.remove(tile)


def _values(rules: Rules) -> dict[str, Callable[[Tile], int]]:
    """What is counted of a tile that is dealt."""
    values: dict[str, Callable[[Tile], int]] = {
        "doubles": lambda tile: int(tile.is_double),
        "leads": lambda tile: int(placement_points(rules, tile.pips) > 0),
        "pips": lambda tile: tile.pips,
    }
    if rules.play_points != "fives":
        del values["leads"]
    return values


def dealt(tiles: Iterable[Tile], value: Callable[[Tile], int]) -> Count:
    """The sum of `value` over a hand that was dealt from the whole set."""
    hand = list(tiles)
    of_all = [value(tile) for tile in ALL_TILES]
    mean = sum(of_all) / TILE_COUNT
    spread = sum((one - mean) ** 2 for one in of_all) / TILE_COUNT
    left_over = (TILE_COUNT - len(hand)) / (TILE_COUNT - 1)
    seen, variance = sum(map(value, hand)), len(hand) * spread * left_over
    chances = _chances(tuple(sorted(of_all)), len(hand))
    return Count(seen, len(hand), len(hand) * mean, variance, chances)


def _once(came: bool, share: float) -> Count:
    """Whether something came that has this chance."""
    return Count(int(came), 1, share, share * (1 - share), (1 - share, share))


@cache
def _chances(values: tuple[int, ...], size: int) -> tuple[float, ...]:
    """The chance of each sum of so many of these values, none taken twice: all such choices are
    counted."""
    ways = [{0: 1}, *({} for _ in range(size))]
    for value in values:
        for taken in range(size, 0, -1):
            for total, count in ways[taken - 1].items():
                ways[taken][total + value] = ways[taken].get(total + value, 0) + count
    every = math.comb(len(values), size)
    return tuple(ways[size].get(total, 0) / every for total in range(max(ways[size]) + 1))
