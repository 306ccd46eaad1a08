"""p2p.net.link.reception: hostile bytes and hundreds of slow dialers do no harm to anybody else."""

import random
from contextlib import AsyncExitStack

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import MemoryNetwork, Wire, key, loopback

from p2p.net.errors import LinkBroken
from p2p.net.link.addresses import Address, parse_address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.listen import Listeners
from p2p.net.link.reception import (
    HEARD_A_SOURCE,
    HEARD_AT_ONCE,
    SOURCES_MOST,
    STRANGERS_MOST,
    TAKEN_AT_ONCE,
    Gate,
    Reception,
    Stranger,
)
from p2p.net.link.tls import client_context, handshake
from p2p.wire.codec import encode
from p2p.wire.framing import frame


class Desk:
    """A greeter that keeps what it was handed and answers with the opening itself."""

    def __init__(self) -> None:
        self.openings: list[object] = []

    async def greet(self, stranger: Stranger) -> None:
        self.openings.append(stranger.opening)
        stranger.proven()
        await stranger.link.tell("echo", stranger.opening)


def reception(desk: Desk) -> Reception:
    return Reception(key(1), random.Random(1).randbytes, desk.greet)


async def ask(places: list[Address], value: object) -> object:
    reached: Dialled = await dial(places, key(1).public)
    try:
        await reached.link.tell(value)
        return await reached.link.hear()
    finally:
        await reached.link.aclose()


async def test_two_hundred_silent_dialers_do_not_keep_an_honest_one_out() -> None:
    desk = Desk()
    async with loopback(1) as (at,), trio.open_nursery() as nursery, AsyncExitStack() as stack:
        nursery.start_soon(reception(desk).run, at)
        for _ in range(200):
            stream = await trio.open_tcp_stream("127.0.0.1", at.port)
            stack.push_async_callback(stream.aclose)
        with trio.fail_after(HANG_SECONDS):
            places = [parse_address(at.addresses[0])]
            assert await ask(places, "hello") == ["echo", ["hello"]]
        nursery.cancel_scope.cancel()


async def test_of_too_many_strangers_the_one_waiting_longest_goes(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = reception(Desk()), list[int]()

    async def serve(number: int, stream: trio.abc.Stream) -> None:
        await server.serve(stream)
        ends.append(number)

    async with trio.open_nursery() as nursery:
        kept = []
        for number in range(STRANGERS_MOST + 3):
            here, there = trio.testing.memory_stream_pair()
            kept.append(here)
            nursery.start_soon(serve, number, there)
            await trio.testing.wait_all_tasks_blocked()
        assert ends == [0, 1, 2]
        began = trio.current_time()
    # All the others are silent: each is gone at the end of its first stage.
    assert trio.current_time() - began <= 5
    assert len(ends) == STRANGERS_MOST + 3


async def test_each_stage_has_a_deadline(autojump_clock: trio.testing.MockClock) -> None:
    network = MemoryNetwork()
    server = reception(Desk())
    here, there = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, Wire(there, network))
        await handshake(Wire(here, network), client_context(), server_side=False)
        began = trio.current_time()
    assert 5 <= trio.current_time() - began <= 7


async def test_a_trickle_of_bytes_buys_no_time(autojump_clock: trio.testing.MockClock) -> None:
    network, server = MemoryNetwork(), reception(Desk())
    here, there = trio.testing.memory_stream_pair()

    async def trickle(stream: trio.abc.Stream) -> None:
        for byte in frame(bytes(4000)):
            try:
                await stream.send_all(bytes([byte]))
            except trio.BrokenResourceError:
                return
            await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, Wire(there, network))
        tls = await handshake(Wire(here, network), client_context(), server_side=False)
        nursery.start_soon(trickle, tls)
    assert trio.current_time() < 10


HOSTILE = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"",
    b"\x16\x03\x01\x02\x00\x01",
    b"\x16\x03\x01\xff\xff" + bytes(5000),
    *(random.Random(n).randbytes(500) for n in range(20)),
]


async def test_bytes_that_are_no_tls() -> None:
    server = reception(Desk())
    for data in HOSTILE:
        here, there = trio.testing.memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve, there)
            await here.send_all(data)
            await here.send_eof()


FRAMES = [
    b"\0\0\0\0",
    b"\0\0\x10\1",
    b"\xff\xff\xff\xff",
    frame(b"\x91" * 4000),
    frame(b"\xdd\xff\xff\xff\xff"),
    frame(b"\xc4\xff"),
    frame(b"\xcb" + bytes(8)),
    frame(encode("join") + b"\0"),
    frame(encode(["join"]))[:-1],
    *(frame(random.Random(n).randbytes(200)) for n in range(20)),
]


@pytest.mark.parametrize("number", range(len(FRAMES)))
async def test_hostile_frames_end_the_link_before_anybody_is_asked(number: int) -> None:
    network, desk = MemoryNetwork(), Desk()
    server = reception(desk)
    here, there = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, Wire(there, network))
        tls = await handshake(Wire(here, network), client_context(), server_side=False)
        await tls.send_all(FRAMES[number])
        await tls.aclose()
    assert desk.openings == []


async def test_an_opening_split_at_every_byte() -> None:
    network, desk = MemoryNetwork(), Desk()
    server = reception(desk)
    data = frame(encode(["join", b"x"]))
    for cut in range(len(data)):
        here, there = trio.testing.memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve, Wire(there, network))
            tls = await handshake(Wire(here, network), client_context(), server_side=False)
            await tls.send_all(data[:cut])
            await trio.testing.wait_all_tasks_blocked()
            await tls.send_all(data[cut:])
            await trio.testing.wait_all_tasks_blocked()
            await tls.aclose()
    assert desk.openings == [["join", b"x"]] * len(data)


async def test_a_greeter_that_breaks_a_link_ends_that_one_only() -> None:
    async def greet(stranger: Stranger) -> None:
        if stranger.opening == ["bad"]:
            raise LinkBroken("it is bad")
        await stranger.link.tell("good")

    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        nursery.start_soon(Reception(key(1), random.Random(1).randbytes, greet).run, at)
        places = [parse_address(at.addresses[0])]
        with trio.fail_after(HANG_SECONDS):
            with pytest.raises(LinkBroken):
                await ask(places, "bad")
            assert await ask(places, "fine") == ["good"]
        nursery.cancel_scope.cancel()


class Exhausted(trio.abc.Listener[trio.abc.Stream]):
    """A listener whose process has no file descriptor left for a while."""

    def __init__(self) -> None:
        self.tries = 0

    async def accept(self) -> trio.abc.Stream:
        self.tries += 1
        await trio.lowlevel.checkpoint()
        raise OSError(24, "Too many open files")

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_running_out_of_descriptors_is_waited_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    listener = Exhausted()
    with trio.move_on_after(1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reception(Desk())._accept, listener, nursery)
    assert 5 < listener.tries < 15


def test_there_is_time_for_so_many_strangers_and_each_source_has_its_share() -> None:
    gate = Gate()
    assert [gate.has_time(0.0) for _ in range(TAKEN_AT_ONCE + 1)] == [True] * TAKEN_AT_ONCE + [
        False
    ]
    assert gate.has_time(1.0)
    assert [gate.hears("crowd", 0.0) for _ in range(HEARD_A_SOURCE + 1)][-2:] == [True, False]
    assert gate.hears("friend", 0.0)
    heard = sum(gate.hears(f"{number}", 0.0) for number in range(HEARD_AT_ONCE))
    assert heard == HEARD_AT_ONCE - HEARD_A_SOURCE - 1
    assert gate.hears("crowd", 1.0)


def test_a_gate_remembers_so_many_sources_and_no_more() -> None:
    gate = Gate()
    for number in range(2 * SOURCES_MOST):
        gate.hears(f"{number}", float(number))
    assert len(gate._sources) == SOURCES_MOST


async def test_who_is_not_heard_is_sent_away_at_once_and_others_are_heard() -> None:
    class OneOnly(Gate):
        def __init__(self) -> None:
            super().__init__()
            self.asked = 0

        def hears(self, source: str, now: float) -> bool:
            self.asked += 1
            return self.asked == 2

    desk = Desk()
    door = Reception(key(1), random.Random(1).randbytes, desk.greet, gate=OneOnly())
    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        nursery.start_soon(door.run, at)
        with trio.fail_after(HANG_SECONDS):
            async with await trio.open_tcp_stream("127.0.0.1", at.port) as stream:
                assert await stream.receive_some() == b""
            places = [parse_address(at.addresses[0])]
            assert await ask(places, "hello") == ["echo", ["hello"]]
        nursery.cancel_scope.cancel()


async def test_nobody_is_taken_while_there_is_no_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    class Busy(Gate):
        """Until a second has passed."""

        def has_time(self, now: float) -> bool:
            return now >= begun + 1

    class Door(trio.abc.Listener[trio.abc.Stream]):
        """Somebody stands before it, and then nobody any more."""

        def __init__(self) -> None:
            self.taken: list[float] = []

        async def accept(self) -> trio.abc.Stream:
            if self.taken:
                await trio.sleep_forever()
            self.taken.append(trio.current_time())
            return trio.testing.memory_stream_pair()[0]

        async def aclose(self) -> None:
            raise NotImplementedError

    begun, one = trio.current_time(), Door()
    door = Reception(key(1), random.Random(1).randbytes, Desk().greet, gate=Busy())
    with trio.move_on_after(2):
        await door.run(Listeners((one,), 1, ()))
    assert len(one.taken) == 1
    assert one.taken[0] >= begun + 1
