"""The program with a seat that floods: beside what it plays it says to everybody, again and again,
what it has said last, as fast as no link is ended for it.

    python -m support.process.flooding_seat join ...

It floods while the file that ALLFIVES_FLOOD names holds "table"; while it holds a port, the same
goes by TLS to that port of this machine.
"""

import os
import sys

import trio

from cli.__main__ import main
from p2p.net.link import live
from p2p.net.link.link import Link
from p2p.net.link.tls import client_context, handshake
from p2p.wire.codec import weigh
from p2p.wire.talk import Said

# Of what it says a message of the match: p2p.wire.talk.
_KIND, _HEAD = Said.kind.encode(), 16
_SHORT = 1000
# Below what ends a link, with something left for what the seat plays.
SHARE = 0.8
_TICK_SECONDS = 0.1
_LOOK_TICKS = 5


class Flooding(live.LiveLink):
    """A link that is written to without pause."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._said: bytes | None = None

    def post(self, payload: bytes) -> None:
        if _KIND in payload[:_HEAD] and len(payload) < _SHORT:
            self._said = payload
        super().post(payload)

    async def _ping(self) -> None:
        place = trio.Path(os.environ["ALLFIVES_FLOOD"])
        target, ticks, idle = "", 0, None
        while True:
            await trio.sleep(_TICK_SECONDS)
            if ticks % _LOOK_TICKS == 0:
                target = await place.read_text()
            ticks += 1
            if self._said is None or not target:
                continue
            if target == "table":
                for _ in range(_count(self._said)):
                    self.post(self._said)
                continue
            if idle is None:
                idle = await _dialled(int(target))
            for _ in range(_count(self._said)):
                await idle.send(self._said)


def _count(payload: bytes) -> int:
    """How often it is said in a tick."""
    values = live.FRAME_VALUES + weigh(payload) + live.REPEATED_VALUES
    by_values = live.VALUES_A_SECOND / values
    return int(SHARE * min(by_values, live.BYTES_A_SECOND / len(payload)) * _TICK_SECONDS)


async def _dialled(port: int) -> Link:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    return Link(await handshake(stream, client_context(), server_side=False))


if __name__ == "__main__":
    from p2p.net.link import mesh

    vars(mesh)["LiveLink"] = Flooding
    sys.exit(main())
