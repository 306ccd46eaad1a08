"""p2p.net.door.host against programs of other kinds: nonsense, silence, numbers."""

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import BEN, OPEN, Guest, Host, MemoryNetwork, key, loopback, peer, size

from p2p.net.door.draws import commitment
from p2p.net.door.joiner import prove
from p2p.net.door.messages import (
    Bound,
    DrawSeats,
    Go,
    NowSeated,
    ReadyFor,
    Show,
    Shown,
    Start,
    Welcome,
)
from p2p.net.errors import LinkBroken, SentAway
from p2p.net.link.addresses import Address, parse_address
from p2p.net.link.dial import dial
from p2p.net.link.greeting import JoinOpening
from p2p.net.link.live import LiveLink
from p2p.net.link.message import read, whole
from p2p.net.link.roster import Seated
from p2p.wire.codec import decode, encode
from p2p.wire.shape import Shape

BASE_POINT = b"A\x58" + b"\x66" * 31


@pytest.mark.parametrize(
    "value", [["no", "full"], ["ready"], ["ready", 7], ["dance", b""], [], None, {"ready": b""}]
)
async def test_a_seated_joiner_that_talks_nonsense_loses_only_its_own_seat(value: object) -> None:
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None, players=3)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        live = await seated_at(host, network, nursery)
        live.post(encode(value))
        await host.until(size(1))
        await live.ended.wait()
        await seated_at(host, network, nursery)
        nursery.cancel_scope.cancel()


async def seated_at(host: Host, network: MemoryNetwork, nursery: trio.Nursery) -> LiveLink:
    """A joiner without a client: proven at an open table, seated, then silent but for pings."""

    async def ignore(_: bytes) -> None:
        await trio.lowlevel.checkpoint()

    await host.until(size(1))
    place = Address("192.0.2.1", host.listeners.port)
    reached = await dial([place], key(1).public, network.connect)
    await prove(reached, peer(2), OPEN)
    await reached.link.tell(*whole(BEN))
    live = LiveLink(reached.link)
    nursery.start_soon(live.run, ignore)
    await host.until(size(2))
    return live


async def test_who_is_not_ready_in_time_loses_the_seat(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        await seated_at(host, network, nursery)
        began = trio.current_time()
        await host.until(size(1))
        assert trio.current_time() - began == 10
        nursery.cancel_scope.cancel()


async def test_an_open_table_keeps_few_who_do_not_say_who_they_are(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr("p2p.net.link.reception.STRANGERS_MOST", 3)
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        await host.until(size(1))
        place, silent = Address("192.0.2.1", host.listeners.port), []
        for seed in range(4):
            reached = await dial([place], host.identity.public, network.connect)
            await prove(reached, peer(10 + seed), OPEN)
            silent.append(reached.link)
        with pytest.raises(LinkBroken):
            await silent[0].receive()
        # It was pushed out; for want of a name it would have had to leave after 5 s.
        assert trio.current_time() == 0
        for link in silent:
            await link.aclose()
        nursery.cancel_scope.cancel()


async def test_who_is_in_line_for_the_code_is_not_pushed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.net.link.reception.STRANGERS_MOST", 2)
    async with loopback(2) as (first, second), trio.open_nursery() as nursery:
        host = Host(first, key(1))
        nursery.start_soon(host.run)
        at = parse_address(first.addresses[0])
        slow = await dial([at], host.identity.public)
        # A SPAKE2 message that is none but its base point: it holds the turn until it goes.
        opening = JoinOpening.make(key(3), slow.key, slow.nonce, "code", "", BASE_POINT)
        await slow.link.tell(*whole(opening))
        await slow.link.receive()
        nursery.start_soon(Guest(second, key(2)).run, first.addresses)
        await trio.testing.wait_all_tasks_blocked(0.1)
        silent = [await trio.open_tcp_stream(at.host, at.port) for _ in range(4)]
        await trio.testing.wait_all_tasks_blocked(0.1)
        await slow.link.aclose()
        with trio.fail_after(HANG_SECONDS):
            await host.until(size(2))
        for stream in silent:
            await stream.aclose()
        nursery.cancel_scope.cancel()


BOUND = commitment(1, key(2).public, b"n" * 32)


@pytest.mark.parametrize(
    "said",
    [
        [Bound(1, BOUND), Bound(1, b"x" * 32)],
        [Bound(1, BOUND), Shown(1, b"x" * 32)],
        [Bound(1, BOUND), Shown(1, b"n" * 32), Shown(1, b"x" * 32)],
        [Shown(1, b"n" * 32)],
    ],
)
async def test_who_says_two_things_in_a_draw_loses_the_seat(said: list[Shape]) -> None:
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        live = await seated_at(host, network, nursery)
        for one in said:
            live.post(encode(whole(one)))
        await host.until(size(1))
        nursery.cancel_scope.cancel()


async def test_what_is_said_for_an_earlier_draw_is_dropped_and_who_stays_silent_is_named(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        live = await seated_at(host, network, nursery)
        for one in (Bound(0, b"x" * 32), Shown(0, b"y" * 32), Bound(1, BOUND)):
            live.post(encode(whole(one)))
        began = trio.current_time()
        await host.until(size(1))
        assert trio.current_time() - began == 10
        nursery.cancel_scope.cancel()
    assert host.troubles == [
        "Ben did not answer while the seats were drawn, so that seat is free again; all draw anew.",
        KEPT_OUT,
    ]


KEPT_OUT = (
    "Ben went while the seats were drawn, when their order could be known. That key sits here "
    "again only if you say so."
)


@pytest.mark.parametrize("how", ["goes", "joins again", "says nothing"])
async def test_who_has_seen_the_order_sits_again_only_if_the_host_says_so(
    how: str, autojump_clock: trio.testing.MockClock
) -> None:
    """Else it would come again and again, till it sits where it likes."""
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    again = Guest(network.listen(), key(2), "Ben", None, connect=network.connect)
    place = (f"192.0.2.1:{host.listeners.port}",)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        live = await seated_at(host, network, nursery)
        live.post(encode(whole(Bound(1, BOUND))))
        await trio.testing.wait_all_tasks_blocked()
        if how == "goes":
            live.close("it likes another order")
        if how == "says nothing":
            await host.until(size(1))
        with pytest.raises(SentAway):
            await again.run(place)
        assert host.troubles[-1] == KEPT_OUT
        assert len(host.rosters[-1]) == 1
        assert [one.key for one in host.lobby.kept_out] == [key(2).public]
        host.lobby.admit(key(2).public)
        assert (await again.run(place)).table.people
        assert host.lobby.kept_out == ()


async def test_before_anything_is_shown_one_may_go_and_come() -> None:
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    again = Guest(network.listen(), key(2), "Ben", None, connect=network.connect)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        live = await seated_at(host, network, nursery)
        live.close("it has thought of something")
        await host.until(size(1))
        await again.run((f"192.0.2.1:{host.listeners.port}",))
        assert host.troubles == []


async def test_who_makes_a_table_ready_and_vanishes_again_and_again_destroys_nothing() -> None:
    """The others stay where they are, the code is the same, and the next one plays."""
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None, players=3)
    third = Guest(network.listen(), key(3), "Cem", None, connect=network.connect)
    friend = Guest(network.listen(), key(4), "Dot", None, connect=network.connect)
    place = (f"192.0.2.1:{host.listeners.port}",)
    seated: list[Seated] = []

    async def sits(guest: Guest, seed: int) -> None:
        seated.append(await guest.run(place, seed))

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            await host.until(size(1))
            nursery.start_soon(sits, third, 300)
            await host.until(size(2))
            for draw in range(1, 4):
                await vanishes(host, network, draw)
                await host.until(size(2))
                host.lobby.admit(key(2).public)
            assert [one.name for one in host.rosters[-1]] == ["Ana", "Cem"]
            nursery.start_soon(sits, friend, 400)
    assert len(seated) == 2
    assert {person.name for person in seated[0].table.people} == {"Ana", "Cem", "Dot"}


async def vanishes(host: Host, network: MemoryNetwork, draw: int) -> None:
    """A joiner takes the last seat, binds itself and is ready, and is gone."""
    reached = await dial(
        [Address("192.0.2.1", host.listeners.port)], key(1).public, network.connect
    )
    await prove(reached, peer(2), OPEN)
    await reached.link.tell(*whole(BEN))
    live = LiveLink(reached.link)
    nonce = bytes([draw]) * 32
    bound = commitment(draw, key(2).public, nonce)

    async def hear(payload: bytes) -> None:
        said = read(decode(payload), DrawSeats, Show, Start, Go, NowSeated, Welcome)
        if isinstance(said, DrawSeats):
            live.post(encode(whole(Bound(draw, bound))))
        elif isinstance(said, Show):
            live.post(encode(whole(Shown(draw, nonce))))
        elif isinstance(said, Start):
            live.post(encode(whole(ReadyFor.of(said.description))))
            live.close("it has vanished")

    await live.run(hear)
