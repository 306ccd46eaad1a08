"""Looking on over real links: let in by the host's door, which is there in a match too; proven to
every seat by what opens nothing else; the first to give way; another seat where one has gone."""

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NoReturn

import pytest
import trio
from support.limits import HANG_SECONDS
from support.net.world import CODE, Host, key, loopback, neighbour, people

from engine.rules import Rules
from engine.seats import MAX_SEATS
from p2p.net import errors
from p2p.net.audience import gallery, visit
from p2p.net.audience.gallery import GAVE_WAY, ONLOOKERS_MOST, Gallery
from p2p.net.audience.visit import Admitted, Looking, come_in
from p2p.net.door.admission import Admission
from p2p.net.door.offer import TableOffer
from p2p.net.find.invite import Invite
from p2p.net.link.greeting import LinkSecret
from p2p.net.link.listen import Listeners
from p2p.net.link.live import OF_ONLOOKERS, LinkDown, LinkUp, MeshEvent, Received
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.session.state.table import Table, Terms

INVITE = bytes(range(16))
RULES = Rules.make("classic", 2)


def local(seed: int, name: str = "Dot", at: Listeners | None = None) -> LocalPeer:
    """Somebody with that key, whom nobody dials unless they listen."""
    return LocalPeer(key(seed), name, at or Listeners((), 0, ()), random.Random(seed).randbytes)


@dataclass
class Seat:
    """A seat of a match that goes on; seat 0 is the host."""

    mesh: Mesh
    gallery: Gallery
    listeners: Listeners
    seated: Seated

    async def next(self, *kinds: type[MeshEvent]) -> MeshEvent:
        """The next of its events of some kinds."""
        with trio.fail_after(HANG_SECONDS):
            while True:
                event = await self.mesh.events.receive()
                if isinstance(event, kinds) and event.seat >= MAX_SEATS:
                    return event

    @property
    def admitted(self) -> Admitted:
        """What the host tells who may look on."""
        secret = LinkSecret(self.seated.table.id, self.seated.secret)
        return Admitted(secret.of_watching, self.seated.roster)


@asynccontextmanager
async def match(terms: Terms | None = None, code: str | None = CODE) -> AsyncIterator[list[Seat]]:
    """Two seats in a match."""
    async with loopback(2) as listeners, AsyncExitStack() as stack:
        roster = tuple(neighbour(n, f"P{n}", *one.addresses) for n, one in enumerate(listeners))
        table = Table(RULES, people(roster), terms or Terms())
        seated, seats = Seated(table, b"s" * 32, roster), []
        for n, at in enumerate(listeners):
            own = local(n, f"P{n}", at)
            offer = TableOffer("den", RULES, code, INVITE)
            admission = Admission(own, offer, print) if n == 0 else None
            looked_at = Gallery(own, seated, admission, "den" if n == 0 else "")
            mesh = await stack.enter_async_context(Mesh(own, seated, looked_at))
            seats.append(Seat(mesh, looked_at, at, seated))
        yield seats


async def turned(seat: Seat, table: str = "", code: str | None = CODE) -> type[Exception]:
    """With which error one is turned away there."""
    with trio.fail_after(HANG_SECONDS), pytest.raises(errors.NotSeated) as caught:
        await come_in(local(9), seat.listeners.addresses, code, table, print)
    return caught.type


@pytest.mark.parametrize("way", ["code", "invite", "open"])
async def test_the_door_of_the_host_answers_in_the_match_as_before(way: str) -> None:
    async with match(code=None if way == "open" else CODE) as (host, other):
        at = host.listeners.addresses
        target = Invite(key(0).public, INVITE, at) if way == "invite" else at
        code = CODE if way == "code" else None
        with trio.fail_after(HANG_SECONDS):
            admitted = await come_in(local(9), target, code, "den", print)
        assert admitted == host.admitted
        assert "s" * 32 not in repr(admitted)
        async with Looking(local(9), admitted) as wires:
            with trio.fail_after(HANG_SECONDS):
                up = await wires.events.receive()
            assert isinstance(up, LinkUp)
            seat = (host, other)[up.seat]
            assert await seat.next(LinkUp) == LinkUp(MAX_SEATS, "Dot")
            wires.send(up.seat, b"seen")
            wires.send(1 - up.seat, b"to nobody")
            assert await seat.next(Received) == Received(MAX_SEATS, b"seen")
            seat.mesh.send(MAX_SEATS, b"shown")
            with trio.fail_after(HANG_SECONDS):
                assert await wires.events.receive() == Received(up.seat, b"shown")
            seat.mesh.close(MAX_SEATS, "it is enough")
            down = await seat.next(LinkDown)
            assert down == LinkDown(MAX_SEATS, "it is enough")
            with trio.fail_after(HANG_SECONDS):
                assert isinstance(await wires.events.receive(), LinkDown)
                again = await wires.events.receive()
            # Another seat is next.
            assert again == LinkUp(1 - up.seat)


async def test_whoever_may_not_look_on_reads_why() -> None:
    async with match() as (host, other):
        assert await turned(host, code="wrong-code") is errors.WrongCode
        assert await turned(host, code=None) is errors.CodeNeeded
        assert await turned(host, table="salon") is errors.WrongTable
        assert await turned(other) is errors.NotTheHost
    async with match(Terms(watch=False)) as (host, other):
        for seat in (host, other):
            assert await turned(seat) is errors.NoWatching
        with pytest.raises(errors.NoWatching):
            await Looking(local(9), host.admitted)._proven(0)


async def test_before_the_match_one_waits_until_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "BEGIN_RETRY", 0.0)
    waited: list[str] = []
    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        host = Host(at, key(0))
        nursery.start_soon(host.run)
        with trio.move_on_after(HANG_SECONDS) as scope:

            def waits(why: str) -> None:
                waited.append(why)
                if len(waited) == 2:
                    scope.cancel()

            await come_in(local(9), at.addresses, CODE, "", waits)
        nursery.cancel_scope.cancel()
    assert waited == ["not-begun"] * 2


async def test_nothing_else_opens_a_link_and_it_opens_nothing_else() -> None:
    async with match() as (host, _):
        good, own = host.admitted, local(9)
        first = await Looking(local(8), good)._proven(0)
        assert await host.next(LinkUp) == LinkUp(MAX_SEATS, "Dot")
        whole = LinkSecret(host.seated.table.id, host.seated.secret)
        for secret in (whole, replace(good.secret, secret=bytes(32))):
            with pytest.raises(errors.LinkBroken):
                await Looking(own, replace(good, secret=secret))._proven(0)
        other = replace(good.secret, table_id=bytes(32))
        with pytest.raises(errors.WrongTable):
            await Looking(own, replace(good, secret=other))._proven(0)
        for stranger in (local(1), local(9, "Dot (you)")):
            with pytest.raises((errors.LinkBroken, ValueError)):
                await Looking(stranger, good)._proven(0)
        reached = await Looking(local(9, "Eve"), good)._proven(0)
        # The next that was let in.
        assert await host.next(LinkUp) == LinkUp(MAX_SEATS + 1, "Eve")
        await reached.link.aclose()
        await first.link.aclose()


async def test_they_are_few_and_the_newest_of_a_key_counts_and_they_give_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gallery, "ONLOOKERS_MOST", 2)
    assert ONLOOKERS_MOST >= 20
    async with match() as (host, _):
        links = [await Looking(local(seed), host.admitted)._proven(0) for seed in (7, 8)]
        ups = [await host.next(LinkUp) for _ in links]
        with pytest.raises(errors.TooManyOnlookers):
            await Looking(local(9), host.admitted)._proven(0)
        links.append(await Looking(local(8), host.admitted)._proven(0))
        changed = {type(one): one for one in [await host.next(LinkUp, LinkDown) for _ in ups]}
        assert changed[LinkDown] == LinkDown(ups[1].seat, "a new link took its place")
        newest = changed[LinkUp]
        host.gallery.give_way()
        assert await host.next(LinkDown) == LinkDown(newest.seat, GAVE_WAY)
        for reached in links:
            await reached.link.aclose()


async def test_who_does_not_read_or_floods_is_dropped_and_it_is_said() -> None:
    async with match() as (host, _):
        slow = await Looking(local(7), host.admitted)._proven(0)
        up = await host.next(LinkUp)
        for _ in range(OF_ONLOOKERS.queue // 60_000 + 1):
            host.mesh.send(up.seat, bytes(60_000))
        down = await host.next(LinkDown)
        assert down == LinkDown(up.seat, "it does not read what is sent to it")
        await slow.link.aclose()
        loud = await Looking(local(7), host.admitted)._proven(0)
        up = await host.next(LinkUp)
        for _ in range(OF_ONLOOKERS.bytes_at_once // 4000 + 1):
            with suppress(errors.LinkBroken):
                await loud.link.send(b"\1" + bytes(4000))
        down = await host.next(LinkDown)
        assert down == LinkDown(up.seat, "it sent more than a match needs")
        await loud.link.aclose()


async def test_whoever_is_back_first_is_found_in_one_round(
    autojump_clock: trio.abc.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All have stopped for a while, so that it is tried seldom; then one of them is there."""
    tried: list[tuple[float, int]] = []

    async def in_vain(self: Looking, place: int) -> NoReturn:
        tried.append((trio.current_time(), place))
        raise errors.NobodyThere("there")

    monkeypatch.setattr(Looking, "_proven", in_vain)
    roster = tuple(neighbour(n, f"P{n}") for n in range(4))
    admitted = Admitted(LinkSecret(b"t" * 32, b"s" * 32).of_watching, roster)
    async with Looking(local(9), admitted):
        await trio.sleep(120)
    times = [[at for at, place in tried if place == one] for one in range(4)]
    longest = visit.LONGEST_RETRY + len(roster) * visit.FIRST_RETRY
    assert all(later - at <= longest for one in times for at, later in pairwise(one))
    assert all(one[-1] >= 120 - longest for one in times)
