"""Where things go that a person does at the screen."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.moves import Move
from engine.strategy.view import SeatView


@dataclass(frozen=True)
class Outlets:
    """The answer to what was asked, chat, a line that was asked for before the match, a wish for a
    hint, for another match, for a pause (or to end it), and leaving."""

    answer: Callable[[Move | int], None]
    say: Callable[[str], None]
    line: Callable[[str], None]
    hint: Callable[[SeatView], None]
    again: Callable[[], None]
    pause: Callable[[bool], None]
    leave: Callable[[], None]
