"""What a person at the screen may want, as frozen values: a mode says it, the control sends it."""

from dataclasses import dataclass

from engine.moves import Move
from engine.strategy.view import SeatView


@dataclass(frozen=True, slots=True)
class Answer:
    """The move or the claim that was asked for."""

    given: Move | int


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat."""

    words: str


@dataclass(frozen=True, slots=True)
class Enter:
    """The line that was asked for before the match."""

    line: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What a bot would play."""

    seen: SeatView


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause is wanted, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Refuse:
    """The host sends the holder of that key away."""

    key: bytes


@dataclass(frozen=True, slots=True)
class SitWith:
    """The host's partner is the holder of that key; None: drawn by lot."""

    key: bytes | None


@dataclass(frozen=True, slots=True)
class Again:
    """Another match with the same people."""


@dataclass(frozen=True, slots=True)
class Bell:
    """The bell on one's turn: on, or off if it was on."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Enough."""


Wish = Answer | Say | Enter | Hint | Pause | Refuse | SitWith | Again | Bell | Leave
