"""Tables for short matches under options by lot."""

import random
from collections.abc import Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.game.rules import CHOICES, preset, rules_of
from second.play.local import LocalMatch, table_for, table_of_people
from second.refusing import RefusedError


def any_options(
    rng: random.Random, count: int, but: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Options for so many seats, with few tiles and a low target; some are as they are said."""
    while True:
        options = preset(rng.choice(CHOICES["preset"]), count)
        for name in rng.sample(sorted(CHOICES), rng.randrange(6)):
            options[name] = rng.choice(CHOICES[name])
        options["hand-size"] = rng.choice(["1", "1", "1", "2", "3", "1/2/3", "3/2/1"])
        options["target"] = rng.choice(["1", "1", "5", "5", "10", "15"])
        options["partners"] = "yes" if count == 4 and rng.random() < 0.2 else "no"
        options |= but or {}
        try:
            rules_of(options, count)
        except RefusedError:
            continue
        return options


def any_match(
    rng: random.Random,
    count: int,
    but: Mapping[str, str] | None = None,
    privates: Sequence[Ed25519PrivateKey] | None = None,
) -> LocalMatch:
    """A match that has not begun; of three and four some are bots of the first at the door. Without
    keys that are there already it is of people who have never met."""
    owners = {}
    if count > 2 and rng.random() < 0.4:
        owners = {bot: 0 for bot in range(1, count) if rng.random() < 0.4}
    options = any_options(rng, count, but)
    if privates is None:
        table, privates = table_for(options, owners, count)
    else:
        table, privates = table_of_people(options, privates, owners)
    match = LocalMatch(table, privates, rng.randrange(2**32))
    match.ahead = rng.random() < 0.3
    return match
