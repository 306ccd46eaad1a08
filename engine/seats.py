"""The seats of a table: how many there may be, the order of their turns, how well bots play."""

from typing import Final

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
# Weakest first.
LEVELS: Final = ("easy", "normal", "hard")
EASY, NORMAL, HARD = LEVELS
USUAL_WORLDS: Final = 600
"""Guesses of the hidden tiles that a player of level hard looks at for a move, at most."""


def turns_after(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """All of `seats`, in the order of their turns: first the one behind `seat`, itself last.

    Raises `ValueError` if `seat` is none of them.
    """
    first = seats.index(seat) + 1
    return seats[first:] + seats[:first]
