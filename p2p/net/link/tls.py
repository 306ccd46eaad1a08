"""TLS 1.3 with identity keys: the dialled side shows a certificate made from its Ed25519 key.

The certificate authority system plays no part: the dialler takes any certificate, reads the raw
key from it (the handshake proves that the other side holds it, RFC 8446, section 4.4.3) and
compares that with the key it expects, or binds it by SPAKE2. No session tickets: every link
proves itself anew.
"""

import datetime
import os
import secrets
import ssl
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import trio
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from p2p.crypto.identity import BadKey, IdentityKey, check_public_key
from p2p.net.errors import LinkBroken, LinkSilent
from p2p.private_files import open_new

HANDSHAKE_SECONDS = 5.0
_HANDLES = Path("/dev/fd")
_PASSWORD_BYTES = 32

TlsStream: TypeAlias = "trio.SSLStream[trio.abc.Stream]"

# Nobody reads names or dates of this certificate; fixed ones tell a network nothing.
_SUBJECT = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "allfives")])
_FROM = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
_UNTIL = datetime.datetime(2120, 1, 1, tzinfo=datetime.UTC)


def server_context(identity: IdentityKey) -> ssl.SSLContext:
    """The dialled side's context: TLS 1.3 only, this identity's certificate, no tickets."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    _load(context, _certificate(identity), identity.certificate_key())
    return context


def client_context() -> ssl.SSLContext:
    """The dialler's context: TLS 1.3 only; peer_key() takes the place of certificate checks."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _certificate(identity: IdentityKey) -> bytes:
    key = identity.certificate_key()
    builder = x509.CertificateBuilder(
        _SUBJECT, _SUBJECT, key.public_key(), 1, _FROM, _UNTIL, extensions=[]
    )
    return builder.sign(key, algorithm=None).public_bytes(Encoding.PEM)


def _load(context: ssl.SSLContext, certificate: bytes, key: Ed25519PrivateKey) -> None:
    """Give OpenSSL the chain. `ssl` reads only what has a path: a pipe has one and is no file."""
    with _piped(certificate) as chain, _piped(_pem(key, NoEncryption())) as private:
        if chain.exists():
            context.load_cert_chain(chain, private)
            return
    _load_from_file(context, certificate, key)


@contextmanager
def _piped(data: bytes) -> Iterator[Path]:
    """The path of a pipe with these bytes and then its end; no pipe holds less than 512 (POSIX)."""
    reader, writer = os.pipe()
    try:
        with os.fdopen(writer, "wb") as end:
            end.write(data)
        yield _HANDLES / str(reader)
    finally:
        os.close(reader)


def _load_from_file(context: ssl.SSLContext, certificate: bytes, key: Ed25519PrivateKey) -> None:
    """For systems where handles have no path (Windows): a file for the time of the call, with the
    key under a password that is in memory alone. If a file stays it tells nobody anything."""
    password = secrets.token_hex(_PASSWORD_BYTES)
    with tempfile.TemporaryDirectory(prefix="allfives-") as folder:
        path = Path(folder) / "key.pem"
        with os.fdopen(open_new(path), "wb") as file:
            file.write(certificate + _pem(key, BestAvailableEncryption(password.encode())))
        context.load_cert_chain(path, password=password)


def _pem(key: Ed25519PrivateKey, encryption: KeySerializationEncryption) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


async def handshake(
    stream: trio.abc.Stream, context: ssl.SSLContext, *, server_side: bool
) -> TlsStream:
    """TLS over `stream` within 5 s. Raises LinkBroken; the caller closes `stream` then.

    `https_compatible`: a peer may close without the closing alert; our frames tell their own end.
    """
    wrapped = trio.SSLStream(stream, context, server_side=server_side, https_compatible=True)
    with trio.move_on_after(HANDSHAKE_SECONDS) as scope:
        try:
            await wrapped.do_handshake()
        except (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError):
            raise LinkBroken("it does not speak TLS 1.3") from None
    if scope.cancelled_caught:
        raise LinkSilent("it did not finish the TLS handshake in time")
    return wrapped


def peer_key(stream: TlsStream) -> bytes:
    """The dialled side's raw 32-byte identity key, proven by the handshake. Raises LinkBroken."""
    encoded = stream.getpeercert(binary_form=True)
    if encoded is None:
        raise LinkBroken("it shows no certificate")
    try:
        key = _certified_key(encoded)
        if not isinstance(key, Ed25519PublicKey):
            raise LinkBroken("its certificate holds no Ed25519 key")
        raw = key.public_bytes_raw()
        check_public_key(raw)
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion, BadKey):
        raise LinkBroken("its certificate cannot be used") from None
    return raw


def _certified_key(encoded: bytes) -> object:
    """The key in a certificate, whatever else stands there: the library's warnings about other
    fields are not for the person, on whose screen a stranger would so print them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x509.load_der_x509_certificate(encoded).public_key()
