"""What each key does to the screen's state: the control alone, without a terminal."""

import random
from copy import deepcopy
from dataclasses import dataclass, field, replace

import pytest
from support.engine.matches import players
from support.screen.notices import began
from support.screen.outlets import outlets
from support.screen.scenes import find
from support.screen.staged import Staged, play_until, spread, staged

from cli.screen.control import GUARD_SECONDS, PAGE_SECONDS, Control
from cli.screen.drawing.keys import Act
from cli.screen.drawing.render import render
from cli.screen.drawing.view import Cursor, Desk, Scroll
from cli.screen.drawing.view import make_view as make_table_view
from cli.screen.line.look import Look
from cli.screen.modes.covers import Page, Question, Text
from cli.screen.modes.over import Another, BrokenOff
from cli.screen.modes.playing import Turn, Waiting
from cli.screen.modes.wishes import Outward
from cli.table.port import Leave, Told, Wish
from cli.telling.ask import FORCED, PAUSED, THINKING, leave_match
from cli.telling.links import ALONE, OUTDONE, RETURNED
from cli.telling.scene import Scene
from cli.telling.words import TURN_SET, fairness
from engine.events import Drawn, HandEnded, MatchEnded, Played
from engine.match import Match
from engine.moves import Draw, Move, Play
from engine.rules import Rules
from engine.strategy.advice import Advice
from engine.strategy.view import SeatView, make_view
from engine.tiles import ALL_TILES, tile
from p2p.net.link.live import OTHER_LEFT
from p2p.session.sitting.owner import (
    Again,
    AgainWanted,
    Alone,
    Away,
    Back,
    Chatted,
    Happened,
    Left,
    Offered,
    Outdone,
    OutWished,
    Pause,
    Pausing,
    Refused,
    Resumed,
    Say,
    Slept,
    Unlinked,
)
from p2p.session.sitting.owner import Waiting as WaitedFor
from p2p.session.state.events import DeckStep, HandBegan, InHand, MatchBegan, SeatOut
from p2p.wire.chat import CHAT_CHARACTERS


@dataclass
class Out:
    """What came out."""

    answers: list[Move | int] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    hints: list[SeatView] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    time: float = 100.0
    guard: float = 0.0

    @property
    def left(self) -> int:
        """How often the person wanted to leave."""
        return self.wishes.count(Leave("You leave."))

    @property
    def again(self) -> int:
        """How often the person wanted another match."""
        return self.wishes.count(Again())

    @property
    def said(self) -> list[str]:
        """The lines of chat."""
        return [wish.words for wish in self.wishes if isinstance(wish, Say)]

    @property
    def pauses(self) -> list[bool]:
        """The wishes for a pause, or for its end."""
        return [wish.on for wish in self.wishes if isinstance(wish, Pause)]

    def take(self, wish: Outward) -> None:
        """Where it all goes."""
        ways = self.answers.append, self.wishes.append, self.hints.append, self.lines.append
        outlets(*ways)(wish)

    def control(self, stage: Staged) -> Control:
        """A control that shows the stage, and asks if its seat is to decide."""
        made = Control(self.take, lambda: self.time, self.guard)
        made.show(began(stage.scene.me or 0, len(stage.scene.players)))
        for event in stage.heard:
            made.show(Happened(event))
        seen = stage.seen()
        if seen is not None:
            made.ask(seen)
        return made


def test_who_comes_back_sees_the_table_as_it_stood_and_waits_for_the_others() -> None:
    out, stage = Out(), _turn()
    before = out.control(stage)
    control = Control(out.take, lambda: out.time)
    control.show(began(stage.scene.me or 0, len(stage.scene.players)))
    control.show(Resumed(tuple(stage.heard)))
    then, now = before.view(), control.view()
    assert (now.ends, now.count, now.seats) == (then.ends, then.count, then.seats)
    assert now.log[-1] == RETURNED
    assert now.log[: len(stage.log)] == tuple(stage.log)
    assert now.front.prompt.startswith(
        "You are to move as soon as the others' programs have answered"
    )
    seen = stage.seen()
    assert seen is not None
    control.ask(seen)
    assert control.view().front.prompt == then.front.prompt
    control.show(Outdone())
    assert control.view().log[-1] == OUTDONE


def _turn(choices: int = 2, ends: int = 2, **options: str) -> Staged:
    """One's turn with several tiles to play, the first of which fits several ends."""

    def done(stage: Staged) -> bool:
        seen = stage.seen()
        plays = [move for move in seen.legal if isinstance(move, Play)] if seen else []
        first = [move for move in plays if move.tile == plays[0].tile]
        return len({move.tile for move in plays}) >= choices and len(first) >= ends

    return find(Rules.make("classic", 2, options), done, spread)


def test_arrows_and_numbers_choose_tiles_and_enter_plays_the_chosen_one() -> None:
    out, stage = Out(), _turn()
    control = out.control(stage)
    first = control.view().front.cursor
    control.act(Act.NEXT_TILE)
    second = control.view().front.cursor
    assert second.tile != first.tile
    control.act(Act.PREVIOUS_TILE)
    assert control.view().front.cursor == first
    assert second.tile is not None
    number = [one.tile for one in control.view().hand or ()].index(second.tile)
    control.key(str(number + 1))
    assert control.view().front.cursor == second
    control.key(" ")
    move = out.answers[0]
    assert isinstance(move, Play)
    assert (move.tile, move.end) == (second.tile, second.end)
    seen = stage.seen()
    assert seen is not None
    assert move in seen.legal


def test_a_second_enter_answers_nothing() -> None:
    out = Out()
    control = out.control(_turn())
    control.act(Act.DO)
    control.act(Act.DO)
    assert len(out.answers) == 1


def test_up_down_and_letters_choose_the_end() -> None:
    out = Out()
    control = out.control(_turn())
    number, first = next(
        (at, one) for at, one in enumerate(control.view().hand or (), 1) if len(one.choices) > 1
    )
    control.key(str(number))
    ends = [choice.end for choice in first.choices]
    while control.view().front.cursor.end != ends[0]:
        control.act(Act.NEXT_END)
    assert control.view().front.cursor.end == ends[0]
    control.act(Act.NEXT_END)
    assert control.view().front.cursor.end == ends[1]
    control.act(Act.PREVIOUS_END)
    assert control.view().front.cursor.end == ends[0]
    assert ends[1]
    control.key(ends[1][-1].lower())
    assert (control.view().front.cursor.end or " ")[-1] == ends[1][-1]


def test_one_line_counts_the_wrong_codes() -> None:
    control = Control(lambda wish: None, lambda: 0.0)
    once = "A wrong code was tried from this network: somebody has mistyped it."
    thrice = "A wrong code was tried 4 times from this network since the table opened."
    for line in ("One.", once, "Two.", thrice):
        control.show(Told(line))
    assert control.desk.told == ("One.", "Two.", thrice)


def test_on_the_way_to_a_table_only_what_is_not_over_stands_there() -> None:
    control = Control(lambda wish: None, lambda: 0.0)

    def shown() -> str:
        return render(control.view(), 80, 24, Look(False)).text

    control.show(Told("You are root.", lasts=True))
    control.show(Told("Looking ..."))
    assert all(
        one in shown() for one in ("== On the way to a table ==", "Looking ...", "q leaves.")
    )
    assert "c chat" not in shown()
    assert "when the table is full" not in shown()
    control.show(Told("Which one?", anew=True))
    control.ask_line()
    assert "Type your answer; Enter sends it" in shown()
    assert control.desk.told == ("You are root.", "Which one?")
    control.show(Told("You are at den.", anew=True))
    assert control.desk.told == ("You are root.", "You are at den.")


def test_a_letter_goes_on_to_the_arms_of_later_spinners() -> None:
    def done(stage: Staged) -> bool:
        seen = stage.seen()
        plays = [move for move in seen.legal if isinstance(move, Play)] if seen else []
        first = [m.end or "" for m in plays if m.tile == plays[0].tile]
        return sum(end.endswith("U") for end in first) > 1

    rules = Rules.make("classic", 2, {"spinner": "every", "arms": "at-once"})
    control = Out().control(find(rules, done, spread))
    fits = [[one.end or "" for one in tile.choices] for tile in control.view().hand or ()]
    many = next(at for at, ends in enumerate(fits, 1) if sum(e.endswith("U") for e in ends) > 1)
    control.key(str(many))
    seen = set()
    for _ in range(3):
        control.key("u")
        seen.add(control.view().front.cursor.end)
    assert len(seen) > 1
    assert all(end and end.endswith("U") for end in seen)


def test_a_tile_that_does_not_fit_is_refused_in_words() -> None:
    def done(stage: Staged) -> bool:
        seen = stage.seen()
        fitting = {m.tile for m in seen.legal if isinstance(m, Play)} if seen else set()
        return seen is not None and bool(fitting) and len(fitting) < len(seen.tiles)

    control = Out().control(find(Rules.make("classic", 2), done))
    hand = control.view().hand or ()
    wrong = next(at for at, one in enumerate(hand) if not one.choices)
    before = control.view().front.cursor
    control.click(wrong)
    assert control.desk.note == f"{hand[wrong].tile} does not fit now."
    assert control.view().front.cursor == before
    control.click(len(hand))
    assert control.view().front.cursor == before


def test_clicks_choose_and_then_play() -> None:
    out = Out()
    control = out.control(_turn())
    hand = control.view().hand or ()
    at, one = next((at, one) for at, one in enumerate(hand) if len(one.choices) > 1)
    control.click(at)
    end = one.choices[1].end
    assert end is not None
    control.click(end)
    assert (control.view().front.cursor.tile, control.view().front.cursor.end) == (one.tile, end)
    assert not out.answers
    control.click(end)
    assert len(out.answers) == 1


def test_enter_draws_when_nothing_else_can_be_done() -> None:
    out = Out()

    def draws(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and isinstance(seen.legal[0], Draw)

    control = out.control(find(Rules.make("classic", 2), draws))
    assert "Enter draws" in control.view().front.prompt
    control.act(Act.DO)
    assert isinstance(out.answers[0], Draw)


def test_chat_takes_letters_as_letters_and_sends_them_once() -> None:
    out = Out()
    control = out.control(_turn())
    control.key("c")
    for char in "qh1 \x1bé":
        control.key(char)
    control.key("backspace")
    assert control.view().front.typed == "qh1 "
    control.act(Act.DO)
    assert out.said == ["qh1"]
    assert control.view().front.typed is None
    control.key("c")
    control.paste("x" * 1000)
    assert len(control.view().front.typed or "") == CHAT_CHARACTERS
    control.act(Act.BACK)
    assert out.said == ["qh1"]
    assert not isinstance(control.mode, Text)


def test_a_claim_is_typed_and_only_a_number_is_taken() -> None:
    out = Out()

    def claims(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and seen.awaiting is not None

    control = out.control(find(Rules.make("classic", 2, {"claims": "yes"}), claims))
    for wrong in ("1x", "170"):
        for char in wrong:
            control.key(char)
        control.act(Act.DO)
        assert not out.answers
        assert control.desk.note == "A claim is a number from 0 to 168, 0 for none."
        assert control.view().front.typed == ""
    for char in "15":
        control.key(char)
    control.act(Act.DO)
    assert out.answers == [15]


def test_the_placer_s_claim_goes_with_the_play() -> None:
    out = Out()
    control = out.control(_turn(claims="yes"))
    control.act(Act.DO)
    assert not out.answers
    control.act(Act.BACK)
    assert not isinstance(control.mode, Text)
    control.act(Act.DO)
    control.paste("170")
    control.act(Act.DO)
    assert not out.answers
    assert control.desk.note == "A claim is a number from 0 to 168, 0 for none."
    control.paste("10")
    control.act(Act.DO)
    move = out.answers[0]
    assert isinstance(move, Play)
    assert move.claim == 10


def test_leaving_asks_and_only_yes_leaves() -> None:
    out = Out()
    control = out.control(_turn())
    for no in ("n", "x", "q"):
        control.key("q")
        assert "y leaves" in control.view().front.prompt
        control.key(no)
        control.key("n")
    assert out.left == 0
    control.key("q")
    control.key("y")
    assert out.left == 1


def test_a_hint_is_asked_for_on_one_s_own_turn_alone() -> None:
    out = Out()
    control = out.control(_turn())
    control.key("h")
    assert len(out.hints) == 1
    control.unask()
    control.key("h")
    assert len(out.hints) == 1
    assert "own turn" in control.desk.note


def test_pages_open_turn_and_close_and_say_that_it_is_one_s_turn() -> None:
    control = Out().control(_turn())
    control.show(Happened(DeckStep(2, 1, "shuffle", 3, 6)))
    control.key("f")
    page = control.view().front.panel
    assert page is not None
    assert any("Deal 2: Ben shuffled" in line for line in page.lines)
    assert "It is your turn" in control.view().front.prompt
    control.act(Act.NEXT_END)
    assert control.view().front.top > 0
    control.act(Act.BACK)
    assert control.view().front.panel is None
    control.key("?")
    assert control.view().front.panel is not None
    control.act(Act.DO)
    assert control.view().front.panel is None


def change(seat: int, wanting: set[int], was_on: bool = False) -> Pausing:
    """What a seat changed at a table of two."""
    return Pausing(seat, frozenset(wanting), wanting == {0, 1}, was_on)


def test_a_pause_is_asked_for_agreed_to_and_ended_with_one_key() -> None:
    out = Out()
    control = out.control(_turn())
    control.key("p")
    control.show(change(0, {0}))
    control.key("p")
    control.show(change(0, set()))
    control.show(change(1, {1}))
    assert control.view().note == ("Ben asks for a pause; it begins when all agree. p agrees.")
    control.key("p")
    control.show(change(0, {0, 1}))
    control.key("p")
    assert out.pauses == [True, False, True, False]
    assert control.desk.log[-1].startswith("The match is paused by all")
    control.show(change(0, set(), was_on=True))
    assert control.view().log[-1] == "You go on with the match."


def test_who_stops_in_a_pause_is_told_as_they_go() -> None:
    """A link that is lost is tried again, and stands beside the name alone."""
    control = Out().control(_turn())
    control.show(change(1, {0, 1}))
    log = control.desk.log
    control.show(Unlinked(1, "nothing was heard for 8 s"))
    assert control.desk.log == log
    control.show(Unlinked(1, OTHER_LEFT))
    stopped = "Ben has stopped for today; the match is paused, and waits."
    assert control.desk.log[-1] == stopped
    assert control.view().note == stopped


def test_nothing_is_played_and_no_time_runs_in_a_pause() -> None:
    out = Out()
    stage = _turn()
    control = out.control(stage)
    seen = stage.seen()
    assert seen is not None
    control.ask(seen, 15)
    out.time += 5
    control.show(change(1, {0, 1}))
    out.time += 100
    view = control.view()
    assert (view.clock, view.paused) == (10, True)
    assert view.front.prompt == (
        "The match is paused by all, and the clocks stand still. p goes on, q stops for today."
    )
    row = [f"{label.shown} {label.text}" for label in view.front.row]
    assert row == ["p go on", "c chat", "f fair", "? help", "q stop"]
    assert view.front.cursor == Cursor()
    chosen = control.mode
    for choosing in ("1", "right", "down"):
        control.key(choosing)
        assert (control.mode, control.view().note) == (chosen, PAUSED)
    out.time += 1
    control.click(0)
    assert (control.mode, control.view().note) == (chosen, PAUSED)
    control.key("q")
    assert control.view().front.prompt == leave_match("waits")
    assert control.view().front.prompt.endswith("y stops, n stays.")
    control.key("n")
    control.act(Act.DO)
    assert out.answers == []
    assert control.view().note == PAUSED
    control.show(change(1, set(), was_on=True))
    out.time += 3
    assert control.view().clock == 7
    control.act(Act.DO)
    assert len(out.answers) == 1


def test_p_is_no_part_of_a_claim_but_of_a_line_of_chat() -> None:
    def claims(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and seen.awaiting is not None

    out = Out()
    control = out.control(find(Rules.make("classic", 2, {"claims": "yes"}), claims))
    control.key("1")
    control.key("p")
    assert out.pauses == [True]
    assert control.view().front.typed == "1"
    control.show(change(0, {0, 1}))
    control.act(Act.DO)
    assert out.answers == []
    control.show(change(1, set(), was_on=True))
    control.act(Act.DO)
    assert out.answers == [1]
    control.key("c")
    control.key("p")
    assert control.view().front.typed == "p"
    assert out.pauses == [True]


def test_a_match_that_broke_off_stays_in_view_until_the_person_leaves() -> None:
    out = Out()
    control = out.control(_turn())
    control.show(Left(1))
    assert control.view().seats[1].link == "left"
    control.show(Told("The link to Ben is gone, so the match stops here."))
    control.stop("The record of the match: m.fives")
    panel = control.view().front.panel
    assert panel is not None
    assert panel.lines == (
        "The link to Ben is gone, so the match stops here.",
        "The record of the match: m.fives",
    )
    assert isinstance(control.mode, BrokenOff)
    control.act(Act.BACK)
    assert control.view().front.panel == panel
    control.key("p")
    control.key("q")
    assert (out.left, out.pauses) == (1, [])
    assert not isinstance(control.mode, Question)


def test_another_match_is_asked_for_once_when_it_is_offered() -> None:
    out = Out()
    control = out.control(_turn())
    control.unask()
    control.key("a")
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.key("a")
    assert out.again == 0
    assert control.view().front.prompt == "c writes to the others, q leaves."
    control.show(Offered(True))
    assert "a asks for another match with the same people" in control.view().front.prompt
    control.key("a")
    control.key("a")
    assert out.again == 1
    panel = control.view().front.panel
    assert panel is not None
    assert panel.lines[-1] == "You ask for another match; it begins when everybody does."
    assert control.view().front.prompt == "c writes to the others, q leaves."
    control.show(Offered(False, "Ben has left, so there is no other match at this table."))
    control.key("a")
    assert out.again == 1
    control.key("q")
    assert out.left == 1


def test_people_talk_about_another_match_when_one_is_over() -> None:
    out = Out()
    control = out.control(_turn())
    control.unask()
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.show(Told("Every shuffle was proven."))
    assert control.view().note == ""
    control.show(Offered(True))
    for char in "cagain?":
        control.key(char)
    control.act(Act.DO)
    assert (out.said, out.left, out.again) == (["again?"], 0, 0)
    control.show(Chatted(0, "again?"))
    panel = control.view().front.panel
    assert panel is not None
    assert panel.lines[-1] == control.view().note == "You: again?"


def test_from_help_one_comes_back_to_the_end_and_does_not_leave() -> None:
    out = Out()
    control = out.control(_turn())
    control.unask()
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.show(Offered(True))
    assert isinstance(control.mode, Another)
    for back in (Act.DO, Act.BACK):
        control.key("?")
        assert isinstance(control.mode, Page)
        control.act(back)
        assert isinstance(control.mode, Another)
    control.act(Act.DO)
    assert out.left == 0
    assert control.view().note == "Enter does nothing here."
    control.key("q")
    assert out.left == 1


def test_a_new_match_begins_with_nothing_of_the_old_one() -> None:
    control = Out().control(_turn())
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.show(began(1))
    control.show(Told("Careful: Ben has another key."))
    assert control.view().seats == ()
    control.show(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), players(2))))
    view = control.view()
    assert [seat.score for seat in view.seats] == [0, 0]
    assert [seat.me for seat in view.seats] == [False, True]
    assert view.front.panel is None
    assert view.log[0] == "Careful: Ben has another key."
    control.key("q")
    assert isinstance(control.mode, Question)


def test_the_lobby_shows_what_is_told_until_the_match_begins() -> None:
    out = Out()
    control = Control(out.take, lambda: 0.0, guard=0.0)
    control.show(Told("den is open"))
    control.show(Told("Ben sits down"))
    page = control.view().front.panel
    assert page is not None
    assert page.news == ("den is open", "Ben sits down")
    control.act(Act.DO)
    assert control.view().front.panel is not None
    control.key("?")
    control.act(Act.DO)
    assert control.view().front.panel == page
    control.ask_line()
    for char in "2q":
        control.key(char)
    control.act(Act.DO)
    assert out.lines == ["2q"]
    control.key("q")
    control.key("y")
    assert out.left == 1


def _is_over(stage: Staged) -> bool:
    return stage.match.hand is not None and stage.match.hand.over is not None


def test_a_hand_s_end_stays_until_it_is_read_and_the_match_s_until_one_leaves() -> None:
    out = Out()
    stage = staged(Rules.make("classic", 2), "end")
    rng = random.Random(1)
    assert play_until(stage, rng, _is_over)
    control = out.control(stage)
    number = stage.match.hand_number
    stage.finish()
    control.show(Happened(stage.ended[0]))
    page = control.view().front.panel
    assert page is not None
    assert page.title == f"End of hand {number}"
    control.act(Act.DO)
    assert control.view().front.panel is None
    control.show(Happened(MatchEnded("target", (0,), (250, 10))))
    control.show(Told("the record is here"))
    page = control.view().front.panel
    assert page is not None
    assert "the record is here" in page.lines
    control.act(Act.BACK)
    assert control.view().front.panel is not None
    control.key("q")
    assert out.left == 1
    assert control.last_words()[-1] == "the record is here"
    for line in fairness(2, "/a/long/path.fives"):
        control.show(Told(line))
    page = control.view().front.panel
    assert page is not None
    assert page.lines[-1].endswith("again. Leaving prints where the record is.")
    assert control.last_words()[-2:] == fairness(2, "/a/long/path.fives")
    control.show(Told("You are root.", lasts=True))
    control.show(Told("One more.", anew=True))
    assert control.last_words()[-2:] == ("One more.", "You are root.")


def test_the_last_word_of_a_broken_match_outlives_the_screen() -> None:
    control = Out().control(_turn())
    assert control.last_words() == ()
    control.show(Chatted(1, "see you"))
    control.show(Told("Ben has left the table."))
    assert control.last_words() == ("Ben has left the table.",)


def test_what_another_draws_in_a_row_is_one_line() -> None:
    stage = find(
        Rules.make("classic", 2), lambda one: one.scene.turn == 1 and bool(one.match.moves)
    )
    control = Out().control(stage)
    for slot in range(18, 21):
        control.show(Happened(InHand(1, Drawn(1, slot))))
    assert [line for line in control.view().log if "draw" in line] == [
        f"Ben draws 3 tiles, {control.scene.drawable} tiles left to draw."
    ]


def test_the_clock_shows_what_is_left_and_links_what_is_away() -> None:
    out, stage = Out(), _turn()
    control = out.control(stage)
    seen = stage.seen()
    assert seen is not None
    control.ask(seen, 30.0)
    out.time += 21.4
    assert control.view().clock == 9
    out.time += 100
    assert control.view().clock == 0
    control.unask()
    assert control.view().clock is None
    control.show(Away(1, 40.0, 260.0))
    assert control.view().seats[1].link == "away 0:40"
    assert (
        "Ben is away for 40 s (may be away 4 min 20 s more). The match"
        in control.view().front.prompt
    )
    assert control.desk.log[-1] == "Ben is away for 40 s (may be away 4 min 20 s more)."
    control.show(Back(1))
    assert control.view().seats[1].link == ""
    assert control.view().note == "Ben is back."
    control.show(Slept(20.4))
    assert control.view().note == "This machine was asleep for 20 s."
    control.show(Alone())
    assert control.view().note == control.desk.log[-1] == ALONE


def test_news_that_a_move_follows_stands_above_it_as_it_does_in_the_log() -> None:
    stage = deepcopy(find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1))
    control = Out().control(stage)
    control.show(Away(1, 40.0, 260.0))
    control.show(Back(1))
    assert control.view().note == "Ben is back."
    assert stage.step(spread, random.Random(1))
    control.show(Happened(stage.heard[-1]))
    view = control.view()
    assert view.note == ""
    assert view.log[-2:] == control.desk.log[-2:]
    assert view.log[-2] == "Ben is back."


@pytest.mark.parametrize("me", [0, None])
def test_where_another_is_to_move_nobody_waits_for_who_is_away(me: int | None) -> None:
    stage = find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1)
    control = Control(Out().take, lambda: 0.0)
    control.show(replace(began(0, 3), me=me))
    for event in stage.heard:
        control.show(Happened(event))
    third = stage.scene.players[2].name
    control.show(Away(2, 7.0, 293.0))
    prompt = control.view().front.prompt
    looks = "" if me == 0 else "You are looking on. "
    away = f"{third} is away for 7 s (may be away 4 min 53 s more)."
    assert prompt.startswith(f"{looks}Ben is to move. {away} ")
    assert "as soon as" not in prompt
    assert ("choose a tile and an end ahead" in prompt) is (me == 0)
    # Whose program has to answer is waited for, and so is who is to move.
    control.show(Away(2, 0.0, 293.0, late=True))
    assert f"goes on where it was as soon as {third} is back" in control.view().front.prompt
    control.show(Back(2))
    control.show(Away(1, 7.0, 293.0))
    control.show(Away(2, 7.0, 293.0))
    prompt = control.view().front.prompt
    assert prompt.startswith(f"Ben is away for 7 s (may be away 4 min 53 s more), {third} is away")
    assert "The match goes on where it was as soon as Ben is back." in prompt


def test_while_the_tiles_are_shuffled_the_match_waits_for_whoever_is_away() -> None:
    control = Control(Out().take, lambda: 0.0)
    control.show(began(0, 3))
    control.show(Happened(MatchBegan(bytes(32), Rules.make("classic", 3).spell(), players(3))))
    control.show(Away(1, 7.0, 293.0))
    assert "as soon as Ben is back" in control.view().front.prompt


def test_of_whom_all_wait_for_the_log_has_one_line_and_that_person_is_told_at_the_end() -> None:
    stage = find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1)
    control = Out().control(stage)
    before = control.desk.log
    for minute in (1.0, 2.0, 3.0, 4.0, 5.0):
        control.show(WaitedFor((1,), 60 * minute, 300 - 60 * minute))
        (line,) = control.desk.log[len(before) :]
        assert line.startswith(f"Waiting for Ben, {minute:.0f} min.")
    assert stage.step(spread, random.Random(1))
    control.show(Happened(stage.heard[-1]))
    control.show(WaitedFor((2,), 60.0, 240.0))
    assert line in control.desk.log
    control.show(WaitedFor((0,), 240.0, 60.0))
    told = "The others wait for you; in 1 min they may go on without you."
    assert control.view().note == told
    control.show(Away(1, 60.0, 240.0))
    assert control.view().note == told
    assert control.desk.log[-1].startswith("Ben is away for 1 min")
    control.show(WaitedFor((0,), 300.0, 0.0))
    assert control.view().note == "The others wait for you; they may now go on without you."
    control.show(OutWished(1, (0,)))
    assert control.view().note.startswith("Ben wants to go on without you;")
    control.show(OutWished(1, (2,)))
    assert control.view().note == "Ben wants to go on without Cem. o agrees."
    assert control.desk.log[-1] == "Ben wants to go on without Cem."
    assert told not in control.desk.log


def test_that_somebody_thinks_takes_a_row_only_when_something_can_be_done_about_it() -> None:
    stage = find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1)
    control = Out().control(stage)
    control.show(Away(1, 40.0, 260.0))
    control.show(Back(1))
    control.show(WaitedFor((1,), 60.0, 239.0))
    assert control.view().note == "Ben is back."
    assert control.view().log[-1].startswith("Waiting for Ben, 1 min. In 3 min 59 s ")
    control.show(WaitedFor((1,), 300.0, 0.0))
    assert control.view().note.endswith("go on without Ben. o chooses that.")


def test_a_page_says_some_seconds_before_the_clock_ends_what_comes() -> None:
    out, stage = Out(), _turn()
    control, seen = out.control(stage), stage.seen()
    assert seen is not None
    control.ask(seen, 30.0)
    control.key("?")
    assert control.view().front.prompt.startswith("It is your turn. Enter, Esc or ?")
    out.time += 22
    said = "It is your turn: in 8 seconds it is decided for you. Enter, Esc or ?"
    assert control.view().front.prompt.startswith(said)


def test_the_turn_clock_is_told_beside_the_first_question_of_a_match() -> None:
    rules = Rules.make("draw", 2, {"starter": "lot"})
    stage = find(rules, lambda stage: stage.scene.turn == 0)
    control, seen = Out().control(stage), stage.seen()
    assert seen is not None
    moved = "then the first move that can be made is made for you."
    told = f"You have 15 seconds for a turn ({TURN_SET}); {moved}"
    assert control.view().note == told
    assert told not in control.view().log
    control.unask()
    control.ask(seen, 15.0)
    assert control.view().note == ""
    assert told in control.view().log


def test_what_was_refused_stays_in_the_log() -> None:
    control = Out().control(_turn())
    control.show(Refused("That cannot be sent."))
    assert control.view().note == control.desk.log[-1] == "That cannot be sent."
    assert "That cannot be sent." not in control.view().log
    control.unask()
    assert control.view().log[-1] == "That cannot be sent."


def test_who_asks_for_another_match_is_named() -> None:
    control = Out().control(_turn())
    control.unask()
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.show(Offered(True))
    control.show(AgainWanted(1))
    assert control.view().note == "Ben asks for another match."


def test_the_reason_of_a_refusal_stands_beside_the_question_that_is_asked_again() -> None:
    stage = _turn()
    control, seen = Out().control(stage), stage.seen()
    assert seen is not None
    control.show(Refused("That cannot be."))
    control.unask()
    control.ask(seen)
    assert control.view().note == "That cannot be."
    control.unask()
    control.ask(seen)
    assert control.view().note == ""


def _patient(stage: Staged) -> tuple[Out, Control]:
    """A control whose keys count from 0.3 s after their meaning has changed."""
    out = Out(guard=GUARD_SECONDS)
    control = out.control(stage)
    return out, control


def test_enter_counts_only_some_moments_after_its_meaning_has_changed() -> None:
    out, control = _patient(_turn())
    control.act(Act.DO)
    control.key("enter")
    control.click(0)
    control.key("q")
    out.time += 0.29
    control.key("enter")
    assert (out.answers, type(control.mode)) == ([], Turn)
    out.time += 0.02
    control.key("right")
    control.key("enter")
    assert len(out.answers) == 1


def test_the_bell_is_turned_on_and_off_and_it_is_said_how_that_is_kept() -> None:
    control = Out().control(_turn())
    for on, said in (
        (True, "on. `allfives config bell yes`"),
        (False, "off. `allfives config bell no`"),
    ):
        control.key("b")
        assert control.bell is on
        assert control.view().note == f"The bell on your turn is {said} keeps it so."


def test_a_fast_enter_does_not_play_what_was_just_drawn() -> None:
    stage = _turn()
    out, control = _patient(stage)
    seen = stage.seen()
    assert seen is not None
    out.time += 1
    after_a_draw = replace(seen, moves=(*seen.moves, Draw(0)))
    control.unask()
    control.ask(after_a_draw)
    control.key("enter")
    assert not out.answers
    out.time += 2 * GUARD_SECONDS
    control.key("enter")
    assert len(out.answers) == 1


def test_enter_on_the_end_of_a_hand_neither_plays_nor_leaves_what_takes_its_place() -> None:
    stage = _turn()
    for over in (False, True):
        out, control = _patient(stage)
        control.show(Happened(InHand(1, HandEnded("domino", 0, ((), ()), (0, 0), (0, 0)))))
        out.time += 1
        if over:
            control.show(Happened(MatchEnded("target", (0,), (250, 0))))
            control.show(Offered(True))
        for _ in range(3):
            control.key("enter")
            control.key("a")
        assert (out.answers, out.wishes) == ([], [])
        out.time += 2 * GUARD_SECONDS
        control.key("enter")
        assert out.left == 0


def test_above_the_end_of_a_hand_nothing_is_told_of_the_next_one() -> None:
    stage = _turn()
    control = Out().control(stage)
    control.show(Happened(InHand(1, HandEnded("domino", 0, ((), ()), (0, 0), (0, 0)))))
    hands = (tuple(ALL_TILES[:9]), None)
    control.show(Happened(HandBegan(2, 1, hands, (9, 9), None)))
    view = control.view()
    assert view.front.panel is not None
    assert view.front.panel.title == "End of hand 1"
    assert (view.hand_number, view.dealt) == (1, False)
    assert [seat.tiles for seat in view.seats] == [None, None]
    assert [seat.to_move for seat in view.seats] == [False, False]
    control.key("enter")
    view = control.view()
    assert (view.hand_number, view.dealt) == (2, True)
    assert [seat.tiles for seat in view.seats] == [9, 9]


def test_what_follows_esc_counts_at_once() -> None:
    for opened, key in (("?", "q"), ("c", "q"), ("q", "enter")):
        out, control = _patient(_turn())
        out.time += 1
        control.key(opened)
        control.key("escape")
        control.key(key)
        asked = isinstance(control.mode, Question)
        assert (asked, len(out.answers)) == ((True, 0) if key == "q" else (False, 1))
    # Esc that closes nothing makes nothing count that has just come.
    out, control = _patient(_turn())
    control.key("escape")
    control.key("enter")
    assert not out.answers


def test_the_end_page_closes_with_q_and_not_in_haste() -> None:
    out, control = _patient(_turn())
    out.time += 1
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    control.key("q")
    assert out.left == 0
    out.time += 2 * GUARD_SECONDS
    control.key("q")
    assert out.left == 1


def test_letters_that_are_written_count_at_once_and_so_does_their_enter() -> None:
    out, control = _patient(_turn())
    for key in "caq":
        control.key(key)
    control.key("enter")
    assert out.said == ["aq"]
    control.key("enter")
    assert out.answers == []


def test_a_claim_is_not_given_away_by_a_fast_enter() -> None:
    stage = _turn(claims="yes")
    out, control = _patient(stage)
    out.time += 1
    control.key("enter")
    control.key("enter")
    assert out.answers == []
    control.key("5")
    control.key("enter")
    assert len(out.answers) == 1


def test_the_first_ctrl_c_asks_and_the_second_one_ends() -> None:
    out, control = _patient(_turn())
    for opened in ("", "?", "c"):
        if opened:
            control.key(opened)
        assert control.interrupt()
        assert isinstance(control.mode, Question)
        assert control.view().note == "Ctrl-C again ends the program."
        assert not control.interrupt()
        control.key("n")
        control.key("escape")
    control.unask()
    control.show(Happened(MatchEnded("target", (0,), (250, 0))))
    assert not control.interrupt(), "nothing is lost by leaving now"
    assert out.wishes == []


def test_a_claim_can_be_left_too() -> None:
    def claims(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and seen.awaiting is not None

    out, control = _patient(find(Rules.make("classic", 2, {"claims": "yes"}), claims))
    assert control.interrupt()
    control.key("y")
    assert out.left == 1


def test_the_hint_chooses_what_enter_then_plays() -> None:
    stage = _turn()
    out, control = _patient(stage)
    out.time += 1
    control.key("h")
    assert control.view().note == THINKING
    seen = out.hints[0]
    for move in seen.legal:
        control.hinted(Advice(move, 0, 0, dict.fromkeys(seen.legal, 0.0)), seen)
        assert isinstance(move, Play)
        assert control.view().front.cursor == Cursor(move.tile, move.end)
        assert control.view().note.startswith("Hint: ")
    control.key("enter")
    assert out.answers == [seen.legal[-1]]


def test_a_hint_that_comes_too_late_chooses_nothing() -> None:
    stage = _turn()
    out, control = _patient(stage)
    control.key("h")
    seen = out.hints[0]
    last = Advice(seen.legal[-1], 0, 0, dict.fromkeys(seen.legal, 0.0))
    control.unask()
    control.hinted(last, seen)
    assert isinstance(control.mode, Waiting)
    control.ask(replace(seen, moves=(*seen.moves, Draw(0))))
    before = control.view().front.cursor
    control.hinted(last, seen)
    assert (control.view().front.cursor, control.view().note) == (before, "")


def test_the_tile_that_is_chosen_by_itself_is_one_that_scores_best() -> None:
    def scores_later(stage: Staged) -> bool:
        seen = stage.seen()
        plays = [move for move in seen.legal if isinstance(move, Play)] if seen else []
        points = [seen.points_for(move) for move in plays] if seen else []
        return bool(points) and max(points) > points[0]

    stage = find(Rules.make("classic", 2), scores_later)
    cursor, seen = Out().control(stage).view().front.cursor, stage.seen()
    assert seen is not None
    plays = [move for move in seen.legal if isinstance(move, Play)]
    best = max(plays, key=seen.points_for)
    assert cursor == Cursor(best.tile, best.end)
    # Where points are claimed nobody is shown what scores.
    claiming = replace(seen, rules=Rules.make("classic", 2, {"claims": "yes"}))
    assert Turn.begun(claiming).cursor == Cursor(plays[0].tile, plays[0].end)


def test_a_tile_and_end_are_chosen_ahead_while_others_play() -> None:
    stage = _turn()
    seen = stage.seen()
    assert seen is not None
    out = Out()
    control = out.control(stage)
    control.unask()
    assert any(one.choices for one in control.view().hand or ())
    last = seen.legal[-1]
    assert isinstance(last, Play)
    for _ in range(20):
        if control.view().front.cursor.tile != last.tile:
            control.act(Act.NEXT_TILE)
        elif control.view().front.cursor.end != last.end:
            control.act(Act.NEXT_END)
    control.act(Act.DO)
    assert out.answers == []
    control.ask(seen)
    assert control.view().front.cursor == Cursor(last.tile, last.end)
    control.act(Act.DO)
    assert out.answers == [last]


def test_what_is_chosen_ahead_is_told_while_others_are_to_move() -> None:
    stage = find(Rules.make("classic", 2), lambda one: one.scene.turn == 1 and any(_ahead(one)))
    control = Out().control(stage)
    assert "Ben is to move. Meanwhile you may choose" in control.view().front.prompt
    control.act(Act.NEXT_TILE)
    cursor = control.view().front.cursor
    said = f"You have chosen {cursor.tile} on {cursor.end} ahead; Enter plays it"
    assert said in control.view().front.prompt
    control.act(Act.DO)
    assert isinstance(control.mode, Waiting)


def _ahead(stage: Staged) -> list[bool]:
    """By tile of the hand whether it would fit now."""
    line, hand = stage.scene.line, stage.scene.hands[0]
    return [] if line is None or not line.lead else [bool(line.fits(one)) for one in hand or ()]


def test_what_was_chosen_ahead_and_does_not_fit_any_more_is_said() -> None:
    stage = _turn()
    seen = stage.seen()
    assert seen is not None
    control = Out().control(stage)
    control.unask()
    control.act(Act.NEXT_TILE)
    ahead = control.view().front.cursor
    legal = tuple(move for move in seen.legal if isinstance(move, Play) and move.tile != ahead.tile)
    control.ask(replace(seen, legal=legal))
    assert "does not fit any more" in control.view().note
    cursor = control.view().front.cursor
    assert cursor in [Cursor(move.tile, move.end) for move in legal]


def test_every_choice_shows_the_count_that_it_would_leave_unless_it_is_for_the_person() -> None:
    control = Out().control(_turn())
    choices = [choice for tile in control.view().hand or () for choice in tile.choices]
    assert choices
    assert all(choice.count is not None for choice in choices)
    assert all(not choice.points or choice.points == choice.count for choice in choices)
    claiming = Out().control(_turn(claims="yes"))
    for _ in range(2):
        hand = claiming.view().hand or ()
        shown = [choice for one in hand for choice in one.choices]
        assert all(not choice.points and choice.count is None for choice in shown)
        claiming.unask()


def test_pages_scroll_by_page_and_wheel_and_close_by_their_key() -> None:
    control = Out().control(_turn())
    control.scroll = Scroll(rows=11, last=25)
    for key in "fg?ti":
        control.key(key)
        assert control.view().front.panel is not None
        control.key(key)
        assert control.view().front.panel is None
    tops = []
    for key in (
        "?",
        "pagedown",
        "<scroll-down>",
        "end",
        "pagedown",
        "up",
        "pageup",
        "home",
        "pageup",
    ):
        control.key(key)
        tops.append(min(control.view().front.top, 25))
    assert tops == [0, 10, 13, 25, 25, 21, 11, 0, 0]


def test_the_log_opens_at_its_end_and_goes_on_below() -> None:
    control = Out().control(_turn())
    control.key("pageup")
    panel = control.view().front.panel
    assert panel is not None
    assert (panel.title, panel.lines) == ("Log", control.view().log)
    control.show(Chatted(1, "hello"))
    panel = control.view().front.panel
    assert panel is not None
    assert panel.lines[-1] == "Ben: hello"
    rows = render(control.view(), 60, 20, Look()).text
    assert "Ben: hello" in rows
    control.key("escape")
    control.key("home")
    assert control.view().front.top == 0


def test_who_is_muted_is_not_shown() -> None:
    control = Out().control(_turn())
    control.key("m")
    assert control.view().note == "What Ben writes is not shown to you any more."
    control.show(Chatted(1, "hello"))
    assert not any("hello" in line for line in control.view().log)
    control.key("m")
    control.show(Chatted(1, "hello"))
    assert control.view().log[-1] == "Ben: hello"


def test_among_several_the_one_who_is_meant_is_asked_for() -> None:
    stage = find(Rules.make("classic", 3), lambda one: len(one.match.moves) > 3)
    control = Out().control(stage)
    control.key("m")
    assert "2 Ben  3 " in control.view().front.prompt
    control.key("3")
    assert control.desk.muted == {2}
    control.key("m")
    assert "(not shown now)" in control.view().front.prompt
    control.key("escape")
    assert control.desk.muted == {2}


def test_a_line_that_is_too_long_is_said_and_a_line_break_is_a_space() -> None:
    control = Out().control(_turn())
    control.key("c")
    control.paste("one\ntwo\tthree")
    assert control.view().front.typed == "one two three"
    assert control.view().note == ""
    assert "left" not in control.view().front.prompt
    control.paste("x" * (CHAT_CHARACTERS - 30))
    assert "17 characters left" in control.view().front.prompt
    control.paste("y" * 100)
    assert f"at most {CHAT_CHARACTERS} characters" in control.view().note
    frame = render(control.view(), 60, 20, Look()).text
    assert f"> <{'x' * 37}{'y' * 17}_" in frame


def test_the_title_and_the_undealt_tiles_are_those_of_the_game() -> None:
    for preset, title, undealt in (
        ("classic", "All Fives, classic, to 250", "boneyard 10"),
        ("draw", "Draw game, to 100", "boneyard 14"),
        ("block", "Block game, to 100", "not dealt 14"),
    ):
        view = Out().control(staged(Rules.make(preset, 2, {"starter": "lot"}), "title")).view()
        assert (view.title, view.undealt) == (title, undealt)
        assert view.counting == (preset == "classic")


@pytest.mark.parametrize(
    ("preset", "ends"), [("classic", "lrud"), ("muggins", "lr"), ("draw", "lr")]
)
def test_the_row_of_keys_names_the_ends_that_there_are(preset: str, ends: str) -> None:
    rules = Rules.make(preset, 2, {"starter": "lot"})
    stage = find(rules, lambda stage: isinstance(stage.seen(), SeatView))
    row = Out().control(stage).view().front.row
    assert [label.shown for label in row if label.act is Act.END] == [ends]


def test_the_forced_lead_is_asked_for_with_the_hand_in_view_and_claimed_by_the_person() -> None:
    rules = Rules.make("classic", 2, {"claims": "yes", "starter": "highest-double"})
    match = Match(rules, 2)
    match.begin_hand(0, known=dict(enumerate(ALL_TILES)), lead=ALL_TILES[0])
    out = Out()
    control = Control(out.take, lambda: 0.0, guard=0.0)
    control.show(began())
    control.show(Happened(MatchBegan(bytes(32), rules.spell(), players(2))))
    control.ask(make_view(match, 0))
    view = control.view()
    assert [one.tile for one in view.hand or ()] == list(ALL_TILES[:9])
    assert (
        f"Enter plays {ALL_TILES[0]} as the lead; then you say what it scores" in view.front.prompt
    )
    control.act(Act.DO)
    control.paste("0")
    control.act(Act.DO)
    (move,) = out.answers
    assert isinstance(move, Play)
    assert (move.tile, move.claim) == (ALL_TILES[0], 0)


@pytest.mark.parametrize(("reason", "beside"), [("left", "left"), ("absent", "out")])
def test_who_has_left_is_not_waited_for(reason: str, beside: str) -> None:
    stage = find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1)
    control = Out().control(stage)
    control.show(Away(2, 40.0, 260.0))
    control.show(Left(2))
    name = stage.scene.players[2].name
    soon = (
        f"{name} has left; the match goes on without {name} as soon as the others' programs agree."
    )
    assert control.view().front.prompt == f"{soon} q leaves."
    assert control.desk.log[-1] == soon
    assert soon not in control.view().log
    control.show(Happened(SeatOut(1, 2, reason, (0, 1))))
    view = control.view()
    assert view.front.prompt.startswith("Ben is to move.")
    assert (view.seats[2].link, view.seats[2].tiles) == (beside, None)


def test_who_would_leave_those_who_play_on_is_told_what_the_hand_is_worth_then() -> None:
    control = Out().control(find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1))
    control.key("q")
    prompt = control.view().front.prompt
    assert "The others play on without you, this hand ends and its tiles are not counted;" in prompt


def test_who_is_out_is_asked_whether_to_look_on() -> None:
    stage = find(Rules.make("classic", 3, {}), lambda stage: stage.scene.turn == 1)
    control = Out().control(stage)
    control.show(Happened(SeatOut(1, 0, "absent", (1, 2))))
    assert control.interrupt()
    prompt = control.view().front.prompt
    assert prompt == "Leave? You only look on; the others play on. y leaves, n stays."


@pytest.mark.parametrize("me", [0, None])
def test_who_is_out_has_no_hand_in_view(me: int | None) -> None:
    scene = Scene(me)
    rules = Rules.make("classic", 3)
    scene.apply(MatchBegan(bytes(32), rules.spell(), players(3)))
    scene.apply(SeatOut(0, 0, "absent", (1, 2)))
    known = tuple(ALL_TILES[:9]), tuple(ALL_TILES[9:18])
    hands = known if me is None else (None, None)
    scene.apply(HandBegan(1, 1, ((), *hands), (0, 9, 9), None))
    view = make_table_view(Desk(scene), Waiting().front(Desk(scene)))
    assert [seat.hand is not None for seat in view.seats] == [False, me is None, me is None]
    rows = render(view, 80, 24, Look()).text.splitlines()
    assert "Ana" in rows[1]
    assert "out, 0 pts" in rows[1]
    assert not any("Ana" in row for row in rows[2:])


def test_who_looks_on_is_told_of_a_pause_and_asked_for_nothing() -> None:
    control = Control(Out().take, lambda: 0.0)
    control.show(replace(began(), me=None))
    control.show(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), players(2))))
    control.show(change(1, {1}))
    assert control.view().note == ""
    control.show(change(0, {0, 1}))
    assert control.view().front.prompt.endswith("the clocks stand still.")
    assert "p" not in [label.shown for label in control.view().front.row]


def _ended(me: int | None, out: Out) -> Control:
    """A hand of 35 to 25 has ended, and another one has brought 10 more since."""
    control = Control(out.take, lambda: out.time, out.guard)
    control.show(began(me))
    spelled = Rules.make("classic", 2, {"starter": "lot"}).spell()
    control.show(Happened(MatchBegan(bytes(32), spelled, players(2))))
    control.show(Happened(HandBegan(1, 1, (None, None), (9, 9), None)))
    led = Played(1, 9, tile(5, 5), None, 10, 10, (0, 10), None)
    control.show(Happened(InHand(1, led)))
    end = HandEnded("domino", 1, ((), ()), (0, 0), (0, 10))
    control.show(Happened(InHand(1, end)))
    control.show(Happened(HandBegan(2, 1, (None, None), (9, 9), None)))
    again = Played(1, 9, tile(5, 5), None, 10, 10, (0, 20), None)
    control.show(Happened(InHand(2, again)))
    return control


def test_above_the_end_of_a_hand_stand_the_scores_of_its_page() -> None:
    control = _ended(0, Out())
    view = control.view()
    assert view.front.panel is not None
    assert view.front.panel.lines[0] == "Last placement: Ben leads 5-5: 10, +10."
    assert view.front.panel.lines[-1] == "Scores: Ana 0, Ben 10."
    assert [seat.score for seat in view.seats] == [0, 10]
    control.key("enter")
    assert [seat.score for seat in control.view().seats] == [0, 20]


@pytest.mark.parametrize("me", [None, 0])
def test_before_who_looks_on_the_end_of_a_hand_gives_way_by_itself(me: int | None) -> None:
    out = Out()
    control = _ended(me, out)
    out.time += PAGE_SECONDS - 1
    control.show(Away(1, 1.0, 299.0))
    assert control.view().front.panel is not None
    out.time += 2
    control.show(Away(1, 2.0, 298.0))
    assert (control.view().front.panel is None) is (me is None)


def test_how_long_somebody_is_away_counts_on_and_goes_when_they_are_back() -> None:
    stage = _turn()
    control = Out().control(stage)
    control.show(Away(1, 3.0, 297.0))
    view = control.view()
    assert view.note == "Ben is away for 3 s (may be away 4 min 57 s more)."
    control.show(Away(1, 40.0, 260.0))
    assert control.view().note == "Ben is away for 40 s (may be away 4 min 20 s more)."
    assert "away for 3 s" not in " ".join(control.desk.log)
    control.note("")
    assert control.view().log[-1] == "Ben is away for 40 s (may be away 4 min 20 s more)."
    control.show(Away(1, 61.0, 239.0))
    assert [line for line in control.desk.log if "away for" in line] == [
        "Ben is away for 1 min 1 s (may be away 3 min 59 s more)."
    ]
    control.show(Back(1))
    assert control.desk.log[-1] == "Ben is back."
    assert not any("away for" in line for line in control.desk.log)


def test_who_is_to_move_is_told_that_the_hand_ends_when_somebody_has_left() -> None:
    stage = find(Rules.make("classic", 3), lambda one: bool(one.seen() and one.match.moves))
    control = Out().control(stage)
    control.show(Left(1))
    assert "This hand ends then, and its tiles are not counted." in control.view().front.prompt


def test_of_a_lead_that_the_rules_force_the_screen_says_so() -> None:
    stage = find(Rules.make("classic", 2), lambda one: bool(one.seen()) and not one.match.moves)
    asked = Out().control(stage)
    assert stage.step(lambda legal, _: legal[0], random.Random(1))
    asked.show(Happened(stage.heard[-1]))
    assert not any(line.startswith(FORCED) for line in asked.desk.log)
    control = Control(Out().take, lambda: 100.0)
    control.show(began(0))
    for event in stage.heard:
        control.show(Happened(event))
    assert control.desk.log[-1].startswith(FORCED)


def test_a_key_that_chooses_nothing_says_why() -> None:
    stage = find(Rules.make("draw", 2, {"starter": "lot"}), lambda one: _plays(one.seen()))
    control, turn_seen = Out().control(stage), stage.seen()
    assert turn_seen is not None
    control.key("0")
    assert control.desk.note == f"You hold {len(turn_seen.tiles)} tiles."
    turn = control.mode
    assert isinstance(turn, Turn)
    assert turn.cursor.tile is not None
    control.key("d")
    assert f"{turn.cursor.tile} does not fit on D, but on" in control.desk.note
    lead = Out().control(find(Rules.make("classic", 2), lambda one: one.seen() is not None))
    lead.key("d")
    assert lead.desk.note == "The first tile of a hand has no end to choose."
    control.mode = Waiting()
    control.key("l")
    assert control.desk.note == "Choose a tile first, with its number or left and right."


def _plays(seen: SeatView | None) -> bool:
    return seen is not None and bool(seen.moves) and isinstance(seen.legal[0], Play)


def _must_draw(seen: SeatView | None) -> bool:
    return seen is not None and isinstance(seen.legal[0], Draw)


def test_where_nothing_fits_the_arrows_say_so() -> None:
    stage = find(
        Rules.make("classic", 2),
        lambda one: _must_draw(one.seen()),
    )
    control = Out().control(stage)
    for key in ("right", "left"):
        control.key(key)
        assert control.desk.note == "Nothing you hold fits now."


def test_space_goes_through_a_long_page_and_closes_a_short_one() -> None:
    control = Out().control(_turn())
    control.scroll = Scroll(5, 12)
    control.key("?")
    control.key(" ")
    assert isinstance(control.mode, Page)
    assert control.mode.top == 4
    control.scroll = Scroll(20, 0)
    control.key(" ")
    assert isinstance(control.mode, Turn)


def test_what_is_told_last_or_noted_is_read_to_its_end_at_the_smallest_screen() -> None:
    long = (
        "A wrong code was tried 5 times, at last from 192.168.100.101, perhaps for another table."
    )
    stage = _turn()
    control = Out().control(stage)
    control.show(Told(long))
    assert "~" not in render(control.view(), 60, 20, Look()).text
    control.note(f"{long} {long[:60]} and this is its end.")
    text = " ".join(render(control.view(), 60, 20, Look()).text.split())
    assert "and this is its end." in text
