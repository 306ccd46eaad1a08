"""Addresses as people write them and as programs exchange them.

Exchanged form: "192.168.1.5:5525", "[fd00::2]:5525"; never a host name (no look-ups at a peer's
word; an invite, which a person pasted, may name one) and never an interface, since
"fe80::1%eth0" means something on one machine only: the dialler of a link-local address tries it on
each interface of its own.
"""

import ipaddress
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import ifaddr

from p2p.net.errors import BadAddress
from p2p.wire.codec import DecodeError, text

DEFAULT_PORT = 5525
# A machine with more addresses than this names the first ones; a peer may not name more.
ADDRESSES_MOST = 16
_ADDRESS_MOST = 64
# A host name may be longer: that of an onion service has 62 characters.
_NAMED_MOST = 255

_HOST_NAME = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")
_PORT = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class Address:
    """Where to dial: an IP address (IPv6 perhaps with %interface) or a host name, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(written: str, usual: int = DEFAULT_PORT) -> Address:
    """What a person wrote: HOST, HOST:PORT, [IPV6]:PORT, or a bare IPv6; `usual` is the port where
    none is written. Raises BadAddress."""
    host, port = _split(written.strip(), usual)
    if not (_is_ip(host) or _HOST_NAME.fullmatch(host)) or not 0 < port < 65536:
        raise BadAddress(written)
    return Address(host, port)


def _split(written: str, usual: int) -> tuple[str, int]:
    if written.startswith("["):
        host, bracket, rest = written[1:].partition("]")
        if not bracket or ":" not in host or not (rest == "" or rest.startswith(":")):
            return "", 0
        return host, _port(rest[1:]) if rest else usual
    if written.count(":") > 1:
        return written, usual
    host, colon, rest = written.partition(":")
    return host, _port(rest) if colon else usual


def _port(written: str) -> int:
    return int(written) if _PORT.fullmatch(written) else 0


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def exchanged(value: object) -> str:
    """A received address in the exchanged form, unchanged; else DecodeError."""
    written = text(value, _ADDRESS_MOST)
    try:
        address = parse_address(written)
    except BadAddress:
        raise DecodeError("an address that is none") from None
    if str(address) != written or not _is_ip(address.host) or "%" in address.host:
        raise DecodeError("an address that is not in its one allowed form")
    return written


def invited(value: object) -> str:
    """An address of an invite, unchanged: in the exchanged form, or a host name with its port.
    Raises DecodeError."""
    written = noted(value)
    return exchanged(written) if _is_ip(parse_address(written).host) else written


def noted(value: object) -> str:
    """An address that this program has dialled, and noted, unchanged: as `invited`, or with an
    interface that its person typed. Raises DecodeError."""
    written = text(value, _NAMED_MOST)
    try:
        address = parse_address(written)
    except BadAddress:
        raise DecodeError("an address that is none") from None
    if str(address) != written:
        raise DecodeError("an address that is not in its one allowed form")
    return written


def own_hosts() -> list[str]:
    """This machine's IP addresses without interfaces: routed ones, link-local, loopback last."""
    hosts: dict[str, None] = {}
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            hosts[_host_of(one)] = None
    return sorted(hosts, key=_rank)


def _host_of(one: ifaddr.IP) -> str:
    host = one.ip if isinstance(one.ip, str) else one.ip[0]
    return host.partition("%")[0]


def interface_of(host: str) -> str:
    """The name of an own interface that has this address; "" if none has."""
    return next(
        (one.name for one in ifaddr.get_adapters() if host in map(_host_of, one.ips)),
        "",
    )


def on_network() -> bool:
    """Whether this machine has any address but those for itself."""
    return not all(ipaddress.ip_address(host).is_loopback for host in own_hosts())


def nearness() -> Callable[[str], bool]:
    """Tells whether an IP address is in one of the networks that this machine is in now."""
    networks = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            host = _host_of(one)
            networks.append(ipaddress.ip_network((host, one.network_prefix), strict=False))

    def near(host: str) -> bool:
        address = ipaddress.ip_address(host)
        return any(address in network for network in networks)

    return near


def _rank(host: str) -> tuple[bool, bool, int]:
    address = ipaddress.ip_address(host)
    return address.is_loopback, address.is_link_local, address.version


def to_exchange(hosts: Iterable[str], port: int) -> tuple[str, ...]:
    """At most 16 addresses in the exchanged form."""
    return tuple(str(Address(host, port)) for host in hosts)[:ADDRESSES_MOST]


def dialled(written: str) -> list[Address]:
    """The places to try for one address: itself, or each own interface for IPv6 link-local."""
    address = parse_address(written)
    if not _is_ip(address.host):
        return [address]
    ip = ipaddress.ip_address(address.host)
    if ip.version == 4 or not ip.is_link_local or "%" in address.host:
        return [address]
    return [Address(f"{address.host}%{name}", address.port) for name in _ipv6_interfaces()]


def _ipv6_interfaces() -> list[str]:
    """Names of the interfaces that have an IPv6 link-local address of their own."""
    return [
        adapter.name
        for adapter in ifaddr.get_adapters()
        if any(one.is_IPv6 and str(one.ip[0]).startswith("fe80:") for one in adapter.ips)
    ]
