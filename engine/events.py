"""What happened in a match, as frozen values. Lists have one entry for each seat of the table;
partners have equal scores and points."""

from dataclasses import dataclass

from engine.tiles import Tile

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A tile was placed: `count` is the sum of the ends, `points` what it brought the placer
    (with claims: what the placer's own `claim` brought)."""

    seat: int
    slot: int
    tile: Tile
    end: str | None
    count: int
    points: int
    scores: Numbers
    claim: int | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The tile of `slot` was drawn."""

    seat: int
    slot: int


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn was passed."""

    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """An opponent of the placer claimed a number of points above zero, which brought `points`."""

    seat: int
    claimed: int
    points: int
    scores: Numbers


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand ended by `domino`, `block`, `target`, `left` or `fault`.

    `seat` is who went out, the winner of a block (of a side: its lower seat), or None. `left` has
    the tiles left to each seat, None where not all of them are known.
    """

    reason: str
    seat: int | None
    left: tuple[tuple[Tile, ...] | None, ...]
    points: Numbers
    scores: Numbers


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended by `target`, `abandoned` or `fault`, won by one seat, both of a side,
    several that are level after a fault, or nobody."""

    reason: str
    winners: tuple[int, ...]
    scores: Numbers


HandEvent = Played | Drawn | Passed | Claimed | HandEnded
Event = HandEvent | MatchEnded
