"""Listening: one port on IPv4 and IPv6, and the addresses under which others can reach it."""

import errno
import ipaddress
import socket
from dataclasses import dataclass

import trio

from p2p.net.errors import NoFreePort, NotOurAddress, PortForbidden, PortTaken
from p2p.net.link.addresses import DEFAULT_PORT, interface_of, own_hosts, to_exchange

# Enough for a table of bots beside others on one machine.
PORTS_TRIED = 64
BACKLOG = 128
# The system chooses one that is free.
ANY_PORT = 0


@dataclass(frozen=True)
class Listeners:
    """Open listening sockets of one port.

    `addresses`: where to reach it, in the exchanged form, loopback last.
    """

    sockets: tuple[trio.abc.Listener[trio.abc.Stream], ...]
    port: int
    addresses: tuple[str, ...]

    @property
    def public(self) -> tuple[str, ...]:
        """The addresses without loopback, unless there are no others: for an invite."""
        others = [a for a in self.addresses if not a.startswith(("127.", "[::1]"))]
        return tuple(others) or self.addresses

    async def aclose(self) -> None:
        """Close the sockets; the port is free after that."""
        for one in self.sockets:
            await one.aclose()


async def open_listeners(bind: str | None = None, port: int | None = None) -> Listeners:
    """Listen at `bind` (an own IP address; None, "0.0.0.0" and "::": all, IPv4 and IPv6).

    Without `port`: 5525, or the next free one; ANY_PORT: whichever is free. Raises
    PortTaken, PortForbidden, NotOurAddress, NoFreePort.
    """
    bind = own_address(bind)
    if port is not None:
        opened = _open(bind, port)
        if opened is None:
            raise PortTaken(port)
        return opened
    last = DEFAULT_PORT + PORTS_TRIED - 1
    for candidate in range(DEFAULT_PORT, last + 1):
        opened = _open(bind, candidate)
        if opened is not None:
            return opened
    raise NoFreePort(DEFAULT_PORT, last)


def own_address(bind: str | None) -> str | None:
    """The one address of this machine to listen at; None for all. Raises NotOurAddress.

    The system would also take names, and addresses of whole networks.
    """
    if bind is None:
        return None
    host, percent, interface = bind.partition("%")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise NotOurAddress(bind) from None
    if address.is_unspecified:
        return None
    # All of 127.0.0.0/8 is this machine (RFC 1122, section 3.2.1.3), though few of it are listed.
    if not address.is_loopback and str(address) not in own_hosts():
        raise NotOurAddress(bind)
    if address.version == 6 and address.is_link_local and not interface:
        return f"{address}%{interface_of(str(address))}"
    return f"{address}{percent}{interface}"


def _open(bind: str | None, port: int) -> Listeners | None:
    """None if the port is taken in one of the families."""
    sockets: list[socket.socket] = []
    try:
        for family, host in _places(bind):
            sockets.append(_listening(family, host, port))
            port = sockets[0].getsockname()[1]
    except OSError as error:
        for one in sockets:
            one.close()
        if error.errno == errno.EADDRINUSE:
            return None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise PortForbidden(port) from None
        raise NotOurAddress(bind or "to listen at") from None
    wrapped = tuple(trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in sockets)
    return Listeners(wrapped, port, to_exchange(_reachable(bind, len(sockets) == 2), port))


def _reachable(bind: str | None, both_families: bool) -> list[str]:
    if bind is not None:
        return [bind.partition("%")[0]]
    return [host for host in own_hosts() if both_families or ":" not in host]


def _places(bind: str | None) -> list[tuple[socket.AddressFamily, str]]:
    """Family and host of each socket; "" and "::" are all addresses of their family."""
    if bind is not None:
        return [(socket.AF_INET6 if ":" in bind else socket.AF_INET, bind)]
    places = [(socket.AF_INET, "")]
    if socket.has_ipv6 and any(":" in host for host in own_hosts()):
        places.append((socket.AF_INET6, "::"))
    return places


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(_bindable(family, host, port))
        one.listen(BACKLOG)
    except BaseException:
        one.close()
        raise
    return one


def _bindable(
    family: socket.AddressFamily, host: str, port: int
) -> tuple[str, int] | tuple[str, int, int, int]:
    address, _, interface = host.partition("%")
    if family == socket.AF_INET:
        return address, port
    return address, port, 0, socket.if_nametoindex(interface) if interface else 0
