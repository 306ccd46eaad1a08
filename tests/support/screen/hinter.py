"""Who gives hints in tests: at once, from one guess."""

import random

from cli.table.thinking import Adviser
from engine.strategy import SeatView
from engine.strategy.advice import Advice, advise


class Hinter:
    """Gives advice at once."""

    def advise(self, view: SeatView) -> Advice:
        """What comes of one guess."""
        return advise(view, random.Random(1), worlds=1)


def hinter(_: SeatView) -> Adviser:
    """Who gives the hints."""
    return Hinter()
