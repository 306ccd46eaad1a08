"""Where things go that a person does at the screen."""

from collections.abc import Callable
from dataclasses import dataclass

from cli.table.port import Wants
from engine.moves import Move
from engine.strategy.view import SeatView


@dataclass(frozen=True)
class Outlets:
    """The answer to what was asked, wishes, a view for which a hint is wanted, and a line that was
    asked for before the match."""

    answer: Callable[[Move | int], None]
    wants: Wants
    hint: Callable[[SeatView], None]
    line: Callable[[str], None]
