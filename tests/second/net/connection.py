"""TLS connections and their frames, from the dialling side (5)."""

import ssl
from dataclasses import dataclass, field

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.x509 import load_der_x509_certificate

from second.refusing import RefusedError, demand
from second.wire.ed25519 import usable
from second.wire.values import STRANGER, Limits, Value, decode, encode, integer, listed, octets

VERSION = 2
STAGE_SECONDS = 5.0


class RefusedByPeerError(Exception):
    """The other side answered ["no", word]."""


def split_address(address: str) -> tuple[str, int]:
    """IP and port of `IP:PORT` or `[IPv6]:PORT`."""
    host, _, port = address.rpartition(":")
    demand(bool(host) and port.isascii() and port.isdigit(), "no address")
    return host.strip("[]"), integer(int(port), 1, 65535)


@dataclass
class Connection:
    """A connection whose far side proved its key; `nonce` is of its first frame."""

    stream: trio.SSLStream[trio.SocketStream]
    key: bytes
    nonce: bytes = b""
    longest: int = 4096
    buffer: bytearray = field(default_factory=bytearray)

    async def send_frame(self, data: bytes) -> None:
        """One frame."""
        await self.stream.send_all(len(data).to_bytes(4, "big") + data)

    async def send(self, value: Value) -> None:
        """One value."""
        await self.send_frame(encode(value))

    async def receive_frame(self) -> bytes:
        """The next frame; RefusedError where the connection ends, or the length is wrong."""
        await self._fill(4)
        length = int.from_bytes(self.buffer[:4], "big")
        demand(1 <= length <= self.longest, "a frame of a wrong length")
        await self._fill(4 + length)
        frame = bytes(self.buffer[4 : 4 + length])
        del self.buffer[: 4 + length]
        return frame

    async def _fill(self, size: int) -> None:
        while len(self.buffer) < size:
            data = await self.stream.receive_some()
            demand(bool(data), "the connection ended")
            self.buffer += data

    async def receive(self, limits: Limits = STRANGER) -> list[Value]:
        """The next frame as a list; a refusal of the peer is raised."""
        with trio.fail_after(STAGE_SECONDS * 14):
            value = listed(decode(await self.receive_frame(), limits))
        if value[:1] == ["no"]:
            raise RefusedByPeerError(str(value[1:]))
        return value


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the key in the certificate is checked instead
    return context


async def dial(address: str, expected: bytes | None = None) -> Connection:
    """A connection to a peer of this version, of the expected key if one is known."""
    host, port = split_address(address)
    with trio.fail_after(STAGE_SECONDS):
        plain = await trio.open_tcp_stream(host, port)
    try:
        stream = trio.SSLStream(plain, _context(), https_compatible=True)
        with trio.fail_after(STAGE_SECONDS):
            await stream.do_handshake()
        certificate = load_der_x509_certificate(stream.getpeercert(binary_form=True))
        public = certificate.public_key()
        demand(isinstance(public, Ed25519PublicKey), "another kind of key")
        assert isinstance(public, Ed25519PublicKey)
        connection = Connection(stream, usable(public.public_bytes_raw()))
        demand(expected in (None, connection.key), "another key than expected")
        name, version, nonce = listed(await connection.receive(), 3)
        demand(name == "allfives" and version == VERSION, "another protocol, or its version")
        connection.nonce = octets(nonce, 32)
    except BaseException:
        await trio.aclose_forcefully(plain)
        raise
    return connection


CONNECTION_ERRORS = (
    OSError,
    RefusedError,
    trio.TooSlowError,
    trio.BrokenResourceError,
    trio.ClosedResourceError,
    ssl.SSLError,
)
