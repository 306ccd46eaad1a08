"""The rules against the vectors of lines, moves, claims and ends of hands."""

from typing import Any

import pytest

from second.game.line import Line
from second.game.rules import CHOICES, TILES, Rules, lead_ranking, preset, rules_of
from second.game.scoring import claimed, settled
from second.refusing import RefusedError
from second.vectors import vectors


def tile(name: str) -> int:
    """The number of "6-4"."""
    return TILES.index((int(name[0]), int(name[2])))


def rules(options: dict[str, str], seats: int = 2) -> Rules:
    """Rules of a preset with changes."""
    return rules_of({**preset(options["preset"], seats), **options}, seats)


def lines() -> list[Any]:
    """Lines with their options, of three files."""
    plain = [{"options": {"preset": "classic"}, **case} for case in vectors("layout")["cases"]]
    return [*plain, *vectors("variants")["cases"], *vectors("presets")["lines"]]


@pytest.mark.parametrize("case", lines(), ids=lambda case: case.get("name", str(case["options"])))
def test_counts_and_points_of_a_line(case: Any) -> None:
    """After each move the count, the points, and at the end the names of the ends."""
    line, counts, points = Line(rules(case["options"])), [], []
    for name, end in case["moves"]:
        points.append(line.place(tile(name), end))
        counts.append(line.count())
    assert counts == case["counts"]
    assert points == case.get("points", points)
    assert line.names() == case.get("ends", line.names())


@pytest.mark.parametrize("case", vectors("moves")["cases"], ids=lambda case: case["name"])
def test_legal_moves_in_canonical_order(case: Any) -> None:
    """And no other."""
    line = Line(rules({"preset": "classic"}))
    for name, end in case["line"]:
        line.place(tile(name), end)
    moves = line.moves([tile(name) for name in case["hand"]])
    assert moves == [(tile(name), end) for name, end in case["legal"]]


@pytest.mark.parametrize("case", vectors("hand_end")["cases"], ids=str)
@pytest.mark.parametrize("name", ["classic", "online", "pagat"])
def test_the_end_of_a_hand(case: Any, name: str) -> None:
    """Points by seat from the pips left."""
    pips = dict(enumerate(case["pips"]))
    tiles = dict(enumerate(case.get("tiles", [1] * len(pips))))
    points = settled(rules({"preset": name}, len(pips)), pips, tiles, case["out"])
    assert list(points.values()) == case[name]


@pytest.mark.parametrize("case", vectors("presets")["partners"], ids=lambda case: case["name"])
@pytest.mark.parametrize("way", ["subtract-own", "collect-each", "collect-sum", "collect-raw"])
def test_the_end_of_a_hand_of_partners(case: Any, way: str) -> None:
    """Both of a side have the same."""
    options = {"partners": "yes", "hand-end": way, "block-winner": case["block-winner"]}
    pips, tiles = dict(enumerate(case["pips"])), dict(enumerate(case["tiles"]))
    table = rules({"preset": "classic", **options}, 4)
    assert list(settled(table, pips, tiles, case["out"]).values()) == case[way]


@pytest.mark.parametrize("case", vectors("presets")["claims"], ids=lambda case: case["name"])
def test_claims(case: Any) -> None:
    """The placer is seat 0."""
    count = 1 + len(case["answers"])
    said = dict(enumerate([case["placer"], *case["answers"]]))
    table = rules({"preset": "classic", "claims": "yes"}, max(2, count))
    points = claimed(table, list(range(count)), 0, case["real"], said)
    assert list(points.values()) == case["points"]


def test_the_lead_ranking_and_what_options_are_refused() -> None:
    """13.1 and 13.3."""
    names = ["{}-{}".format(*TILES[number]) for number in lead_ranking()]
    assert names[:8] == ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0", "6-5"]
    assert names[8:13] == ["6-4", "6-3", "5-4", "6-2", "5-3"]
    assert names[-1] == "1-0"
    for name in CHOICES["preset"]:
        rules({"preset": name}, 4)
    wrong = [
        {"hand-size": "9/9/9"},
        {"hand-size": "09"},
        {"hand-size": "9/7"},
        {"hand-size": "14", "reserve": "1"},
        {"target": "0"},
        {"target": "+5"},
        {"partners": "yes"},
        {"play-points": "none"},
        {"turn-seconds": "0"},
        {"spinner": "all"},
        {"more": "yes"},
    ]
    for options in wrong:
        with pytest.raises(RefusedError):
            rules({"preset": "classic", **options})
