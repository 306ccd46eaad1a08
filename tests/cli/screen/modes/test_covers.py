"""What lies over a mode, when what is below it changes; and whatever comes in at any time."""

import random
from collections.abc import Callable

import pytest
from support.screen.notices import began
from support.screen.outlets import outlets
from support.screen.scenes import find
from support.screen.staged import Staged, spread

from cli.screen.control import Control
from cli.screen.drawing.keys import ALL_KEYS
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.line.look import Look
from cli.screen.modes.covers import Page, Question, Writing
from cli.screen.modes.lobby import Lobby, Pairing
from cli.screen.modes.over import BrokenOff, Ended, Over
from cli.screen.modes.playing import Claiming, Turn, Waiting
from cli.table.port import Filled, SitWith, Wish
from cli.telling.room import Room, Sitter
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from engine.strategy.view import SeatView
from p2p.session.sitting.owner import Away, Back, Chatted, Happened, Offered, Pausing, Say
from p2p.session.state.events import InHand

HAND_END = InHand(1, HandEnded("domino", 0, ((), ()), (0, 0), (0, 0)))
MATCH_END = MatchEnded("target", (0,), (250, 0))
PEOPLE = tuple(Sitter(bytes([n]) * 32, name) for n, name in enumerate(("Ana", "Ben", "Cem")))


def asked(claims: bool) -> Staged:
    """A hand in which something is asked for: a move, or a claim for what the other placed."""

    def done(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and (seen.awaiting is not None) == claims

    return find(Rules.make("classic", 2, {"claims": "yes"}), done, spread)


def seen(claims: bool) -> SeatView:
    """What is asked for there."""
    view = asked(claims).seen()
    assert view is not None
    return view


MOVE, CLAIM = seen(False), seen(True)


def control(said: list[object] | None = None) -> Control:
    """The screen of a seat that waits for the others; `said` has what goes out."""
    note = (said if said is not None else []).append
    made = Control(outlets(note, note, note, note), lambda: 0.0, guard=0.0)
    made.show(began())
    for event in asked(False).heard:
        made.show(Happened(event))
    return made


def keys(one: Control, *names: str) -> None:
    """Keys, one after another."""
    for name in names:
        one.key(name)


def ignored(_: object) -> None:
    """Nothing comes of it."""


def test_a_question_stays_over_whatever_turn_it_is() -> None:
    one = control()
    one.ask(MOVE)
    keys(one, "q")
    for change, ground in (
        (one.unask, Waiting),
        (lambda: one.ask(CLAIM), Claiming),
        (lambda: one.ask(MOVE), Turn),
    ):
        change()
        assert isinstance(one.mode, Question)
        assert type(one.mode.ground) is ground
    keys(one, "n")
    assert isinstance(one.mode, Turn)


def test_a_claim_waits_below_a_page_and_takes_the_place_of_a_line_of_chat() -> None:
    said: list[object] = []
    one = control(said)
    keys(one, "?")
    one.ask(CLAIM)
    assert one.view().front.prompt.startswith("It is your turn. Enter, Esc or ? goes back")
    keys(one, "enter")
    assert isinstance(one.mode, Claiming)
    one.unask()
    keys(one, "c", "h", "i")
    one.ask(CLAIM)
    assert isinstance(one.mode, Claiming)
    keys(one, "5", "enter")
    assert said == [5]


def test_a_line_of_chat_outlives_a_turn_the_end_of_a_hand_and_of_a_match() -> None:
    said: list[object] = []
    one = control(said)
    one.ask(MOVE)
    keys(one, "?", "c", "h")
    one.unask()
    one.show(Happened(HAND_END))
    assert isinstance(one.mode, Writing)
    assert isinstance(one.mode.over, Page)
    assert one.mode.over.page(one.desk).title == "End of hand 1"
    assert isinstance(one.mode.over.over, Waiting)
    one.show(Happened(MATCH_END))
    keys(one, "i", "enter")
    assert said == [Say("hi")]
    assert isinstance(one.mode, Ended)


@pytest.mark.parametrize(
    "end", [lambda one: one.show(Happened(MATCH_END)), lambda one: one.stop("Kept.")]
)
def test_a_question_or_page_about_a_match_ends_with_it(end: Callable[[Control], None]) -> None:
    for cover in "q?":
        said: list[object] = []
        one = control(said)
        keys(one, cover)
        end(one)
        assert isinstance(one.mode, Over)
        keys(one, "y")
        assert said == []


def test_nobody_writes_to_a_match_that_broke_off() -> None:
    one = control()
    keys(one, "c", "h")
    one.stop("Kept.")
    assert isinstance(one.mode, BrokenOff)
    keys(one, "c")
    assert isinstance(one.mode, BrokenOff)


def test_what_comes_of_a_wish_at_once_is_not_overwritten() -> None:
    def room(partner: bytes | None) -> Room:
        return Room(PEOPLE, 4, PEOPLE[0].key, True, partner, hosts=True)

    def wants(wish: Wish) -> None:
        assert isinstance(wish, SitWith)
        one.show(Filled(room(wish.key)))

    one = Control(outlets(ignored, wants, ignored, ignored), lambda: 0.0, guard=0.0)
    one.show(Filled(room(None)))
    keys(one, "s")
    assert isinstance(one.mode, Pairing)
    assert one.mode.room.partner == PEOPLE[1].key


def test_help_stays_while_the_table_fills_and_a_question_to_the_person_does_not_wait() -> None:
    one = Control(outlets(ignored, ignored, ignored, ignored), lambda: 0.0, guard=0.0)
    keys(one, "?")
    one.show(Filled(Room(PEOPLE, 4, PEOPLE[1].key)))
    one.tell("Cem sits down.")
    assert isinstance(one.mode, Page)
    keys(one, "enter")
    lobby = one.mode.ground
    assert lobby == Lobby(Room(PEOPLE, 4, PEOPLE[1].key))
    keys(one, "?")
    one.ask_line()
    keys(one, "2")
    assert one.view().front.typed == "2"


def _comes_in(one: Control, rng: random.Random) -> None:
    """Something that a table may say at any time, whatever is shown."""
    wanting = rng.choice([set[int](), {0}, {1}, {0, 1}])
    change = Pausing(1, frozenset(wanting), wanting == {0, 1}, False)
    playing: list[Callable[[], None]] = [
        lambda: one.ask(MOVE, rng.choice([None, 8.0])),
        lambda: one.ask(CLAIM, 8.0),
        one.unask,
        lambda: one.show(change),
        lambda: one.show(Happened(HAND_END)),
    ]
    over: list[Callable[[], None]] = [
        lambda: one.show(Offered(True)),
        lambda: one.show(Offered(False)),
    ]
    always: list[Callable[[], None]] = [
        lambda: one.show(Chatted(1, "hello")),
        lambda: one.note("Hint"),
        lambda: one.show(Back(1) if rng.random() < 0.5 else Away(1, 60.0, 240.0)),
    ]
    ends: list[Callable[[], None]] = [
        lambda: one.show(Happened(MATCH_END)),
        lambda: one.stop("Kept."),
    ]
    seldom = ends if not isinstance(one.mode.ground, Over) and rng.random() < 0.1 else []
    rng.choice([*(over if isinstance(one.mode.ground, Over) else playing), *always, *seldom])()


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_pressed_and_comes_in_the_screen_shows_a_mode_that_can_be(seed: int) -> None:
    rng, said = random.Random(seed), list[object]()
    one = control(said)
    names = [*(name for key in ALL_KEYS for name in key.keys), "backspace"]
    for _ in range(60):
        before = one.mode.ground
        _comes_in(one, rng)
        assert not isinstance(before, Over) or isinstance(one.mode.ground, Over)
        for _ in range(4):
            keys(one, rng.choice(names))
        one.click(rng.randrange(9))
        one.click(rng.choice("LRUD"))
        view = one.view()
        assert render(view, *SMALLEST, Look()).height == SMALLEST[1]
        asked_now = isinstance(one.mode.ground, Turn | Claiming)
        assert view.front.urgent == (asked_now or isinstance(one.mode, Question))
    assert said
