"""Tables for short matches under options by lot."""

import random

from second.game.rules import CHOICES, preset, rules_of
from second.play.local import LocalMatch
from second.refusing import RefusedError


def any_options(rng: random.Random, count: int) -> dict[str, str]:
    """Options for so many seats, with few tiles and a low target."""
    while True:
        options = preset(rng.choice(CHOICES["preset"]), count)
        for name in rng.sample(sorted(CHOICES), rng.randrange(6)):
            options[name] = rng.choice(CHOICES[name])
        options["hand-size"] = rng.choice(["1", "1", "2", "3", "1/2/3", "3/2/1"])
        options["target"] = rng.choice(["1", "5", "10", "15"])
        options["partners"] = "yes" if count == 4 and rng.random() < 0.2 else "no"
        try:
            rules_of(options, count)
        except RefusedError:
            continue
        return options


def any_match(rng: random.Random, count: int) -> LocalMatch:
    """A match that has not begun; of three and four some are bots of the first at the door."""
    owners = {}
    if count > 2 and rng.random() < 0.4:
        owners = {bot: 0 for bot in range(1, count) if rng.random() < 0.4}
    return LocalMatch(any_options(rng, count), count, rng.randrange(2**32), owners)
