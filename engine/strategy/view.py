"""What one seat may see of a match: all that a player is handed, and nothing else."""

from dataclasses import dataclass
from typing import Protocol

from engine.errors import EngineError
from engine.hand import Hand
from engine.line import Line
from engine.match import Match
from engine.moves import Move, Play
from engine.rules import Rules
from engine.scoring import placement_points
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as `seat` sees it. Lists have an entry for each seat of the table.

    `hand` is a hand that knows no tile but those on the table and the seat's own: a player may
    copy it, fill its unknown slots with a guess, and play on. `awaiting` is the placement whose
    count this seat is to claim, if it is; `legal` is empty unless the seat is to move.
    """

    rules: Rules
    seat: int
    players: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    hand_number: int
    tiles: tuple[tuple[int, Tile], ...]
    tile_counts: tuple[int, ...]
    boneyard_count: int
    drawable: int
    line: Line
    moves: tuple[Move, ...]
    legal: tuple[Move, ...]
    lacks: tuple[dict[int, frozenset[int]], ...]
    awaiting: Play | None
    hand: Hand

    def count_after(self, move: Play) -> int:
        """What the ends would count after `move`, without placing it."""
        return count_after(self.line, move.tile, move.end)

    def points_for(self, move: Play) -> int:
        """What that count would score."""
        return placement_points(self.rules, self.count_after(move))

    def wins_with(self, move: Move) -> bool:
        """Whether a legal move reaches the target of a match that ends at once."""
        if not isinstance(move, Play) or self.rules.match_end != "at-once":
            return False
        points = self.points_for(move)
        return bool(points) and self.scores[self.seat] + points >= self.rules.target

    def points_on_table(self) -> int:
        """What the count of the ends scores now."""
        return placement_points(self.rules, self.line.count())


def count_after(line: Line, tile: Tile, end: str | None) -> int:
    """What the ends of `line` would count with `tile` on `end`; raises `IllegalMove` if it may not
    be placed there."""
    after = line.copy()
    after.place(tile, end)
    return after.count()


class Player(Protocol):
    """Somebody who plays a seat from its view alone."""

    def choose(self, view: SeatView) -> Move:
        """One of the view's legal moves, with the claim it wants where the rules have claims."""
        ...

    def claim(self, view: SeatView) -> int:
        """The points to claim for an opponent's placement, 0 for none."""
        ...


def make_view(match: Match, seat: int) -> SeatView:
    """What `seat` sees of the running hand; all the seat's own tiles must be known.

    Raises `EngineError` if no hand runs.
    """
    if match.hand is None:
        raise EngineError("no hand is running")
    hand = match.hand.seen_by(seat)
    known = hand.known
    everybody = range(match.rules.players)
    claiming = seat in match.awaiting_claims()
    return SeatView(
        rules=match.rules,
        seat=seat,
        players=match.rules.players,
        seats=hand.seats,
        scores=tuple(match.scores),
        hand_number=match.hand_number,
        tiles=tuple((slot, known[slot]) for slot in hand.slots(seat)),
        tile_counts=tuple(hand.held_count(other) for other in everybody),
        boneyard_count=len(hand.boneyard),
        drawable=hand.drawable(),
        line=hand.line,
        moves=tuple(match.moves),
        legal=() if match.awaiting_claims() else hand.legal_moves(seat),
        lacks=tuple(hand.lacks(other) for other in everybody),
        awaiting=match.claimed_play if claiming else None,
        hand=hand,
    )
