"""The scene agrees with the engine at every event, for every seat and in replay."""

import pytest
from support.engine.matches import play_match, players, seen_from
from support.session.matches import claiming

from cli.screen.drawing.view import Desk
from cli.screen.drawing.view import make_view as make_table_view
from cli.screen.modes.playing import Turn
from cli.telling.scene import Scene
from engine.events import Drawn, HandEnded, MatchEnded, Passed, Played
from engine.match import Match
from engine.rules import Rules
from engine.strategy import make_view
from engine.tiles import tile
from p2p.session.state.events import HandBegan, InHand, MatchBegan, Settled
from p2p.session.verify import replay_record


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("preset", ["classic", "pagat"])
def test_the_scene_follows_every_event(count: int, preset: str) -> None:
    rules = Rules.make(preset, count, {"target": "60"})
    scene = Scene()
    for event in play_match(7 * count, count, rules):
        if isinstance(event, InHand) and isinstance(event.event, Played | Drawn | Passed):
            assert scene.turn == event.event.seat
        scene.apply(event)
        match event:
            case HandBegan():
                assert scene.counts == list(event.counts)
                assert scene.turn == event.starter
            case InHand(event=Played(count=ends, scores=scores)):
                assert scene.table_line.count() == ends
                assert scene.scores == scores
            case InHand(event=Drawn(seat=seat), tile=tile):
                held = scene.hands[seat]
                assert held is not None
                assert held[-1] == tile
            case InHand(event=HandEnded(left=left, scores=scores)):
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
        match event:
            case InHand(event=Played(scores=scores)) if max(scores) >= 5:
                ended = True
                assert scene.turn is None
    assert ended


def test_a_target_that_two_reached_together_lets_play_go_on() -> None:
    scene = Scene()
    rules = Rules.make("classic", 2, {"target": "5"}).spell()
    scene.apply(MatchBegan(b"", rules, players(2)))
    scene.apply(HandBegan(1, 0, (None, None), (9, 9), None))
    scene.apply(InHand(1, HandEnded("block", None, ((), ()), (10, 10), (10, 10))))
    assert not scene.dealt
    scene.apply(HandBegan(2, 1, (None, None), (9, 9), None))
    assert (scene.turn, scene.hand, scene.scores) == (1, 2, (10, 10))


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_what_sessions_tell_where_the_highest_double_leads_and_points_are_claimed(
    seat: int | None,
) -> None:
    kept = claiming(3)
    told = replay_record(kept.record) if seat is None else kept.game.events[seat]
    scene = Scene(seat)
    leads = 0
    for event in told:
        before = scene.scores
        scene.apply(event)
        match event:
            case HandBegan(starter=starter):
                assert scene.turn == starter
                leads += 1
            case InHand(event=Played() as placed):
                assert scene.placed == placed
                assert scene.unsettled
                assert scene.scores == before
            case Settled():
                assert not scene.unsettled
            case InHand(event=HandEnded(scores=scores)):
                assert scene.scores == scores
    assert leads == kept.game.sessions[0].state.match.hand_number
    assert scene.scores == tuple(kept.game.sessions[0].state.match.scores)


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


def test_a_fault_at_the_first_step_of_all_ends_what_has_not_begun() -> None:
    scene = Scene(me=1)
    scene.apply(MatchEnded("fault", (1,), (0, 0)))
    assert (scene.scores, scene.seats_in) == ((), ())


def test_a_hand_needs_a_match_and_a_line_needs_a_hand() -> None:
    events = play_match(1, 2, Rules.make("classic", 2, {"target": "5"}))
    with pytest.raises(AssertionError, match="a hand before the match"):
        Scene().apply(events[1])
    with pytest.raises(AssertionError, match="no hand has begun"):
        _ = Scene().table_line


def test_a_lead_that_is_asked_for_has_its_deal_before_the_hand_begins_for_all() -> None:
    rules = Rules.make(
        "classic", 2, {"claims": "yes", "starter": "highest-double", "hand-size": "2"}
    )
    scene, match = Scene(0), Match(rules, 2)
    scene.apply(MatchBegan(bytes(32), rules.spell(), players(2)))
    held = (tile(6, 6), tile(4, 1))
    match.begin_hand(0, known=dict(enumerate(held)), lead=held[0])
    view = make_view(match, 0)
    asked = scene.asked_about(view)
    assert (asked.hand, asked.dealt, asked.turn) == (1, True, 0)
    assert (asked.hands, asked.counts, asked.boneyard) == ([list(held), None], [2, 2], 24)
    assert asked.table_line.lead is None
    assert (scene.hand, scene.dealt, scene.line) == (0, False, None), "for nobody else"
    assert scene.asked_about(None) is scene
    shown = make_table_view(Desk(scene), Turn.begun(view).front(Desk(scene)))
    assert (shown.hand_number, shown.dealt, shown.undealt) == (1, True, "boneyard 24")
    assert [seat.tiles for seat in shown.seats] == [2, 2]
