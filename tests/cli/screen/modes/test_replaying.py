"""Stepping through a match that was played: by step, by hand, to the ends."""

from support.engine.matches import play_match
from support.session.told import bare

from cli.screen.drawing.keys import Act
from cli.screen.modes.replaying import Replaying
from cli.screen.replay import Replay
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from p2p.session.state.events import HandBegan

EVENTS = play_match(11, 2, Rules.make("classic", 2, {"target": "60"}))
HANDS = [at for at, event in enumerate(EVENTS) if isinstance(event, HandBegan)]


def replay(left: list[int]) -> Replay:
    """A replay that notes when it is left."""
    return Replay(EVENTS, lambda: left.append(1))


def at(shown: Replay) -> int:
    """After how many events it is."""
    assert isinstance(shown.mode, Replaying)
    return shown.mode.at


def test_it_begins_with_the_first_deal_and_all_tiles_in_view() -> None:
    view = replay([]).view()
    event = EVENTS[HANDS[0]]
    assert isinstance(event, HandBegan)
    assert [seat.hand for seat in view.seats] == list(event.hands)
    assert view.hand is None


def test_every_step_shows_the_table_as_it_was_then_forward_and_back() -> None:
    shown = replay([])
    texts = []
    scene, log = Scene(), list[str]()
    for event in EVENTS[: HANDS[0] + 1]:
        scene.apply(event)
        log += say(event, scene)
    for event in EVENTS[HANDS[0] + 1 :]:
        texts.append(shown.view())
        shown.act(Act.STEP)
        scene.apply(event)
        log += say(event, scene)
        view = shown.view()
        assert list(view.log) == log[-40:]
        assert view.count == (scene.line.count() if scene.line else 0)
        assert tuple(seat.score for seat in view.seats) == scene.scores
        (made,) = bare([event])
        assert (view.front.panel is not None) == isinstance(made, HandEnded | MatchEnded)
    for before in reversed(texts):
        shown.act(Act.STEP_BACK)
        assert shown.view() == before


def test_by_hand_and_to_the_ends() -> None:
    assert len(HANDS) > 1
    shown = replay([])
    shown.act(Act.NEXT_HAND)
    assert shown.view().hand_number == 2
    assert shown.view().tree is None
    shown.act(Act.STEP)
    shown.act(Act.PREVIOUS_HAND)
    assert shown.view().hand_number == 2
    shown.act(Act.PREVIOUS_HAND)
    assert shown.view().hand_number == 1
    shown.act(Act.PREVIOUS_HAND)
    assert at(shown) == HANDS[0] + 1
    shown.act(Act.LAST)
    page = shown.view().front.panel
    assert page is not None
    assert page.title == "End of the match"
    shown.act(Act.STEP)
    assert at(shown) == len(EVENTS)
    shown.act(Act.FIRST)
    assert at(shown) == HANDS[0] + 1


def test_q_leaves_and_what_has_no_meaning_changes_nothing() -> None:
    left: list[int] = []
    shown = replay(left)
    for act in (Act.CHAT, Act.HINT, Act.DO):
        shown.act(act)
    shown.key("1")
    shown.click(0)
    assert at(shown) == HANDS[0] + 1
    shown.act(Act.LEAVE)
    assert left == [1]
