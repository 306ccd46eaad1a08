"""Matches over real links of any connected shape, with links that go and come back."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from functools import partial
from itertools import combinations

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.pump_seats import Hub, Seat, Wires, at_once
from support.net.world import MemoryNetwork, loopback
from support.session.tables import make_table, rules_for, seeded

from engine.events import MatchEnded
from engine.strategy.view import SeatView
from p2p.net.link.listen import Listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Neighbour, Seated
from p2p.net.match.pump import Pump
from p2p.session.sitting.owner import Away, Back, Chosen, Linked, Outcome, Unlinked
from p2p.session.sitting.sitting import Sitting

Pair = tuple[int, int]


class Cable:
    """Which pairs of seats may dial each other, and what they have dialled."""

    def __init__(self, listeners: list[Listeners], pairs: Collection[Pair]) -> None:
        self._seats = {one.port: seat for seat, one in enumerate(listeners)}
        self.pairs = {frozenset(pair) for pair in pairs}
        self._streams: list[tuple[frozenset[int], trio.abc.Stream]] = []

    def connect(self, own: int) -> Callable[[str, int], Awaitable[trio.abc.Stream]]:
        """How that seat dials."""

        async def dial(host: str, port: int) -> trio.abc.Stream:
            pair = frozenset((own, self._seats[port]))
            if pair not in self.pairs:
                raise ConnectionRefusedError
            stream = await trio.open_tcp_stream(host, port)
            self._streams.append((pair, stream))
            return stream

        return dial

    async def cut(self, pair: Pair) -> None:
        """End what goes between two; neither reaches the other again."""
        self.pairs.discard(frozenset(pair))
        for ends, stream in self._streams:
            if ends == frozenset(pair):
                await trio.aclose_forcefully(stream)


class Player(Seat):
    """A seat whose wires are a mesh."""

    def __init__(self, seat: int, sitting: Sitting, mesh: Mesh) -> None:
        self.mesh = mesh
        super().__init__(Hub([Wires(Hub(), other) for other in range(4)]), seat, sitting, at_once)
        self.pump = Pump(sitting, mesh, self, self.save, at_once)

    def names(self, *kinds: type[Linked | Unlinked | Away | Back]) -> set[int]:
        """The seats that notices of some kinds were about."""
        return {one.seat for one in self.notices if isinstance(one, kinds)}


async def seated(
    stack: AsyncExitStack,
    listeners: list[Listeners],
    connects: Callable[[int], Callable[[str, int], Awaitable[trio.abc.Stream]]],
) -> list[Player]:
    """Everybody at a table, each with a mesh."""
    table, keys = make_table(rules_for(len(listeners), target="5"), "shapes")
    roster = tuple(
        Neighbour(person.key, person.name, person.owner, one.addresses)
        for person, one in zip(table.people, listeners, strict=True)
    )
    players = []
    for seat, key in enumerate(keys):
        rng = seeded(f"shapes {seat}")
        own = LocalPeer(key, "x", listeners[seat], rng, connects(seat))
        mesh = await stack.enter_async_context(Mesh(own, Seated(table, b"s" * 32, roster)))
        players.append(Player(seat, Sitting(table, key, rng), mesh))
    return players


def check(players: list[Player]) -> None:
    """All have closed one match."""
    assert [one.outcome for one in players] == [Outcome("finished")] * len(players)
    assert len({one.session.record() for one in players}) == 1
    assert all(isinstance(one.events[-1], MatchEnded) for one in players)


@pytest.mark.parametrize(
    "pairs", [[(0, 1), (1, 2), (2, 3)], [(2, 0), (2, 1), (2, 3)]], ids=["chain", "star"]
)
async def test_a_match_of_four_over_any_connected_shape(pairs: list[Pair]) -> None:
    async with loopback(4) as listeners, AsyncExitStack() as stack:
        cable = Cable(listeners, pairs)
        players = await seated(stack, listeners, cable.connect)
        with trio.fail_after(2 * HANG_SECONDS):
            async with trio.open_nursery() as nursery:
                for one in players:
                    nursery.start_soon(one.run)
        check(players)
        for one in players:
            linked = {seat for pair in pairs for seat in pair if one.place in pair} - {one.place}
            assert one.names(Linked) == linked
            assert not one.names(Unlinked)


class Halt:
    """Everybody stops before the first decision, until `go`."""

    def __init__(self, players: list[Player]) -> None:
        self.reached, self.go = trio.Event(), trio.Event()
        for one in players:
            one.choose = partial(self._choose, one)

    async def _choose(self, player: Player, view: SeatView) -> Chosen:
        self.reached.set()
        await self.go.wait()
        return await player.bot(view)


async def test_one_of_three_links_is_cut_and_the_match_goes_on() -> None:
    async with loopback(3) as listeners, AsyncExitStack() as stack:
        cable = Cable(listeners, [*combinations(range(3), 2)])
        players = await seated(stack, listeners, cable.connect)
        halt = Halt(players)
        with trio.fail_after(2 * HANG_SECONDS):
            async with trio.open_nursery() as nursery:
                for one in players:
                    nursery.start_soon(one.run)
                await halt.reached.wait()
                await cable.cut((1, 2))
                halt.go.set()
        check(players)
        assert not players[0].names(Unlinked)
        assert not any(one.names(Away) for one in players)


async def test_a_peer_that_is_cut_off_for_twenty_seconds_comes_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """As one that was stopped: the others read who is away, and the match goes on."""
    network = MemoryNetwork()
    listeners = [network.listen() for _ in range(2)]
    async with AsyncExitStack() as stack:
        players = await seated(stack, listeners, lambda _: network.connect)
        halt = Halt(players)
        async with trio.open_nursery() as nursery:
            for one in players:
                nursery.start_soon(one.run)
            await halt.reached.wait()
            network.cut, network.dead = True, network.wires
            halt.go.set()
            await trio.sleep(20)
            assert [one.outcome for one in players] == [None, None]
            network.cut = False
        check(players)
        for seat, player in enumerate(players):
            assert player.names(Unlinked) == player.names(Away) == {1 - seat}
            assert player.names(Back) == {1 - seat}
