"""Dialling: all addresses side by side, TLS, the key compared, the hello read; the first wins."""

import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import trio

from p2p.net import errors
from p2p.net.link.addresses import Address
from p2p.net.link.greeting import Hello
from p2p.net.link.link import Link
from p2p.net.link.tls import client_context, handshake, peer_key
from p2p.wire.codec import STRANGER, DecodeError
from p2p.wire.envelope import VERSION

CONNECT_SECONDS = 5.0
# However it connects: a circuit through Tor takes its time.
LONGEST_SECONDS = 30.0
# Of several failures the one that says most, first.
_TELLING = (
    errors.OtherVersion,
    errors.WrongHost,
    errors.NotAllfives,
    errors.NoProxy,
    errors.ProxyRefused,
    errors.NobodyThere,
    errors.UnknownHost,
)

Connect = Callable[[str, int], Awaitable[trio.abc.Stream]]
"""Reaches a host and port. Raises OSError, or a kind of NotSeated."""


async def direct(host: str, port: int) -> trio.abc.Stream:
    """Connect by TCP, within 5 s."""
    with trio.move_on_after(CONNECT_SECONDS):
        return await trio.open_tcp_stream(host, port)
    raise TimeoutError


@dataclass(frozen=True)
class Dialled:
    """A link to a peer whose key is proven by TLS; nothing was sent to it yet."""

    link: Link
    key: bytes
    nonce: bytes


async def dial(
    addresses: Sequence[Address],
    expected_key: bytes | None,
    connect: Connect = direct,
) -> Dialled:
    """Try all addresses at once; the first peer with the expected key (None: any) is taken.

    Raises the most telling of OtherVersion, WrongHost, NotAllfives, NoProxy, ProxyRefused,
    NobodyThere, UnknownHost; with no address to try (`dialled` has none for some) NoWayThere.
    """
    if not addresses:
        raise errors.NoWayThere
    won: list[Dialled] = []
    failures: list[errors.NotSeated] = []

    async def attempt(address: Address, scope: trio.CancelScope) -> None:
        try:
            dialled = await _attempt(address, expected_key, connect)
        except errors.NotSeated as failure:
            failures.append(failure)
            return
        won.append(dialled)
        scope.cancel()

    async with trio.open_nursery() as nursery:
        for address in addresses:
            nursery.start_soon(attempt, address, nursery.cancel_scope)
    for spare in won[1:]:
        await spare.link.aclose()
    if won:
        return won[0]
    raise min(failures, key=lambda failure: _TELLING.index(type(failure)))


async def _attempt(address: Address, expected_key: bytes | None, connect: Connect) -> Dialled:
    where = str(address)
    stream = await _connected(address, connect)
    try:
        tls = await handshake(stream, client_context(), server_side=False)
        key = peer_key(tls)
        if expected_key is not None and key != expected_key:
            raise errors.WrongHost(where)
        link = Link(tls)
        hello = await _hello(link)
    except BaseException as error:
        await trio.aclose_forcefully(stream)
        if isinstance(error, errors.LinkSilent):
            raise errors.NobodyThere(where) from None
        if isinstance(error, errors.LinkBroken | DecodeError):
            raise errors.NotAllfives(where) from None
        raise
    return Dialled(link, key, hello.nonce)


async def _connected(address: Address, connect: Connect) -> trio.abc.Stream:
    try:
        with trio.move_on_after(LONGEST_SECONDS):
            return await connect(address.host, address.port)
    except socket.gaierror:
        raise errors.UnknownHost(address.host) from None
    except OSError:
        raise errors.NobodyThere(str(address)) from None
    raise errors.NobodyThere(str(address))


async def _hello(link: Link) -> Hello:
    hello = Hello.read(await link.hear(STRANGER))
    if hello.version != VERSION:
        raise errors.OtherVersion(hello.version, VERSION)
    return hello
