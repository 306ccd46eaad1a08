"""The bot's seat: what it shows, its moves and claims, how long it thinks, when it ends."""

import time
from collections.abc import AsyncIterator

import pytest
import trio
from support.engine.matches import play_match, seen_from
from support.screen.voices import SILENT

from cli.table import bots
from cli.table.bots import player_maker
from cli.table.seat import AutoSeat, Leaving, Voice, choose
from cli.telling.jsonlines import event_line
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.match import Match
from engine.moves import Move, Pass, Play
from engine.rules import Rules
from engine.strategy import Player, SeatView, make_view
from engine.tiles import ALL_TILES
from p2p.session.sitting.owner import Pausing

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
    playing.tell("Ben has left.")
    for event in TOLD:
        playing.publish(event)
    assert shown == ["Ben has left."]
    assert lines == [line for line in map(event_line, TOLD) if line]


def test_without_json_the_words_are_shown() -> None:
    shown: list[str] = []
    playing = seat(shown, None)
    scene, expected = Scene(), []
    for event in TOLD:
        playing.publish(event)
        scene.apply(event)
        expected += say(event, scene)
    assert shown == expected


def view_of(**options: str) -> tuple[Match, SeatView]:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    match = Match(Rules.make("classic", 2, named), 2)
    match.begin_hand(0, known=dict(enumerate(ALL_TILES)))
    return match, make_view(match, 0)


async def test_a_bot_chooses_a_legal_move_and_claims_its_points() -> None:
    playing = seat([], [])
    match, view = view_of(claims="yes")
    chosen = await choose(playing, view)
    assert isinstance(chosen.move, Play)
    assert chosen.move.claim == view.points_for(chosen.move)
    assert not chosen.auto
    match.apply(Play(0, chosen.move.slot, chosen.move.tile, None, 0))
    answered = await choose(playing, make_view(match, 1))
    assert answered.move is None
    assert answered.claim == make_view(match, 1).points_on_table()


class WrongPlayer:
    """A bot that passes whatever it holds, and claims more than there is."""

    def choose(self, view: SeatView) -> Move:
        return Pass(view.seat)

    def claim(self, view: SeatView) -> int:
        return 170


async def test_a_bot_that_breaks_a_rule_ends_no_match() -> None:
    playing = AutoSeat(lambda _: WrongPlayer(), print, None, None)
    match, view = view_of(claims="yes")
    chosen = await choose(playing, view)
    assert chosen.move == view.legal[0]
    match.apply(view.legal[0])
    assert (await choose(playing, make_view(match, 1))).claim == 0


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


async def test_a_bot_ends_with_its_pipe_and_only_then() -> None:
    ending = AutoSeat(player_maker("easy", 1.0), print, None, piped("a line", "another"))
    with pytest.raises(Leaving, match=r"^The program that started this bot has ended\.$"):
        await ending.listen()


async def test_a_bot_without_a_pipe_stays(autojump_clock: trio.abc.Clock) -> None:
    with trio.move_on_after(100_000) as scope:
        await seat([], []).listen()
    assert scope.cancelled_caught


async def test_only_a_bot_that_a_table_started_stays_after_a_match() -> None:
    assert not seat([], []).stays
    assert AutoSeat(player_maker("easy", 1.0), print, None, piped()).stays


async def test_a_bot_wants_another_match_when_somebody_does() -> None:
    asked: list[str] = []
    playing = AutoSeat(player_maker("easy", 1.0), print, None, piped())
    playing.offer(lambda: asked.append("first"))
    assert asked == []
    playing.asked("Ana")
    assert asked == ["first"]
    playing.begin(1, SILENT)
    assert playing.scene.me == 1
    playing.offer(None)
    playing.offer(lambda: asked.append("second"))
    assert asked == ["first"]
    playing.asked("Ben")
    assert asked == ["first", "second"]


async def test_a_wish_that_comes_before_the_bot_is_done_counts() -> None:
    asked: list[int] = []
    playing = AutoSeat(player_maker("easy", 1.0), print, None, piped())
    playing.asked("Ana")
    playing.offer(lambda: asked.append(1))
    assert asked == [1]


def test_a_bot_agrees_to_every_pause_and_ends_none() -> None:
    said: list[bool] = []
    playing = seat([], [])
    playing.paused(Pausing(1, frozenset({1}), on=False, was_on=False))
    playing.begin(0, Voice(len, said.append))
    playing.paused(Pausing(1, frozenset({1}), on=False, was_on=False))
    assert said == [True]
    for wanting in ({0, 1}, {0}, set[int]()):
        playing.paused(Pausing(0, frozenset(wanting), on=len(wanting) == 2, was_on=False))
    assert said == [True]


class Undecided(AutoSeat):
    """Never decides."""

    async def decide(self, view: SeatView) -> Move:
        await trio.sleep_forever()
        raise AssertionError("unreachable")


async def test_the_turn_clock_stands_still_in_a_pause(autojump_clock: trio.abc.Clock) -> None:
    playing = Undecided(player_maker("easy", 1.0), print, None, None)
    _, view = view_of(turn_seconds="15")
    begin = trio.current_time()
    playing.clock.pause(True)

    async def go_on() -> None:
        await trio.sleep(60)
        playing.clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(go_on)
        chosen = await choose(playing, view)
    assert chosen.auto
    assert trio.current_time() - begin == pytest.approx(75)
