"""The normal player: most points now, then the heavier tile, then the first in canonical order."""

from dataclasses import replace

from engine.moves import Move, Play
from engine.strategy.view import SeatView


class NormalPlayer:
    """Takes what a move brings now, and is rid of heavy tiles early."""

    def choose(self, view: SeatView) -> Move:
        """The legal move with most points, then the heavier tile, then the first in order."""
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return view.legal[0]
        points = [view.points_for(move) for move in plays]
        at = max(range(len(plays)), key=lambda i: (points[i], plays[i].tile.pips))
        return replace(plays[at], claim=points[at]) if view.rules.claims else plays[at]

    def claim(self, view: SeatView) -> int:
        """What the count scores, unless the placer has claimed it."""
        real = view.points_on_table()
        return 0 if view.awaiting is None or view.awaiting.claim == real else real
