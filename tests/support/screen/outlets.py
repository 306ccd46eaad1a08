"""Where what a person does at the screen goes in tests: by its kind."""

from collections.abc import Callable

from cli.screen.modes.wishes import Answer, Clip, Enter, Hint, Outward
from cli.table.port import Wants
from engine.moves import Move
from engine.strategy.view import SeatView


def outlets(
    answer: Callable[[Move | int], None],
    wants: Wants,
    hint: Callable[[SeatView], None],
    line: Callable[[str], None],
) -> Callable[[Outward], None]:
    """What a control's wishes go to: the four places where they end."""

    def out(wish: Outward) -> None:
        match wish:
            case Answer(given):
                answer(given)
            case Enter(typed) | Clip(typed):
                line(typed)
            case Hint(seen):
                hint(seen)
            case _:
                wants(wish)

    return out
