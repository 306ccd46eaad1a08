"""Whole matches: scores add up from the events, and each option changes what it is about.

`ALLFIVES_MATCHES` says in how many seeded matches an option may have its effect (default 250); the
full size is `ALLFIVES_MATCHES=1000 pytest tests/properties/test_engine_matches.py -n 2`.
"""

import os
import random
from collections.abc import Callable
from functools import cache

import pytest
from support.engine.dealing import play_match

from engine.events import Claimed, Drawn, Event, HandEnded, MatchEnded, Passed, Played
from engine.options import Option
from engine.rules import OPTIONS, PRESETS, Rules, options_of
from engine.strategy import make_player

MATCHES = int(os.environ.get("ALLFIVES_MATCHES", "250"))
LOOKED_AT = 50 if MATCHES >= 1000 else 2  # played whatever comes, for effects out of place
HANDS = 8  # hands of each


def replayed(rules: Rules, seed: int, most_hands: int = HANDS) -> list[Event]:
    """The events of a seeded match between a normal player and easy ones."""
    rng = random.Random(seed)
    players = [make_player("easy" if seat else "normal", rng) for seat in range(rules.players)]
    return play_match(rules, players, rng, most_hands)[1]


@cache
def usual(preset: str, players: int, seed: int) -> list[Event]:
    """Those of a preset's rules, which many options are compared with."""
    return replayed(Rules.make(preset, players), seed)


def points_of(event: Event, rules: Rules) -> list[int]:
    """What an event brings each seat."""
    if isinstance(event, HandEnded):
        return list(event.points)
    brought = [0] * rules.players
    if isinstance(event, Played | Claimed):
        for mate in rules.side(event.seat):
            brought[mate] += event.points
    return brought


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_scores_are_the_sums_of_the_points(preset: str, players: int) -> None:
    scoring = options_of(PRESETS[preset])["play-points"] != "none"
    for claims in ("no", "yes") if scoring else ("no",):
        rules = Rules.make(preset, players, {"claims": claims})
        scores = [0] * players
        for event in replayed(rules, 5, 12):
            scores = [a + b for a, b in zip(scores, points_of(event, rules), strict=True)]
            if isinstance(event, Played | Claimed | HandEnded | MatchEnded):
                assert event.scores == tuple(scores)
            if isinstance(event, Played) and claims == "no":
                scoring = event.count % 5 == 0 and rules.play_points == "fives"
                assert event.points == (event.count if scoring else 0)


OTHER = {"hand-size": ["6", "8/6/5"], "target": ["30", "60"], "reserve": ["0", "1", "2"]}


def values(option: Option) -> list[str]:
    named = option.allowed.replace(" or ", ", ").split(", ")
    return ["none", "30"] if option.name == "turn-seconds" else OTHER.get(option.name, named)


def without_effect(options: dict[str, str], name: str) -> bool:
    """Whether the rules of the other options leave this one nothing to change."""
    return (
        name == "turn-seconds"
        or (name in ("arms", "bare-arms") and options["spinner"] == "none")
        or (name == "bare-arms" and options["play-points"] == "none")
        or (name == "reserve" and options["draws"] == "none")
        or (name == "match-end" and options["play-points"] == "none")  # one scores, at a hand's end
        or (name == "block-winner" and options["hand-end"] == "subtract-own")
    )


# Where placing scores nothing.
REFUSED = (("hand-end", "subtract-own"), ("claims", "yes"))
CASES = [
    (preset, option.name, value)
    for preset in ("classic", "online", "muggins", "block")
    for option in OPTIONS
    for value in values(option)
    if value != options_of(PRESETS[preset])[option.name]
    and not (preset == "block" and (option.name, value) in REFUSED)
    and not (preset == "classic" and (option.name, value) == ("play-points", "none"))
]


def has(kind: type[Event] | tuple[type[Event], ...]) -> Callable[[list[Event]], bool]:
    return lambda events: any(isinstance(event, kind) for event in events)


def doubled(events: list[Event]) -> bool:
    return any(isinstance(event, Played) and event.tile.is_double for event in events)


def blocked(events: list[Event]) -> bool:
    return any(isinstance(event, HandEnded) and event.reason == "block" for event in events)


def several_hands(events: list[Event]) -> bool:
    return sum(isinstance(event, HandEnded) for event in events) > 1


# What must have happened in a match for the option to have changed anything in it.
APPLIES: dict[str, Callable[[list[Event]], bool]] = {
    "spinner": doubled,
    "arms": doubled,
    "bare-arms": doubled,
    "block-winner": blocked,
    "draws": has((Drawn, Passed)),
    "reserve": has((Drawn, Passed)),
    "next-starter": several_hands,
    "hand-end": has(HandEnded),
    "match-end": has(MatchEnded),
}


@pytest.mark.parametrize(("preset", "name", "value"), CASES)
def test_an_option_changes_matches_where_its_rule_applies(
    preset: str, name: str, value: str
) -> None:
    options = options_of(PRESETS[preset])
    players = {"partners": 4, "hand-end": 3}.get(name, 2)  # of two, each and sum are the same
    other = Rules.make(preset, players, {name: value})
    silent = without_effect(options, name)
    applies = APPLIES.get(name, bool)
    changes = 0
    for seed in range(LOOKED_AT if silent else MATCHES):
        if changes and seed >= LOOKED_AT:
            break
        before, after = usual(preset, players, seed), replayed(other, seed)
        if before != after:
            assert applies(before) or applies(after)
            changes += 1
    assert bool(changes) != silent
