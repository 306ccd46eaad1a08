"""The pump over wires in memory: what is stored, sent, shown in which order, asked and awaited."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
import trio
import trio.lowlevel
import trio.testing
from support.limits import HANG_SECONDS, seats
from support.net.pump_seats import Seat, Wires, at_once, make_seats, play, silent

from engine.events import MatchEnded
from engine.moves import Pass
from engine.strategy.view import SeatView
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Point
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle_prover import Prepared
from p2p.deck.shuffles import prepare_shuffle
from p2p.net.link.live import LinkDown, LinkUp, Received
from p2p.net.match.pump import in_thread
from p2p.session.sitting.attendance import DUE_SECONDS
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.owner import (
    Again,
    Away,
    Chatted,
    Chosen,
    Linked,
    Notice,
    Offered,
    Outcome,
    Pause,
    Pausing,
    Refused,
    Say,
    Unlinked,
    Wish,
)
from p2p.session.sitting.playing import FAREWELL_SECONDS
from p2p.session.steps import shuffle
from p2p.session.verify import verify_record
from p2p.wire.talk import Chat, Done, Leave, Said, Word, encode_talk

Hears = Callable[[Wish, float], Effects]


@pytest.mark.parametrize("players", seats(3))
async def test_a_match_runs_to_its_end_for_everybody(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead: set[int] = set()

    def noted(context: DealContext, seat: int, key: Point, rng: RandomBytes) -> Prepared:
        ahead.add(seat)
        return prepare_shuffle(context, seat, key, rng)

    monkeypatch.setattr(shuffle, "prepare_shuffle", noted)
    seats = make_seats(players, work=in_thread, claims="yes")
    await play(seats)
    # Who shuffles last has always somebody to wait for, and the first nobody.
    assert players - 1 in ahead
    assert 0 not in ahead
    assert [seat.outcome for seat in seats] == [Outcome("finished")] * players
    assert len({seat.session.record() for seat in seats}) == 1
    assert verify_record(seats[0].session.record()).closed
    for seat in seats:
        assert isinstance(seat.events[-1], MatchEnded)


async def test_it_is_stored_then_sent_then_shown() -> None:
    seats = make_seats()
    await play(seats)
    for seat in seats:
        stored = {message.data for batch in seat.batches for message in batch.messages}
        said = [seat.session.understand(payload) for payload in seat.wires.sent]
        assert {talk.data for talk in said if isinstance(talk, Said)} <= stored
        order = [what for what, place in seat.hub.log if place == seat.place]
        pairs = set(pairwise(order))
        assert order[0] == "saved"
        # After something is shown nothing is sent before something is stored again.
        assert ("shown", "sent") not in pairs
        assert pairs >= {("saved", "sent"), ("sent", "shown"), ("shown", "saved")}


async def test_nothing_is_sent_or_shown_that_could_not_be_stored() -> None:
    seats = make_seats()

    def full(batch: object) -> None:
        raise OSError("no space left on device")

    seats[0].pump._save = full
    with pytest.RaisesGroup(OSError):
        await seats[0].pump.run()
    assert seats[0].wires.sent == []
    assert seats[0].notices == []


async def test_the_pump_wakes_at_the_deadline(autojump_clock: trio.testing.MockClock) -> None:
    seats = make_seats()
    begin = trio.current_time()
    with trio.move_on_after(DUE_SECONDS + 2.5):
        await seats[0].run()
    assert trio.current_time() - begin == pytest.approx(DUE_SECONDS + 2.5)
    away = [one for one in seats[0].notices if isinstance(one, Away)]
    assert [one.since for one in away] == pytest.approx([0.0, 1.0, 2.0])
    assert all(one.late for one in away)


async def test_whoever_is_cancelled_leaves_and_says_so() -> None:
    seats = make_seats()
    for seat in seats:
        seat.choose = silent
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats[1].run)
        with trio.CancelScope() as scope:
            nursery.start_soon(cancel_when, scope, seats[0].wires)
            try:
                await seats[0].run()
            finally:
                seats[0].pump.leave()
    name = seats[0].session.table.players[0].name
    assert seats[1].outcome is not None
    assert seats[1].outcome.sentence is not None
    assert seats[1].outcome.sentence.startswith(f"{name} has left the match, so")
    assert seats[0].batches[-1].words
    assert seats[0].hub.log.index(("saved", 0)) < seats[0].hub.log.index(("sent", 0))


async def cancel_when(scope: trio.CancelScope, wires: Wires) -> None:
    """Cancel as soon as something was sent."""
    while not wires.sent:
        await trio.lowlevel.checkpoint()
    scope.cancel()


async def test_whoever_is_done_waits_for_the_others_but_not_for_ever(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seats = make_seats()
    hub = seats[0].hub
    begin = 0.0

    async def without_farewell() -> None:
        nonlocal begin
        await seats[1].over.wait()
        begin = trio.current_time()
        hub.cut.add((1, 0))

    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        nursery.start_soon(without_farewell)
    said = [seats[1].session.understand(payload) for payload in seats[1].wires.sent]
    assert any(isinstance(talk, Word) and isinstance(talk.said, Done) for talk in said)
    assert trio.current_time() - begin <= FAREWELL_SECONDS + 1
    assert seats[0].outcome == Outcome("finished")


async def test_what_happens_on_the_wires_is_fed_in_order() -> None:
    seats = make_seats()
    for seat in seats:
        seat.choose = silent
    feed = seats[0].wires.feed
    leave = encode_talk(seats[1].session.word(0, Leave()))
    for event in (LinkDown(1, "gone"), LinkUp(1), Received(1, leave), LinkUp(1)):
        feed.send_nowait(event)
    await play([seats[0]])
    links = [one for one in seats[0].notices if isinstance(one, Linked | Unlinked)]
    assert links == [Linked(1), Unlinked(1, "gone"), Linked(1)]
    # What came after the end is not lost: it is the first to be heard afterwards.
    assert feed.statistics().current_buffer_used == 1


async def test_the_link_of_who_sends_rubbish_is_closed() -> None:
    seats = make_seats()
    seats[0].wires.feed.send_nowait(Received(1, b"\xc1"))
    leave = encode_talk(seats[1].session.word(0, Leave()))
    seats[0].wires.feed.send_nowait(Received(1, leave))
    await play([seats[0]])
    assert [place for place, _ in seats[0].wires.closed] == [1]


# The owner's decisions


async def test_a_refused_decision_is_asked_for_again() -> None:
    seats = make_seats(claims="yes")
    asked = 0

    async def wrong_first(view: SeatView) -> Chosen:
        nonlocal asked
        asked += 1
        if asked % 2:
            return Chosen(None, claim=999) if view.awaiting else Chosen(Pass(1 - view.seat))
        return await seats[0].bot(view)

    seats[0].choose = wrong_first
    await play(seats)
    assert {seat.outcome for seat in seats} == {Outcome("finished")}
    assert any(isinstance(one, Refused) for one in seats[0].notices)


async def test_a_question_is_asked_once_and_withdrawn_when_the_match_ends() -> None:
    seats = make_seats()
    asked: list[int] = []
    withdrawn: list[int] = []
    ready = trio.Event()

    async def never(view: SeatView) -> Chosen:
        asked.append(view.seat)
        ready.set()
        try:
            return await silent(view)
        finally:
            withdrawn.append(view.seat)

    seats[0].choose = seats[1].choose = never
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await ready.wait()
        seats[1 - asked[0]].pump.wish(Say("take your time"))
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert len(asked) == 1
        assert withdrawn == []
        for seat in seats:
            leave = encode_talk(seats[1 - seat.place].session.word(0, Leave()))
            seat.wires.feed.send_nowait(Received(1 - seat.place, leave))
            await seat.ended.wait()
    assert withdrawn == asked


async def test_a_question_may_be_withdrawn_and_asked_anew_while_the_match_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats = make_seats()
    asked: list[int] = []
    withdrawn: list[int] = []

    async def never(view: SeatView) -> Chosen:
        asked.append(view.seat)
        try:
            return await silent(view)
        finally:
            withdrawn.append(view.seat)

    for seat in seats:
        seat.choose = never
        wish = seat.sitting.wish

        def withdraw(wanted: Wish, now: float, wish: Hears = wish) -> Effects:
            return replace(wish(wanted, now), ask=None)

        monkeypatch.setattr(seat.sitting, "wish", withdraw)
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked(0.05)
        (turn,) = asked
        seats[turn].pump.wish(Say("nothing is asked now"))
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert withdrawn == [turn]
        seats[1 - turn].pump.wish(Say("and now it is again"))
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert (asked, withdrawn) == ([turn, turn], [turn])
        nursery.cancel_scope.cancel()


async def test_no_move_is_taken_while_the_match_is_paused() -> None:
    seats = make_seats(2)
    asked, answer = trio.Event(), trio.Event()

    async def late(view: SeatView) -> Chosen:
        asked.set()
        await answer.wait()
        return await seats[0].bot(view)

    async with trio.open_nursery() as nursery:
        for seat in seats:
            seat.choose = late
            nursery.start_soon(seat.run)
        await asked.wait()
        for seat in seats:
            seat.pump.wish(Pause(True))
        await trio.testing.wait_all_tasks_blocked(0.05)
        before = [len(seat.session.record()) for seat in seats]
        answer.set()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert [len(seat.session.record()) for seat in seats] == before
        seats[1].pump.wish(Pause(False))
    assert {seat.outcome for seat in seats} == {Outcome("finished")}
    for seat in seats:
        assert [one.on for one in seat.notices if isinstance(one, Pausing)].count(True) == 1


# Wishes


async def test_a_wish_may_come_while_something_is_shown_or_worked_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats = make_seats(work=in_thread)
    show = seats[0].show

    def talkative(notice: Notice) -> None:
        show(notice)
        if isinstance(notice, Chatted) and notice.words == "hello":
            seats[0].pump.wish(Say("hello to you"))

    monkeypatch.setattr(seats[0], "show", talkative)
    seats[0].pump.wish(Say("before the start"))
    async with trio.open_nursery() as nursery:
        for seat in seats:
            seat.choose = silent
            nursery.start_soon(seat.run)
        seats[1].pump.wish(Say("hello"))
        with trio.fail_after(HANG_SECONDS):
            while sum(isinstance(one, Chatted) for one in seats[1].notices) < 3:
                await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    words = [one.words for one in seats[1].notices if isinstance(one, Chatted)]
    assert sorted(words) == ["before the start", "hello", "hello to you"]


# Another match


async def rematch(seats: list[Seat]) -> None:
    """Everybody asks for another match, and plays it."""

    async def one(seat: Seat) -> None:
        seat.pump.wish(Again())
        assert await seat.pump.another() is not None
        await seat.run()

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            for seat in seats:
                nursery.start_soon(one, seat)


async def test_matches_one_after_the_other_over_the_same_wires() -> None:
    seats = make_seats(3, target="5")
    await play(seats)
    records = {seats[0].session.record()}
    for _ in range(2):
        await rematch(seats)
        assert [seat.outcome for seat in seats] == [Outcome("finished")] * 3
        assert len({seat.session.record() for seat in seats}) == 1
        records.add(seats[0].session.record())
    assert len(records) == 3


async def test_whoever_leaves_ends_the_wait_for_another() -> None:
    seats = make_seats(2, target="5")
    await play(seats)
    seats[1].pump.leave()
    with trio.fail_after(HANG_SECONDS):
        assert await seats[0].pump.another() is None
    name = seats[0].session.table.players[1].name
    why = f"{name} has left, so there is no other match at this table."
    assert seats[0].notices[-2:] == [Offered(True), Offered(False, why)]


async def test_chat_goes_on_between_two_matches() -> None:
    seats = make_seats(2, target="5")
    await play(seats)
    line = encode_talk(seats[1].session.word(7, Chat("well played")))
    seats[0].wires.feed.send_nowait(Received(1, line))
    seats[1].pump.leave()
    seats[0].pump.wish(Say("thanks"))
    with trio.fail_after(HANG_SECONDS):
        await seats[0].pump.another()
    chats = [one for one in seats[0].notices if isinstance(one, Chatted)]
    assert chats == [Chatted(0, "thanks"), Chatted(1, "well played")]


async def test_what_is_known_is_not_worth_a_thread(autojump_clock: trio.testing.MockClock) -> None:
    jobs = 0

    async def work(job: Callable[[], Effects]) -> Effects:
        nonlocal jobs
        jobs += 1
        return await at_once(job)

    seats = make_seats(2, work=work)
    one, other = seats
    async with trio.open_nursery() as nursery:
        for seat in seats:
            seat.choose = silent
            nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked()
        before, said = jobs, Said.kind.encode()
        payload = next(one for one in reversed(other.wires.sent) if said in one[:16])
        for _ in range(100):
            one.wires.feed.send_nowait(Received(1, payload))
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert jobs == before
