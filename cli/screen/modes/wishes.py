"""What a person at the screen may want, as frozen values: a mode says it, the control sends it."""

from dataclasses import dataclass

from cli.table import port
from engine.moves import Move
from engine.strategy.view import SeatView


@dataclass(frozen=True, slots=True)
class Answer:
    """The move or the claim that was asked for."""

    given: Move | int


@dataclass(frozen=True, slots=True)
class Enter:
    """The line that was asked for before the match."""

    line: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What a bot would play."""

    seen: SeatView


@dataclass(frozen=True, slots=True)
class Bell:
    """The bell on one's turn: on, or off if it was on."""


@dataclass(frozen=True, slots=True)
class Recolour:
    """The next theme."""


@dataclass(frozen=True, slots=True)
class Mute:
    """What that seat writes is not shown any more, or is shown again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Copy:
    """The invite, to paste it elsewhere."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A text for the clipboard of the terminal."""

    text: str


Outward = Answer | Enter | Hint | Clip | port.Wish
"""What leaves the screen."""

Asked = Outward | Bell | Copy | Mute
"""What is for who holds the mode."""

Wish = Asked | Recolour
