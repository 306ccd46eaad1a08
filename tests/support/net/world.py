"""For the tests of p2p.net: people, loopback and memory networks, plain descriptions."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
import trio.testing
from support.limits import HANG_SECONDS

from p2p.crypto.identity import IdentityKey
from p2p.net.door.host import Admit, everyone, host_table
from p2p.net.door.joiner import Lobby, join_table
from p2p.net.link.listen import Listeners, open_listeners
from p2p.net.link.seats import Roster, Rules, Seated
from p2p.wire.codec import decode, encode, fields

CODE = "guitar-orbit-lunar"
RULES = {"preset": "classic", "target": "250"}


def key(seed: int) -> IdentityKey:
    return IdentityKey.generate(random.Random(seed).randbytes)


def describe(rules: Rules, roster: Roster) -> bytes:
    """A stand-in description: rules, then keys and nonces in the order of the nonces."""
    ordered = sorted(roster, key=lambda seat: seat.nonce)
    return encode([dict(rules), [[seat.key, seat.nonce] for seat in ordered]])


def check(description: bytes, rules: Rules, roster: Roster) -> list[bytes]:
    if describe(rules, roster) != description:
        raise ValueError("it is another table than the one that was shown")
    _, people = fields(decode(description), dict, list)
    return [person[0] for person in people]


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

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._network.cut:
            await trio.lowlevel.checkpoint()
            return
        await self._inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._inner.receive_some(max_bytes)

    async def aclose(self) -> None:
        if self._network.cut:
            await trio.lowlevel.checkpoint()
            return
        await self._inner.aclose()


@dataclass
class MemoryNetwork:
    """Hosts named by port numbers; connect() is what trio.open_tcp_stream is on a real one."""

    hosts: dict[int, MemoryListener] = field(default_factory=dict)
    cut: bool = False

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
    admit: Admit = everyone
    unseat: trio.MemoryReceiveChannel[bytes] | None = None
    invite_secret: bytes = bytes(range(16))
    rosters: list[Roster] = field(default_factory=list)
    changed: trio.Event = field(default_factory=trio.Event)

    def _changed(self, roster: Roster) -> None:
        self.rosters.append(roster)
        self.changed.set()
        self.changed = trio.Event()

    async def until(self, wanted: Callable[[Roster], bool]) -> None:
        with trio.fail_after(HANG_SECONDS):
            while not self.rosters or not wanted(self.rosters[-1]):
                await self.changed.wait()

    async def run(self, seed: int = 100) -> Seated:
        return await host_table(
            identity=self.identity,
            name="Ana",
            table_name="den",
            rules=RULES,
            players=self.players,
            listeners=self.listeners,
            code=self.code,
            invite_secret=self.invite_secret,
            rng=random.Random(seed).randbytes,
            on_change=self._changed,
            make_description=describe,
            check_description=check,
            admit=self.admit,
            unseat=self.unseat,
        )


@dataclass
class Guest:
    """Somebody who joins, with what the lobby showed."""

    listeners: Listeners
    identity: IdentityKey
    name: str = "Ben"
    code: str | None = CODE
    table: str = ""
    lobbies: list[Lobby] = field(default_factory=list)

    async def run(self, target: Sequence[str] | None = None, seed: int = 200) -> Seated:
        return await join_table(
            identity=self.identity,
            name=self.name,
            target=target if target is not None else self.listeners.addresses,
            code=self.code,
            listeners=self.listeners,
            rng=random.Random(seed).randbytes,
            on_change=self.lobbies.append,
            check_description=check,
            table=self.table,
        )
