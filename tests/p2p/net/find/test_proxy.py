"""p2p.net.find.proxy: what a SOCKS5 proxy of our own is asked, what is said where it fails."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio
from support.limits import HANG_SECONDS
from support.net.world import Guest, Host, key, loopback

from p2p.net import errors
from p2p.net.find.proxy import through
from p2p.net.link.addresses import Address
from p2p.net.link.dial import dial

REFUSED = b"\x05\x05"


class Socks:
    """What a proxy was asked for; `names`: where its names lead."""

    def __init__(self, names: dict[str, int]) -> None:
        self.names = names
        self.asked: list[tuple[str, int]] = []

    async def serve(self, stream: trio.SocketStream) -> None:
        """RFC 1928: no authentication, CONNECT to a name or an IPv4 address."""
        async with stream:
            await stream.receive_some(64)
            await stream.send_all(b"\x05\x00")
            asked = await stream.receive_some(300)
            if not asked:
                return
            name = asked[5:-2].decode() if asked[3] == 3 else ".".join(map(str, asked[4:8]))
            self.asked.append((name, int.from_bytes(asked[-2:], "big")))
            if name not in self.names:
                await stream.send_all(REFUSED + b"\x00\x01" + bytes(6))
                return
            there = await trio.open_tcp_stream("127.0.0.1", self.names[name])
            await stream.send_all(b"\x05\x00\x00\x01" + bytes(6))
            async with there, trio.open_nursery() as nursery:
                nursery.start_soon(_copy, stream, there)
                nursery.start_soon(_copy, there, stream)


async def _copy(here: trio.SocketStream, there: trio.SocketStream) -> None:
    with suppress(trio.BrokenResourceError, OSError):
        async for data in here:
            await there.send_all(data)
        await there.send_eof()


@asynccontextmanager
async def proxy(names: dict[str, int]) -> AsyncIterator[tuple[Socks, str]]:
    """A running proxy and its URL."""
    socks = Socks(names)
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(
            trio.serve_tcp,
            socks.serve,
            0,
        )
        port = listeners[0].socket.getsockname()[1]
        yield socks, f"socks5h://127.0.0.1:{port}"
        nursery.cancel_scope.cancel()


async def test_a_seat_is_taken_through_it_by_a_name_that_it_alone_knows() -> None:
    async with loopback(2) as (a, b), proxy({"den.example": a.port}) as (socks, url):
        host, guest = Host(a, key(1)), Guest(b, key(2), connect=through(url), hidden=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            with trio.fail_after(HANG_SECONDS):
                seated = await guest.run([f"den.example:{a.port}"])
    assert socks.asked == [("den.example", a.port)]
    places = {one.key: one.addresses for one in seated.roster}
    assert places[key(2).public] == ()
    assert places[key(1).public] == (f"den.example:{a.port}", *a.addresses)


async def test_what_the_proxy_does_not_reach_is_said() -> None:
    async with proxy({}) as (socks, url):
        with pytest.raises(errors.ProxyRefused, match=r"does not reach den\.example:5525"):
            await dial([Address("den.example", 5525)], None, through(url))
    assert socks.asked == [("den.example", 5525)]


async def test_a_proxy_that_is_not_there_is_said() -> None:
    async with loopback(1) as (closed,):
        port = closed.port
    with pytest.raises(errors.NoProxy, match=f"The proxy at 127.0.0.1:{port} does not answer"):
        await dial([Address("den.example", 5525)], None, through(f"socks5h://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:9050",
        "http://h:1",
        "socks5h://h",
        "socks5h://h:x",
        "socks5h://:1",
        "socks5h://h:1/x",
    ],
)
def test_what_is_no_proxy(url: str) -> None:
    with pytest.raises(errors.BadProxy):
        through(url)
