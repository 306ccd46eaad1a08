"""A guessed world, and playing it to the end of the hand with every seat like `normal`.

The board is the `Line` that a match uses; the tiles of a seat are bits of a plain integer.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.ends import LEAD
from engine.hand import Hand, deal_slots
from engine.line import Line
from engine.rules import Rules
from engine.scoring import count_points, settle
from engine.tiles import FITTING, HIGH, LOW, SET_PIPS, TILE_COUNT, tiles_in

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


@dataclass(slots=True)
class World:
    """A hand with every tile guessed.

    `held` by seat: bits of tile indexes. `tiles` by slot: tile index; `at` is the slot drawn next,
    `stop` the first never drawn. `after` has the seat that follows each seat of the deal; `scores`
    are those of the match, by seat of the table.
    """

    rules: Rules
    line: Line
    held: list[int]
    tiles: Sequence[int]
    at: int
    stop: int
    turn: int
    passes: int
    after: dict[int, int]
    scores: list[int]

    def finish(self) -> None:
        """Plays on from a table with a tile until the hand is over and settled."""
        held, line, ranks = self.held, self.line, _RANKS[self.rules.play_points]
        while True:
            fitting = held[self.turn] & FITTING[line.pips] or self._draw()
            if not fitting:
                if self.skip():
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
            if self.place(index, key):
                return

    def place(self, index: int, key: int) -> bool:
        """Places a tile for the seat to move; whether that ends the hand, which is then settled."""
        seat, line, rules = self.turn, self.line, self.rules
        line.put((index, key))
        self.held[seat] &= ~(1 << index)
        self.passes = 0
        if _RANKS[rules.play_points][line.total]:
            points = line.total
            for mate in rules.side(seat):
                self.scores[mate] += points
            if rules.match_end == "at-once" and self.scores[seat] >= rules.target:
                return True
        if not self.held[seat]:
            self._settle(seat)
            return True
        self.turn = self.after[seat]
        return False

    def skip(self) -> bool:
        """The seat to move passes; whether that blocks the hand, which is then settled."""
        self.passes += 1
        if self.passes == len(self.after):
            self._settle(None)
            return True
        self.turn = self.after[self.turn]
        return False

    def _draw(self) -> int:
        """Draws until a tile fits; returns its bit, or 0 if none of those left does."""
        fits = FITTING[self.line.pips]
        while self.at < self.stop:
            bit = 1 << self.tiles[self.at]
            self.at += 1
            self.held[self.turn] |= bit
            if fits & bit:
                return bit
        return 0

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
    at = TILE_COUNT - len(hand.boneyard)
    stop = at + hand.drawable()
    after = _followers(hand.seats)
    return World(hand.rules, hand.line, held, tiles, at, stop, hand.turn, 0, after, list(scores))


def random_hand(rules: Rules, rng: random.Random) -> list[int]:
    """What a hand dealt to all seats brings each, with any tile led by anybody."""
    tiles = rng.sample(range(TILE_COUNT), TILE_COUNT)
    seats = tuple(range(rules.players))
    held = [sum(1 << tiles[slot] for slot in slots) for slots in deal_slots(rules, seats).values()]
    at = rules.players * rules.hand_size
    stop = TILE_COUNT - rules.reserve if rules.draws == "until-fit" else at
    turn = rng.randrange(rules.players)
    world = World(
        rules, Line(rules), held, tiles, at, stop, turn, 0, _followers(seats), [0] * rules.players
    )
    lead = tiles[turn * rules.hand_size]
    if not world.place(lead, LEAD):
        world.finish()
    return world.scores


def _followers(seats: tuple[int, ...]) -> dict[int, int]:
    return dict(zip(seats, seats[1:] + seats[:1], strict=True))
