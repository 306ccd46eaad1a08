"""p2p.net.link.listen: ports, addresses, and what is said when one cannot be had."""

import ipaddress
import socket

import pytest
import trio

from p2p.net.errors import NoFreePort, NotOurAddress, PortForbidden, PortTaken
from p2p.net.link import listen
from p2p.net.link.addresses import own_hosts, parse_address
from p2p.net.link.listen import Listeners, open_listeners


async def test_a_taken_port_is_said_in_one_sentence() -> None:
    first = await open_listeners("127.0.0.1", 0)
    with pytest.raises(PortTaken) as caught:
        await open_listeners("127.0.0.1", first.port)
    assert str(caught.value) == (
        f"Port {first.port} is already taken. Choose another one, or leave out --port."
    )
    await first.aclose()
    again = await open_listeners("127.0.0.1", first.port)
    await again.aclose()


async def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    base = await open_listeners("127.0.0.1", 0)
    monkeypatch.setattr(listen, "DEFAULT_PORT", base.port)
    monkeypatch.setattr(listen, "PORTS_TRIED", 20)
    second = await open_listeners("127.0.0.1")
    assert base.port < second.port < base.port + 20
    await second.aclose()
    monkeypatch.setattr(listen, "PORTS_TRIED", 1)
    with pytest.raises(NoFreePort, match="are all taken"):
        await open_listeners("127.0.0.1")
    await base.aclose()


async def test_all_addresses_on_one_port_in_both_families() -> None:
    everywhere = await open_listeners(port=0)
    ports = set()
    for listener in everywhere.sockets:
        assert isinstance(listener, trio.SocketListener)
        ports.add(listener.socket.getsockname()[1])
    assert ports == {everywhere.port}
    assert f"127.0.0.1:{everywhere.port}" in everywhere.addresses
    stream = await trio.open_tcp_stream("127.0.0.1", everywhere.port)
    await stream.aclose()
    if f"[::1]:{everywhere.port}" in everywhere.addresses:
        stream = await trio.open_tcp_stream("::1", everywhere.port)
        await stream.aclose()
    await everywhere.aclose()


async def test_ipv6_alone() -> None:
    if "::1" not in own_hosts():
        pytest.fail("this machine has no IPv6 loopback; the tests need it")
    only = await open_listeners("::1", 0)
    assert only.addresses == (f"[::1]:{only.port}",)
    await only.aclose()


async def test_a_port_taken_in_one_family_only_is_taken() -> None:
    with socket.socket(socket.AF_INET6) as six:
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        six.bind(("::", 0))
        six.listen()
        with pytest.raises(PortTaken):
            await open_listeners(port=six.getsockname()[1])


async def test_an_address_of_somebody_else() -> None:
    with pytest.raises(NotOurAddress) as caught:
        await open_listeners("203.0.113.9", 0)
    assert str(caught.value) == (
        "This machine has no address 203.0.113.9. Choose one that it has for --bind."
    )


@pytest.mark.parametrize(
    "bind",
    ["no address", "localhost", "", "127.1", "224.0.0.1", "255.255.255.255", "ff02::1", "1.2.3.4.5",
     "::ffff:127.0.0.1", "::1%none", "127.0.0.1:5525"],
)  # fmt: skip
async def test_what_is_no_address_of_this_machine(bind: str) -> None:
    with pytest.raises(NotOurAddress):
        await open_listeners(bind, 0)


async def test_an_own_broadcast_address_is_none_to_listen_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listen, "own_hosts", lambda: ["10.0.0.1", "127.0.0.1"])
    assert listen.own_address("10.0.0.1") == "10.0.0.1"
    with pytest.raises(NotOurAddress):
        await open_listeners("10.0.0.255", 0)


@pytest.mark.parametrize("wildcard", [str(ipaddress.IPv4Address(0)), "::", "0:0::0"])
async def test_a_wildcard_means_all_addresses_of_this_machine(wildcard: str) -> None:
    everywhere = await open_listeners(port=0)
    chosen = await open_listeners(wildcard, 0)
    hosts = [
        [parse_address(one).host for one in listeners.addresses]
        for listeners in (everywhere, chosen)
    ]
    assert hosts[0] == hosts[1]
    assert len(chosen.sockets) == len(everywhere.sockets)
    await everywhere.aclose()
    await chosen.aclose()


async def test_an_own_address_in_another_spelling() -> None:
    one = await open_listeners("0:0:0:0:0:0:0:1", 0)
    assert one.addresses == (f"[::1]:{one.port}",)
    await one.aclose()
    assert listen.own_address("127.0.0.9") == "127.0.0.9"


async def test_a_port_that_needs_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(self: socket.socket, address: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", forbid)
    with pytest.raises(PortForbidden, match="Port 80 may not be used here"):
        await open_listeners("127.0.0.1", 80)


def test_the_invite_leaves_loopback_out_unless_it_is_all() -> None:
    both = Listeners((), 5, ("10.0.0.1:5", "127.0.0.1:5", "[::1]:5"))
    assert both.public == ("10.0.0.1:5",)
    assert Listeners((), 5, ("127.0.0.1:5",)).public == ("127.0.0.1:5",)


def test_an_own_link_local_address_has_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one the system takes it for no address."""
    monkeypatch.setattr(listen, "own_hosts", lambda: ["fe80::1", "127.0.0.1"])
    monkeypatch.setattr(listen, "interface_of", {"fe80::1": "eth0"}.__getitem__)
    assert listen.own_address("fe80::1") == "fe80::1%eth0"
    assert listen.own_address("fe80::1%wlan0") == "fe80::1%wlan0"
