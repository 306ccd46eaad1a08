"""A guessed world, and playing it to the end of the hand, every seat by a simple rule.

The course of the hand, its line and its points are those of a match.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.ends import LEAD
from engine.hand import Hand
from engine.moves import Option, Turns
from engine.rules import Rules
from engine.scoring import count_points, settle
from engine.tiles import ALL_TILES, SET_PIPS, TILE_COUNT, tiles_in

_MOST_PIPS: Final = 12  # of a tile
# What a placement is worth by a rule of thumb, in twentieths of a point: found by many hands of it
# against `normal`, from which it takes 3 to 15 points a hand.
_SCORED: Final = 20  # a point that it makes,
_LEFT: Final = -6  # a pip of the count, which is left to the next player to make points of,
_FREED: Final = 80  # a double that is got rid of,
_PIP: Final = {"fives": 3, "none": 20}  # a pip that is got rid of, by `play-points`


class Way(NamedTuple):
    """A way of playing that looks at the count after a placement and at its tile alone: the rank
    of a placement is the sum of what both are worth, by count and by tile index."""

    counts: tuple[int, ...]
    tiles: tuple[int, ...]


_COUNTS: Final = range(SET_PIPS + 1)
PLAIN: Final = {
    play_points: Way(
        tuple(count_points(play_points, count) * (_MOST_PIPS + 1) for count in _COUNTS),
        tuple(tile.pips for tile in ALL_TILES),
    )
    for play_points in ("fives", "none")
}
"""As `normal` plays, by `play-points`: points come before a tile's weight."""
CAREFUL: Final = {
    play_points: Way(
        tuple(
            _SCORED * count_points(play_points, count) + (_LEFT * count if scoring else 0)
            for count in _COUNTS
        ),
        tuple(pip * tile.pips + _FREED * tile.is_double for tile in ALL_TILES),
    )
    for play_points, pip, scoring in (("fives", _PIP["fives"], True), ("none", _PIP["none"], False))
}
"""As somebody plays who leaves little to others and is rid of doubles early, by `play-points`."""


def worth(rules: Rules, index: int, count: int) -> int:
    """Ranks a placement as `normal` does: by the points of `count`, then by the tile's weight."""
    way = PLAIN[rules.play_points]
    return way.counts[count] + way.tiles[index]


@dataclass(slots=True, eq=False)
class World(Turns):
    """A hand with every tile guessed; `scores` are those of the match, by seat of the table. `out`
    is who has gone out, once it is over."""

    turn: int
    scores: list[int]
    out: int | None = None

    def finish(self, ways: Sequence[Way]) -> None:
        """Plays on from a table with a tile until the hand is over and settled, each seat of the
        table in a way of its own."""
        held, line = self.held, self.line
        while True:
            seat = self.turn
            fitting = held[seat] & line.fitting or self.draw_until_fit(seat)
            if not fitting:
                if self.skipped():
                    return
                continue
            options = line.outcomes(fitting)
            index, key, _ = options[0]
            if len(options) > 1:
                counts, tiles = ways[seat]
                best = counts[options[0][2]] + tiles[index]
                for tile, end, count in options[1:]:
                    rank = counts[count] + tiles[tile]
                    if rank > best:
                        best, index, key = rank, tile, end
            if self.placed((index, key)):
                return

    def placed(self, option: Option) -> bool:
        """Places a tile for the seat to move; whether that ends the hand, which is then settled."""
        seat, rules = self.turn, self.rules
        out = self.place(seat, option)
        points = self.line.total
        if count_points(rules.play_points, points):
            for mate in rules.side(seat):
                self.scores[mate] += points
            if rules.match_end == "at-once" and self.scores[seat] >= rules.target:
                return True
        if out:
            self._settle(seat)
        return out

    def skipped(self) -> bool:
        """The seat to move passes; whether that blocks the hand, which is then settled."""
        blocked = self.skip(self.turn)
        if blocked:
            self._settle(None)
        return blocked

    def _settle(self, out: int | None) -> None:
        self.out = out
        left = tuple([tiles_in(held) for held in self.held])
        for seat, points in enumerate(settle(self.rules, tuple(self.after), out, left).points):
            self.scores[seat] += points


def world_of(hand: Hand, tiles: Sequence[int], scores: Sequence[int]) -> World:
    """The world in which slot s of the running `hand` holds the tile of index `tiles[s]`.

    Passes just before are not counted: who had to pass will, as nothing changes, pass again.
    """
    if hand.turn is None:
        raise AssertionError("nobody is to move")
    held = [0] * hand.rules.players
    for seat in hand.seats:
        for slot in hand.slots(seat):
            held[seat] |= 1 << tiles[slot]
    none = [0] * len(held)
    return World(
        hand.rules,
        hand.line,
        held,
        none,
        tiles,
        hand.next,
        hand.next + hand.drawable(),
        hand.turn,
        0,
        hand.after,
        list(scores),
    )


def random_hand(rules: Rules, rng: random.Random) -> list[int]:
    """What a hand dealt to all seats brings each, with any tile led by anybody."""
    deal = dict(enumerate(rng.sample(ALL_TILES, TILE_COUNT)))
    turn = rng.randrange(rules.players)
    hand = Hand(rules, range(rules.players), turn, deal)
    order = [tile.index for tile in deal.values()]
    world = world_of(hand, order, [0] * rules.players)
    if not world.placed((order[turn * rules.hand_size], LEAD)):
        world.finish([PLAIN[rules.play_points]] * rules.players)
    return world.scores
