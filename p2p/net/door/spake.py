"""SPAKE2 on a table's code, with key confirmation: the joiner confirms first.

SPAKE2 (RFC 9382 in spirit; the package `spake2` by its own transcript over edwards25519) gives
both sides a key that is the same only if both knew the password and both named the same two
identity keys. Each side then shows a tag derived from it. Without the password one run gives one
guess; who sits in the middle shows each side another TLS key and gets no tag that fits.
The package is pure Python and not constant in time: accepted, a code is used live and once.
"""

import hmac
from dataclasses import dataclass

import trio
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B

from p2p.crypto.identity import check_public_key
from p2p.crypto.randomness import RandomBytes
from p2p.net.errors import LinkBroken
from p2p.wire.codec import encode

MESSAGE_BYTES = 33
TAG_BYTES = 32


@dataclass(frozen=True)
class Tags:
    """What each side shows to prove that it has the key; equal on both sides or all different."""

    joiner: bytes
    host: bytes


def same_tag(mine: bytes, received: bytes) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(mine, received)


class Exchange:
    """One run of one side. Use begin(), send `message` (33 bytes), then finish()."""

    def __init__(
        self, *, joiner: bool, password: bytes, joiner_key: bytes, host_key: bytes, rng: RandomBytes
    ) -> None:
        side = SPAKE2_A if joiner else SPAKE2_B
        self._joiner = joiner
        self._keys = [joiner_key, host_key]
        self._run = side(password, idA=joiner_key, idB=host_key, entropy_f=rng)
        self.message: bytes = self._run.start()

    @classmethod
    async def begin(
        cls, *, joiner: bool, password: bytes, joiner_key: bytes, host_key: bytes, rng: RandomBytes
    ) -> "Exchange":
        """The constructor in a worker thread: some milliseconds of big-integer arithmetic."""
        return await trio.to_thread.run_sync(
            lambda: cls(
                joiner=joiner,
                password=password,
                joiner_key=joiner_key,
                host_key=host_key,
                rng=rng,
            )
        )

    async def finish(self, received: bytes, nonce: bytes) -> Tags:
        """Both tags, bound to both keys, both messages and the host's nonce. Raises LinkBroken."""
        return await trio.to_thread.run_sync(self._finish, received, nonce)

    def _finish(self, received: bytes, nonce: bytes) -> Tags:
        if len(received) != MESSAGE_BYTES:
            raise LinkBroken("it sent a SPAKE2 message of another length")
        try:
            # The package takes second encodings, of the identity too.
            check_public_key(received[1:])
            key = self._run.finish(received)
        # The package raises its own errors, ValueError, AssertionError and bare Exception.
        except Exception:
            raise LinkBroken("it sent a SPAKE2 message that is none") from None
        messages = [self.message, received] if self._joiner else [received, self.message]
        transcript = encode([*self._keys, *messages, nonce])
        return Tags(
            _tag(key, b"allfives joiner confirms\0" + transcript),
            _tag(key, b"allfives host confirms\0" + transcript),
        )


def _tag(key: bytes, info: bytes) -> bytes:
    return HKDF(SHA256(), TAG_BYTES, salt=None, info=info).derive(key)
