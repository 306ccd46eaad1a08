"""The pump over wires in memory: order of storing and sending, due times, ends, chat."""

import tracemalloc

import pytest
import trio
import trio.testing
from support.net.pump_seats import make_seats, play, silent

from engine.events import MatchEnded
from engine.strategy.view import SeatView
from p2p.net.link.live import LinkDown, Received
from p2p.net.match.pump import (
    DUE_SECONDS,
    FAREWELL_SECONDS,
    MAX_KNOWN_A_SEAT,
    Chosen,
    Outcome,
    in_thread,
)
from p2p.session.session import Session
from p2p.session.speaker import Body, Speaker
from p2p.session.state.events import Faulted
from p2p.session.state.state import State
from p2p.session.talk import Done, Said, encode_talk
from p2p.session.verify import verify_record
from p2p.wire.envelope import Message, seal


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_match_runs_to_its_end_for_everybody(players: int) -> None:
    seats = make_seats(players, work=in_thread)
    await play(seats)
    assert [seat.outcome for seat in seats] == [Outcome("finished")] * players
    assert len({seat.session.record() for seat in seats}) == 1
    assert verify_record(seats[0].session.record()).closed
    for seat in seats:
        assert isinstance(seat.events[-1], MatchEnded)


async def test_claims_are_asked_for() -> None:
    seats = make_seats(3, claims="yes")
    await play(seats)
    assert {seat.outcome for seat in seats} == {Outcome("finished")}


async def test_nothing_is_sent_before_it_is_stored() -> None:
    seats = make_seats()
    await play(seats)
    hub = seats[0].hub
    for seat in seats:
        stored = {message.data for batch in seat.batches for message in batch.messages}
        said = [seat.session.understand(payload) for payload in hub.wires[seat.session.seat].sent]
        assert {talk.data for talk in said if isinstance(talk, Said)} <= stored
    # A send is preceded by the saving of the same seat's output, never by somebody else's alone.
    last: dict[int, str] = {}
    for what, number in hub.log:
        if what == "sent":
            assert last[number] in ("saved", "sent")
        last[number] = what


async def test_own_messages_are_stored_with_the_secrets_behind_them() -> None:
    seats = make_seats()
    await play(seats)
    for seat in seats:
        kept: set[int] = set()
        for batch in seat.batches:
            kept |= set(batch.secrets)
            for message in batch.messages:
                if message.seat == seat.session.seat and message.ladder > 0:
                    assert message.ladder in kept
            kept -= set(batch.forget)
        assert not kept


async def test_a_lost_link_stops_an_undecided_match() -> None:
    seats = make_seats()
    seats[0].choose = seats[1].choose = silent
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats[0].run)
        nursery.start_soon(seats[1].run)
        await trio.testing.wait_all_tasks_blocked(0.2)
        seats[0].hub.wires[0].feed.send_nowait(LinkDown(1, "nothing was heard for 8 s"))
        await seats[0].ended.wait()
        nursery.cancel_scope.cancel()
    name = seats[0].session.table.players[1].name
    assert seats[0].outcome == Outcome(
        "broken",
        f"The link to {name} is gone (nothing was heard for 8 s), so the match stops here, "
        "undecided. Its record so far is kept.",
    )
    assert not verify_record(seats[0].session.record()).ok


async def test_who_stops_says_whom_it_lost_and_so_nobody_else_is_named() -> None:
    seats = make_seats(3)
    for seat in seats:
        seat.choose = silent
    names = [player.name for player in seats[0].session.table.players]
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked(0.2)
        seats[0].hub.wires[0].feed.send_nowait(LinkDown(2, "the other side left"))
        for seat in seats:
            await seat.ended.wait()
    stops = "so the match stops here, undecided. Its record so far is kept."
    assert [seat.outcome for seat in seats] == [
        Outcome("broken", f"The link to {names[2]} is gone (the other side left), {stops}"),
        Outcome("broken", f"{names[0]} has lost the link to {names[2]}, {stops}"),
        Outcome("broken", f"{names[1]} has lost the link to you, {stops}"),
    ]


async def test_silence_where_no_person_is_needed_ends_the_wait(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seats = make_seats()
    seats[0].hub.cut.add((1, 0))
    begin = trio.current_time()
    await play([seats[0]])
    name = seats[0].session.table.players[1].name
    assert trio.current_time() - begin == pytest.approx(DUE_SECONDS)
    assert seats[0].outcome == Outcome(
        "broken",
        f"Nothing came from {name} for 30 seconds, so the match stops here, undecided. "
        "Its record so far is kept.",
    )


async def test_an_answer_to_a_placement_is_due(autojump_clock: trio.testing.MockClock) -> None:
    seats = make_seats(claims="yes")
    claimed = trio.Event()

    async def never(view: SeatView) -> Chosen:
        if view.awaiting is None:
            return await seats[0].bot(view)
        claimed.set()
        return await silent(view)

    seats[0].choose = seats[1].choose = never
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await claimed.wait()
        begin = trio.current_time()
        late = next(seat for seat in seats if seat.session.claim_due())
        placer = seats[1 - late.session.seat]
        await placer.ended.wait()
        assert trio.current_time() - begin == pytest.approx(DUE_SECONDS)
        assert placer.outcome is not None
        assert placer.outcome.kind == "broken"
        # The one who is late breaks nothing off by itself.
        assert late.outcome is None
        nursery.cancel_scope.cancel()


async def test_a_person_may_take_its_time(autojump_clock: trio.testing.MockClock) -> None:
    seats = make_seats()

    async def slow(view: SeatView) -> Chosen:
        await trio.sleep(10 * DUE_SECONDS)
        return await seats[0].bot(view)

    seats[0].choose = slow
    await play(seats)
    assert [seat.outcome for seat in seats] == [Outcome("finished")] * 2


class WrongShare(Speaker):
    """Gives shares of the deal for its own slots' neighbours: proven for nothing."""

    def deal(self, state: State, step: int) -> Body:
        name, data = super().deal(state, step)
        assert isinstance(data, bytes)
        return [name, data[:-1] + bytes([data[-1] ^ 1])]


class Careless(Session):
    """Sends what its own referee refuses."""

    def _hear_own(self, message: Message) -> None:
        try:
            super()._hear_own(message)
        except AssertionError:
            self._accepted.append(message)
            self._send.append(message.data)
            self.referee.ladder(message.ladder).open[message.seat] = message


async def test_a_fault_ends_the_match_and_names_the_seat(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seats = make_seats(3, {1: WrongShare}, {1: Careless})
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await seats[0].ended.wait()
        await seats[2].ended.wait()
        nursery.cancel_scope.cancel()
    name = seats[0].session.table.players[1].name
    for seat in (seats[0], seats[2]):
        assert seat.outcome is not None
        assert seat.outcome.kind == "fault"
        assert seat.outcome.sentence is not None
        assert seat.outcome.sentence.startswith(f"{name} broke the protocol: the shares for slots")
        assert any(isinstance(event, Faulted) and event.seat == 1 for event in seat.events)
        found = verify_record(seat.session.record()).fault
        assert found is not None
        assert found.seat == 1
    assert seats[0].session.record() == seats[2].session.record()


async def test_whoever_is_done_waits_for_the_others_but_not_for_ever(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seats = make_seats()
    hub = seats[0].hub
    quiet = hub.wires[1]
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
    said = [seats[1].session.understand(payload) for payload in quiet.sent]
    assert any(isinstance(talk, Done) for talk in said)
    assert trio.current_time() - begin <= FAREWELL_SECONDS + 1
    assert seats[0].outcome == Outcome("finished")


async def test_bytes_that_nobody_signed_end_the_link_and_blame_nobody() -> None:
    seats = make_seats()
    for seat in seats:
        seat.choose = silent
    wires = seats[0].hub.wires[0]
    payloads = [b"", b"\xc1", encode_talk(Said(b"rubbish")), encode_talk(Done(b"0" * 31))]
    for payload in payloads:
        wires.feed.send_nowait(Received(1, payload))
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await seats[0].ended.wait()
        nursery.cancel_scope.cancel()
    assert wires.closed[0][0] == 1
    assert seats[0].outcome is not None
    assert seats[0].outcome.kind == "broken"
    assert seats[0].session.fault is None


async def test_messages_that_cannot_be_judged_yet_do_not_fill_the_memory() -> None:
    seats = make_seats()
    for seat in seats:
        seat.choose = silent
    sender = seats[1].session
    wires = seats[0].hub.wires[0]
    for step in range(MAX_KNOWN_A_SEAT + 100):
        place = (0, 1000 + step, sender.seat)
        data = seal(sender._identity, sender.table.id, place, bytes(32), "play", [bytes(20_000)])
        wires.feed.send_nowait(Received(1, encode_talk(Said(data))))
    tracemalloc.start()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats[0].run)
        await trio.testing.wait_all_tasks_blocked(0.2)
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert wires.feed.statistics().current_buffer_used == 0
        nursery.cancel_scope.cancel()
    assert kept < 3_000_000
    assert len(seats[0].pump._known[1]._hashes) == MAX_KNOWN_A_SEAT


async def test_a_message_whose_sender_was_forgotten_is_sent_once_more_and_no_harm_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.net.match.pump.MAX_KNOWN_A_SEAT", 1)
    seats = make_seats(3)
    await play(seats)
    assert [seat.outcome for seat in seats] == [Outcome("finished")] * 3
    assert len({seat.session.record() for seat in seats}) == 1


async def test_chat_reaches_everybody_once_whatever_way_it_comes() -> None:
    seats = make_seats(3)
    for seat in seats:
        seat.choose = silent
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked(0.2)
        seats[0].pump.chat("good luck")
        seats[0].pump.chat("good luck")
        while len(seats[1].heard) < 2 or len(seats[2].heard) < 2:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked(0.05)
        nursery.cancel_scope.cancel()
    for seat in seats[1:]:
        assert [(chat.seat, chat.number, chat.words) for chat in seat.heard] == [
            (0, 0, "good luck"),
            (0, 1, "good luck"),
        ]
    assert not seats[0].heard


@pytest.mark.parametrize("words", ["", "x" * 301, "two\nlines", "\x1b[2J"])
async def test_chat_that_cannot_be_shown_is_not_sent(words: str) -> None:
    seats = make_seats()
    with pytest.raises(ValueError, match=r"^A line of chat has 1 to 300 printable characters\.$"):
        seats[0].pump.chat(words)
