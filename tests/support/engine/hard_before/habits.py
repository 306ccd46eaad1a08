"""What opponents' plays tell of the tiles they kept: most people take the points they can get.

Two sentences are tried on every opponent: that it plays like `normal`, and, if a play of this hand
has contradicted that, that it takes most points. Who contradicts both tells nothing.
"""

from collections.abc import Iterable
from typing import Final

from support.engine.hard_before.playout import worth

from engine.ends import END_KEYS
from engine.hand import deal_slots
from engine.line import Line
from engine.moves import Draw, Play
from engine.scoring import placement_points
from engine.strategy.view import SeatView
from engine.tiles import TILE_COUNT

_WHOLE_SET: Final = (1 << TILE_COUNT) - 1


class _Sentence:
    """One way of playing: what it leaves out by slot, and the seats that do not play so."""

    def __init__(self) -> None:
        self.unlikely = [0] * TILE_COUNT  # by slot: bits of tiles that would have been played
        self.broken: set[int] = set()

    def note(self, play: Play, kept: Iterable[int], options: list[tuple[int, int, int]]) -> None:
        """Takes a play in: `options` are all placements then, as (tile index, end key, rank)."""
        index, end = play.tile.index, END_KEYS[play.end]
        rank = next(rank for tile, key, rank in options if (tile, key) == (index, end))
        if self.unlikely[play.slot] >> index & 1:
            self.broken.add(play.seat)
        better = 0
        for tile, _, other in options:
            if other > rank:
                better |= 1 << tile
        if better >> index & 1:  # the same tile would have brought more on another end
            self.broken.add(play.seat)
        for slot in kept:
            self.unlikely[slot] |= better


def unlikely_tiles(view: SeatView) -> list[int]:
    """By slot: bits of the tiles that its holder would have played before now, had it held them.

    It is no proof: who guesses by it allows for the opposite. Of a tile played after a draw it
    tells nothing more than the draw, which shows that no tile held then fits.
    """
    like_normal, for_points = _Sentence(), _Sentence()
    rules, line = view.rules, Line(view.rules)
    held = {seat: list(slots) for seat, slots in deal_slots(rules, view.seats).items()}
    undealt = len(view.seats) * rules.hand_size_for(len(view.seats))
    for move in view.moves:
        if isinstance(move, Draw):
            held[move.seat].append(undealt)
            undealt += 1
        elif isinstance(move, Play):
            held[move.seat].remove(move.slot)
            forced = move.end is None and view.hand.lead is not None
            if move.seat != view.seat and not forced:
                found = line.outcomes(_WHOLE_SET & ~line.tiles)
                like_normal.note(
                    move, held[move.seat], [(t, k, worth(rules, t, count)) for t, k, count in found]
                )
                for_points.note(
                    move,
                    held[move.seat],
                    [(t, k, placement_points(rules, count)) for t, k, count in found],
                )
            line.put(move.option)
    return _believed(held, like_normal, for_points)


def _believed(held: dict[int, list[int]], *sentences: _Sentence) -> list[int]:
    """By slot: what the first sentence leaves out that its holder has not contradicted."""
    unlikely = [0] * TILE_COUNT
    for seat, slots in held.items():
        for sentence in sentences:
            if seat not in sentence.broken:
                for slot in slots:
                    unlikely[slot] = sentence.unlikely[slot]
                break
    return unlikely
