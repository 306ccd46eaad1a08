"""p2p.net.link.mesh: every pair linked once, on real sockets and in memory."""

import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import Guest, MemoryNetwork, key, loopback, neighbour, people

from engine.rules import Rules
from p2p.crypto.identity import IdentityKey
from p2p.net.errors import AlreadyStarted, LinkBroken
from p2p.net.link.addresses import Address, parse_address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import LinkOpening, LinkSecret
from p2p.net.link.listen import Listeners
from p2p.net.link.live import (
    PING_SECONDS,
    QUIET_SECONDS,
    SILENCE_SECONDS,
    LinkDown,
    LinkUp,
    MeshEvent,
    Received,
)
from p2p.net.link.mesh import FIRST_SHUN, LONGEST_RETRY, Mesh
from p2p.net.link.message import whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.session.state.table import Table

SECRET = b"s" * 32


def seated(listeners: Sequence[Listeners], preset: str = "classic") -> Seated:
    """The seats in the order of their listeners."""
    at = enumerate(listeners)
    roster = tuple(neighbour(n, f"P{n}", *one.addresses) for n, one in at)
    # Only the people's order is unusual: no mesh looks at it.
    rules = Rules.make(preset, max(2, len(roster)))
    return Seated(Table(rules, people(roster)), SECRET, roster)


def link_secret(listeners: Sequence[Listeners], preset: str = "classic") -> LinkSecret:
    return LinkSecret(seated(listeners, preset).table.id, SECRET)


def mesh(
    listeners: Sequence[Listeners],
    own: int,
    network: MemoryNetwork | None = None,
    seed: int = 0,
    preset: str = "classic",
) -> Mesh:
    connect = network.connect if network else trio.open_tcp_stream
    rng = random.Random(100 * seed + own).randbytes
    return Mesh(
        LocalPeer(key(own), f"P{own}", listeners[own], rng, connect), seated(listeners, preset)
    )


async def linked(peer: Mesh) -> None:
    """Wait until a mesh has a link to every other seat; what happened till then is taken."""
    with trio.fail_after(HANG_SECONDS):
        while peer.missing:
            assert isinstance(await peer.events.receive(), LinkUp)


async def expect(peer: Mesh, *events: object) -> None:
    """These events next, in any order."""
    with trio.fail_after(HANG_SECONDS):
        got = [await peer.events.receive() for _ in events]
    assert sorted(map(repr, got)) == sorted(map(repr, events))


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_all_seats_are_linked_once_and_payloads_arrive_in_order(players: int) -> None:
    async with loopback(players) as listeners, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(mesh(listeners, own)) for own in range(players)]
        for own, peer in enumerate(peers):
            await expect(peer, *(LinkUp(seat) for seat in range(players) if seat != own))
        for own, peer in enumerate(peers):
            for seat in range(players):
                if seat not in (own, (own + 1) % players):
                    peer.send(seat, b"all but one")
            peer.send((own + 1) % players, bytes(60_000))
            await peer.drain()
        for own, peer in enumerate(peers):
            before = (own - 1) % players
            others = [seat for seat in range(players) if seat not in (own, before)]
            await expect(
                peer,
                Received(before, bytes(60_000)),
                *(Received(seat, b"all but one") for seat in others),
            )


async def test_leaving_is_polite_and_nothing_sent_before_is_lost() -> None:
    async with loopback(2) as listeners, mesh(listeners, 1) as stays:
        async with mesh(listeners, 0) as leaves:
            await linked(leaves)
            for number in range(200):
                leaves.send(1, number.to_bytes(2, "big"))
        await expect(stays, LinkUp(0))
        for number in range(200):
            await expect(stays, Received(0, number.to_bytes(2, "big")))
        await expect(stays, LinkDown(0, "the other side left"))
        assert stays.missing == (0,)


async def test_a_link_is_ended_with_a_reason() -> None:
    async with loopback(2) as listeners, mesh(listeners, 0) as one, mesh(listeners, 1) as two:
        await expect(one, LinkUp(1))
        await expect(two, LinkUp(0))
        one.close(1, "it sent bytes that are no message")
        await expect(one, LinkDown(1, "it sent bytes that are no message"))


async def test_a_cut_is_noticed_and_mended(autojump_clock: trio.testing.MockClock) -> None:
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    async with mesh(listeners, 0, network) as one, mesh(listeners, 1, network) as two:
        for peer, other in ((one, 1), (two, 0)):
            await expect(peer, LinkUp(other))
        network.cut = True
        for peer, other in ((one, 1), (two, 0)):
            await expect(peer, LinkDown(other, "nothing was heard for 8 s"))
        await trio.sleep(30)
        network.cut = False
        for peer, other in ((one, 1), (two, 0)):
            await expect(peer, LinkUp(other))


async def test_beside_a_link_that_is_quiet_a_fresh_one_is_dialled_and_one_stays(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The path is dead, as when a router forgets it, and another connection gets through."""
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    async with mesh(listeners, 0, network) as one, mesh(listeners, 1, network) as two:
        for peer, other in ((one, 1), (two, 0)):
            await expect(peer, LinkUp(other))
        for _ in range(2):
            began, network.dead = trio.current_time(), network.wires
            for peer, other in ((one, 1), (two, 0)):
                await expect(peer, LinkDown(other, "a new link took its place"), LinkUp(other))
            assert QUIET_SECONDS - PING_SECONDS <= trio.current_time() - began < SILENCE_SECONDS
        one.send(1, b"over the new one")
        await expect(two, Received(0, b"over the new one"))
        wires = network.wires
        await trio.sleep(60)
        # A link that works has none dialled beside it.
        assert network.wires == wires


async def test_who_floods_is_left_alone_for_a_while_and_longer_each_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    happened: list[tuple[float, MeshEvent]] = []

    async def listen(peer: Mesh, *, noted: bool) -> None:
        async for event in peer.events:
            if noted and not isinstance(event, Received):
                happened.append((trio.current_time(), event))

    async def flood(peer: Mesh) -> None:
        while not peer.missing:
            for _ in range(20):
                peer.send(0, bytes(60_000))
            await peer.drain()
            await trio.sleep(0.01)

    async with (
        mesh(listeners, 0, network) as one,
        mesh(listeners, 1, network) as two,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(partial(listen, one, noted=True))
        nursery.start_soon(partial(listen, two, noted=False))
        for seconds in (5, 5 * FIRST_SHUN, 10 * FIRST_SHUN):
            await trio.sleep(seconds)
            await flood(two)
        nursery.cancel_scope.cancel()
    up, down = LinkUp(1), LinkDown(1, "it sent more than a match needs")
    assert [event for _, event in happened] == [up, down, up, down, up, down]
    for at, wait in ((1, FIRST_SHUN), (3, 2 * FIRST_SHUN)):
        assert wait <= happened[at + 1][0] - happened[at][0] <= wait + 2 * LONGEST_RETRY


async def test_who_sent_what_nobody_signed_is_left_alone_for_a_while(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    async with mesh(listeners, 0, network) as one, mesh(listeners, 1, network) as two:
        await expect(one, LinkUp(1))
        await expect(two, LinkUp(0))
        one.close(1, "it sent bytes that are no message")
        await expect(one, LinkDown(1, "it sent bytes that are no message"))
        await trio.sleep(FIRST_SHUN - 1)
        assert one.missing == (1,)
        await expect(one, LinkUp(1))


async def test_who_is_cancelled_still_gets_its_last_word_out() -> None:
    async with loopback(2) as listeners, mesh(listeners, 1) as stays:
        with trio.CancelScope() as scope:
            async with mesh(listeners, 0) as leaves:
                await linked(leaves)
                try:
                    scope.cancel()
                    await trio.sleep_forever()
                finally:
                    leaves.send(1, b"I leave")
        await expect(stays, LinkUp(0))
        await expect(stays, Received(0, b"I leave"))
        await expect(stays, LinkDown(0, "the other side left"))


@pytest.mark.parametrize("returning", [0, 1])
async def test_a_returning_process_replaces_its_stale_link_at_once(
    returning: int, autojump_clock: trio.testing.MockClock
) -> None:
    """The old process died without a word: the stale link still looks alive to the other side."""
    network, elsewhere, dead = MemoryNetwork(), MemoryNetwork(), trio.Event()
    listeners = [network.listen() for _ in range(2)]
    async with mesh(listeners, 1 - returning, network) as stays:
        async with trio.open_nursery() as nursery:

            async def doomed() -> None:
                async with mesh(listeners, returning, network) as dies:
                    await expect(dies, LinkUp(1 - returning))
                    network.cut = True
                    dead.set()
                    await trio.sleep_forever()

            nursery.start_soon(doomed)
            await expect(stays, LinkUp(returning))
            await dead.wait()
            nursery.cancel_scope.cancel()
        network.cut = False
        elsewhere.hosts = network.hosts
        began = trio.current_time()
        async with mesh(listeners, returning, elsewhere, seed=1) as back:
            await expect(back, LinkUp(1 - returning))
            await expect(stays, LinkDown(returning, "a new link took its place"))
            await expect(stays, LinkUp(returning))
            assert trio.current_time() - began < 2
            stays.send(returning, b"hello again")
            await expect(back, Received(1 - returning, b"hello again"))


async def test_late_strangers_are_told() -> None:
    async with loopback(3) as (*two, c), mesh(two, 0), mesh(two, 1):
        with trio.fail_after(HANG_SECONDS), pytest.raises(AlreadyStarted) as caught:
            await Guest(c, key(9)).run(two[0].addresses)
    assert str(caught.value) == (
        "The match at this table has already begun. Ask the host to open a new one."
    )


async def stranger(
    at: Listeners, identity: IdentityKey, table: LinkSecret, nonce: bytes | None = None
) -> object:
    """What the dialled side, seat 0, answers to a link opening, None if it only closes."""
    host_key = key(0).public
    reached = await dial([parse_address(at.addresses[0])], host_key)
    opening = LinkOpening.make(identity, host_key, nonce or reached.nonce, table, bytes(16))
    try:
        await reached.link.tell(*whole(opening))
        return await reached.link.hear()
    except LinkBroken:
        return None
    finally:
        await reached.link.aclose()


async def opened(network: MemoryNetwork, at: Listeners, table: LinkSecret, run: bytes) -> Dialled:
    """A link that seat 0 opens to seat 1, and has said nothing more on."""
    port = parse_address(at.addresses[0]).port
    reached = await dial([Address("192.0.2.1", port)], key(1).public, network.connect)
    opening = LinkOpening.make(key(0), key(1).public, reached.nonce, table, run)
    await reached.link.tell(*whole(opening))
    return reached


async def ended(links: Sequence[Dialled]) -> int:
    """How many of these links the other side has ended by now."""
    over = []

    async def watch(reached: Dialled) -> None:
        try:
            while True:
                await reached.link.receive()
        except LinkBroken:
            over.append(reached)

    async with trio.open_nursery() as nursery:
        for reached in links:
            nursery.start_soon(watch, reached)
        await trio.testing.wait_all_tasks_blocked(0.05)
        nursery.cancel_scope.cancel()
    return len(over)


@pytest.mark.parametrize("says_use", [False, True])
async def test_of_a_seat_that_opens_link_after_link_one_waits(says_use: bool) -> None:
    """The one at work is held up by a session that takes nothing; those that wait end it."""
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    table = link_secret(listeners)
    async with mesh(listeners, 1, MemoryNetwork()) as peer:
        links = []
        for number in range(20):
            links.append(await opened(network, listeners[1], table, bytes([number]) * 16))
            await trio.testing.wait_all_tasks_blocked(0.01)
            if says_use:
                await links[-1].link.tell("use")
                await trio.testing.wait_all_tasks_blocked(0.01)
        assert await ended(links) >= 18
        last = links[-1].link
        if not says_use:
            await last.tell("use")
        with trio.fail_after(HANG_SECONDS):
            while not isinstance(await peer.events.receive(), LinkUp):
                continue
        for reached in links:
            await reached.link.aclose()


async def test_the_links_of_one_seat_push_out_no_link_of_another() -> None:
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(3)]
    table = link_secret(listeners)
    async with mesh(listeners, 2, MemoryNetwork()):
        port = listeners[2].port
        links: list[Dialled] = []
        for seat in (0, 1, 1, 1):
            reached = await dial([Address("192.0.2.1", port)], key(2).public, network.connect)
            opening = LinkOpening.make(
                key(seat), key(2).public, reached.nonce, table, bytes([len(links)]) * 16
            )
            await reached.link.tell(*whole(opening))
            await trio.testing.wait_all_tasks_blocked(0.01)
            links.append(reached)
        assert await ended(links[:1]) == 0
        assert await ended(links[1:]) == 2
        for reached in links:
            await reached.link.aclose()


async def test_who_may_not_link() -> None:
    async with loopback(3) as listeners, mesh(listeners, 0) as peer:
        right, at = link_secret(listeners), listeners[0]
        with trio.fail_after(HANG_SECONDS):
            assert await stranger(at, key(9), right) is None
            assert await stranger(at, key(1), LinkSecret(right.table_id, b"x" * 32)) is None
            assert await stranger(at, key(1), right, bytes(32)) is None
            other = await stranger(at, key(1), link_secret(listeners, "online"))
            assert other == ["no", "table"]
            assert peer.missing == (1, 2)
            answer = await stranger(at, key(1), right)
        assert isinstance(answer, list)
        assert answer[0] == "linked"


async def test_one_link_a_process_and_a_new_process_takes_its_place() -> None:
    async with loopback(2) as listeners, mesh(listeners, 0) as peer:
        at, table = [parse_address(listeners[0].addresses[0])], link_secret(listeners)
        answers, links = list[object](), list[Dialled]()
        for run in (b"r" * 16, b"r" * 16, b"q" * 16):
            reached = await dial(at, key(0).public)
            opening = LinkOpening.make(key(1), reached.key, reached.nonce, table, run)
            await reached.link.tell(*whole(opening))
            answer = await reached.link.hear()
            assert isinstance(answer, list)
            answers.append(answer[0])
            links.append(reached)
        assert answers == ["linked", "no", "linked"]
        for event in (LinkUp(1), LinkDown(1, "a new link took its place"), LinkUp(1)):
            await expect(peer, event)
        for reached in links:
            await reached.link.aclose()


async def test_a_recorded_proof_is_worth_nothing() -> None:
    async with loopback(2) as listeners, mesh(listeners, 0) as peer:
        at = [parse_address(listeners[0].addresses[0])]
        first: Dialled = await dial(at, key(0).public)
        table = link_secret(listeners)
        recorded = LinkOpening.make(key(1), key(0).public, first.nonce, table, bytes(16))
        second = await dial(at, key(0).public)
        await second.link.tell(*whole(recorded))
        with pytest.raises(LinkBroken):
            await second.link.hear()
        assert peer.missing == (1,)
        for reached in (first, second):
            await reached.link.aclose()


async def test_another_table_of_the_same_people_does_not_link(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    other = mesh(listeners, 1, network, preset="online")
    async with mesh(listeners, 0, network) as one, other as two:
        await trio.sleep(30)
        assert (one.missing, two.missing) == ((1,), (0,))


async def test_the_blocks_own_error_comes_out_unwrapped() -> None:
    async with loopback(2) as listeners:
        with pytest.raises(KeyError):
            async with mesh(listeners, 0):
                raise KeyError


async def test_two_who_are_both_somewhere_else_link_where_they_are_told_to_be(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    before = [Listeners((), 0, ("10.0.0.1:1",)), Listeners((), 0, ("10.0.0.2:1",))]
    now = [network.listen() for _ in range(2)]
    here = [[now[0], before[1]], [before[0], now[1]]]
    async with mesh(here[0], 0, network) as one, mesh(here[1], 1, network) as two:
        await trio.sleep(10 * LONGEST_RETRY)
        assert one.missing == (1,)
        one.dial_at(key(1).public, ("10.0.0.3:1", *now[1].addresses))
        began = trio.current_time()
        await expect(one, LinkUp(1))
        await expect(two, LinkUp(0))
        assert trio.current_time() - began < 1
