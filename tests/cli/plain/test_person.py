"""The person at plain lines: in memory, with typed lines and printed ones."""

import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import trio
import trio.testing
from support.engine.matches import players
from support.limits import HANG_SECONDS
from support.screen.hinter import Hinter, hinter
from support.screen.notices import began

from cli.commands.options import SeatChoice
from cli.commands.visitor import make_seat
from cli.plain.ahead import HOW
from cli.plain.diary import HOW_LONG, NOTHING, Diary
from cli.plain.help import HELP, help_lines, no_word
from cli.plain.hinting import GUARD_SECONDS, LAPSED, TOO_SOON
from cli.plain.person import AGAIN_OFFERED, NO_LINE, PAUSED, PlainSeat
from cli.plain.terminal import Terminal
from cli.plain.times import TOO_LATE
from cli.table.clock import Timed
from cli.table.port import Filled, Leave, Opened, Spoke, TimeIsUp, Told, Wish
from cli.telling.ask import FORCED, hint_text, leave_match
from cli.telling.doing import Deed
from cli.telling.pages import tip_lines
from cli.telling.phrases import bell_told
from cli.telling.prompts import HOW_TO_CLAIM, ask_move
from cli.telling.room import Room, Sitter
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.match import Match
from engine.moves import Draw, Play
from engine.rules import Rules, describe
from engine.strategy import SeatView, make_view
from engine.tiles import ALL_TILES, Tile, tile
from p2p.session.sitting.owner import (
    Again,
    AgainWanted,
    Away,
    Back,
    Chatted,
    Chosen,
    Happened,
    Linked,
    Offered,
    OutWished,
    Pause,
    Pausing,
    PutOut,
    Refused,
    Resumed,
    Say,
    Waiting,
)
from p2p.session.state.events import DeckStep, HandBegan, InHand, MatchBegan, Settled

ANA, BEN = Sitter(bytes([1]) * 32, "Ana"), Sitter(bytes([2]) * 32, "Ben")
HANDS = ((tile(6, 4), tile(4, 1)), (tile(6, 5), tile(4, 3)))


class Table:
    """A person with a keyboard and a screen, in seat 0 of a hand that it starts."""

    def __init__(self, claim_seconds: float = 8.0, **options: str) -> None:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        self.rules = Rules.make("classic", 2, {"hand-size": "2", **named})
        self.shown: list[str] = []
        self.keys, lines = trio.open_memory_channel[str](100)
        self.person = PlainSeat(self.shown.append, self._typed(lines), hinter, claim_seconds)
        self.wishes: list[Wish] = []
        self.person.sit(self.wishes.append)
        self.person.show(began())
        self.match = Match(self.rules, 2)

    async def _typed(self, lines: trio.MemoryReceiveChannel[str]) -> AsyncIterator[str]:
        async for line in lines:
            yield line

    def begin(self) -> SeatView:
        """Deal; what seat 0 sees."""
        self.person.show(Happened(MatchBegan(b"t" * 32, self.rules.spell(), players(2))))
        rest = [one for one in ALL_TILES if one not in HANDS[0] + HANDS[1]]
        self.match.begin_hand(0, known=dict(enumerate([*HANDS[0], *HANDS[1], *rest])))
        self.person.show(Happened(HandBegan(1, 0, (HANDS[0], None), (2, 2), None)))
        return make_view(self.match, 0)

    def no_word(self, typed: str, asked: SeatView | None = None) -> str:
        """What is said to who types what cannot be done now."""
        return no_word(typed, self.person._known.moment(asked))

    async def type(self, *lines: str) -> list[str]:
        """Type lines, wait until they are taken; what they made appear."""
        before = len(self.shown)
        for line in lines:
            await self.keys.send(line)
        await trio.testing.wait_all_tasks_blocked()
        return self.shown[before:]


async def test_a_move_is_asked_for_and_typed() -> None:
    table = Table()
    view = table.begin()
    chosen = []

    async def decide() -> None:
        chosen.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        assert table.shown[-5:] == [
            "Hand 1: 2 tiles each, 24 tiles in the boneyard. You start.",
            "Your hand: 6-4 4-1",
            "The table is empty.",
            "Scores: Ana 0, Ben 0, target 250.",
            "Your turn. You can play: 6-4 (+10), 4-1 (+5).",
        ]
        assert await table.type("6-5") == ["6-5 is not in your hand."]
        assert await table.type("4-1 L") == ["The table is empty: 4-1 is led without an end."]
        assert chosen == []
        await table.type("4-1")
        assert chosen == [Chosen(Play(0, 1, tile(4, 1), None))]
        assert await table.type("6-4") == [table.no_word("6-4")]
        assert await table.type("") == []
        nursery.cancel_scope.cancel()


async def test_a_hint_is_thought_over_and_told() -> None:
    table = Table()
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        assert await table.type("hint") == [
            f"A hint is for your own turn. {table.person._moment.state}"
        ]
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        assert (await table.type("hint"))[:1] == ["Thinking about a hint ..."]
        await said(table, f"{hint_text(Hinter().advise(view), view)} Enter plays it.")
        nursery.cancel_scope.cancel()


async def said(table: Table, line: str) -> None:
    """Wait until that was printed last: who gives hints thinks in a thread, for which no clock of a
    test runs."""
    until = time.monotonic() + HANG_SECONDS
    while table.shown[-1] != line:
        assert time.monotonic() < until, f"{table.shown[-1]} is said, and not {line}"
        await trio.lowlevel.checkpoint()


async def test_enter_plays_what_a_hint_has_said(mock_clock: trio.testing.MockClock) -> None:
    table, chosen = Table(), list[Chosen]()
    view = table.begin()

    async def decide() -> None:
        chosen.append(await table.person.decide(view))

    hint = Hinter().advise(view)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        # One that was pressed while the hint was thought over plays nothing.
        await table.type("hint", "")
        await said(table, TOO_SOON)
        assert table.shown[-2] == f"{hint_text(hint, view)} Enter plays it."
        await table.type("")
        assert chosen == [Chosen(hint.move)]
        assert len(view.legal) > 1
        nursery.cancel_scope.cancel()


async def test_enter_plays_a_hint_some_moments_after_it_and_no_hint_of_another_turn(
    mock_clock: trio.testing.MockClock,
) -> None:
    table, chosen = Table(), list[Chosen]()
    view = table.begin()
    again = make_view(table.match, 0)
    hint = Hinter().advise(view)

    async def decide() -> None:
        for one in (view, again):
            chosen.append(await table.person.decide(one))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        await table.type("hint")
        await said(table, f"{hint_text(hint, view)} Enter plays it.")
        mock_clock.jump(GUARD_SECONDS)
        await table.type("")
        assert chosen == [Chosen(hint.move)]
        assert (await table.type(""))[-1].startswith("No move is written")
        assert len(chosen) == 1
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("word", ["rules", "sheet", "log", "tips", "hand", "hnit", "say hello"])
async def test_enter_plays_a_hint_only_as_the_next_line_behind_it(
    word: str, mock_clock: trio.testing.MockClock
) -> None:
    table, chosen = Table(), list[Chosen]()
    view = table.begin()
    hint = Hinter().advise(view)

    async def decide() -> None:
        chosen.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        await table.type("hint")
        await said(table, f"{hint_text(hint, view)} Enter plays it.")
        mock_clock.jump(GUARD_SECONDS)
        await table.type(word)
        assert await table.type("") == [LAPSED, ask_move(view)]
        assert not chosen
        await table.type("hint")
        await said(table, f"{hint_text(hint, view)} Enter plays it.")
        mock_clock.jump(GUARD_SECONDS)
        await table.type("")
        assert chosen == [Chosen(hint.move)]
        nursery.cancel_scope.cancel()


async def test_in_a_pause_no_hint_is_given_that_enter_would_not_play(
    mock_clock: trio.testing.MockClock,
) -> None:
    table = Table()
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        await table.type("hint")
        await said(table, f"{hint_text(Hinter().advise(view), view)} Enter plays it.")
        mock_clock.jump(GUARD_SECONDS)
        table.person.show(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
        assert await table.type("hint") == [PAUSED]
        assert not any(line.startswith("hint ") for line in await table.type("help"))
        table.person.show(Pausing(1, frozenset(), on=False, was_on=True))
        # The hint from before the pause is not what Enter plays behind it.
        assert (await table.type(""))[0] == LAPSED
        nursery.cancel_scope.cancel()


async def test_where_points_are_claimed_a_hint_is_typed_with_the_claim() -> None:
    table = Table(claims="yes")
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        await table.type("hint")
        hint = hint_text(Hinter().advise(view), view)
        await said(table, f"{hint} Type it with what you claim.")
        assert (await table.type(""))[-1].startswith("No move is written")
        nursery.cancel_scope.cancel()


async def test_commands_answer_at_any_time() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        assert await table.type("hand", "line") == ["You have no tiles now.", NO_LINE]
        table.begin()
        told = list(help_lines(table.person._known.moment()))
        assert await table.type("help") == told
        assert max(map(len, told)) < 80
        assert await table.type("?") == told
        assert await table.type("HAND") == ["Your hand: 6-4 4-1"]
        assert await table.type("line") == ["The table is empty."]
        assert await table.type(" scores ") == [
            "Scores: Ana 0, Ben 0, target 250.",
            "Ana 2 tiles and Ben 2 tiles; 24 tiles in the boneyard.",
        ]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("word", ["quit", "q"])
async def test_leaving_asks_first(word: str) -> None:
    table = Table()
    table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        question = leave_match("ends", "Type yes to leave, Enter to stay.", "the word pause")
        assert "To keep it for another day stay, and ask for a pause" in question
        for other in ("", "no", "N"):
            assert await table.type(word, other) == [question, "You stay."]
        # Who goes on playing has not left, and what was typed is not lost.
        hand = "Your hand: 6-4 4-1"
        assert await table.type(word, "hand") == [question, "You stay.", hand]
        assert table.wishes == []
        for yes in ("Yes", " y "):
            assert await table.type(word, yes) == [question]
        assert table.wishes == [Leave("You leave.")] * 2
        nursery.cancel_scope.cancel()


async def test_before_a_match_quit_leaves_at_once() -> None:
    assert await wished(Table(), "quit") == [Leave("You leave.")]


async def test_the_end_of_the_input_is_leaving() -> None:
    table = Table()
    await table.keys.aclose()
    await table.person.listen()
    assert table.wishes == [Leave("The input has ended, so you leave.")]


async def test_a_word_that_is_none_is_no_move() -> None:
    table = Table()
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        for word in ("hnit", "what now", "l"):
            assert await table.type(word) == [table.no_word(word, view)]
        nursery.cancel_scope.cancel()


async def test_in_a_turn_that_goes_on_after_a_draw_only_what_is_new_is_told() -> None:
    table = Table()
    table.begin()
    table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))))
    table.match.apply(Play(0, 0, tile(6, 4), None))
    view = make_view(table.match, 1)
    told: list[list[str]] = []
    for _ in range(3):
        before = len(table.shown)
        with trio.move_on_after(0):
            await table.person.decide(view)
        told.append(table.shown[before:])
        view = replace(view, moves=(*view.moves, Draw(1)))
    assert told[0][0] == "Table: L 6-4 R"
    assert told[1] == told[2] == told[0][-1:]
    assert told[1][0].startswith("Your turn")


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_rings_once_a_turn_for_who_wants_it(
    bell: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    view = Table().begin()
    seat = make_seat(SeatChoice(plain=True, bell=bell), piped(), False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    drawn = replace(view, moves=(*view.moves, Draw(0)))
    for asked, rung in ((view, 1), (drawn, 0), (replace(view, hand_number=2), 1)):
        with trio.move_on_after(0):
            await seat.decide(asked)
        assert capsys.readouterr().out.count("\a") == (rung if bell else 0)


def test_the_log_is_read_from_its_end_or_whole() -> None:
    diary = Diary()
    assert diary.read("") == diary.read("all") == [NOTHING]
    lines = [f"line {number}" for number in range(100)]
    diary.add(lines)
    assert diary.read("") == ["60 lines before; log all reads them too.", *lines[60:]]
    assert diary.read("ALL") == lines
    assert diary.read("3") == lines[-3:]
    assert diary.read("999999999999999999") == lines
    for wrong in ("0", "none", "²"):
        assert diary.read(wrong) == [HOW_LONG]
    diary.begin()
    diary.add(lines[:40])
    assert diary.read("") == lines[:40]


async def test_the_bell_is_turned_on_and_off_by_a_word() -> None:
    table, rung = Table(), list[int]()
    table.person._terminal = Terminal(ring=lambda: rung.append(1))
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        for asked in (view, replace(view, hand_number=2)):
            on = asked is view
            assert await table.type("bell") == [bell_told(on)]
            with trio.move_on_after(0):
                await table.person.decide(asked)
            assert rung == [1]
        nursery.cancel_scope.cancel()


class BenLeads(Table):
    """A hand that Ben begins, and in which nothing has been played."""

    def __init__(self, claims: str = "no") -> None:
        super().__init__(claims=claims)
        self.begin_behind()

    def begin_behind(self) -> None:
        """Deal with Ben as the first."""
        self.person.show(Happened(MatchBegan(b"t" * 32, self.rules.spell(), players(2))))
        rest = [one for one in ALL_TILES if one not in HANDS[0] + HANDS[1]]
        self.match.begin_hand(1, known=dict(enumerate([*HANDS[0], *HANDS[1], *rest])))
        self.person.show(Happened(HandBegan(1, 1, (HANDS[0], None), (2, 2), None)))

    def lead(self, one: Tile) -> SeatView:
        """Ben leads a tile; what seat 0 sees then."""
        claim = 0 if self.rules.claims else None
        play = Play(1, 2 + HANDS[1].index(one), one, None, claim)
        (event,) = self.match.apply(play)
        assert isinstance(event, Played)
        self.person.show(Happened(InHand(1, event)))
        if self.rules.claims:
            self.match.apply_claims({0: 0})
            self.person.show(Happened(Settled(1, 1, {0: 0})))
        return make_view(self.match, 0)

    async def ahead(self, one: Tile, *lines: str) -> tuple[list[str], list[Chosen]]:
        """Type lines before Ben leads a tile, then Enter; what the own turn said, and chose."""
        chosen: list[Chosen] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.person.listen)
            await self.type(*lines)
            view = self.lead(one)
            before = len(self.shown)

            async def decide() -> None:
                chosen.append(await self.person.decide(view))

            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            told = self.shown[before:]
            assert chosen == []
            await self.type("")
            nursery.cancel_scope.cancel()
        return told, chosen


async def test_what_is_chosen_ahead_is_played_by_enter_in_the_own_turn() -> None:
    table = BenLeads()
    told, chosen = await table.ahead(tile(4, 3), "ahead 64", "ahead 4-1 L")
    assert "4-1 L is chosen ahead; Enter plays it when it is your turn." in table.shown
    # Of two tiles that fit, Enter alone would be none.
    assert told[-2].startswith("Your turn. You can play: 6-4 L")
    assert told[-1] == "You chose 4-1 L ahead; Enter plays it."
    assert chosen == [Chosen(Play(0, 1, tile(4, 1), "L"))]


async def test_a_tile_that_fits_one_end_needs_none_ahead() -> None:
    told, chosen = await BenLeads().ahead(tile(4, 3), "ahead 6-4")
    assert told[-1] == "You chose 6-4 ahead; Enter plays 6-4 L."
    assert chosen == [Chosen(Play(0, 0, tile(6, 4), "L"))]


async def test_what_does_not_fit_any_more_is_told_and_the_turn_is_as_any_other() -> None:
    told, chosen = await BenLeads().ahead(tile(4, 3), "ahead 6-4 R")
    assert told[-1].startswith("You chose 6-4 R ahead. 6-4 ")
    assert chosen == []


async def test_what_was_given_up_or_is_of_another_hand_is_not_played() -> None:
    table = BenLeads()
    told, chosen = await table.ahead(tile(4, 3), "ahead 6-4 L", "ahead no")
    assert table.shown.count("Nothing is chosen ahead.") == 1
    assert told[-1].startswith("Your turn. You can play")
    assert chosen == []
    table = BenLeads()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        await table.type("ahead 6-4 L")
        table.person.show(Happened(HandBegan(2, 1, (HANDS[0], None), (2, 2), None)))
        assert await table.type("ahead") == [HOW]
        await table.type("ahead 6-4 L")
        assert await table.type("ahead") == [f"6-4 L is chosen ahead. {HOW}"]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ahead", HOW),
        ("ahead 6-5", "6-5 is not in your hand."),
        ("ahead draw", "Only a tile is chosen ahead; draws and passes are asked for."),
        ("ahead 7-7", "'7-7' is no tile: write two halves from 0 to 6, as 6-4."),
        ("ahead 6-4 U", "There is no end U, and none can come before your next turn."),
        ("ahead 6-4 6U", "There is no end 6U, and none can come on this table."),
    ],
)
async def test_what_cannot_be_chosen_ahead(typed: str, said: str) -> None:
    table = BenLeads()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        assert await table.type(typed) == [said]
        nursery.cancel_scope.cancel()


async def test_a_choice_of_one_turn_is_none_in_the_next() -> None:
    table, chosen = BenLeads(), list[Chosen]()

    async def decide() -> None:
        for _ in range(2):
            chosen.append(await table.person.decide(make_view(table.match, 0)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        await table.type("ahead 4-1 L")
        table.lead(tile(4, 3))
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        await table.type("")
        assert len(chosen) == 1
        assert (await table.type(""))[-1].startswith("No move is written")
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ahead 41 l", "It is your turn now: type 4-1 L."),
        ("ahead 4-1 U", "It is your turn now. There is no open end 'U' (open: 4 on L, 3 on R)."),
        ("ahead 6-4 R", "It is your turn now. 6-4 does not match 3 on R (it fits L)."),
        ("ahead draw", "It is your turn now. 6-4 fits L: who can play may not draw."),
        ("ahead", "Your turn. You can play: 6-4 L (count 9), 4-1 L (count 4)."),
    ],
)
async def test_what_is_chosen_ahead_in_the_own_turn_is_to_be_typed(typed: str, said: str) -> None:
    table = BenLeads()
    view = table.lead(tile(4, 3))
    chosen = []

    async def decide() -> None:
        chosen.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        assert await table.type(typed) == [said]
        await table.type("")
        assert chosen == []
        nursery.cancel_scope.cancel()


async def test_nothing_is_chosen_ahead_where_nothing_can_be() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        assert await table.type("ahead 6-4") == [
            "Nothing can be chosen ahead now. The tiles are being shuffled by all who play."
        ]
        nursery.cancel_scope.cancel()


async def test_where_points_are_claimed_a_choice_ahead_is_played_with_its_claim_alone() -> None:
    told, chosen = await BenLeads(claims="yes").ahead(tile(4, 3), "ahead 4-1 L")
    assert told[-1] == "You chose 4-1 L ahead; type it with what you claim."
    assert chosen == []
    told, chosen = await BenLeads(claims="yes").ahead(tile(4, 3), "ahead 4-1 L =5")
    assert told[-1] == "You chose 4-1 L =5 ahead; Enter plays it."
    assert chosen == [Chosen(Play(0, 1, tile(4, 1), "L", 5))]


async def test_rules_score_tips_and_log_can_be_read_at_any_time() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        assert await table.type("log") == ["Nothing has happened yet."]
        none = "There are no scores before the match has begun."
        assert await table.type("sheet", "score") == [none, none]
        # The table has its rules before its first hand.
        assert await table.type("rules") == list(describe(Rules.make("classic", 2)))
        table.begin()
        assert (await table.type("log"))[-1] == "Your hand: 6-4 4-1"
        assert await table.type("log 1") == ["Your hand: 6-4 4-1"]
        assert await table.type("Log  all") == await table.type("log")
        assert await table.type("tips") == list(tip_lines(table.rules))
        assert (await table.type("fair"))[-1].startswith(
            "The rules, as everybody signed them: preset=classic, hand-size=2"
        )
        left = ((), (tile(6, 5),))
        table.person.show(Happened(InHand(1, HandEnded("domino", 0, left, (0, -10), (25, -10)))))
        assert (await table.type("sheet"))[:3] == [
            "Hand 1: Ana went out.",
            "  Ana: +25 in play, 0 at the end, now 25",
            "  Ben: 0 in play, -10 at the end, now -10",
        ]
        nursery.cancel_scope.cancel()


async def test_a_turn_reads_only_what_is_new_and_the_end_of_a_match_its_scores_once() -> None:
    table = Table()
    table.begin()
    table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))))
    table.person.show(Happened(InHand(1, Played(1, 2, tile(6, 5), "L", 9, 0, (10, 0), None))))
    view = replace(make_view(table.match, 0))
    with trio.move_on_after(0):
        await table.person.decide(view)
    assert table.shown[-4:-1] == [
        "Scores: Ana 10, Ben 0, target 250.",
        "Ana 1 tile and Ben 1 tile; 24 tiles in the boneyard.",
        "Your hand: 4-1",
    ]
    left = ((), (tile(4, 3),))
    table.person.show(Happened(InHand(1, HandEnded("domino", 0, left, (0, -5), (10, -5)))))
    table.person.show(Happened(MatchEnded("target", (0,), (10, -5))))
    assert table.shown[-2:] == ["Scores: Ana 10, Ben -5.", "You win the match."]


async def test_the_words_name_who_is_there_and_say_what_leaving_means() -> None:
    table = Table()
    table.begin()
    moment = table.person._known.moment()
    cleo = replace(moment, names={Deed.MUTE: "Cleo"}, leaving="stop for today; asks first")
    assert moment.names[Deed.MUTE] == "Ben"
    assert help_lines(moment)[-1].split(maxsplit=1) == ["quit", "leave; asks first"]
    assert "mute Cleo     what Cleo writes is not shown to you, or is again" in help_lines(cleo)
    assert help_lines(cleo)[-1].endswith("stop for today; asks first")
    assert no_word("hm", cleo).endswith(f"{cleo.state} {HELP}")


async def test_the_code_of_the_own_table_is_read_first_and_alone() -> None:
    table = Table()
    table.person.show(Opened("den", "a-b-c", "allfives:xyz", (), 1, ("den is open",)))
    assert table.shown[-2:] == ["The code is a-b-c.", "den is open"]


async def test_who_comes_into_a_match_hears_how_it_stands() -> None:
    table = Table()
    begun = MatchBegan(b"t" * 32, table.rules.spell(), players(2))
    led = Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None)
    hand = HandBegan(1, 0, (HANDS[0], None), (2, 2), None)
    table.person.show(Resumed((begun, hand, InHand(1, led))))
    looks_on = Table()
    looks_on.person.show(began(None))
    looks_on.person.show(Resumed((begun, hand, InHand(1, led))))
    # That one looks on has been said.
    assert looks_on.shown[-1] == "Ben is to move."
    assert sum(line.startswith("You are looking on") for line in looks_on.shown) == 1
    assert table.shown[-6:] == [
        "Table: L 6-4 R",
        "Ends: 6 on L, 4 on R; count 6 + 4 = 10.",
        "Scores: Ana 10, Ben 0, target 250.",
        "Ana 1 tile and Ben 2 tiles; 24 tiles in the boneyard.",
        "Your hand: 4-1",
        "Ben is to move.",
    ]


@pytest.mark.parametrize("paused", [False, True])
async def test_who_comes_back_to_the_own_turn_hears_the_table_before_it_is_asked(
    paused: bool,
) -> None:
    """Others may have to come first, or the pause to end; the question reads nothing again."""
    table = Table()
    view = table.begin()
    table.person.show(began())
    before = len(table.shown)
    begun = MatchBegan(b"t" * 32, table.rules.spell(), players(2))
    table.person.show(Resumed((begun, HandBegan(1, 0, (HANDS[0], None), (2, 2), None))))
    assert table.shown[before + 2 :] == [
        "The table is empty.",
        "Scores: Ana 0, Ben 0, target 250.",
        "Ana 2 tiles and Ben 2 tiles; 24 tiles in the boneyard.",
        "Your hand: 6-4 4-1",
        "You are to move.",
    ]
    if paused:
        table.person.show(Pausing(0, frozenset({0, 1}), on=True, was_on=False))
    before = len(table.shown)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        if paused:
            assert table.shown[before:] == []
            table.person.show(Pausing(1, frozenset(), on=False, was_on=True))
            before += 1
        assert table.shown[before:] == ["Your turn. You can play: 6-4 (+10), 4-1 (+5)."]
        nursery.cancel_scope.cancel()
    table.person.show(Happened(HandBegan(2, 0, (HANDS[0], None), (2, 2), None)))
    before = len(table.shown)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.decide, replace(view, hand_number=2))
        await trio.testing.wait_all_tasks_blocked()
        assert table.shown[before] == "The table is empty."
        nursery.cancel_scope.cancel()


async def test_the_log_after_a_return_has_what_was_before() -> None:
    table = Table()
    hand = HandBegan(1, 0, (HANDS[0], None), (2, 2), None)
    ended = HandEnded("domino", 0, ((), (tile(6, 5),)), (0, -10), (25, -10))
    led = Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None)
    begun = MatchBegan(b"t" * 32, table.rules.spell(), players(2))
    shuffled = DeckStep(1, 1, "shuffle", 6, 6)
    first = (begun, shuffled, hand, InHand(1, led), InHand(1, ended))
    table.person.show(Resumed((*first, HandBegan(2, 0, (HANDS[0], None), (2, 2), None))))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        told = await table.type("log")
        assert "You lead 6-4: 6 + 4 = 10, +10." in told
        assert told[-1] == "Your hand: 6-4 4-1"
        assert (await table.type("fair"))[-3] == "Deal 1: Ben shuffled, proven and checked"
        nursery.cancel_scope.cancel()


async def test_who_is_muted_is_not_heard_until_heard_again() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        off = "What Ben writes is not shown to you any more."
        assert await table.type("mute Ben") == [off]
        before = len(table.shown)
        table.person.show(Chatted(1, "hello?"))
        table.person.show(began(1))  # another match: Ben sits elsewhere, and is muted still
        table.person.show(Chatted(1, "I am Ben"))
        assert table.shown[before:] == ["Type help for what can be done now, at any time."]
        table.person.show(began())
        assert await table.type("mute") == ["What Ben writes is shown to you again."]
        table.person.show(Chatted(1, "at last"))
        assert table.shown[-1] == "Ben: at last"
        assert await table.type("mute nobody") == ["Type mute and the name: Ben."]
        nursery.cancel_scope.cancel()


async def test_who_is_waited_for_too_long_is_put_out_on_a_second_word() -> None:
    table = Table()
    table.begin()
    assert await wished(table, "out", "out Ben") == []
    assert table.shown[-1].startswith("Nobody has been waited for so long")
    table.keys, lines = trio.open_memory_channel[str](100)
    table.person._lines = table._typed(lines)
    table.person.show(Waiting((1,), 300.0, 0.0))
    assert await wished(table, "out", "", "out cem", "out Ben", "yes") == [PutOut(1)]
    assert table.shown[-4:] == [
        "Go on without Ben? It is done when all others want it too. Type yes to want it, Enter to "
        "wait on.",
        "You wait on.",
        table.shown[-2],
        "Go on without Ben? It is done when all others want it too. Type yes to want it, Enter to "
        "wait on.",
    ]


async def wished(table: Table, *lines: str) -> list[Wish]:
    """What somebody wants who types these lines."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        await table.type(*lines)
        nursery.cancel_scope.cancel()
    return table.wishes


NO_CLAIM = "A claim is a number from 0 to 168, 0 for none."


async def test_a_claim_with_a_placement_is_asked_for_again_with_a_sentence() -> None:
    table = Table(claims="yes")
    view = table.begin()
    chosen = []

    async def decide() -> None:
        chosen.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        assert await table.type("6-4 =170") == [NO_CLAIM]
        assert chosen == []
        await table.type("6-4 =168")
        assert chosen == [Chosen(Play(0, 0, tile(6, 4), None, 168))]
        nursery.cancel_scope.cancel()


async def test_the_forced_lead_is_asked_for_before_the_hand_begins() -> None:
    table = Table(claims="yes", starter="highest-double")
    table.person.show(Happened(MatchBegan(b"t" * 32, table.rules.spell(), players(2))))
    hand = table.match.begin_hand(
        0, known=dict(enumerate((tile(6, 6), tile(4, 1)))), lead=tile(6, 6)
    )
    assert hand.turn == 0
    deal = [
        "Hand 1: 2 tiles each, 24 tiles in the boneyard. You start.",
        "Your hand: 6-6 4-1",
    ]
    must = "6-6 must be led, the highest double of this deal"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(table.person.decide, make_view(table.match, 0))
        await trio.testing.wait_all_tasks_blocked()
        assert table.shown[-5:] == [
            *deal,
            "You must lead 6-6, the highest double of this deal; what do you claim for it?",
            "Your turn. You can play: 6-6.",
            HOW_TO_CLAIM,
        ]
        assert await table.type("line") == [NO_LINE]
        assert await table.type("hand") == ["Your hand: 6-6 4-1"]
        assert await table.type("scores") == [
            "Scores: Ana 0, Ben 0, target 250.",
            "Ana 2 tiles and Ben 2 tiles; 24 tiles in the boneyard.",
        ]
        assert (await table.type("log"))[-2:] == deal
        for word in ("draw", "pass"):
            refused = f"The table is empty and {must}: lead it, do not {word}."
            assert await table.type(word) == [refused]
        enter = "where only one move can be made, Enter alone makes it"
        assert enter in "\n".join(await table.type("help")), "of classic rules, as it began"
        table.person._known.rules = table.rules
        assert enter not in "\n".join(await table.type("help")), "it has to be claimed for"
        led = Chosen(make_view(table.match, 0).legal[0], auto=True)
        table.person.show(TimeIsUp(led))
        assert table.shown[-1] == (
            "The time for it is over: the tile is led, and nothing is claimed for it."
        )
        table.person.show(Happened(HandBegan(1, 0, ((tile(6, 6), tile(4, 1)), None), (2, 2), None)))
        assert not set(deal) & set(table.shown[-1:]), "it has been told"
        assert (await table.type("log")).count(deal[0]) == 1
        nursery.cancel_scope.cancel()


async def test_the_seconds_of_a_turn_are_told_as_it_begins_and_not_after_a_draw() -> None:
    table = Table(turn_seconds="15")
    table.person.show(Happened(MatchBegan(b"t" * 32, table.rules.spell(), players(2))))
    dealt = [*HANDS[0], tile(3, 2), tile(5, 3), tile(5, 5)]
    rest = [one for one in ALL_TILES if one not in dealt]
    table.match.begin_hand(1, known=dict(enumerate([*dealt, *rest])))
    table.person.show(Happened(HandBegan(1, 1, (HANDS[0], None), (2, 2), None)))
    for move in (Play(1, 2, tile(3, 2), None), Draw(0)):
        (event,) = table.match.apply(move)
        assert isinstance(event, Played | Drawn)
        drawn = tile(5, 5) if isinstance(event, Drawn) else None
        table.person.show(Happened(InHand(1, event, tile=drawn)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.person.decide, make_view(table.match, 0))
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        seconds = " (15 seconds)" if isinstance(event, Played) else ""
        assert table.shown[-1].startswith(f"Your turn{seconds}: nothing you hold fits")


@pytest.mark.parametrize("last", [False, True])
async def test_what_was_held_last_is_told_when_there_are_no_tiles_now(last: bool) -> None:
    table = Table()
    table.begin()
    led = [Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None)]
    more = [Played(1, 2, tile(6, 5), "L", 9, 0, (10, 0), None)]
    more += [Played(0, 1, tile(4, 1), "R", 6, 0, (10, 0), None)]
    for play in led + (more if last else []):
        table.person.show(Happened(InHand(1, play)))
    left = ((), (tile(4, 3),)) if last else ((tile(4, 1),), None)
    table.person.show(Happened(InHand(1, HandEnded("target", 0, left, (0, 0), (10, 0)))))
    held = "had no tile left" if last else "held 4-1"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        told = f"You have no tiles now; at the end of hand 1 you {held}."
        assert await table.type("hand") == [told]
        nursery.cancel_scope.cancel()


async def test_claims_are_asked_for_and_typed() -> None:
    table = Table(claims="yes")
    table.begin()
    table.match.apply(Play(0, 0, tile(6, 4), None, 10))
    view = replace(make_view(table.match, 1), awaiting=Play(1, 0, tile(6, 4), None, 10))
    answers = []

    async def claim() -> None:
        answers.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        for line, expected in (("15", 15), ("", 0), ("=5", 5)):
            nursery.start_soon(claim)
            await trio.testing.wait_all_tasks_blocked()
            assert table.shown[-3:] == [
                "Table: L 6-4 R",
                "Ends: 6 on L, 4 on R.",
                "Ben leads 6-4, claiming 10. What did it score? If not 10, type the points you "
                "claim within 8 s; Enter alone claims nothing.",
            ]
            for wrong in ("170", "9" * 8000):
                assert await table.type(wrong) == [NO_CLAIM]
            assert await table.type("lots") == [table.no_word("lots", view)]
            await table.type(line)
            assert answers[-1] == Chosen(None, expected)
        nursery.cancel_scope.cancel()


async def test_a_number_that_is_typed_too_late_for_a_claim_plays_no_tile() -> None:
    table = Table(claims="yes")
    table.begin()
    table.match.apply(Play(0, 0, tile(6, 4), None, 10))
    table.match.apply_claims({1: 0})
    view, answers = make_view(table.match, 1), list[Chosen]()
    assert {tile(6, 5), tile(4, 3)} == {one for _, one in view.tiles}

    async def decide() -> None:
        answers.append(await table.person.decide(view))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        for typed in ("65", "4-3 R"):
            table.person.show(TimeIsUp(Chosen(None, auto=True)))
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            if typed == "65":
                assert await table.type(typed) == [TOO_LATE]
                assert answers == []
            await table.type(typed)
        nursery.cancel_scope.cancel()
    tiles = [one.move.tile for one in answers if isinstance(one.move, Play)]
    assert tiles == [tile(6, 5), tile(4, 3)]


async def test_a_claim_is_asked_for_without_the_placement_that_was_just_told() -> None:
    led = "Ben leads 4-3, claiming nothing."
    for between in (None, Pausing(1, frozenset({1}), on=False, was_on=False)):
        table = BenLeads(claims="yes")
        play = Play(1, 3, tile(4, 3), None, 0)
        table.match.apply(play)
        asked = make_view(table.match, 0)
        table.shown.clear()
        table.person.show(Happened(InHand(1, Played(1, 3, play.tile, None, 7, 0, (0, 0), 0))))
        if between is not None:
            table.person.show(between)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.person.decide, asked)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert table.shown[0] == led
        assert table.shown[-3:-1] == ["Table: L 4-3 R", "Ends: 4 on L, 3 on R."]
        assert table.shown[-1].startswith(led) is (between is not None)
        assert "Type the points you claim within 8 s" in table.shown[-1]


async def test_the_line_is_not_read_again_in_the_turn_behind_a_claim() -> None:
    table = BenLeads(claims="yes")
    play = Play(1, 3, tile(4, 3), None, 0)
    table.match.apply(play)
    asked = make_view(table.match, 0)
    table.person.show(Happened(InHand(1, Played(1, 3, play.tile, None, 7, 0, (0, 0), 0))))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        nursery.start_soon(table.person.decide, asked)
        await trio.testing.wait_all_tasks_blocked()
        assert table.shown[-3:-1] == ["Table: L 4-3 R", "Ends: 4 on L, 3 on R."]
        await table.type("")
        before = len(table.shown)
        table.match.apply_claims({0: 0})
        table.person.show(Happened(Settled(1, 1, {0: 0})))
        nursery.start_soon(table.person.decide, make_view(table.match, 0))
        await trio.testing.wait_all_tasks_blocked()
        told = table.shown[before:]
        assert told[0] == "The ends count 4 + 3 = 7. Ben: no points."
        assert told[1].startswith("Scores: ")
        assert (await table.type("line"))[0] == "Table: L 4-3 R"
        nursery.cancel_scope.cancel()


async def test_the_line_tells_no_count_before_all_have_claimed() -> None:
    table = Table(claims="yes")
    table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 0, (0, 0), 0))))
        assert await table.type("line") == ["Table: L 6-4 R", "Ends: 6 on L, 4 on R."]
        table.person.show(Happened(Settled(1, 0, {1: 0})))
        assert (await table.type("line"))[-1] == "Ends: 6 on L, 4 on R; count 6 + 4 = 10."
        nursery.cancel_scope.cancel()


def test_who_is_next_is_told_behind_the_claims() -> None:
    for claims in ({1: 0}, {1: 10}):
        table = Table(claims="yes")
        table.begin()
        table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 0, (0, 0), 0))))
        table.shown.clear()
        table.person.show(Happened(Settled(1, 0, claims)))
        counted = "The ends count 6 + 4 = 10. You: no points."
        told = []
        if claims[1]:
            assert table.shown == [counted]
            table.person.show(Happened(InHand(1, Claimed(1, 10, 10, (0, 10)))))
            told = ["Ben claims 10: +10."]
        assert table.shown == [counted, *told]


async def test_who_says_nothing_in_time_claims_nothing(autojump_clock: trio.abc.Clock) -> None:
    table = Table(claim_seconds=8.0, claims="yes")
    table.begin()
    table.match.apply(Play(0, 0, tile(6, 4), None, 10))
    before = trio.current_time()
    with trio.fail_after(100):
        assert await Timed(table.person).decide(make_view(table.match, 1)) == Chosen(None)
    assert trio.current_time() - before == 8.0
    assert table.shown[-1] == "Nothing is claimed for you: the time for it is over."


async def test_the_turn_clock_plays_the_first_move_in_order(
    autojump_clock: trio.abc.Clock,
) -> None:
    table = Table(turn_seconds="15")
    view = table.begin()
    before = trio.current_time()
    with trio.fail_after(60):
        chosen = await Timed(table.person).decide(view)
    assert trio.current_time() - before == 15.0
    assert chosen == Chosen(view.legal[0], auto=True)
    assert view.legal[0] == Play(0, 0, tile(6, 4), None)


async def test_without_a_turn_clock_nothing_is_played_for_anybody(
    autojump_clock: trio.abc.Clock,
) -> None:
    table = Table()
    view = table.begin()
    with trio.move_on_after(10_000) as scope:
        await Timed(table.person).decide(view)
    assert scope.cancelled_caught


async def test_how_the_time_runs_is_said_before_it_is_over(
    autojump_clock: trio.abc.Clock,
) -> None:
    table = Table(turn_seconds="60")
    view = table.begin()
    with trio.fail_after(100):
        await Timed(table.person).decide(view)
    assert table.shown[-2:] == [f"{some} seconds left for your turn." for some in (30, 10)]


def test_who_has_more_time_for_a_claim_is_not_told_how_to_have_it() -> None:
    table = Table(claim_seconds=20.0, claims="yes")
    now = began()
    table.person.show(replace(now, table=replace(now.table, rules=table.rules)))
    told = "You have 20 seconds to claim points for what another plays."
    assert table.shown[-1] == told


async def test_the_time_for_a_claim_is_said_and_how_to_have_more(
    autojump_clock: trio.abc.Clock,
) -> None:
    table = Table(claims="yes")
    now = began()
    table.person.show(replace(now, table=replace(now.table, rules=table.rules)))
    assert "8 seconds to claim" in table.shown[-1]
    assert "claim-seconds" in table.shown[-1]
    table.begin()
    table.match.apply(Play(0, 0, tile(6, 4), None, 10))
    view = replace(make_view(table.match, 1), awaiting=Play(1, 0, tile(6, 4), None, 10))
    with trio.fail_after(100):
        await Timed(table.person).decide(view)
    assert "4 seconds left to claim points." in table.shown


def test_what_is_done_about_who_is_waited_for_is_a_word_and_no_key() -> None:
    table = Table()
    table.person.show(began(0, 3))
    choose, agree = "Type out to choose that; it asks first.", "Type out to agree."
    for notice, said in (
        (Waiting((1,), 240.0, 60.0), None),
        (Waiting((1,), 300.0, 0.0), choose),
        (Waiting((0,), 300.0, 0.0), None),
        (OutWished(2, (1,)), agree),
        (OutWished(1, (0,)), None),
        (OutWished(0, (1,)), None),
        (OutWished(1, ()), None),
    ):
        before = len(table.shown)
        table.person.show(notice)
        told = table.shown[before:]
        assert len(told) == 1 + (said is not None)
        assert told[-1] == said or said is None
        assert not any(" o, " in line or ": o" in line for line in told)


async def test_in_a_pause_nobody_is_told_to_play() -> None:
    table = Table()
    view = table.begin()
    table.person.show(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
    async with trio.open_nursery() as nursery:
        before = len(table.shown)
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        assert table.shown[before:] == []
        table.person.show(Pausing(1, frozenset(), on=False, was_on=True))
        assert table.shown[before] == "Ben goes on with the match."
        assert table.shown[-1] == "Your turn. You can play: 6-4 (+10), 4-1 (+5)."
        nursery.cancel_scope.cancel()


async def test_a_lead_that_the_rules_force_is_told_as_such() -> None:
    table = Table()
    table.begin()
    table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))))
    why = "6-4 is the heaviest tile of this deal, in which nobody has a double."
    assert f"{FORCED}{why}" in table.shown
    chosen = Table()
    view = chosen.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(chosen.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    led = Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None)
    chosen.person.show(Happened(InHand(1, led)))
    assert not any(line.startswith(FORCED) for line in chosen.shown)


async def test_keys_that_were_read_in_the_lobby_are_not_read_again() -> None:
    table = Table()
    begun = MatchBegan(b"t" * 32, table.rules.spell(), players(2))
    table.person.show(Happened(begun))
    assert "[" in next(line for line in table.shown if line.startswith("The match begins"))
    table.person.show(Filled(Room((ANA, BEN), 2, ANA.key, rules=table.rules)))
    table.person.show(began())
    table.person.show(Happened(begun))
    assert any(line.startswith("The match begins: Ana (you) and Ben, to") for line in table.shown)


async def test_who_leaves_people_in_the_lobby_is_asked_first() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        room = Room((ANA, BEN), 3, ANA.key, hosts=True, rules=table.rules)
        table.person.show(Filled(replace(room, people=(ANA,))))
        await table.type("quit")
        table.person.show(Filled(replace(room, bots=frozenset({BEN.key}))))
        await table.type("quit")
        assert table.wishes == [Leave(), Leave()]
        table.person.show(Filled(room))
        assert await table.type("quit", "") == [
            "Leave? Ben sits here already; the table closes for everybody then. Type yes to "
            "leave, Enter to stay.",
            "You stay.",
        ]
        assert await table.type("help") != []
        await table.type("quit", "yes")
        assert table.wishes == [Leave()] * 3
        nursery.cancel_scope.cancel()


async def test_a_cancelled_question_takes_no_answer() -> None:
    table = Table()
    view = table.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        with trio.move_on_after(0):
            await table.person.decide(view)
        assert await table.type("6-4") == [table.no_word("6-4")]
        nursery.cancel_scope.cancel()


async def test_whose_turn_it_is_is_said() -> None:
    table = Table()
    table.person.show(began(1))
    table.person.show(Happened(MatchBegan(b"t" * 32, table.rules.spell(), players(2))))
    table.person.show(Happened(HandBegan(2, 0, (None, HANDS[1]), (2, 2), None)))
    assert table.shown[-1] == "Your hand: 6-5 4-3"
    assert any(line.endswith("Ana starts.") for line in table.shown)


async def test_after_others_moves_it_is_not_said_again_who_is_next() -> None:
    table = Table(hand_size="5")
    table.person.show(Happened(MatchBegan(b"t" * 32, table.rules.spell(), players(2))))
    table.person.show(Happened(HandBegan(1, 1, (HANDS[0], None), (5, 5), None)))
    table.person.show(Happened(InHand(1, Played(1, 5, tile(6, 5), None, 11, 0, (0, 0), None))))
    assert table.shown[-1] == "Ben leads 6-5: 6 + 5 = 11, no points."
    table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), "L", 9, 0, (0, 0), None))))
    # There is nobody else who might be.
    assert table.shown[-1].startswith("You play 6-4 on L: ")


async def test_of_several_it_is_said_who_is_next() -> None:
    table = Table()
    rules = Rules.make("classic", 3, {"hand-size": "5"})
    table.person.show(Happened(MatchBegan(b"t" * 32, rules.spell(), players(3))))
    table.person.show(Happened(HandBegan(1, 0, (HANDS[0], None, None), (5, 5, 5), None)))
    led = Played(0, 0, tile(6, 4), None, 10, 10, (10, 0, 0), None)
    table.person.show(Happened(InHand(1, led)))
    assert table.shown[-1] == "Ben to move."


async def test_nobody_is_to_move_when_nobody_can_play() -> None:
    table = Table(draws="none")
    table.begin()
    table.person.show(Happened(InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))))
    assert "You lead 6-4: 6 + 4 = 10, +10." in table.shown
    for seat in (1, 0):
        table.person.show(Happened(InHand(1, Passed(seat))))
    assert table.shown[-1] == "You pass."


async def test_another_match_is_asked_for_when_one_is_over() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        table.begin()
        assert await table.type("again") == [
            "Another match can be asked for when this one is over."
        ]
        table.person.show(Offered(True))
        assert table.shown[-1] == AGAIN_OFFERED
        table.person.show(AgainWanted(1))
        assert table.shown[-1] == "Ben asks for another match."
        assert await table.type("agian") == [table.no_word("agian")]
        assert table.wishes == []
        assert await table.type("Again") == [
            "You ask for another match; it begins when everybody does."
        ]
        assert table.wishes == [Again()]
        table.person.show(began(1))
        assert await table.type("", "hand") == ["You have no tiles now."]
        assert table.wishes == [Again()]
        nursery.cancel_scope.cancel()


def test_of_a_move_that_the_clock_makes_its_own_line_says_so() -> None:
    table = Table()
    view = table.begin()
    before = len(table.shown)
    table.person.show(TimeIsUp(Chosen(view.legal[0], auto=True)))
    assert table.shown[before:] == []


async def test_where_no_other_match_can_be_it_is_said_why() -> None:
    table = Table()
    table.begin()
    table.person.show(Offered(True))
    table.person.show(Offered(False, "Ben has left, so there is no other match at this table."))
    assert table.shown[-1] == "Ben has left, so there is no other match at this table."
    assert await wished(table, "again") == []


@pytest.mark.parametrize("word", ["", "no", "N", "quit"])
async def test_enter_and_no_leave_after_a_match(word: str) -> None:
    table = Table()
    table.begin()
    table.person.show(Offered(True))
    assert await wished(table, word) == [Leave("You leave.")]


@pytest.mark.parametrize("word", ["again", "yes", "Y"])
async def test_again_and_yes_ask_for_another_match(word: str) -> None:
    table = Table()
    table.begin()
    table.person.show(Offered(True))
    assert await wished(table, word) == [Again()]


async def test_a_pause_in_plain_lines() -> None:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.person.listen)
        view = table.begin()
        nursery.start_soon(table.person.decide, view)
        await trio.testing.wait_all_tasks_blocked()
        assert await table.type("resume") == ["You have asked for no pause."]
        await table.type("pause")
        table.person.show(Pausing(1, frozenset({1}), on=False, was_on=False))
        assert table.shown[-2:] == [
            "Ben asks for a pause; it begins when all agree.",
            "Type pause to agree.",
        ]
        table.person.show(Pausing(0, frozenset({0, 1}), on=True, was_on=False))
        assert (
            table.shown[-1] == "Type resume to go on, or quit to stop for today: the match waits."
        )
        assert await table.type("pause") == ["You ask for a pause already."]
        for line in ("6-4", ""):
            assert await table.type(line) == [PAUSED]
        assert (await table.type("quit", "no"))[-1] == "You stay."
        assert table.shown[-2] == leave_match("waits", "Type yes to leave, Enter to stay.")
        assert table.shown[-2].endswith("go on first.) Type yes to stop, Enter to stay.")
        await table.type("resume")
        assert table.wishes == [Pause(True), Pause(False)]
        table.person.show(Pausing(1, frozenset(), on=False, was_on=True))
        assert table.shown[-2:] == [
            "Ben goes on with the match.",
            "Your turn. You can play: 6-4 (+10), 4-1 (+5).",
        ]
        assert await table.type("6-4") == []
        table.person.show(Pausing(0, frozenset({0, 1}), on=True, was_on=False))
        assert await table.type("") == [PAUSED]
        table.person.show(Pausing(1, frozenset(), on=False, was_on=True))
        assert table.shown[-1] == "Ben goes on with the match."
        table.person.show(Offered(True))
        assert await table.type("pause") == ["There is no match to pause now."]
        nursery.cancel_scope.cancel()


async def test_lines_of_chat() -> None:
    table = Table()
    assert await wished(table, "say  Hello  you ") == [Say("Hello  you")]
    before = len(table.shown)
    for notice in (Chatted(0, "Hello  you"), Chatted(1, "Hi"), Refused("A line is too long.")):
        table.person.show(notice)
    assert table.shown[before:] == ["You: Hello  you", "Ben: Hi", "A line is too long."]


async def test_in_a_lobby_with_others_lines_are_said_and_shown() -> None:
    table = Table()
    lines = piped("say hello")
    table.person = PlainSeat(table.shown.append, lines, hinter, 8.0)
    table.person.sit(table.wishes.append)
    own, ben = Sitter(b"a" * 32, "Ana"), Sitter(b"b" * 32, "Ben")
    table.person.show(Filled(Room((own, ben), 3, own.key)))
    before = len(table.shown)
    await table.person.listen()
    table.person.show(Spoke(own.key, "hello"))
    table.person.show(Spoke(ben.key, "hi"))
    assert table.wishes[0] == Say("hello")
    assert table.shown[before:] == ["You: hello", "Ben: hi"]


async def test_before_there_is_a_match_nobody_hears_chat_or_pauses() -> None:
    table = Table()
    table.person = PlainSeat(table.shown.append, piped("say hello", "pause"), hinter, 8.0)
    before = len(table.shown)
    await table.person.listen()
    assert table.shown[before:] == [
        "There is nobody to write to yet.",
        "There is no match to pause now.",
    ]


async def piped(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


async def test_links_lost_and_back_in_plain_lines() -> None:
    table = Table()
    table.begin()
    before = len(table.shown)
    for notice in (Linked(1), Away(1, 3.0, 297.0), Back(1), Told("So.")):
        table.person.show(notice)
    assert table.shown[before:] == [
        "Ben is away for 3 s (may be away 4 min 57 s more).",
        "Ben is back.",
        "So.",
    ]
