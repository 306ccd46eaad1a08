"""The lines of a match: in notation, and in words and JSON with advice beside the placements."""

import json

import pytest
from support.engine.matches import play_match

from cli.telling.looking.advice import Advised
from cli.telling.looking.reading import read_text
from cli.telling.looking.transcript import json_lines, told, transcript
from cli.telling.scene import Scene
from engine.events import Played
from engine.rules import Rules
from engine.tiles import tile
from p2p.session.state.events import Faulted, HandBegan, InHand


def test_a_whole_transcript() -> None:
    rules = Rules.make("classic", 2, {"target": "5"})
    events = play_match(5, 2, rules)
    lines = transcript(events)
    first = next(event for event in events if isinstance(event, HandBegan))
    assert lines[0] == f"match {'ab' * 32}"
    assert lines[1].startswith("player Ana 8a88e3dd7409f195")
    assert lines[3].startswith("rules preset=classic hand-size=9/7/5 ")
    assert " target=5 " in lines[3]
    assert lines[4] == f"hand 1, {('Ana', 'Ben')[first.starter]} starts"
    assert lines[5].startswith("Ana: ")
    assert lines[7].startswith("boneyard: ")
    assert lines[-5].startswith("end target")
    assert lines[-2].startswith("points 0 0, scores ")
    assert lines[-1].startswith("match ends: target, won by ")


def test_a_fault_before_the_match_has_no_line() -> None:
    assert transcript([Faulted(0, "the key is no point")]) == []


@pytest.mark.parametrize("moves", [0, 3])
def test_a_match_that_broke_off_says_so_where_it_did(moves: int) -> None:
    events = play_match(5, 2, Rules.make("classic", 2, {"target": "5"}))
    dealt = next(at for at, one in enumerate(events) if isinstance(one, HandBegan))
    broken = events[: dealt + 1 + moves]
    scene = Scene()
    for event in broken:
        scene.apply(event)
    assert scene.turn is not None
    assert told(broken)[-3:] == [
        "Here the match breaks off, in hand 1: it is not decided, so nobody has won.",
        f"{scene.name(scene.turn)} was to move; the tiles still in the hands are not counted.",
        f"Scores so far: Ana {scene.scores[0]}, Ben {scene.scores[1]}.",
    ]
    # Of who left it is told that the others may have played on, of a match that is over nothing.
    assert told(broken, leaver=1)[-3:] == [
        "Here Ben left, in hand 1; the others may have played on.",
        *told(broken)[-2:],
    ]
    assert told(events, leaver=1) == told(events)
    # A text that ends there says it as the record does.
    again = read_text("\n".join(transcript(broken)).encode())
    assert told(again)[-3:] == told(broken)[-3:]
    assert told(events[:dealt])[-2:] == [
        "Here the match breaks off, before hand 1: it is not decided, so nobody has won.",
        "Scores so far: Ana 0, Ben 0.",
    ]
    assert not any("breaks off" in line for line in told(events))


def test_advice_stands_beside_each_placement_of_an_opened_hand() -> None:
    events = play_match(5, 2, Rules.make("classic", 2, {"target": "5"}))
    places = [
        at
        for at, one in enumerate(events)
        if isinstance(one, InHand) and isinstance(one.event, Played)
    ]
    advice = {places[0]: Advised(tile(6, 4), "R", 20, 5, 12.5)}
    shown = [json.loads(line) for line in json_lines(events, advice)]
    plays = [one for one in shown if one["event"] == "play"]
    assert plays[0]["advice"] == {
        "tile": "6-4",
        "end": "R",
        "points": 20,
        "leaves": 5,
        "better": 12.5,
    }
    assert [one["advice"] for one in plays[1:]] == [None] * (len(places) - 1)
    assert all("advice" not in one for one in map(json.loads, json_lines(events)))
    assert [line for line in told(events, advice) if line.startswith("  ")] == [
        "  hard would have played 6-4 on R for 20 points, leaving 5 at most: 12.5 points better."
    ]


def test_the_points_of_a_play_tell_what_its_placer_claimed() -> None:
    events = play_match(3, 2, Rules.make("classic", 2, {"target": "30", "claims": "yes"}))
    inner = [one.event for one in events if isinstance(one, InHand)]
    claimed = [one.claim for one in inner if isinstance(one, Played)]
    shown = [json.loads(line) for line in json_lines(events)]
    assert [abs(one["points"]) for one in shown if one["event"] == "play"] == claimed
    assert any(claimed)
