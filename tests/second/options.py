"""Tables of the program under all presets and options, for matches that it plays alone."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from second.game.rules import CHOICES, preset, rules_of
from second.refusing import RefusedError

FULL_LENGTH = 37
"""One match in so many has the tiles and the target of its preset."""

VALUES = [
    *((name, value) for name, values in CHOICES.items() if name != "preset" for value in values),
    ("turn-seconds", "none"),
    ("turn-seconds", "15"),
]
"""Every value of every option that has but a few."""


@dataclass(frozen=True)
class Sampled:
    """The options of a table, and for how many."""

    options: Mapping[str, str]
    seats: int

    def arguments(self) -> list[str]:
        """How the program is told them."""
        usual = preset(self.options["preset"], self.seats)
        changed = [
            f"{name}={value}" for name, value in self.options.items() if usual[name] != value
        ]
        sets = [part for one in changed for part in ("--set", one)]
        return ["--rules", self.options["preset"], *sets]

    def used(self) -> Counter[str]:
        """What is to be counted of it."""
        values = [f"{name}={value}" for name, value in self.options.items()]
        return Counter([*values, f"{self.seats} seats"])


def sampled(number: int, seed: int) -> Sampled:
    """The table of this number: presets, seats and values take turns, the rest is by lot."""
    rng = random.Random(f"{seed} {number}")
    name, value = VALUES[number % len(VALUES)]
    whole = number % FULL_LENGTH == FULL_LENGTH - 1
    presets = CHOICES["preset"]
    chosen = presets[number % len(presets)]
    while True:
        seats = 4 if (name, value) == ("partners", "yes") else 2 + number % 3
        options = preset(chosen, seats)
        if not whole:
            for other in rng.sample(VALUES, rng.randrange(5)):
                options |= [other]
        options |= [(name, value)]
        if not whole:
            options |= _short(options, rng)
        if seats == 4 and name != "partners" and rng.random() < 0.4:
            options["partners"] = "yes"
        try:
            rules_of(options, seats)
        except RefusedError:
            chosen = rng.choice(presets)
            continue
        return Sampled(options, seats)


def _short(options: Mapping[str, str], rng: random.Random) -> dict[str, str]:
    """Few tiles and a low target; where everybody loses what is left, enough tiles to win."""
    if options["hand-end"] == "subtract-own":
        return {"hand-size": "7/6/5", "target": rng.choice(["5", "10"])}
    sizes = ["1", "2", "3", "5", "1/2/3", "7/6/5"]
    return {"hand-size": rng.choice(sizes), "target": rng.choice(["5", "10", "20"])}
