"""Dialers of nine kinds at a table that fills: nothing breaks, and who is invited gets in.

`ALLFIVES_FULL=1`: five hundred of them.
"""

import resource
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import trio
from support.limits import FULL, HANG_SECONDS
from support.net.world import TICKET, Guest, Host, key, loopback, peer

from p2p.net.door.admission import code_password
from p2p.net.door.joiner import Ticket, prove
from p2p.net.errors import LinkBroken, NotSeated
from p2p.net.find.invite import Invite
from p2p.net.link.addresses import Address
from p2p.net.link.dial import dial
from p2p.net.link.roster import Seated
from p2p.net.link.tls import client_context, handshake
from p2p.wire.codec import DecodeError
from p2p.wire.framing import CAP_BEFORE_PROOF, frame

Dialer = Callable[[Address], Awaitable[None]]
DIALERS = 500 if FULL else 36
# Each costs about 100 kB while it lasts, and 64 of them last.
MOST_KIB = 64 * 1024
_LONG = 64 * 1024
WRONG = Ticket("code", code_password("word-of-nobody"))


async def raw(at: Address) -> trio.SocketStream:
    return await trio.open_tcp_stream(at.host, at.port)


@asynccontextmanager
async def tls(at: Address) -> AsyncIterator[trio.abc.Stream]:
    async with await raw(at) as stream:
        yield await handshake(stream, client_context(), server_side=False)


async def silent(at: Address) -> None:
    """Says nothing at all."""
    async with await raw(at) as stream:
        await stream.receive_some()


async def slow(at: Address) -> None:
    """A byte of a handshake at a time."""
    async with await raw(at) as stream:
        for byte in b"\x16\x03\x01\x02\x00\x01":
            await stream.send_all(bytes([byte]))
            await trio.sleep(1)


async def web(at: Address) -> None:
    """Takes it for a web server."""
    async with await raw(at) as stream:
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: den\r\n\r\n")
        await stream.receive_some()


async def wrong_tls(at: Address) -> None:
    """Begins as TLS does, and goes on with something else."""
    async with await raw(at) as stream:
        await stream.send_all(b"\x16\x03\x01\x40\x00" + bytes(_LONG))
        await stream.receive_some()


async def half_a_frame(at: Address) -> None:
    """Leaves off in the middle."""
    async with tls(at) as stream:
        await stream.send_all(frame(bytes(100))[:50])
        await stream.receive_some()
        await trio.sleep(10)


async def a_large_frame(at: Address) -> None:
    """Wants more room than a stranger has."""
    async with tls(at) as stream:
        await stream.send_all((CAP_BEFORE_PROOF + 1).to_bytes(4, "big") + bytes(_LONG))
        await stream.receive_some()


async def small_frames(at: Address) -> None:
    """Frames of nothing that matters, without end."""
    async with tls(at) as stream:
        while True:
            await stream.send_all(frame(b"\x90") * 500)


async def wrong_code(at: Address) -> None:
    reached = await dial([at], key(1).public)
    try:
        await prove(reached, peer(77), WRONG)
    finally:
        await reached.link.aclose()


async def right_code_and_silent(at: Address) -> None:
    reached = await dial([at], key(1).public)
    try:
        await prove(reached, peer(78), TICKET)
        await trio.sleep(30)
    finally:
        await reached.link.aclose()


KINDS: tuple[Dialer, ...] = (
    silent,
    slow,
    web,
    wrong_tls,
    half_a_frame,
    a_large_frame,
    small_frames,
    wrong_code,
    right_code_and_silent,
)
REFUSED = (LinkBroken, DecodeError, NotSeated, OSError, trio.BrokenResourceError)


async def test_who_is_invited_gets_in_beside_dialers_of_nine_kinds() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with loopback(2) as (first, second), trio.open_nursery() as nursery:
        host, friend = Host(first, key(1)), Guest(second, key(2))
        place = Address("127.0.0.1", first.port)
        over = trio.Event()

        async def stay(kind: Dialer) -> None:
            while not over.is_set():
                with suppress(*REFUSED):
                    await kind(place)

        seated: list[Seated] = []

        async def hosts() -> None:
            seated.append(await host.run())

        async def joins() -> None:
            invite = Invite(key(1).public, bytes(range(16)), first.addresses)
            seated.append(await friend.run(invite))

        for number in range(DIALERS):
            nursery.start_soon(stay, KINDS[number % len(KINDS)])
        with trio.fail_after(HANG_SECONDS):
            async with trio.open_nursery() as both:
                both.start_soon(hosts)
                await host.until(lambda roster: len(roster) == 1)
                both.start_soon(joins)
        over.set()
        nursery.cancel_scope.cancel()
    assert len({one.table.id for one in seated}) == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_KIB
