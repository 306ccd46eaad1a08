"""Players: from what one seat can see, choose a move."""

import random
from collections.abc import Callable
from typing import Final

from engine.errors import EngineError
from engine.strategy.easy import EasyPlayer
from engine.strategy.normal import NormalPlayer
from engine.strategy.view import Player, SeatView, make_view

__all__ = ["LEVELS", "Player", "SeatView", "make_player", "make_view"]

_MAKERS: Final[dict[str, Callable[[random.Random, float], Player]]] = {
    "easy": lambda rng, think: EasyPlayer(rng),
    "normal": lambda rng, think: NormalPlayer(),
}
LEVELS: Final = tuple(_MAKERS)


def make_player(level: str, rng: random.Random, think: float = 1.0) -> Player:
    """A player of one of `LEVELS`; all its chance comes from `rng`.

    `think` is the most seconds a move may take, for levels that look ahead. Raises `EngineError`
    for a level there is not.
    """
    if level not in _MAKERS:
        raise EngineError(f"there is no level {level!r}: allowed is {', '.join(LEVELS)}")
    return _MAKERS[level](rng, think)
