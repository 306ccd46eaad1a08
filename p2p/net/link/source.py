"""Where a connection comes from, as the door counts: what one machine can have many of is one."""

import ipaddress

import trio

# A machine may give itself any address of its network of 64 bits (RFC 4291, section 2.5.4).
IPV6_BITS = 64


def source_of(stream: trio.abc.Stream) -> str:
    """The network that a stream comes from; "" for one of no network, or that is gone already."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        return network_of(stream.socket.getpeername()[0])
    except (OSError, ValueError):
        return ""


def network_of(host: str) -> str:
    """Of an IP address: itself, of IPv6 its network of 64 bits. Raises ValueError."""
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(address), IPV6_BITS), strict=False))
        address = address.ipv4_mapped
    return str(address)
