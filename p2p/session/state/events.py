"""What a session tells its owner: the engine's events with their hand, and what it alone knows.

Live and replayed matches give the same values, so that one piece of code shows both. A tile that
the owner may not know is None.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.events import HandEvent, MatchEnded
from engine.tiles import Tile


@dataclass(frozen=True)
class Participant:
    """A seat: its number, the name to show ("Ana (2)" for a second Ana), its raw key; whether the
    table says that it is a bot of somebody there."""

    seat: int
    name: str
    key: bytes
    bot: bool = False


@dataclass(frozen=True)
class MatchBegan:
    """All seats have signed the table description."""

    table: bytes
    rules: Mapping[str, str]
    players: tuple[Participant, ...]


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
class InHand:
    """An event of the engine in hand number `hand`. `auto`: a clock made the move; `tile`: what was
    drawn, where it is known."""

    hand: int
    event: HandEvent
    auto: bool = False
    tile: Tile | None = None


@dataclass(frozen=True)
class Settled:
    """Where points are claimed: the answers of all opponents to the placement of `seat`, by seat,
    0 for none. What they brought follows."""

    hand: int
    seat: int
    claims: Mapping[int, int]


@dataclass(frozen=True)
class Faulted:
    """A provable fault: `seat` is named, `what` says in one clause what was wrong."""

    seat: int
    what: str


@dataclass(frozen=True)
class SeatOut:
    """`seat` was put out in hand number `hand` (0 before the first) by the votes of the seats `by`.

    `reason`: "left" (it said so), "fault" (proven), "absent" or "idle" (as those seats say).
    `owner`: whose bot it is, if it goes with that seat, for its reason.
    """

    hand: int
    seat: int
    reason: str
    by: tuple[int, ...]
    owner: int | None = None


@dataclass(frozen=True)
class TakenBack:
    """By votes of those who stay some of what was told is void: this is all that holds of it."""

    told: tuple["SessionEvent", ...]


SessionEvent = (
    MatchBegan
    | DeckStep
    | HandBegan
    | InHand
    | Settled
    | MatchEnded
    | Faulted
    | SeatOut
    | TakenBack
)
