"""For the tests of p2p.net: people, loopback and memory networks, tables that fill."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
import trio.testing
from support.limits import HANG_SECONDS

from engine.rules import Rules
from p2p.crypto.identity import IdentityKey
from p2p.net.door.admission import code_password
from p2p.net.door.host import HostLobby
from p2p.net.door.joiner import Gathering, Target, Ticket, join_table
from p2p.net.door.messages import TakeSeat
from p2p.net.door.offer import TableOffer
from p2p.net.link.dial import Connect, direct
from p2p.net.link.listen import Listeners, open_listeners
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Neighbour, Roster, Seated
from p2p.session.state.table import Person

CODE = "guitar-orbit-lunar"


def key(seed: int) -> IdentityKey:
    return IdentityKey.generate(random.Random(seed).randbytes)


def peer(seed: int, listeners: Listeners | None = None) -> LocalPeer:
    """Ben with that key; without `listeners` nobody can reach it."""
    where = listeners or Listeners((), 0, ())
    return LocalPeer(key(seed), "Ben", where, random.Random(seed).randbytes)


def neighbour(seed: int, name: str, *addresses: str, owner: bytes = b"") -> Neighbour:
    return Neighbour(key(seed).public, name, owner, addresses)


def people(roster: Roster) -> tuple[Person, ...]:
    """Them at a table, each with a nonce of its own."""
    return tuple(Person(one.key, one.name, one.key[::-1], one.owner) for one in roster)


TICKET = Ticket("code", code_password(CODE))
OPEN = Ticket("open", None)
BEN = TakeSeat("Ben", ())


class MemoryListener(trio.abc.Listener[trio.abc.Stream]):
    """Accepts what connect() of its network makes."""

    def __init__(self) -> None:
        self.send, self._arrivals = trio.open_memory_channel[trio.abc.Stream](1000)

    async def accept(self) -> trio.abc.Stream:
        return await self._arrivals.receive()

    async def aclose(self) -> None:
        self._arrivals.close()
        await trio.lowlevel.checkpoint()


class Wire(trio.abc.Stream):
    """One end of a memory stream that can be cut without either side being told."""

    def __init__(self, inner: trio.abc.Stream, network: "MemoryNetwork") -> None:
        self._inner = inner
        self._network = network
        self._number = network.wires
        network.wires += 1

    @property
    def _cut(self) -> bool:
        return self._network.cut or self._number < self._network.dead

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._cut:
            await trio.lowlevel.checkpoint()
            return
        await self._inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._inner.receive_some(max_bytes)

    async def aclose(self) -> None:
        if self._cut:
            await trio.lowlevel.checkpoint()
            return
        await self._inner.aclose()


@dataclass
class MemoryNetwork:
    """Hosts named by port numbers; connect() is what trio.open_tcp_stream is on a real one.

    `cut`: nothing arrives; `dead`: nothing on the first so many ends of wires."""

    hosts: dict[int, MemoryListener] = field(default_factory=dict)
    cut: bool = False
    wires: int = 0
    dead: int = 0

    def listen(self) -> Listeners:
        port = 5525 + len(self.hosts)
        self.hosts[port] = MemoryListener()
        return Listeners((self.hosts[port],), port, (f"192.0.2.1:{port}",))

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        if port not in self.hosts:
            raise ConnectionRefusedError
        here, there = trio.testing.memory_stream_pair()
        await self.hosts[port].send.send(Wire(there, self))
        return Wire(here, self)


@asynccontextmanager
async def loopback(count: int) -> AsyncIterator[list[Listeners]]:
    """That many listeners on free ports of 127.0.0.1."""
    opened = [await open_listeners("127.0.0.1", 0) for _ in range(count)]
    try:
        yield opened
    finally:
        for one in opened:
            await one.aclose()


@dataclass
class Host:
    """A table being hosted, with what its on_change was told."""

    listeners: Listeners
    identity: IdentityKey
    code: str | None = CODE
    players: int = 2
    rules: Rules | None = None
    rosters: list[Roster] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    changed: trio.Event = field(default_factory=trio.Event)
    lobby: HostLobby = field(init=False)

    def _changed(self, roster: Roster) -> None:
        self.rosters.append(roster)
        self.changed.set()
        self.changed = trio.Event()

    async def until(self, wanted: Callable[[Roster], bool]) -> None:
        with trio.fail_after(HANG_SECONDS):
            while not self.rosters or not wanted(self.rosters[-1]):
                await self.changed.wait()

    async def run(self, seed: int = 100) -> Seated:
        rules = self.rules or Rules.make("classic", self.players)
        own = LocalPeer(self.identity, "Ana", self.listeners, random.Random(seed).randbytes)
        offer = TableOffer("den", rules, self.code, bytes(range(16)))
        self.lobby = HostLobby(own, offer, self._changed, self.troubles.append)
        return await self.lobby.run()


@dataclass
class Guest:
    """Somebody who joins, with what the lobby showed."""

    listeners: Listeners
    identity: IdentityKey
    name: str = "Ben"
    code: str | None = CODE
    table: str = ""
    gatherings: list[Gathering] = field(default_factory=list)
    connect: Connect = direct
    hidden: bool = False

    async def run(self, target: Target, seed: int = 200) -> Seated:
        rng = random.Random(seed).randbytes
        own = LocalPeer(
            self.identity, self.name, self.listeners, rng, self.connect, hidden=self.hidden
        )
        return await join_table(own, target, self.code, self.table, self.gatherings.append)


def size(wanted: int) -> Callable[[Roster], bool]:
    """Whether a roster has so many seats."""
    return lambda roster: len(roster) == wanted
