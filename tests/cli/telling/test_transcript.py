"""The notation of `replay --text` can be read back: every move gives the same line again."""

from support.engine.matches import play_match

from cli.telling.transcript import transcript
from engine.events import Drawn, Passed, Played
from engine.line import Line
from engine.notation import parse_move, parse_tile
from engine.rules import Rules
from p2p.session.state.events import HandBegan, InHand


def test_moves_are_read_back_from_the_text() -> None:
    rules = Rules.make("five-up", 3, {"target": "50"})
    told = play_match(13, 3, rules)
    moves = [
        event
        for event in told
        if isinstance(event, InHand) and isinstance(event.event, Played | Drawn | Passed)
    ]
    written = [line.partition("> ") for line in transcript(told) if "> " in line]
    assert len(moves) == len(written)
    for event, (name, _, text) in zip(moves, written, strict=True):
        assert name == ("Ana", "Ben", "Cleo")[event.event.seat or 0]
        match event:
            case InHand(event=Played(tile=placed, end=end)):
                said = parse_move(text)
                assert (said.verb, said.tile, said.end) == ("play", placed, end)
            case InHand(event=Drawn(), tile=drawn):
                verb, _, shown = text.partition(" ")
                assert (parse_move(verb).verb, parse_tile(shown)) == ("draw", drawn)
            case InHand(event=Passed()):
                assert parse_move(text).verb == "pass"


def test_the_text_tells_enough_to_play_the_hand_again() -> None:
    rules = Rules.make("classic", 2, {"target": "30"})
    lines = transcript(play_match(2, 2, rules))
    line = Line(rules)
    for text in lines:
        if text.startswith("hand "):
            line = Line(rules)
        _, behind, move = text.partition("> ")
        if behind and not move.startswith(("draw", "pass")):
            said = parse_move(move)
            assert said.tile is not None
            line.place(said.tile, said.end)


def test_a_whole_transcript() -> None:
    rules = Rules.make("classic", 2, {"target": "5"})
    told = play_match(5, 2, rules)
    lines = transcript(told)
    first = next(event for event in told if isinstance(event, HandBegan))
    assert lines[0] == "match Ana / Ben"
    assert lines[1].startswith("rules preset=classic hand-size=9/7/5 ")
    assert " target=5 " in lines[1]
    assert lines[2] == f"hand 1, {('Ana', 'Ben')[first.starter]} starts"
    assert lines[3].startswith("Ana: ")
    assert lines[-2].startswith("end target, scores ")
    assert lines[-1].startswith("match ends: target, won by ")
