"""The scene agrees with the engine at every event, for every seat and in replay."""

import pytest
from support.engine.matches import play_match, seen_from

from cli.telling.scene import Scene
from engine.rules import Rules
from p2p.session.state.events import Drawn, HandBegan, HandEnded, MatchEnded, Passed, Played


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("preset", ["classic", "pagat"])
def test_the_scene_follows_every_event(count: int, preset: str) -> None:
    rules = Rules.make(preset, count, {"target": "60"})
    scene = Scene()
    for event in play_match(7 * count, count, rules):
        if isinstance(event, Played | Drawn | Passed):
            assert scene.turn == event.seat
        scene.apply(event)
        match event:
            case HandBegan():
                assert scene.counts == list(event.counts)
                assert scene.turn == event.starter
            case Played():
                assert scene.table_line.count() == event.count
                assert scene.scores == event.scores
            case Drawn(seat=seat, tile=tile):
                held = scene.hands[seat]
                assert held is not None
                assert held[-1] == tile
            case HandEnded(left=left, scores=scores):
                assert [len(tiles or ()) for tiles in left] == scene.counts
                assert [set(hand or ()) for hand in scene.hands] == [set(one or ()) for one in left]
                assert scene.scores == scores
                assert scene.turn is None
                assert not scene.dealt
            case MatchEnded(scores=scores):
                assert scene.scores == scores
        total = sum(scene.counts) + scene.boneyard
        assert not scene.line or total + len(scene.line.placements) == 28


def test_a_seat_knows_its_own_tiles_alone() -> None:
    rules = Rules.make("classic", 3, {"target": "40"})
    scene = Scene(me=1)
    for event in seen_from(play_match(3, 3, rules), 1):
        scene.apply(event)
        if scene.dealt:
            assert [hand is not None for hand in scene.hands] == [False, True, False]
            assert len(scene.hands[1] or []) == scene.counts[1]


def test_nobody_is_to_move_once_the_target_is_reached() -> None:
    rules = Rules.make("classic", 2, {"target": "5"})
    scene = Scene()
    ended = False
    for event in play_match(5, 2, rules):
        scene.apply(event)
        if isinstance(event, Played) and max(event.scores) >= 5:
            ended = True
            assert scene.turn is None
    assert ended


def test_the_reserve_cannot_be_drawn() -> None:
    rules = Rules.make("classic", 2, {"target": "40", "reserve": "2"})
    scene = Scene()
    for event in play_match(4, 2, rules)[:2]:
        scene.apply(event)
    assert scene.boneyard == 10
    assert scene.drawable == 8


def test_names_are_you_for_oneself() -> None:
    scene = Scene(me=1)
    scene.apply(play_match(1, 2, Rules.make("classic", 2, {"target": "5"}))[0])
    assert [scene.name(seat) for seat in (0, 1)] == ["Ana", "You"]


def test_a_hand_needs_a_match_and_a_line_needs_a_hand() -> None:
    events = play_match(1, 2, Rules.make("classic", 2, {"target": "5"}))
    with pytest.raises(AssertionError, match="a hand before the match"):
        Scene().apply(events[1])
    with pytest.raises(AssertionError, match="no hand has begun"):
        _ = Scene().table_line
