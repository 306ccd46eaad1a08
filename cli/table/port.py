"""The one mouth and the one ear between a table and whoever sits at it: screen, plain lines, bot.

A table shows a seat notices, asks it for decisions, and hears its wishes. Both unions are closed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from cli.telling.room import Room
from engine.strategy import SeatView
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Chosen


@dataclass(frozen=True)
class Told:
    """A line that is not about the game itself: the lobby, the record, who is no longer there.

    `anew`: what was told before it is over, such as a question that has its answer. `lasts`: it is
    worth reading as long as the table fills, and again behind the match.
    """

    text: str
    anew: bool = False
    lasts: bool = False


@dataclass(frozen=True)
class Opened:
    """The own table is open; `code` None: to all. `hosts` are its addresses without the `port`;
    `lines` tell a person what others have to type."""

    name: str
    code: str | None = field(repr=False)
    invite: str = field(repr=False)
    hosts: tuple[str, ...]
    port: int
    lines: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class Filled:
    """Who is at the table now, while it fills."""

    room: Room


@dataclass(frozen=True)
class Spoke:
    """A line of the holder of a key while the table fills; the own one too."""

    key: bytes
    words: str


@dataclass(frozen=True)
class TimeIsUp:
    """The seat said nothing in time, so the clock has decided for it."""

    chosen: Chosen


@dataclass(frozen=True)
class TimeRuns:
    """So many seconds are left to decide."""

    seconds: int


Notice = owner.Notice | Told | Opened | Filled | Spoke | TimeIsUp | TimeRuns
"""Everything that a seat may show."""


@dataclass(frozen=True)
class Leave:
    """Whoever plays the seat leaves; `why` is a sentence."""

    why: str = "You leave."


@dataclass(frozen=True)
class Vanish:
    """Whoever plays the seat ends without leaving: the match can be gone on with later."""

    why: str


@dataclass(frozen=True)
class Refuse:
    """The host sends the holder of a key away."""

    key: bytes


@dataclass(frozen=True)
class SitWith:
    """The host, where partners play, wants to sit with the holder of a key; None: by lot."""

    key: bytes | None


@dataclass(frozen=True)
class Admit:
    """The host lets the holder of a key sit again, who went while the seats were drawn."""

    key: bytes


HostWish = Refuse | SitWith | Admit
"""What only a host may want, and only while the table fills."""

Wish = owner.Wish | Leave | Vanish | HostWish
"""Everything that a person may want, beside the decisions that the game asks for."""

Wants = Callable[[Wish], None]
"""Where wishes go; may be called at any time from within Trio, also while something is shown."""


class Seat(Protocol):
    """Whoever sits at a table."""

    @property
    def stays(self) -> bool:
        """Whether there may be another match; else the seat leaves at the end of the first."""
        ...

    @property
    def claim_seconds(self) -> float | None:
        """How long the seat has to answer a claim, in seconds; None: as long as it needs."""
        ...

    def sit(self, wants: Wants) -> None:
        """Take place: from now on wishes go to `wants`."""
        ...

    def show(self, notice: Notice) -> None:
        """Show something. Never blocks, never raises for what a peer did."""
        ...

    async def decide(self, view: SeatView) -> Chosen:
        """A legal move of the view, or a claim where it awaits one. May be cancelled."""
        ...

    async def listen(self) -> None:
        """Run beside everything else, until cancelled: reads keys or lines, wishes come of it."""
        ...
