"""The bot's seat: what it shows, its moves and claims, how long it thinks, when it ends."""

import time
from collections.abc import AsyncIterator

import pytest
import trio
import trio.testing
from support.engine.matches import play_match, seen_from
from support.screen.notices import began

from cli.table import bots
from cli.table.auto import LEAVE_LINE, AutoSeat
from cli.table.bots import player_maker
from cli.table.port import Leave, Opened, Told, Vanish, Wish
from cli.table.thinking import Thoughts
from cli.telling.jsonlines import event_line, open_line
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.match import Match
from engine.moves import Draw, Move, Pass, Play
from engine.rules import Rules
from engine.strategy import Player, SeatView, make_view
from engine.tiles import ALL_TILES, tile
from p2p.session.sitting.owner import (
    Again,
    AgainWanted,
    Away,
    Back,
    Chatted,
    Happened,
    Hushed,
    Linked,
    Offered,
    Pause,
    Pausing,
    Refused,
    Resumed,
    Unlinked,
    Waiting,
)

TOLD = seen_from(play_match(17, 2, Rules.make("classic", 2, {"target": "30"})), 0)


async def piped(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def seat(show: list[str], events: list[str] | None) -> AutoSeat:
    show_event = None if events is None else events.append
    return AutoSeat(player_maker("normal", 1.0), show.append, show_event, None)


def test_json_lines_go_one_way_and_words_for_people_another() -> None:
    shown: list[str] = []
    lines: list[str] = []
    playing = seat(shown, lines)
    playing.show(Told("Ben has left."))
    for event in TOLD:
        playing.show(Happened(event))
    assert shown == ["Ben has left."]
    assert lines == [line for line in map(event_line, TOLD) if line]


def test_without_json_the_words_are_shown() -> None:
    shown: list[str] = []
    playing = seat(shown, None)
    scene, expected = Scene(), []
    for event in TOLD:
        playing.show(Happened(event))
        scene.apply(event)
        expected += say(event, scene)
    assert shown == expected


def test_the_open_table_is_a_json_line_or_words() -> None:
    shown: list[str] = []
    lines: list[str] = []
    opened = Opened("den", "guitar-orbit", "allfives:xyz", ("10.0.0.7",), 5525, ("den is open",))
    seat(shown, lines).show(opened)
    assert shown == []
    assert lines == [open_line("den", "guitar-orbit", "allfives:xyz", ["10.0.0.7"], 5525)]
    seat(shown, None).show(opened)
    assert shown == ["den is open"]
    assert "guitar" not in repr(opened)
    assert "allfives:" not in repr(opened)


def view_of(**options: str) -> tuple[Match, SeatView]:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    match = Match(Rules.make("classic", 2, named), 2)
    match.begin_hand(0, known=dict(enumerate(ALL_TILES)))
    return match, make_view(match, 0)


async def test_a_bot_chooses_a_legal_move_and_claims_its_points() -> None:
    playing = seat([], [])
    match, view = view_of(claims="yes")
    chosen = await playing.decide(view)
    assert isinstance(chosen.move, Play)
    assert chosen.move.claim == view.points_for(chosen.move)
    assert not chosen.auto
    match.apply(Play(0, chosen.move.slot, chosen.move.tile, None, 0))
    answered = await playing.decide(make_view(match, 1))
    assert answered.move is None
    assert answered.claim == make_view(match, 1).points_on_table()


@pytest.mark.parametrize(
    ("pace", "turn", "waits"), [(0.0, "none", 0.0), (0.6, "none", 0.6), (9.0, "4", 2.0)]
)
async def test_a_placement_waits_until_people_can_follow_and_a_draw_does_not(
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
    pace: float,
    turn: str,
    waits: float,
) -> None:
    async def first(_: Thoughts, view: SeatView) -> Move:
        await trio.lowlevel.checkpoint()
        return view.legal[0]

    monkeypatch.setattr(Thoughts, "move", first)
    playing = AutoSeat(player_maker("easy", 1.0), print, None, None, pace)
    match = Match(Rules.make("classic", 2, {"hand-size": "2", "turn-seconds": turn}), 2)
    match.begin_hand(0, known=dict(enumerate((tile(6, 6), tile(5, 5), tile(1, 0), tile(2, 0)))))
    for seat, seconds in ((0, waits), (1, 0.0)):
        begin = trio.current_time()
        with trio.fail_after(60):
            move = (await playing.decide(make_view(match, seat))).move
        assert trio.current_time() - begin == pytest.approx(seconds)
        assert isinstance(move, Draw if seat else Play)
        match.apply(move)


class WrongPlayer:
    """A bot that passes whatever it holds, and claims more than there is."""

    def choose(self, view: SeatView) -> Move:
        return Pass(view.seat)

    def claim(self, view: SeatView) -> int:
        return 170


async def test_a_bot_that_breaks_a_rule_ends_no_match() -> None:
    playing = AutoSeat(lambda _: WrongPlayer(), print, None, None)
    match, view = view_of(claims="yes")
    chosen = await playing.decide(view)
    assert chosen.move == view.legal[0]
    match.apply(view.legal[0])
    assert (await playing.decide(make_view(match, 1))).claim == 0


@pytest.mark.parametrize(
    ("think", "turn", "most"),
    [(1.0, "none", 1.0), (5.0, "none", 5.0), (5.0, "4", 2.0), (1.0, "15", 1.0)],
)
def test_a_bot_thinks_at_most_half_the_turn(
    monkeypatch: pytest.MonkeyPatch, think: float, turn: str, most: float
) -> None:
    made: list[tuple[str, float]] = []

    def make_player(level: str, _: object, *, think: float, clock: object) -> Player | None:
        made.append((level, think))
        assert clock is time.monotonic
        return None

    monkeypatch.setattr(bots, "make_player", make_player)
    _, view = view_of(turn_seconds=turn)
    player_maker("hard", think)(view)
    assert made == [("hard", most)]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["a line", "another"], Vanish("The program that started this bot has ended.")),
        (["a line", LEAVE_LINE, "another"], Leave("The table of this bot was left.")),
    ],
)
async def test_a_bot_ends_with_its_pipe_and_leaves_when_told(
    lines: list[str], wanted: Wish
) -> None:
    ending = AutoSeat(player_maker("easy", 1.0), print, None, piped(*lines))
    wishes: list[Wish] = []
    ending.sit(wishes.append)
    await ending.listen()
    assert wishes == [wanted]


def test_coming_back_a_bot_tells_scripts_which_match_it_is_and_no_more() -> None:
    events: list[str] = []
    seat = AutoSeat(player_maker("easy", 1.0), print, events.append, None)
    seat.show(began(0))
    seat.show(Resumed(tuple(TOLD)))
    assert events == [event_line(TOLD[0])]


async def test_a_bot_without_a_pipe_stays() -> None:
    playing, wishes = seat([], []), list[Wish]()
    playing.sit(wishes.append)
    await playing.listen()
    assert wishes == []


async def test_only_a_bot_that_a_table_started_stays_after_a_match() -> None:
    assert not seat([], []).stays
    assert AutoSeat(player_maker("easy", 1.0), print, None, piped()).stays


def test_a_bot_wants_another_match_when_somebody_does() -> None:
    wishes: list[Wish] = []
    playing = AutoSeat(player_maker("easy", 1.0), print, None, piped())
    playing.sit(wishes.append)
    playing.show(began(1))
    playing.show(Offered(True))
    assert wishes == []
    playing.show(AgainWanted(0))
    assert wishes == [Again()]
    playing.show(began(0))
    playing.show(Offered(False, "Ben has left."))
    playing.show(Offered(True))
    assert wishes == [Again()]
    playing.show(AgainWanted(1))
    assert wishes == [Again(), Again()]


def test_a_wish_that_comes_before_the_bot_is_done_counts() -> None:
    wishes: list[Wish] = []
    playing = AutoSeat(player_maker("easy", 1.0), print, None, piped())
    playing.sit(wishes.append)
    playing.show(began())
    playing.show(AgainWanted(1))
    assert wishes == []
    playing.show(Offered(True))
    assert wishes == [Again()]


def test_a_bot_agrees_to_every_pause_and_ends_none() -> None:
    playing, wishes = seat([], []), list[Wish]()
    playing.sit(wishes.append)
    playing.show(began())
    playing.show(Pausing(1, frozenset({1}), on=False, was_on=False))
    assert wishes == [Pause(True)]
    for wanting in ({0, 1}, {0}, set[int]()):
        playing.show(Pausing(0, frozenset(wanting), on=len(wanting) == 2, was_on=False))
    assert wishes == [Pause(True)]


def test_who_reads_events_of_a_match_of_others_is_told_of_a_pause_and_asks_for_none() -> None:
    shown, wishes = list[str](), list[Wish]()
    looking = seat(shown, [])
    looking.sit(wishes.append)
    looking.show(began(None))
    looking.show(Pausing(1, frozenset({1}), on=False, was_on=False))
    looking.show(AgainWanted(1))
    assert wishes == []
    assert shown[-1] == "Ben asks for a pause; it begins when all agree."


@pytest.mark.parametrize("events", [None, []])
def test_of_what_is_no_event_a_bot_shows_what_is_said_and_refused(
    events: list[str] | None,
) -> None:
    shown: list[str] = []
    playing = seat(shown, events)
    for notice in (
        began(),
        Chatted(1, "hello"),
        Unlinked(1, "gone"),
        Linked(1),
        Away(1, 3.0, 297.0),
        Back(1),
        Waiting((1,), 60.0),
        Hushed(1, 12),
        Refused("That cannot be."),
        AgainWanted(1),
        Offered(False, "Ben has left."),
    ):
        playing.show(notice)
    assert shown == ["Ben: hello", "That cannot be.", "Ben has left."]
    assert not events
