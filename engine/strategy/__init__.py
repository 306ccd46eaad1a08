"""Players: from what one seat can see, choose a move."""

import random
from collections.abc import Callable
from typing import Final

from engine.errors import EngineError
from engine.seats import EASY, HARD, LEVELS, NORMAL, USUAL_WORLDS
from engine.strategy.easy import EasyPlayer
from engine.strategy.hard import Clock, HardPlayer
from engine.strategy.normal import NormalPlayer
from engine.strategy.view import Player, SeatView, make_view

__all__ = ["LEVELS", "Clock", "Player", "SeatView", "make_player", "make_view"]

_MAKERS: Final[dict[str, Callable[[random.Random, int, float, Clock | None], Player]]] = {
    EASY: lambda rng, worlds, think, clock: EasyPlayer(rng),
    NORMAL: lambda rng, worlds, think, clock: NormalPlayer(),
    HARD: HardPlayer,
}


def make_player(
    level: str,
    rng: random.Random,
    *,
    worlds: int = USUAL_WORLDS,
    think: float = 1.0,
    clock: Clock | None = None,
) -> Player:
    """A player of one of `LEVELS`; all its chance comes from `rng`.

    A level that looks ahead stops after `worlds` guesses of the hidden tiles, or when it has looked
    at enough positions, so that the same view and the same `rng` give the same move; and, where a
    `clock` is given, after `think` seconds of it at the latest. Raises `EngineError` for a level
    there is not.
    """
    if level not in _MAKERS:
        raise EngineError(f"there is no level {level!r}: allowed is {', '.join(LEVELS)}")
    return _MAKERS[level](rng, worlds, think, clock)
