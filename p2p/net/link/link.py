"""A link: frames over one stream, every way to fail turned into LinkBroken with one clause."""

import ssl
from collections import deque

import trio

from p2p.net.errors import LinkBroken, LinkClosed, LinkSilent
from p2p.wire.codec import MESSAGE, DecodeError, Limits, decode, encode
from p2p.wire.framing import CAP_BEFORE_PROOF, Deframer, FrameError, frame

STAGE_SECONDS = 5.0
CLOSE_SECONDS = 1.0
READ_BYTES = 16 * 1024

_BROKEN = (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError)


class Link:
    """Frames over a stream that is already TLS (or, in tests, memory). One reader, one writer."""

    def __init__(self, stream: trio.abc.Stream, cap: int = CAP_BEFORE_PROOF) -> None:
        self._stream = stream
        self._deframer = Deframer(cap)
        self._ready: deque[bytes] = deque()

    def allow(self, cap: int) -> None:
        """Accept payloads of up to `cap` bytes from now on."""
        self._deframer.cap = cap

    async def send(self, payload: bytes) -> None:
        """Write one frame. Raises LinkBroken."""
        try:
            await self._stream.send_all(frame(payload))
        except _BROKEN:
            raise LinkBroken("the connection was lost") from None

    async def receive(self) -> bytes:
        """The next payload. Raises LinkBroken, also at the end of the stream."""
        try:
            while not self._ready:
                self._ready.extend(self._deframer.feed(b"") or await self._more())
        except FrameError as error:
            raise LinkBroken(f"it sent {error}") from None
        except _BROKEN:
            raise LinkBroken("the connection was lost") from None
        return self._ready.popleft()

    async def _more(self) -> list[bytes]:
        data = await self._stream.receive_some(READ_BYTES)
        if not data:
            raise LinkClosed("the other side closed the connection")
        return self._deframer.feed(bytes(data))

    async def tell(self, *fields: object) -> None:
        """Send a list value within 5 s. Raises LinkBroken."""
        with trio.move_on_after(STAGE_SECONDS) as scope:
            await self.send(encode(fields))
        if scope.cancelled_caught:
            raise LinkSilent(f"it took nothing for {STAGE_SECONDS:g} s")

    async def hear(self, limit: Limits = MESSAGE, seconds: float = STAGE_SECONDS) -> object:
        """The next value within `seconds`. Raises LinkBroken."""
        with trio.move_on_after(seconds) as scope:
            payload = await self.receive()
        if scope.cancelled_caught:
            raise LinkSilent(f"it said nothing for {seconds:g} s")
        try:
            return decode(payload, limit)
        except DecodeError as error:
            raise LinkBroken(f"it sent {error}") from None

    async def aclose(self) -> None:
        """Close; politely for at most a second, also while being cancelled."""
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            try:
                await self._stream.aclose()
            except _BROKEN:
                return
        await trio.aclose_forcefully(self._stream)
