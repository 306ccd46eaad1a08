"""A guessed world, and playing it to the end of the hand, every seat by a rule of thumb.

Its line and its points are those of a match; the tests play the same hands by matches.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.hand import Hand
from engine.line import Line
from engine.rules import Rules
from engine.scoring import placement_points, settle
from engine.strategy.ahead.shapes import Shape, Way, shapes_of
from engine.tiles import ALL_TILES, TILE_COUNT, tiles_in

_MOST_PIPS: Final = 12  # of a tile

PLAIN: Final = Way(points=_MOST_PIPS + 1, pip=1)
"""As `normal` plays: points come before a tile's weight."""

# In twentieths of a point: found by trying others in many thousand hands against it, of which the
# better ones were kept. It takes nine points a hand from `normal`.
CAREFUL: Final = {
    "fives": Way(points=20, pip=3.4, double=67, keeps=12, opens=-392, offers=-610),
    "none": Way(points=20, pip=20, double=80),
}
"""As somebody plays who leaves little to others and is rid of doubles early, by `play-points`."""


def worth(rules: Rules, index: int, count: int) -> float:
    """Ranks a placement as `normal` does: by the points of `count`, then by the tile's weight."""
    return PLAIN.points * placement_points(rules, count) + PLAIN.pip * ALL_TILES[index].pips


@dataclass(slots=True, eq=False)
class World:
    """A hand with every tile guessed. By seat of the table: `held` has the bits of tiles, `scores`
    are those of the match.

    `line` is that of the hand where the world begins, `shape` what has become of it. `order` has
    the tile index by slot; `next` is the slot drawn next, `stop` the first that is
    never drawn. `after` has the seat that follows each seat of the deal; `passes` counts those that
    followed each other. `out` is who has gone out, once it is over.
    """

    rules: Rules
    line: Line
    shape: Shape
    held: list[int]
    order: Sequence[int]
    next: int
    stop: int
    turn: int
    passes: int
    after: dict[int, int]
    scores: list[int]
    out: int | None = None

    def finish(self, ways: Sequence[Way]) -> None:
        """Plays on from a table with a tile until the hand is over and settled, each seat of the
        table in a way of its own."""
        held, unplayed = self.held, 0
        for tiles in held:
            unplayed |= tiles
        for index in self.order[self.next :]:
            unplayed |= 1 << index
        while True:
            seat = self.turn
            mine = held[seat]
            fitting = mine & self.shape.fitting
            if not fitting:
                fitting = self._draw_until_fit()
                if not fitting:
                    if self.skipped():
                        return
                    continue
                mine = held[seat]
            bit, after = self.shape.choose(ways[seat], fitting, mine, unplayed & ~mine)
            unplayed ^= bit
            if self.placed(bit, after):
                return

    def _draw_until_fit(self) -> int:
        """Draws for the seat to move until a tile fits; its bit, 0 if none of those left does."""
        fitting, order, at = self.shape.fitting, self.order, self.next
        drawn = found = 0
        while at < self.stop and not found:
            bit = 1 << order[at]
            at += 1
            drawn |= bit
            found = bit & fitting
        self.next = at
        self.held[self.turn] |= drawn
        return found

    def copy(self) -> "World":
        """An independent world in the same state."""
        new = object.__new__(World)
        new.rules, new.line, new.shape = self.rules, self.line, self.shape
        new.held, new.order, new.scores = self.held[:], self.order, self.scores[:]
        new.next, new.stop, new.turn = self.next, self.stop, self.turn
        new.passes, new.after, new.out = self.passes, self.after, self.out
        return new

    def placed(self, bit: int, after: Shape) -> bool:
        """The seat to move places the tile of that bit, which leads to that shape; whether that
        ends the hand, which is then settled."""
        seat = self.turn
        self.shape = after
        self.passes = 0
        self.held[seat] = left = self.held[seat] ^ bit
        if after.points:
            rules = self.rules
            for mate in rules.side(seat):
                self.scores[mate] += after.points
            if rules.match_end == "at-once" and self.scores[seat] >= rules.target:
                return True
        if left:
            self.turn = self.after[seat]
            return False
        self._settle(seat)
        return True

    def skipped(self) -> bool:
        """The seat to move passes; whether that blocks the hand, which is then settled."""
        self.passes += 1
        if self.passes == len(self.after):
            self._settle(None)
            return True
        self.turn = self.after[self.turn]
        return False

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
    return World(
        hand.rules,
        hand.line,
        shapes_of(hand.rules).of(hand.line),
        held,
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
    order = rng.sample(range(TILE_COUNT), TILE_COUNT)
    deal = {slot: ALL_TILES[index] for slot, index in enumerate(order)}
    turn = rng.randrange(rules.players)
    world = world_of(Hand(rules, range(rules.players), turn, deal), order, [0] * rules.players)
    bit = 1 << order[turn * rules.hand_size]
    if not world.placed(bit, *world.shape.after(bit)):
        world.finish([PLAIN] * rules.players)
    return world.scores
