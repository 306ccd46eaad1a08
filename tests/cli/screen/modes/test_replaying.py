"""Stepping through a match that was played: by step, by hand, to the ends."""

import pytest
import trio
import trio.testing
from support.engine.matches import play_match
from support.session.told import bare

from cli.screen.drawing.keys import Act
from cli.screen.modes.replaying import Replaying
from cli.screen.replay import Pace, Replay
from cli.telling.looking.advice import Advised
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from engine.tiles import tile
from p2p.session.state.events import DeckStep, HandBegan

EVENTS = play_match(11, 2, Rules.make("classic", 2, {"target": "60"}))
HANDS = [at for at, event in enumerate(EVENTS) if isinstance(event, HandBegan)]


def replay(left: list[int], started: list[int] | None = None) -> Replay:
    """A replay that notes when it is left, and when it begins to play by itself."""
    began = [] if started is None else started
    return Replay(Replaying.begun(EVENTS), lambda: left.append(1), lambda: began.append(1))


def at(shown: Replay) -> int:
    """After how many events it is."""
    ground = shown.mode.ground
    assert isinstance(ground, Replaying)
    return ground.at


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
        assert list(shown.desk.log) == log
        assert [line for line in log if "'s hand: " not in line or line in view.log] == [*view.log]
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


def test_space_plays_and_stops_and_any_step_stops_it() -> None:
    started: list[int] = []
    shown = replay([], started)
    first = at(shown)
    shown.go_on()
    assert at(shown) == first
    shown.key(" ")
    assert (shown.runs, started) == (True, [1])
    assert "space stops" in shown.view().front.prompt
    shown.go_on()
    shown.go_on()
    assert at(shown) == first + 2
    for stop in (" ", "right", "left", "down", "home", "g", "?", "pageup"):
        shown = replay([], started)
        shown.act(Act.RUN)
        shown.key(stop)
        assert not shown.runs, stop
        before = at(shown)
        shown.go_on()
        assert at(shown) == before


def test_it_stops_at_the_end_and_begins_anew_from_there() -> None:
    shown = replay([])
    shown.act(Act.LAST)
    shown.act(Act.STEP_BACK)
    shown.act(Act.RUN)
    shown.go_on()
    assert at(shown) == len(EVENTS)
    assert not shown.runs
    shown.act(Act.RUN)
    assert shown.runs
    assert at(shown) == HANDS[0] + 1


@pytest.mark.parametrize(
    ("typed", "place"),
    [("2", HANDS[1] + 1), ("s3", HANDS[0] + 4), ("step 3", HANDS[0] + 4), ("S99999", len(EVENTS))],
)
def test_g_jumps_to_a_hand_or_a_step(typed: str, place: int) -> None:
    shown = replay([])
    shown.key("g")
    assert "To which hand, 1 to" in shown.view().front.prompt
    for letter in typed:
        shown.key(letter)
    assert shown.view().front.typed == typed
    shown.key("enter")
    assert at(shown) == place
    assert isinstance(shown.mode, Replaying)


def test_a_hand_that_is_not_there_is_asked_for_again() -> None:
    shown = replay([])
    for typed in ("0", "99", "two", "-1"):
        shown.key("g")
        shown.paste(typed)
        shown.key("enter")
        assert shown.view().note == f"There is no hand {typed}."
        assert shown.view().front.typed == typed
        shown.key("escape")
        assert at(shown) == HANDS[0] + 1
    shown.key("g")
    shown.key("enter")
    assert isinstance(shown.mode, Replaying)


def test_its_own_keys_are_behind_the_question_mark_and_the_log_scrolls() -> None:
    shown = replay([])
    shown.key("?")
    page = shown.view().front.panel
    assert page is not None
    assert any(line.startswith("space    plays and stops") for line in page.lines)
    assert not any("hint" in line for line in page.lines)
    shown.key("?")
    shown.act(Act.LAST)
    shown.key("pageup")
    page = shown.view().front.panel
    assert page is not None
    assert page.lines[0].startswith("The match begins: ")
    shown.key("enter")
    assert at(shown) == len(EVENTS)


def test_advice_stands_in_the_log_behind_its_move() -> None:
    deck = DeckStep(1, 0, "shuffle", 1, 2)
    place = HANDS[0] + 2  # the deck's step stands before it
    advice = {place: Advised(tile(6, 4), "L", 10, 0, 2.0)}
    mode = Replaying.begun([EVENTS[0], deck, *EVENTS[1:]], advice)
    log = mode.moved(mode.at + 1).desk().log
    assert log[-1] == "  hard would have played 6-4 on L for 10 points: 2 points better."


async def test_it_goes_a_step_further_each_time_the_pace_is_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    drawn: list[float] = []
    paced = Pace(2.0)
    shown = Replay(Replaying.begun(EVENTS), lambda: None, paced.start)
    first = at(shown)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(paced.run, shown, lambda: drawn.append(trio.current_time()))
        await trio.sleep(60)
        assert drawn == []
        shown.key(" ")
        await trio.sleep(7)
        assert drawn == [62, 64, 66]
        assert at(shown) == first + 3
        shown.key(" ")
        await trio.sleep(60)
        assert at(shown) == first + 3
        shown.key(" ")
        await trio.sleep(3)
        assert at(shown) == first + 4
        nursery.cancel_scope.cancel()


def test_at_the_end_of_what_a_leaver_saw_it_is_said_that_the_others_may_have_played_on() -> None:
    mode = Replaying.begun(EVENTS[:-1], leaver=0).moved(len(EVENTS) - 1)
    assert "the others may have played on" in mode.front(mode.desk()).prompt
