"""Links of a match, dialled (7.1, 7.2)."""

import hmac
import os

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.net.connection import CONNECTION_ERRORS, Connection, RefusedByPeerError, dial
from second.net.door import Start
from second.refusing import demand
from second.wire.ed25519 import public, sign
from second.wire.values import Value, encode, listed, octets

PING_SECONDS, SILENT_SECONDS = 2.0, 8.0


def link_mac(secret: bytes, label: str, statement: bytes) -> bytes:
    """The mac of a link opening or of its answer, under the table secret."""
    return hmac.digest(secret, f"allfives {label}\0".encode() + statement, "sha256")


class Link:
    """A live link to a seat; what is said waits in a queue."""

    def __init__(self, connection: Connection, seat: int) -> None:
        self.connection = connection
        self.seat = seat
        self.held: list[Value] = []  # what the other side said last that it holds
        self.known: set[bytes] = set()
        self.sender, self.queue = trio.open_memory_channel[bytes](100000)

    def say(self, payload: list[Value]) -> None:
        """Queue a payload."""
        self.sender.send_nowait(b"\1" + encode(payload))

    def leave(self) -> None:
        """Queue the last thing that is said."""
        self.sender.send_nowait(b"\2")

    async def write(self) -> None:
        """Send what waits, and pings in between."""
        while True:
            frame = b"\0"
            with trio.move_on_after(PING_SECONDS):
                frame = await self.queue.receive()
            with trio.fail_after(SILENT_SECONDS):
                await self.connection.send_frame(frame)
            if frame == b"\2":
                return

    async def read(self) -> bytes | None:
        """The next payload; None when the other side leaves."""
        while True:
            with trio.fail_after(SILENT_SECONDS):
                frame = await self.connection.receive_frame()
            if frame == b"\2":
                return None
            if frame == b"\0":
                continue
            demand(frame[0] == 1, "no such frame")
            return frame[1:]


class Dialler:
    """Dials one seat again and again; `run` marks this process."""

    def __init__(self, start: Start, private: Ed25519PrivateKey, run: bytes | None = None) -> None:
        self.start = start
        self.private = private
        self.own = public(private)
        self.run = run or os.urandom(16)
        self.seat = [person.key for person in start.table.people].index(self.own)

    async def link_to(self, seat: int) -> Link:
        """A link to this seat, once it has one."""
        pause = 0.25
        while True:
            for address in self.start.addresses[self.start.table.people[seat].key]:
                try:
                    return await self._try(seat, address)
                except (*CONNECTION_ERRORS, RefusedByPeerError):
                    pass
            await trio.sleep(pause)
            pause = min(2 * pause, 8.0)

    async def _try(self, seat: int, address: str) -> Link:
        key = self.start.table.people[seat].key
        connection = await dial(address, key)
        try:
            await self._prove(connection, key)
            if self.seat < seat:
                await connection.send(["use"])
        except BaseException:
            await trio.aclose_forcefully(connection.stream)
            raise
        connection.longest = 65537
        return Link(connection, seat)

    async def _prove(self, connection: Connection, key: bytes) -> None:
        table_id, nonce = self.start.table.id, connection.nonce
        statement = encode([table_id, self.own, key, nonce, self.run])
        signature = sign(self.private, "allfives link 1", statement)
        mac = link_mac(self.start.secret, "link 1", statement)
        await connection.send(["link", table_id, self.own, self.run, signature, mac])
        word, run, theirs = listed(await connection.receive(), 3)
        demand(word == "linked", "a message out of turn")
        answer = encode([table_id, self.own, key, nonce, octets(run, 16)])
        right = link_mac(self.start.secret, "link answer 1", answer)
        demand(hmac.compare_digest(right, octets(theirs, 32)), "a wrong mac")
