"""A pause begins when all want it and ends when one does not, whatever order words come in."""

import random

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.pump_seats import Seat, make_seats, silent

from engine.strategy.view import SeatView
from p2p.net.link.live import LinkDown, LinkUp, Received
from p2p.net.match.pausing import MAX_WORDS_A_SEAT, Pause, Pausing
from p2p.net.match.pump import DUE_SECONDS, Chosen
from p2p.session.state.errors import Suspicion
from p2p.wire.talk import MAX_ROUNDS, Paused, encode_talk


def test_all_must_want_it_and_one_ends_it() -> None:
    pause = Pause((0, 1, 2))
    word, change = pause.say(0, True)
    assert word == Paused(0, True)
    assert change == Pausing(0, frozenset({0}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) == Pausing(1, frozenset({0, 1}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) is None
    assert not pause.on
    assert pause.hear(2, Paused(0, True)) == Pausing(2, frozenset({0, 1, 2}), on=True, was_on=False)
    assert pause.on
    assert pause.hear(2, Paused(0, False)) == Pausing(2, frozenset(), on=False, was_on=True)
    assert pause.say(0, True)[0] == Paused(1, True)


def test_a_wish_for_a_round_that_is_over_counts_no_more() -> None:
    pause = Pause((0, 1))
    pause.say(0, True)
    assert pause.say(0, False)[0] == Paused(0, False)
    assert pause.hear(1, Paused(0, True)) is None
    assert pause.hear(1, Paused(0, False)) is None
    assert pause.say(0, True)[1].wanting == {0}
    assert pause.hear(1, Paused(1, False)) == Pausing(1, frozenset(), on=False, was_on=False)


def test_a_later_round_ends_the_earlier_one() -> None:
    pause = Pause((0, 1, 2))
    pause.say(0, True)
    pause.hear(1, Paused(0, True))
    assert pause.hear(2, Paused(1, True)) == Pausing(2, frozenset({2}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) is None
    assert pause.say(0, True)[0] == Paused(1, True)


def test_rounds_and_words_have_an_end() -> None:
    pause = Pause((0, 1))
    pause.hear(1, Paused(MAX_ROUNDS, True))
    pause.say(0, True)
    assert pause.on
    assert pause.say(0, False)[0] == Paused(MAX_ROUNDS, False)
    assert not pause.on
    for _ in range(MAX_WORDS_A_SEAT - 1):
        pause.hear(1, Paused(0, True))
    with pytest.raises(Suspicion, match="too many words about a pause"):
        pause.hear(1, Paused(0, True))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_said_everybody_ends_with_the_same(seed: int) -> None:
    """Words between each two come in order, those of different people in any."""
    rng = random.Random(seed)
    seats = tuple(range(rng.choice((2, 3, 4))))
    pauses = [Pause(seats) for _ in seats]
    wires: dict[tuple[int, int], list[Paused]] = {(a, b): [] for a in seats for b in seats}
    said = 0
    while said < 30 or any(wires.values()):
        ready = [pair for pair, words in wires.items() if words]
        if said < 30 and (not ready or rng.random() < 0.4):
            seat = rng.choice(seats)
            word, _ = pauses[seat].say(seat, rng.random() < 0.7)
            for other in seats:
                if other != seat:
                    wires[seat, other].append(word)
            said += 1
        else:
            sender, receiver = rng.choice(ready)
            pauses[receiver].hear(sender, wires[sender, receiver].pop(0))
    known = {(one._round, one._wanting) for one in pauses}
    assert len(known) == 1


async def until(seat: Seat, on: bool) -> None:
    """Wait until a seat's pause is as wanted."""
    with trio.fail_after(HANG_SECONDS):
        while not seat.pauses or seat.pauses[-1].on != on:
            await trio.lowlevel.checkpoint()


async def test_no_move_is_taken_while_the_match_is_paused() -> None:
    seats = make_seats(2)
    async with trio.open_nursery() as nursery:
        asked = trio.Event()
        answer = trio.Event()

        async def late(view: SeatView) -> Chosen:
            asked.set()
            await answer.wait()
            return await seats[0].bot(view)

        for seat in seats:
            seat.choose = late
            nursery.start_soon(seat.run)
        await asked.wait()
        for seat in seats:
            seat.pump.pause(True)
        for seat in seats:
            await until(seat, True)
        before = [len(seat.session.record()) for seat in seats]
        answer.set()
        await trio.testing.wait_all_tasks_blocked(0.1)
        assert [len(seat.session.record()) for seat in seats] == before
        seats[1].pump.pause(False)
        await until(seats[0], False)
        for seat in seats:
            await seat.ended.wait()
            assert seat.outcome is not None
            assert seat.outcome.kind == "finished"


async def test_nobody_is_late_in_a_pause(autojump_clock: trio.testing.MockClock) -> None:
    seats = make_seats(2)
    seats[0].hub.cut.add((1, 0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats[0].run)
        await trio.sleep(DUE_SECONDS / 2)
        seats[0].pump.pause(True)
        seats[0].hub.wires[0].feed.send_nowait(Received(1, encode_talk(Paused(0, True))))
        await trio.sleep(10 * DUE_SECONDS)
        assert seats[0].outcome is None
        begin = trio.current_time()
        seats[0].pump.pause(False)
        await seats[0].ended.wait()
        assert trio.current_time() - begin == pytest.approx(DUE_SECONDS)
        assert seats[0].outcome is not None
        assert seats[0].outcome.kind == "broken"


async def test_after_the_end_nothing_is_paused() -> None:
    seats = make_seats(2, target="5")
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await seats[0].ended.wait()
        seats[0].pump.pause(True)
    assert seats[0].pauses == []


async def test_what_happens_to_links_is_told_before_the_match_ends() -> None:
    seats = make_seats(2)
    for seat in seats:
        seat.choose = silent
    events: list[LinkUp | LinkDown] = [LinkUp(1), LinkDown(1, "gone"), LinkUp(1)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats[0].run)
        await trio.testing.wait_all_tasks_blocked(0.05)
        for event in events:
            seats[0].hub.wires[0].feed.send_nowait(event)
        await seats[0].ended.wait()
    assert seats[0].links == events[:2]
