"""Presets and options against vectors worked out by hand from the words of the rules."""

import itertools
import json
from typing import Any

import pytest
from support.places import VECTORS

from engine.line import Line
from engine.notation import parse_tile
from engine.rules import Rules
from engine.scoring import judge_claims, placement_points, settle
from engine.tiles import ALL_TILES, Tile, pips_of

CASES: dict[str, Any] = json.loads((VECTORS / "presets.json").read_text())
HAND_ENDS = ("subtract-own", "collect-each", "collect-sum", "collect-raw")


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", CASES["lines"], ids=named)
def test_lines(case: dict[str, Any]) -> None:
    options = dict(case["options"])
    rules = Rules.make(options.pop("preset"), 2, options)
    line = Line(rules)
    found = []
    for text, end in case["moves"]:
        line.place(parse_tile(text), end)
        found.append((line.count(), placement_points(rules, line.count())))
    assert found == list(zip(case["counts"], case["points"], strict=True))
    assert [end.name for end in line.ends()] == case["ends"]


def hands(pips: list[int], tiles: list[int]) -> list[tuple[Tile, ...]]:
    """Hands of different tiles with these pips and numbers of tiles."""
    free = set(ALL_TILES)
    found: list[tuple[Tile, ...]] = []
    for want, size in zip(pips, tiles, strict=True):
        choices = itertools.combinations(sorted(free), size)
        found.append(next(hand for hand in choices if pips_of(hand) == want))
        free -= set(found[-1])
    return found


@pytest.mark.parametrize("hand_end", HAND_ENDS)
@pytest.mark.parametrize("case", CASES["partners"], ids=named)
def test_partners(case: dict[str, Any], hand_end: str) -> None:
    options = {"partners": "yes", "hand-end": hand_end, "block-winner": case["block-winner"]}
    left = tuple(hands(case["pips"], case["tiles"]))
    settled = settle(Rules.make("pagat", 4, options), range(4), case["out"], left)
    assert list(settled.points) == case[hand_end]


@pytest.mark.parametrize("case", CASES["claims"], ids=named)
def test_claims(case: dict[str, Any]) -> None:
    placer, answers = judge_claims(case["real"], case["placer"], case["answers"])
    assert [placer, *answers] == case["points"]
