"""Strangers at a port: so many connections a second, each with the first message of a TLS handshake
(which costs the other side most), until standard input ends.

    python -m support.process.crowd PORT A_SECOND

A line of standard input names the port from then on; 0 is nobody's.
"""

import selectors
import socket
import ssl
import sys
import time
from contextlib import suppress

# How long each stays.
_STAY_SECONDS = 0.05


def hello() -> bytes:
    """What begins a handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    taken, given = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(taken, given).do_handshake()
    return given.read()


def crowd(port: int, pace: float) -> None:
    """Come and go until nobody listens to it any more."""
    first, came, began = hello(), 0, time.monotonic()
    there: list[tuple[float, socket.socket]] = []
    with selectors.DefaultSelector() as ready:
        ready.register(sys.stdin, selectors.EVENT_READ)
        while True:
            now = time.monotonic()
            while there and there[0][0] <= now:
                there.pop(0)[1].close()
            while came < pace * (now - began):
                came += 1
                if port:
                    there.append((now + _STAY_SECONDS, _stranger(port, first)))
            if ready.select(1 / pace):
                line = sys.stdin.readline()
                if not line:
                    return
                port, came, began = int(line), 0, time.monotonic()


def _stranger(port: int, first: bytes) -> socket.socket:
    """On loopback it is connected at once, or the line there is full."""
    one = socket.socket()
    one.setblocking(False)
    with suppress(OSError):
        one.connect(("127.0.0.1", port))
    with suppress(OSError):
        one.send(first)
    return one


if __name__ == "__main__":
    crowd(int(sys.argv[1]), float(sys.argv[2]))
