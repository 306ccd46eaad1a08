"""What a running match needs of its links: a mesh, or one whose seats were given anew."""

from typing import Protocol

import trio

from p2p.net.link.live import MeshEvent


class Wires(Protocol):
    """Links to the other seats, already proven."""

    @property
    def events(self) -> trio.abc.ReceiveChannel[MeshEvent]:
        """What happens on them, in order."""
        ...

    def send(self, seat: int, payload: bytes) -> None:
        """Queue a payload for a seat."""
        ...

    def close(self, seat: int, reason: str) -> None:
        """End the link to a seat."""
        ...

    async def drain(self) -> None:
        """Wait until what is queued is written."""
        ...
