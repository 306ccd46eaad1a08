"""The levels of the players, weakest first."""

from typing import Final

LEVELS: Final = ("easy", "normal", "hard")
EASY, NORMAL, HARD = LEVELS
