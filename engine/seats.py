"""The seats of a table: how many there may be, and the order of their turns."""

from typing import Final

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4


def turns_after(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """All of `seats`, in the order of their turns: first the one behind `seat`, itself last.

    Raises `ValueError` if `seat` is none of them.
    """
    first = seats.index(seat) + 1
    return seats[first:] + seats[:first]
