"""A guessed world, and playing it to the end of the hand with every seat like `normal`.

The course of the hand, its line and its points are those of a match.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.ends import LEAD
from engine.hand import Hand
from engine.moves import Option, Turns
from engine.rules import Rules
from engine.scoring import count_points, settle
from engine.tiles import ALL_TILES, HIGH, LOW, SET_PIPS, TILE_COUNT, tiles_in

_MOST_PIPS: Final = 12  # of a tile
_RANKS: Final = {
    play_points: tuple(
        count_points(play_points, count) * (_MOST_PIPS + 1) for count in range(SET_PIPS + 1)
    )
    for play_points in ("fives", "none")
}
"""By the option and the count: points, so many times that they come before a tile's weight."""


def worth(rules: Rules, index: int, count: int) -> int:
    """Ranks a placement as `normal` does: by the points of `count`, then by the tile's weight."""
    return _RANKS[rules.play_points][count] + HIGH[index] + LOW[index]


@dataclass(slots=True, eq=False)
class World(Turns):
    """A hand with every tile guessed; `scores` are those of the match, by seat of the table."""

    turn: int
    scores: list[int]

    def finish(self) -> None:
        """Plays on from a table with a tile until the hand is over and settled."""
        held, line, ranks = self.held, self.line, _RANKS[self.rules.play_points]
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
                best = -1
                for tile, end, count in options:
                    rank = ranks[count] + HIGH[tile] + LOW[tile]
                    if rank > best:
                        best, index, key = rank, tile, end
            if self.placed((index, key)):
                return

    def placed(self, option: Option) -> bool:
        """Places a tile for the seat to move; whether that ends the hand, which is then settled."""
        seat, rules = self.turn, self.rules
        out = self.place(seat, option)
        points = self.line.total
        if _RANKS[rules.play_points][points]:
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
        world.finish()
    return world.scores
