"""A proven link at work: one reader, one writer, pings, a bounded queue, a polite end.

Frames begin with one byte: 0 ping, 1 payload, 2 "I leave" (nothing is sent after it). Each side
pings when it has sent nothing for 2 s; 8 s in which nothing arrives, or nothing can be written,
end the link. Each side so judges the other by its frames alone, and a ping needs no answer. What
comes is paid for out of buckets: whoever sends more than any table needs loses the link.
"""

import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from p2p.bucket import Bucket
from p2p.net.errors import LinkBroken, LinkClosed, LinkFlooded, LinkSilent
from p2p.net.link.link import Link
from p2p.wire.codec import weigh
from p2p.wire.framing import CAP_AFTER_PROOF, PAYLOAD_MOST

PING_SECONDS = 2.0
# After so long without a byte a fresh link is tried beside this one,
QUIET_SECONDS = 3.0
# and after so long it is down.
SILENCE_SECONDS = 8.0
LEAVE_SECONDS = 1.0
# What may wait for a slow reader; a whole record is well below this.
QUEUE_BYTES = 4 * 1024 * 1024

# A hand of four has 55 to 75 kB a link, in some hundred frames of some dozen values; the fastest
# bots play some hands a second, and who comes back is told some hundred kB at once.
BYTES_A_SECOND = 1024 * 1024
BYTES_AT_ONCE = 4 * 1024 * 1024
VALUES_A_SECOND = 60_000
VALUES_AT_ONCE = 300_000
# To read a frame at all costs as much as so many values in it. One that came before tells nothing:
# but for pings, honest peers send such frames only to who has dropped something.
FRAME_VALUES = 50
REPEATED_VALUES = 600
FRAMES_KNOWN = 1024


@dataclass(frozen=True)
class Allowance:
    """How much may come over a link, a second and at once, and wait to be written to it."""

    bytes_a_second: int = BYTES_A_SECOND
    bytes_at_once: int = BYTES_AT_ONCE
    values_a_second: int = VALUES_A_SECOND
    values_at_once: int = VALUES_AT_ONCE
    queue: int = QUEUE_BYTES


OF_SEATS = Allowance()
# Who looks on says what it holds, now and then a line, and can read as fast as people play.
OF_ONLOOKERS = Allowance(8 * 1024, 128 * 1024, 1000, 10_000, 1024 * 1024)

OTHER_LEFT = "the other side left"
"""Why a link is down that the other side ended."""

_PING = b"\0"
_PAYLOAD = b"\1"
_LEAVE = b"\2"

Deliver = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True)
class LinkUp:
    """A proven link to a seat exists from now on; nothing sent before went over it. Places that no
    seat has are those of who looks on, of that `name`."""

    seat: int
    name: str = ""


@dataclass(frozen=True)
class LinkDown:
    """The link to a seat is gone; `reason` is one clause."""

    seat: int
    reason: str


@dataclass(frozen=True)
class Received:
    """One payload of a seat, opaque here."""

    seat: int
    payload: bytes


MeshEvent: TypeAlias = LinkUp | LinkDown | Received


class LiveLink:
    """Use: one task in run(), any number of post() from others; ended by the first LinkBroken."""

    def __init__(self, link: Link, allowance: Allowance = OF_SEATS) -> None:
        link.allow(CAP_AFTER_PROOF)
        self._link = link
        self._queue, self._unsent = trio.open_memory_channel[bytes](math.inf)
        self._queued = 0
        self._written = trio.lowlevel.ParkingLot()
        self._scope = trio.CancelScope()
        self._reason: LinkBroken | None = None
        self._leaving = False
        self._most_queued = allowance.queue
        self._bytes = Bucket(allowance.bytes_a_second, allowance.bytes_at_once)
        self._values = Bucket(allowance.values_a_second, allowance.values_at_once)
        self._known: OrderedDict[int, None] = OrderedDict()
        self._reads_since: float | None = None
        self.ended = trio.Event()

    @property
    def quiet(self) -> float:
        """The seconds for which nothing came, though it would have been read."""
        return 0.0 if self._reads_since is None else trio.current_time() - self._reads_since

    def post(self, payload: bytes) -> None:
        """Queue 0 to 64 KiB; never blocks. After the end, or after leave(), it goes nowhere."""
        if len(payload) > PAYLOAD_MOST:
            raise AssertionError(f"a payload of {len(payload)} bytes does not fit a frame")
        self._put(_PAYLOAD + payload)

    def close(self, reason: str) -> None:
        """End the link now, with this reason."""
        self._end(LinkBroken(reason))

    def _put(self, frame: bytes) -> None:
        if self._reason is not None or self._leaving:
            return
        if self._queued + len(frame) > self._most_queued:
            self._end(LinkBroken("it does not read what is sent to it"))
            return
        self._queued += len(frame)
        self._queue.send_nowait(frame)

    def _end(self, reason: LinkBroken) -> None:
        if self._reason is None:
            self._reason = reason
        self._scope.cancel()

    async def run(self, deliver: Deliver) -> LinkBroken:
        """Work until the link ends; returns why. `deliver` may block: that is no silence.

        `deliver` may raise LinkBroken to end the link. The stream is closed on the way out.
        """
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._guard, self._write)
                    nursery.start_soon(self._guard, self._ping)
                    await self._guard(lambda: self._read(deliver))
        finally:
            self._end(LinkClosed("this side closed it"))
            self.ended.set()
            self._written.unpark_all()
            await self._link.aclose()
        return self._reason or LinkBroken("it ended")

    async def _guard(self, part: Callable[[], Awaitable[None]]) -> None:
        try:
            await part()
        except LinkBroken as reason:
            self._end(reason)

    async def _read(self, deliver: Deliver) -> None:
        while True:
            self._reads_since = trio.current_time()
            with trio.move_on_after(SILENCE_SECONDS) as scope:
                frame = await self._link.receive()
            self._reads_since = None
            if scope.cancelled_caught:
                raise LinkSilent(f"nothing was heard for {SILENCE_SECONDS:g} s")
            self._pay(frame)
            if frame[:1] == _PAYLOAD:
                await deliver(frame[1:])
            elif frame == _LEAVE:
                raise LinkClosed(OTHER_LEFT)
            elif frame != _PING:
                raise LinkBroken("it sent a frame of no known kind")

    def _pay(self, frame: bytes) -> None:
        now, values = trio.current_time(), FRAME_VALUES + weigh(frame[1:])
        if self._is_known(hash(frame)):
            values += REPEATED_VALUES
        if not (self._bytes.take(len(frame), now) and self._values.take(values, now)):
            raise LinkFlooded("it sent more than a match needs")

    def _is_known(self, mark: int) -> bool:
        """Whether a frame of that hash, which no peer can foresee, came not long ago."""
        known = mark in self._known
        self._known[mark] = None
        if len(self._known) > FRAMES_KNOWN:
            self._known.popitem(last=False)
        return known

    async def _write(self) -> None:
        async for frame in self._unsent:
            with trio.move_on_after(SILENCE_SECONDS) as scope:
                await self._link.send(frame)
            if scope.cancelled_caught:
                raise LinkSilent(f"it took nothing for {SILENCE_SECONDS:g} s")
            self._queued -= len(frame)
            self._written.unpark_all()

    async def _ping(self) -> None:
        while True:
            await trio.sleep(PING_SECONDS)
            if self._queued == 0:
                self._put(_PING)

    async def flush(self) -> None:
        """Wait until all that was posted is written, or the link has ended."""
        while self._queued and not self.ended.is_set():
            await self._written.park()

    async def leave(self) -> None:
        """Say that nothing follows, and wait up to a second for the other side to close.

        Closing with unread bytes would make the kernel throw away what the other side has not
        read yet (RFC 1122, section 4.2.2.13), so whoever leaves lets the other close first.
        """
        self._put(_LEAVE)
        self._leaving = True
        with trio.move_on_after(LEAVE_SECONDS):
            await self.ended.wait()
        self._scope.cancel()
