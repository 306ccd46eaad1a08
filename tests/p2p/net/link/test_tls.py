"""p2p.net.link.tls: TLS 1.3 with the identity key and nothing else."""

import datetime
import os
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from support.limits import HANG_SECONDS
from support.net.world import key

from p2p.net.errors import LinkBroken, LinkSilent
from p2p.net.link.tls import TlsStream, client_context, handshake, peer_key, server_context


async def both(server: ssl.SSLContext, client: ssl.SSLContext) -> tuple[TlsStream, TlsStream]:
    here, there = trio.testing.memory_stream_pair()
    ends: list[TlsStream] = []

    async def serve() -> None:
        try:
            ends.append(await handshake(there, server, server_side=True))
        except LinkBroken:
            await there.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        try:
            dialler = await handshake(here, client, server_side=False)
        finally:
            await trio.testing.wait_all_tasks_blocked()
    return dialler, ends[0]


async def test_the_dialler_reads_the_identity_key() -> None:
    dialler, dialled = await both(server_context(key(1)), client_context())
    assert peer_key(dialler) == key(1).public
    assert dialler.version() == "TLSv1.3"
    await dialled.send_all(b"x")
    assert await dialler.receive_some(10) == b"x"
    with pytest.raises(LinkBroken, match="no certificate"):
        peer_key(dialled)


async def test_older_tls_is_refused_on_both_sides() -> None:
    old_client = client_context()
    old_client.minimum_version = ssl.TLSVersion.TLSv1_2
    old_client.maximum_version = ssl.TLSVersion.TLSv1_2
    with trio.fail_after(HANG_SECONDS), pytest.RaisesGroup(LinkBroken):
        await both(server_context(key(1)), old_client)
    old_server = foreign_context(ec.generate_private_key(ec.SECP256R1()), SHA256())
    old_server.maximum_version = ssl.TLSVersion.TLSv1_2
    with trio.fail_after(HANG_SECONDS), pytest.RaisesGroup(LinkBroken):
        await both(old_server, client_context())


def same(certificate: bytes) -> bytes:
    """The certificate unchanged."""
    return certificate


def foreign_context(
    private: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey,
    digest: SHA256 | None,
    bend: Callable[[bytes], bytes] = same,
) -> ssl.SSLContext:
    """A server of another program; `bend` changes the DER bytes of its certificate."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "other")])
    now = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    builder = x509.CertificateBuilder(name, name, private.public_key(), 1, now, now, [])
    certificate = bend(builder.sign(private, digest).public_bytes(Encoding.DER))
    pem = ssl.DER_cert_to_PEM_cert(certificate).encode()
    pem += private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    path = Path(os.environ["PYTEST_CURRENT_TEST_FOLDER"]) / "other.pem"
    path.write_bytes(pem)
    context.load_cert_chain(path)
    return context


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Certificates are written below the test's own folder, the product's too."""
    monkeypatch.setenv("PYTEST_CURRENT_TEST_FOLDER", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


async def test_a_certificate_of_another_kind_is_refused() -> None:
    other = foreign_context(ec.generate_private_key(ec.SECP256R1()), SHA256())
    dialler, _ = await both(other, client_context())
    with pytest.raises(LinkBroken, match="holds no Ed25519 key"):
        peer_key(dialler)


async def test_a_certificate_of_a_version_that_does_not_exist_is_refused() -> None:
    # The library has an error of its own for it, which is no ValueError.
    mark = bytes.fromhex("a003020102")
    private = ed25519.Ed25519PrivateKey.generate()
    other = foreign_context(private, None, lambda der: der.replace(mark, mark[:-1] + b"\7"))
    dialler, _ = await both(other, client_context())
    with pytest.raises(LinkBroken, match="cannot be used"):
        peer_key(dialler)


async def test_a_strange_certificate_prints_no_warning() -> None:
    serial = bytes.fromhex("a003020102") + bytes.fromhex("020101")
    private = ed25519.Ed25519PrivateKey.generate()
    other = foreign_context(private, None, lambda der: der.replace(serial, serial[:-1] + b"\0"))
    dialler, _ = await both(other, client_context())
    assert peer_key(dialler) == private.public_key().public_bytes_raw()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="handles have no path here")
def test_the_private_key_is_never_on_a_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[bool] = []
    load = ssl.SSLContext.load_cert_chain

    def watched(self: ssl.SSLContext, certfile: Path, keyfile: Path) -> None:
        kinds.extend(path.is_fifo() for path in (certfile, keyfile))
        load(self, certfile, keyfile)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watched)
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    handles = os.listdir("/dev/fd")
    server_context(key(1))
    assert kinds == [True, True]
    assert os.listdir("/dev/fd") == handles


async def test_where_handles_have_no_path_the_key_is_in_no_file_in_clear(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    load = ssl.SSLContext.load_cert_chain

    def watched(self: ssl.SSLContext, certfile: Path, *, password: str) -> None:
        seen.append((certfile.stat().st_mode & 0o777, certfile.parent.stat().st_mode & 0o777))
        text = certfile.read_text()
        assert password not in text
        assert "BEGIN ENCRYPTED PRIVATE KEY" in text
        assert "BEGIN PRIVATE KEY" not in text
        load(self, certfile, password=password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watched)
    monkeypatch.setattr("p2p.net.link.tls._HANDLES", folder / "none")
    context = server_context(key(1))
    assert seen == [(0o600, 0o700)]
    assert os.listdir(folder) == []
    dialler, _ = await both(context, client_context())
    assert peer_key(dialler) == key(1).public


def test_no_tickets_no_old_versions() -> None:
    context = server_context(key(1))
    assert context.num_tickets == 0
    assert context.minimum_version == ssl.TLSVersion.TLSv1_3
    assert client_context().minimum_version == ssl.TLSVersion.TLSv1_3


async def test_silence_and_garbage_in_the_handshake(
    autojump_clock: trio.testing.MockClock,
) -> None:
    here, _there = trio.testing.memory_stream_pair()
    with pytest.raises(LinkSilent, match="in time"):
        await handshake(here, client_context(), server_side=False)
    assert trio.current_time() > 0
    here, there = trio.testing.memory_stream_pair()
    await there.send_all(b"SSH-2.0-x\r\n" * 10)
    with pytest.raises(LinkBroken, match="it does not speak TLS"):
        await handshake(here, client_context(), server_side=False)
