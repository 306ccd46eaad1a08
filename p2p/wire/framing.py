"""Frames on a byte stream: a 4-byte big-endian length, then that many bytes. Pure code."""

HEADER_BYTES = 4

# Hello, proofs and SPAKE2 messages need some hundred bytes; a stranger gets no room for more.
CAP_BEFORE_PROOF = 4 * 1024
# The largest message (a shuffle with its proof) is about 10 kB; a record step of four fits too.
PAYLOAD_MOST = 64 * 1024
# One byte more tells payloads of the session from the link's own frames.
CAP_AFTER_PROOF = PAYLOAD_MOST + 1


class FrameError(ValueError):
    """Bytes that are no frames; the text is one clause."""


def frame(payload: bytes) -> bytes:
    """The frame of 1 to 64 Ki + 1 bytes; AssertionError outside that (our own mistake)."""
    if not 0 < len(payload) <= CAP_AFTER_PROOF:
        raise AssertionError(f"a payload of {len(payload)} bytes does not fit a frame")
    return len(payload).to_bytes(HEADER_BYTES, "big") + payload


class Deframer:
    """Cuts a received stream back into payloads, the same however the stream was cut up.

    `cap` (bytes of payload) may be changed at any time and holds for the headers read after that.
    Keeps at most one incomplete frame.
    """

    def __init__(self, cap: int = CAP_BEFORE_PROOF) -> None:
        self.cap = cap
        self._buffer = bytearray()
        self._broken: str | None = None

    def feed(self, data: bytes) -> list[bytes]:
        """Take `data`, return the payloads completed by it in order.

        Payloads before a broken header are still returned; the call after that (feed(b"") does),
        or this one if there are none, raises FrameError, and so does every later one.
        """
        payloads: list[bytes] = []
        if self._broken is None:
            self._buffer += data
            while (payload := self._cut()) is not None:
                payloads.append(payload)
        if self._broken is not None and not payloads:
            raise FrameError(self._broken)
        return payloads

    def _cut(self) -> bytes | None:
        if len(self._buffer) < HEADER_BYTES:
            return None
        length = int.from_bytes(self._buffer[:HEADER_BYTES], "big")
        if not 0 < length <= self.cap:
            self._break(length)
            return None
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return payload

    def _break(self, length: int) -> None:
        self._buffer.clear()
        self._broken = (
            "an empty frame" if length == 0 else f"a frame of {length} bytes, {self.cap} allowed"
        )
