"""A listener that does nothing: it reads what comes and lets it go. Prints its port.

python -m support.process.idle [tls]
"""

import os
import socket
import sys
import threading
from contextlib import suppress

from p2p.crypto.identity import IdentityKey
from p2p.net.link.tls import server_context

_MOST = 1 << 20


def main(tls: bool) -> None:
    """Listen until killed."""
    context = server_context(IdentityKey.generate(os.urandom)) if tls else None
    with socket.create_server(("127.0.0.1", 0), backlog=128) as door:
        print(door.getsockname()[1], flush=True)
        while True:
            one, _ = door.accept()
            if context is None:
                one.close()
                continue
            wrapped = context.wrap_socket(one, server_side=True)
            threading.Thread(target=_drain, args=(wrapped,), daemon=True).start()


def _drain(one: socket.socket) -> None:
    with one, suppress(OSError):
        while one.recv(_MOST):
            pass


if __name__ == "__main__":
    main("tls" in sys.argv)
