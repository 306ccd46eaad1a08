"""Dialling through a SOCKS5 proxy (RFC 1928), as Tor and `ssh -D` offer one.

Names are looked up by the proxy ("socks5h"), so that nothing of whom we dial leaks past it.
"""

from urllib.parse import urlsplit

import trio
from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError, ProxyType
from python_socks.async_.trio import Proxy

from p2p.net import errors
from p2p.net.link.dial import LONGEST_SECONDS, Connect

SCHEME = "socks5h"


def through(url: str) -> Connect:
    """How to dial through the proxy at `socks5h://[USER:PASSWORD@]HOST:PORT`. Raises BadProxy."""
    try:
        said = urlsplit(url)
        host, port = said.hostname, said.port
    except ValueError:
        raise errors.BadProxy from None
    if said.scheme != SCHEME or not host or not port or said.path.strip("/") or said.query:
        raise errors.BadProxy
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    async def connect(host_there: str, port_there: int) -> trio.abc.Stream:
        proxy = Proxy(ProxyType.SOCKS5, host, port, said.username, said.password, rdns=True)
        try:
            socket = await proxy.connect(host_there, port_there, timeout=LONGEST_SECONDS)
        except ProxyError as error:
            raise errors.ProxyRefused(where, f"{host_there}:{port_there}", error) from None
        except (ProxyConnectionError, ProxyTimeoutError, OSError):
            raise errors.NoProxy(where) from None
        return trio.SocketStream(socket)

    return connect
