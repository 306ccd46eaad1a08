"""p2p.net.door.joiner: what a joiner is told, and what attackers get."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import Guest, Host, MemoryNetwork, key, loopback, peer, size

from p2p.net.door.admission import Admission, Turned, code_password
from p2p.net.door.joiner import join_table
from p2p.net.door.spake import Exchange
from p2p.net.errors import (
    BadHostProof,
    CodeNeeded,
    LinkBroken,
    NobodyThere,
    NoCodeHere,
    NotAllfives,
    NotSeated,
    NoWayThere,
    OtherVersion,
    SameKey,
    TableBusy,
    WrongCode,
    WrongInvite,
    WrongTable,
)
from p2p.net.find.invite import Invite
from p2p.net.link import greeting
from p2p.net.link.addresses import parse_address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import JoinOpening
from p2p.net.link.message import whole
from p2p.net.link.reception import Reception, Stranger
from p2p.net.link.roster import Seated
from p2p.wire import codec


async def refused(host: Host, guest: Guest, kind: type[NotSeated]) -> str:
    """The sentence with which this guest is turned away, while the host goes on."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        with trio.fail_after(HANG_SECONDS), pytest.raises(kind) as caught:
            await guest.run(host.listeners.addresses)
        nursery.cancel_scope.cancel()
    return str(caught.value)


async def test_nobody_there() -> None:
    async with loopback(1) as (b,):
        gone = await lobby_port()
        with pytest.raises(NobodyThere) as caught:
            await Guest(b, key(2)).run([f"127.0.0.1:{gone}"])
    assert str(caught.value) == (
        f"Nobody answers at 127.0.0.1:{gone}. "
        "Check the address and port, that the table is still open, and that no firewall there "
        "keeps you out."
    )


async def lobby_port() -> int:
    async with loopback(1) as (one,):
        return one.port


@pytest.mark.parametrize("answer", [b"SSH-2.0-OpenSSH_9.6\r\n", b"", bytes(2000)])
async def test_something_else_answers(answer: bytes) -> None:
    async def other(stream: trio.SocketStream) -> None:
        await stream.receive_some(1)
        await stream.send_all(answer)
        await stream.aclose()

    async with loopback(1) as (b,), trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, other, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.socket.getsockname()[1]
        with trio.fail_after(HANG_SECONDS), pytest.raises(NotAllfives) as caught:
            await Guest(b, key(2)).run([f"127.0.0.1:{port}"])
        nursery.cancel_scope.cancel()
    assert str(caught.value) == (
        f"Something answers at 127.0.0.1:{port}, but it is not allfives. "
        "Check the address and port."
    )


@pytest.mark.parametrize(("theirs", "older"), [(3, "This program"), (0, "The table's program")])
async def test_another_protocol_version(
    theirs: int, older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(self: greeting.Hello) -> list[object]:
        return [greeting.MAGIC, theirs, {"another": "shape"}]

    monkeypatch.setattr(greeting.Hello, "value", other)
    async with loopback(2) as (a, b):
        sentence = await refused(Host(a, key(1)), Guest(b, key(2)), OtherVersion)
    assert sentence == (
        f"The table speaks protocol version {theirs}, this program 2. "
        f"{older} is the older one and must be updated."
    )


async def test_a_man_in_the_middle_cannot_pass_the_proof_on() -> None:
    """Mallory ends both TLS links, relays every frame, and rewrites what only TLS protects."""
    async with loopback(3) as (a, m, b):
        host = Host(a, key(1))
        verdicts: list[object] = []

        async def mallory() -> None:
            async def relay(stranger: Stranger) -> None:
                reached = await dial([parse_address(a.addresses[0])], None)
                opening = codec.fields(stranger.opening, str, str, str, bytes, bytes, bytes)
                try:
                    # The joiner's signature names Mallory's key: Mallory must sign as itself.
                    mine = greeting.JoinOpening.make(
                        key(66), reached.key, reached.nonce, "code", "", opening[5]
                    )
                    await reached.link.tell(*whole(mine))
                    await stranger.link.send(await reached.link.receive())
                    await reached.link.send(await stranger.link.receive())
                    verdicts.append(await reached.link.hear())
                    await stranger.link.tell("confirm", bytes(32))
                finally:
                    await reached.link.aclose()

            await Reception(key(66), random.Random(1).randbytes, relay).run(m)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            nursery.start_soon(mallory)
            with trio.fail_after(HANG_SECONDS), pytest.raises(BadHostProof) as caught:
                await Guest(b, key(2)).run(m.addresses)
            nursery.cancel_scope.cancel()
    assert verdicts == [["no", "code"]]
    assert len(host.rosters) == 1
    assert str(caught.value) == (
        "The table could not prove that it knows the code, so it may be somebody else's. "
        "Check the address with the host."
    )


async def test_the_host_proves_itself_only_after_the_joiner() -> None:
    async with loopback(1) as (a,), trio.open_nursery() as nursery:
        nursery.start_soon(Host(a, key(1)).run)
        reached = await dial([parse_address(a.addresses[0])], None)
        exchange = await Exchange.begin(
            joiner=True,
            password=code_password("wrong"),
            joiner_key=key(2).public,
            host_key=reached.key,
            rng=random.Random(1).randbytes,
        )
        opening = greeting.JoinOpening.make(
            key(2), reached.key, reached.nonce, "code", "", exchange.message
        )
        await reached.link.tell(*whole(opening))
        first = await reached.link.hear()
        assert isinstance(first, list)
        assert first[0] == "spake"
        assert len(first[1]) == 33
        await reached.link.tell("confirm", bytes(32))
        assert await reached.link.hear() == ["no", "code"]
        await reached.link.aclose()
        nursery.cancel_scope.cancel()


async def test_the_signature_of_a_joiner_is_checked() -> None:
    async with loopback(1) as (a,), trio.open_nursery() as nursery:
        nursery.start_soon(Host(a, key(1), code=None).run)
        reached = await dial([parse_address(a.addresses[0])], None)
        opening = greeting.JoinOpening.make(key(2), reached.key, bytes(32), "open", "", b"")
        await reached.link.tell(*whole(opening))
        await expect_closed(reached)
        nursery.cancel_scope.cancel()


async def expect_closed(reached: Dialled) -> None:
    with trio.fail_after(HANG_SECONDS), pytest.raises(LinkBroken):
        await reached.link.hear()
    await reached.link.aclose()


@pytest.mark.parametrize(
    ("changes", "kind", "sentence"),
    [
        (
            {"code": None},
            CodeNeeded,
            "This table asks for a code. Ask its host for it, and try again with it.",
        ),
        (
            {"table": "attic"},
            WrongTable,
            "Another table than the one asked for is open there. Check the name and the address.",
        ),
        (
            {"identity": key(1)},
            SameKey,
            "Your key already sits at this table. Two seats need two keys: use another --data-dir.",
        ),
    ],
)
async def test_turned_away(
    changes: dict[str, object], kind: type[NotSeated], sentence: str
) -> None:
    async with loopback(2) as (a, b):
        guest = Guest(b, key(2))
        for name, value in changes.items():
            setattr(guest, name, value)
        assert await refused(Host(a, key(1)), guest, kind) == sentence


async def test_an_open_table_takes_no_code() -> None:
    async with loopback(2) as (a, b):
        sentence = await refused(Host(a, key(1), code=None), Guest(b, key(2)), NoCodeHere)
    assert sentence == "This table is open and has no code. Join it without one."


def busy_for(
    tries: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Host, Callable[[], Awaitable[Seated]], list[float]]:
    """A host that is busy so often, a guest of it, and when the guest was told so."""
    busy: list[float] = []

    async def prove(self: Admission, stranger: Stranger, opening: JoinOpening) -> None:
        if len(busy) < tries:
            busy.append(trio.current_time())
            raise Turned("busy")
        await let_in(self, stranger, opening)

    let_in = Admission.prove
    monkeypatch.setattr(Admission, "prove", prove)
    network = MemoryNetwork()
    host = Host(network.listen(), key(1), code=None)
    own = replace(peer(2), connect=network.connect)
    join = partial(join_table, own, host.listeners.addresses, None, "", print)
    return host, join, busy


async def test_who_finds_the_door_busy_tries_again(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    host, join, busy = busy_for(3, monkeypatch)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        await host.until(size(1))
        assert len((await join()).roster) == 2
    assert busy == [0, 2, 4]


async def test_a_door_that_stays_busy_sends_for_the_invite(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    host, join, busy = busy_for(1000, monkeypatch)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        await host.until(size(1))
        with pytest.raises(TableBusy) as caught:
            await join()
        nursery.cancel_scope.cancel()
    assert busy[-1] == 122
    assert str(caught.value) == (
        "Too many people are trying to join this table. Ask the host for the invite, which needs "
        "no turn at the code, or try again in a minute."
    )


async def test_the_host_hears_of_wrong_codes() -> None:
    async with loopback(2) as (a, b):
        host = Host(a, key(1))
        await refused(host, Guest(b, key(2), code="wrong"), WrongCode)
    assert host.troubles == [
        "A wrong code was tried from 127.0.0.1: somebody has mistyped it, or means another table."
    ]


async def test_a_table_at_link_local_addresses_alone_and_none_of_ones_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.net.link.addresses._ipv6_interfaces", list)
    invite = Invite(key(1).public, bytes(16), ("[fe80::1]:5525",))
    for target in (("fe80::1",), invite):
        with pytest.raises(NoWayThere) as caught:
            await join_table(peer(2), target, None, "", print)
        assert str(caught.value) == (
            "The table can only be reached at an IPv6 link-local address, and this machine has "
            "none of its own. Ask the host for another address."
        )


async def test_a_wrong_invite_is_called_one() -> None:
    """Of a table that the same host opened before: the same key, another secret."""
    async with loopback(2) as (a, b), trio.open_nursery() as nursery:
        host = Host(a, key(1))
        nursery.start_soon(host.run)
        invite = Invite(key(1).public, b"of another table", a.addresses)
        with trio.fail_after(HANG_SECONDS), pytest.raises(WrongInvite) as caught:
            await Guest(b, key(2)).run(invite)
        nursery.cancel_scope.cancel()
    assert str(caught.value) == (
        "The table did not accept this invite, which may be that of an earlier table. "
        "Ask the host for the new one."
    )
