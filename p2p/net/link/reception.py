"""Where strangers arrive: TLS, our hello, their opening, each under a deadline, few at a time."""

import ssl
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import trio

from p2p.bucket import Bucket
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.net.errors import LinkBroken
from p2p.net.link.greeting import Hello
from p2p.net.link.link import Link
from p2p.net.link.listen import Listeners
from p2p.net.link.live import LiveLink
from p2p.net.link.source import source_of
from p2p.net.link.tls import handshake, server_context
from p2p.wire.codec import STRANGER, DecodeError
from p2p.wire.envelope import VERSION

# Each costs about 100 kB while it lasts. When more come, the one waiting longest goes: a dialler
# that speaks at once is through in some milliseconds, silent ones only push out each other.
STRANGERS_MOST = 64
# When the process has no file descriptor left for an accepted connection.
_ACCEPT_PAUSE = 0.1

# While a match is played. A handshake takes some milliseconds of it on a busy machine, a connection
# that is closed at once a part of one; those that are not taken wait in the system for nothing.
TAKEN_A_SECOND, TAKEN_AT_ONCE = 100, 50
HEARD_A_SECOND, HEARD_AT_ONCE = 100, 100
# Of one source: a peer of the table, and its bots, need a few.
HEARD_A_SOURCE = 20
SOURCES_MOST = 256


class Gate:
    """How many strangers there is time for, from where."""

    def __init__(self) -> None:
        self._taken = Bucket(TAKEN_A_SECOND, TAKEN_AT_ONCE)
        self._heard = Bucket(HEARD_A_SECOND, HEARD_AT_ONCE)
        self._sources: OrderedDict[str, Bucket] = OrderedDict()

    def has_time(self, now: float) -> bool:
        """Whether another connection may be taken."""
        return self._taken.take(1, now)

    def hears(self, source: str, now: float) -> bool:
        """Whether one that was taken is heard."""
        mine = self._sources.pop(source, None) or Bucket(HEARD_A_SOURCE, HEARD_A_SOURCE)
        self._sources[source] = mine
        if len(self._sources) > SOURCES_MOST:
            self._sources.popitem(last=False)
        return mine.take(1, now) and self._heard.take(1, now)


@dataclass(frozen=True)
class Stranger:
    """A link that has sent its opening, still unproven. Call proven() once it is not, or once
    something else bounds how many such there are: from then on no newcomer pushes it out, until
    unproven() says otherwise. `handshake`: the seconds that TLS took; `source` as of source_of."""

    link: Link
    nonce: bytes
    opening: object
    proven: Callable[[], object]
    unproven: Callable[[], None]
    handshake: float = 0.0
    source: str = ""


Greet = Callable[[Stranger], Awaitable[None]]

Admit = Callable[[int, str, LiveLink], Awaitable[None]]
"""Works off the link of somebody without a seat: the place that stands for it, the name."""


class Beside(Protocol):
    """Who sees to those without a seat."""

    async def greet(self, stranger: Stranger, admit: Admit) -> None:
        """One stranger who wants to look on."""
        ...

    def give_way(self) -> None:
        """There is no handle left, which a seat may need."""
        ...


class Reception:
    """Accepts links and hands each to `greet`, which owns the link until it returns.

    LinkBroken and DecodeError out of `greet` end that one link and nothing else.
    """

    def __init__(
        self,
        identity: IdentityKey,
        rng: RandomBytes,
        greet: Greet,
        source: Callable[[trio.abc.Stream], str] = source_of,
        gate: Gate | None = None,
        give_way: Callable[[], None] = lambda: None,
    ) -> None:
        """`gate`: while other things are more important than whoever comes. `give_way` is called
        when the process has no handle left for one who comes."""
        self._context: ssl.SSLContext = server_context(identity)
        self._rng = rng
        self._greet = greet
        self._source, self._give_way = source, give_way
        self._gate = gate
        self._unproven: dict[int, trio.CancelScope] = {}
        self._count = 0

    async def run(self, listeners: Listeners) -> None:
        """Serve until cancelled; the listeners stay open after that."""
        async with trio.open_nursery() as nursery:
            for listener in listeners.sockets:
                nursery.start_soon(self._accept, listener, nursery)

    async def _accept(
        self, listener: trio.abc.Listener[trio.abc.Stream], nursery: trio.Nursery
    ) -> None:
        while True:
            if self._gate is not None and not self._gate.has_time(trio.current_time()):
                await trio.sleep(_ACCEPT_PAUSE)
                continue
            try:
                stream = await listener.accept()
            except OSError:
                self._give_way()
                await trio.sleep(_ACCEPT_PAUSE)
                continue
            if self._hears(stream):
                nursery.start_soon(self.serve, stream)
            else:
                await trio.aclose_forcefully(stream)

    def _hears(self, stream: trio.abc.Stream) -> bool:
        gate = self._gate
        return gate is None or gate.hears(self._source(stream), trio.current_time())

    async def serve(self, stream: trio.abc.Stream) -> None:
        """One accepted stream from handshake to end; never raises for what the peer does."""
        number = self._count = self._count + 1
        try:
            with trio.CancelScope() as scope:
                self._count_in(number, scope)
                await self._welcome(stream, number, scope)
        except (LinkBroken, DecodeError):
            return
        finally:
            self._unproven.pop(number, None)
            await trio.aclose_forcefully(stream)

    def _count_in(self, number: int, scope: trio.CancelScope) -> None:
        self._unproven[number] = scope
        if len(self._unproven) > STRANGERS_MOST:
            oldest = min(self._unproven)
            self._unproven.pop(oldest).cancel()

    async def _welcome(self, stream: trio.abc.Stream, number: int, scope: trio.CancelScope) -> None:
        source, began = self._source(stream), trio.current_time()
        link = Link(await handshake(stream, self._context, server_side=True))
        took = trio.current_time() - began
        try:
            nonce = self._rng(NONCE_BYTES)
            await link.tell(*Hello(VERSION, nonce).value())
            opening = await link.hear(STRANGER)
            proven = partial(self._unproven.pop, number, None)
            unproven = partial(self._count_in, number, scope)
            await self._greet(Stranger(link, nonce, opening, proven, unproven, took, source))
        finally:
            await link.aclose()
