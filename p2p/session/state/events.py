"""What a session tells its owner: the engine's events with their hand, and the events of the deck.

Live and replayed matches give the same values, so that one piece of code shows both. A tile that
the owner may not know is None.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine import events as engine_events
from engine.tiles import Tile


@dataclass(frozen=True)
class Player:
    """A seat: its number, the name to show ("Ana (2)" for a second Ana), its raw key."""

    seat: int
    name: str
    key: bytes


@dataclass(frozen=True)
class MatchBegan:
    """All seats have signed the table description."""

    table: bytes
    rules: Mapping[str, str]
    players: tuple[Player, ...]


@dataclass(frozen=True)
class DeckStep:
    """A seat did its part of shuffling deal number `deal`, and the part was proven.

    `stage` is "commit", "key" or "shuffle"; `done` of `total` parts of that deal are there.
    """

    deal: int
    seat: int
    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class HandBegan:
    """The tiles are in hand: by seat, and the boneyard in drawing order; None where unknown."""

    hand: int
    starter: int
    hands: tuple[tuple[Tile, ...] | None, ...]
    counts: tuple[int, ...]
    boneyard: tuple[Tile, ...] | None


@dataclass(frozen=True)
class Played:
    """A tile was placed; `end` is None for the lead; it scored `points`; `auto`: by a clock."""

    hand: int
    seat: int
    tile: Tile
    end: str | None
    count: int
    points: int
    scores: tuple[int, ...]
    auto: bool


@dataclass(frozen=True)
class Drawn:
    """A seat proved that it could not play, and drew the tile in `slot`."""

    hand: int
    seat: int
    slot: int
    tile: Tile | None
    auto: bool


@dataclass(frozen=True)
class Passed:
    """A seat proved that it could not play, with nothing left to draw."""

    hand: int
    seat: int
    auto: bool


@dataclass(frozen=True)
class Claimed:
    """An opponent's claim of more than 0, and what it brought."""

    hand: int
    seat: int
    claimed: int
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Settled:
    """Where points are claimed: every opponent has answered the placement of `seat`. What the
    answers brought follows."""

    hand: int
    seat: int


@dataclass(frozen=True)
class HandEnded:
    """All keys were opened. `reason` and `seat` as the engine names them; `left` by seat.

    `left` has None for a seat whose tiles were not opened (a hand that a fault ended).
    """

    hand: int
    reason: str
    seat: int | None
    left: tuple[tuple[Tile, ...] | None, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class MatchEnded:
    """`reason` is target, abandoned or fault; `winners` the seats that won."""

    reason: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Faulted:
    """A provable fault: `seat` is named, `what` says in one clause what was wrong."""

    seat: int
    what: str


SessionEvent = (
    MatchBegan
    | DeckStep
    | HandBegan
    | Played
    | Drawn
    | Passed
    | Settled
    | Claimed
    | HandEnded
    | MatchEnded
    | Faulted
)


def played(event: engine_events.Event, hand: int, auto: bool) -> Played:
    """The engine's placement as an event of hand number `hand`."""
    assert isinstance(event, engine_events.Played), "a placement gives one event"
    return Played(
        hand, event.seat, event.tile, event.end, event.count, event.points, event.scores, auto
    )


def claimed(event: engine_events.Event, hand: int) -> Claimed:
    """The engine's claim as an event of hand number `hand`."""
    assert isinstance(event, engine_events.Claimed), "answers give claims"
    return Claimed(hand, event.seat, event.claimed, event.points, event.scores)


def ended(event: engine_events.Event, hand: int) -> HandEnded | MatchEnded:
    """The engine's end of hand or match as an event."""
    if isinstance(event, engine_events.MatchEnded):
        return MatchEnded(event.reason, event.winners, event.scores)
    assert isinstance(event, engine_events.HandEnded), "the end of a hand gives ends"
    return HandEnded(hand, event.reason, event.seat, event.left, event.points, event.scores)
