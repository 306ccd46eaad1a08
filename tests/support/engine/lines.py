"""Lines of play at random, for tests of what draws them."""

import random

from engine.line import Line
from engine.rules import Rules
from engine.tiles import ALL_TILES


def random_line(seed: int, spinner: str, arms: str, tiles: int) -> Line:
    """A legal line of so many tiles, or as many as fit, leaning to one arm, or to doubles."""
    rng = random.Random(seed)
    rules = Rules.make("classic", 2, {"spinner": spinner, "arms": arms})
    line, left = Line(rules), list(ALL_TILES)
    rng.shuffle(left)
    line.place(left.pop(), None)
    liked, doubles = rng.choice(["L", "R", "U", "D", None]), rng.random() < 0.5
    while len(line.placements) < tiles:
        legal = [(one, end) for one in left for end in line.fits(one)]
        if not legal:
            break
        better = [(one, end) for one, end in legal if (doubles and one.is_double) or end == liked]
        one, end = rng.choice(better if better and rng.random() < 0.8 else legal)
        line.place(one, end)
        left.remove(one)
    return line
