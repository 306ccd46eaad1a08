"""What may be read at a table at any time: the words are those of its game."""

import pytest
from support.engine.matches import play_match, players
from support.session.told import bare

from cli.telling.pages import rules_lines, score_lines, tip_lines
from cli.telling.scene import Scene
from engine.events import HandEnded
from engine.rules import Rules, describe
from p2p.session.state.events import MatchBegan, SeatOut


@pytest.mark.parametrize(("preset", "partners"), [("classic", "no"), ("pagat", "yes")])
def test_the_score_sheet_adds_up_hand_by_hand(preset: str, partners: str) -> None:
    count = 4 if partners == "yes" else 2
    rules = Rules.make(preset, count, {"starter": "lot", "target": "90", "partners": partners})
    scene, hands = Scene(None), list[HandEnded]()
    for event in play_match(5, count, rules):
        scene.apply(event)
        hands += [one for one in bare([event]) if isinstance(one, HandEnded)]
    lines = score_lines(hands, scene)
    sides = scene.sides()
    assert len(lines) == len(hands) * (1 + len(sides)) + 2
    assert len(hands) > 1
    for at in range(len(sides)):
        score = 0
        for line in lines[1 + at : -2 : 1 + len(sides)]:
            told = line.partition(": ")[2].split(", ")
            score += int(told[0].split()[0]) + int(told[1].split()[0])
            assert told[2] == f"now {score}"
    assert lines[-2].startswith("Scores: ")
    assert lines[-1] == (
        "The match ends as soon as somebody reaches 90."
        if preset == "classic"
        else "The match ends at the end of the hand in which a side reaches 90, unless the "
        "highest scores are level then: another hand is played."
    )


def test_how_each_hand_ended_is_told() -> None:
    scene = Scene(0)
    scene.apply(MatchBegan(b"\x01" * 32, Rules.make("draw", 2).spell(), players(2)))
    ways = [
        ("domino", 0),
        ("block", 1),
        ("block", None),
        ("target", 0),
        ("left", None),
        ("fault", 1),
    ]
    hands = [HandEnded(how, seat, ((), ()), (0, 0), (0, 0)) for how, seat in ways]
    told = [line for line in score_lines(hands, scene) if line.startswith("Hand ")]
    assert told == [
        "Hand 1: Ana went out.",
        "Hand 2: blocked; Ben held the least.",
        "Hand 3: blocked.",
        "Hand 4: the target was reached.",
        "Hand 5: a player left.",
        "Hand 6: somebody broke the protocol.",
    ]
    assert not any("in play" in line for line in score_lines(hands, scene))


def test_the_sheet_names_who_went_in_a_hand() -> None:
    scene = Scene(0)
    scene.apply(MatchBegan(b"\x01" * 32, Rules.make("draw", 4).spell(), players(4)))
    scene.apply(SeatOut(1, 1, "left", (0, 2, 3)))
    scene.apply(SeatOut(2, 2, "absent", (0, 3)))
    dead = HandEnded("left", None, ((), None, None, None), (0,) * 4, (0,) * 4)
    told = [line for line in score_lines([dead, dead], scene) if line.startswith("Hand ")]
    assert told == [
        "Hand 1: Ben has left; the tiles still in the hands are not counted.",
        "Hand 2: Cleo is out; the tiles still in the hands are not counted.",
    ]


def test_tips_are_for_the_game_that_is_played() -> None:
    fives = tip_lines(Rules.make("classic", 2))
    assert any("5, 10, 15" in tip for tip in fives)
    assert not any("claim" in tip or "partner" in tip for tip in fives)
    claims = tip_lines(Rules.make("classic", 4, {"claims": "yes", "partners": "yes"}))
    assert any("claims" in tip for tip in claims)
    assert any("partner" in tip for tip in claims)
    assert not any("below each of your tiles" in tip for tip in claims), "no count is shown there"
    for preset, word in (("draw", "draws"), ("block", "passes")):
        tips = tip_lines(Rules.make(preset, 2))
        assert not any("multiple" in tip or "five" in tip for tip in tips)
        assert any(f"Who {word}" in tip for tip in tips)


def test_the_rules_are_those_of_the_table() -> None:
    rules = Rules.make("block", 2)
    assert rules_lines(rules) == describe(rules)
    assert len(rules_lines(None)) == len(score_lines([], Scene())) == 1
    assert tip_lines(None)
