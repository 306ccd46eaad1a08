"""Identity keys: one Ed25519 key a person, checks, signatures under domain labels, fingerprints.

Ed25519 is RFC 8032 (pure, no prehash). The same key also signs a TLS certificate and TLS handshakes
(p2p/net/link/tls.py). What those sign begins with 0x30 (DER SEQUENCE) or with 64 spaces (RFC 8446,
section 4.4.3); our labels begin with a lower-case letter, so no signature of one kind can be
taken for one of another.
"""

import ctypes
import hashlib
import os
import re
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p.crypto.randomness import RandomBytes
from p2p.crypto.sodium import ed25519_multiply, ed25519_verify_detached

KEY_BYTES = 32
SIGNATURE_BYTES = 64
FINGERPRINT_DIGITS = 16

_LABEL = re.compile(rb"[a-z][a-z0-9 ./-]{0,62}")

# edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 modulo 2^255 - 19 (RFC 8032, section 5.1).
_FIELD = 2**255 - 19
_D = -121665 * pow(121666, -1, _FIELD) % _FIELD
_ORDER_EIGHT_Y = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_ORDER_LESS_ONE = (2**252 + 27742317777372353535851937790883648492).to_bytes(32, "little")
# The y of the eight points whose order divides 8: the identity, order 2, 4 and (two values) 8.
_SMALL_ORDER_Y = frozenset({1, _FIELD - 1, 0, _ORDER_EIGHT_Y, _FIELD - _ORDER_EIGHT_Y})


class BadKey(ValueError):
    """A received public key that must not be used; the text is one clause."""


@lru_cache(maxsize=256)
def check_public_key(raw: bytes) -> None:
    """Raise BadKey unless `raw` (32 bytes) canonically encodes a curve point of order L.

    `cryptography` takes any 32 bytes. With a small-order key one signature fits every message, a
    second encoding of a point would give one person two keys, and with a point outside the subgroup
    programs differ about a signature (whether h is reduced modulo L first).
    """
    if len(raw) != KEY_BYTES:
        raise BadKey("the key is not 32 bytes long")
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _FIELD:
        raise BadKey("the key is not canonically encoded")
    if y in _SMALL_ORDER_Y:
        raise BadKey("the key is a point of small order")
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _FIELD) % _FIELD
    if pow(x_squared, (_FIELD - 1) // 2, _FIELD) != 1:
        raise BadKey("the key is not a point of the curve")
    if not _in_subgroup(raw):
        raise BadKey("the key is not in the subgroup of prime order")


def _in_subgroup(raw: bytes) -> bool:
    """Whether a point of the curve is a multiple of the base point: (L - 1) A = -A.

    libsodium's own check, in 1.0.18, takes points of order 2 L.
    """
    if ed25519_multiply is not None:
        product = ctypes.create_string_buffer(KEY_BYTES)
        found = ed25519_multiply(product, _ORDER_LESS_ONE, raw) == 0
        return found and product.raw == raw[:-1] + bytes([raw[-1] ^ 0x80])
    # The same in Python, 2 ms.
    from spake2 import ed25519_basic

    try:
        ed25519_basic.bytes_to_element(raw)
    except ValueError:
        return False
    return True


def _framed(label: bytes, payload: bytes) -> bytes:
    """Label, a zero byte (never part of a label), payload: no two pairs give the same bytes."""
    return _domain(label) + payload


# Labels are few.
@lru_cache(maxsize=64)
def _domain(label: bytes) -> bytes:
    if not _LABEL.fullmatch(label):
        raise AssertionError(f"not a domain label: {label!r}")
    return label + b"\0"


class IdentityKey:
    """The private half of an identity. Neither repr nor pickling shows it."""

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw()

    @classmethod
    def generate(cls, rng: RandomBytes = os.urandom) -> "IdentityKey":
        """A new key from 32 bytes of `rng`."""
        return cls.from_private_bytes(rng(KEY_BYTES))

    @classmethod
    def from_private_bytes(cls, raw: bytes) -> "IdentityKey":
        """The key of a 32-byte seed (RFC 8032, section 5.1.5); ValueError for another length."""
        if len(raw) != KEY_BYTES:
            raise ValueError("a private identity key is 32 bytes long")
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    def private_bytes(self) -> bytes:
        """The 32-byte seed, for the owner's disk only."""
        return self._private.private_bytes_raw()

    def certificate_key(self) -> Ed25519PrivateKey:
        """The same key as `cryptography` wants it, to sign this peer's TLS certificate."""
        return self._private

    def sign(self, label: bytes, payload: bytes) -> bytes:
        """64-byte Ed25519 signature over the framed label and payload.

        `label`: 1 to 63 of a-z 0-9 space . / - beginning with a letter; AssertionError otherwise.
        """
        return self._private.sign(_framed(label, payload))

    def __repr__(self) -> str:
        return f"<IdentityKey {fingerprint(self.public)}>"

    def __reduce__(self) -> str:
        raise TypeError("an identity key is not pickled")


def verify(public: bytes, label: bytes, payload: bytes, signature: bytes) -> bool:
    """Whether `signature` is `public`'s over label and payload; False for every unusable key."""
    signed = _framed(label, payload)
    try:
        check_public_key(public)
        if not _surely_signed(public, signed, signature):
            Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)
    except (BadKey, InvalidSignature):
        return False
    return True


def _surely_signed(public: bytes, signed: bytes, signature: bytes) -> bool:
    """Whether libsodium takes the signature, in half the time that `cryptography` needs.

    It compares the same 32 bytes, and refuses some signatures that are to be taken (those whose R
    has a small order): a refusal of it says nothing.
    """
    if ed25519_verify_detached is None or len(signature) != SIGNATURE_BYTES:
        return False
    return ed25519_verify_detached(signature, signed, len(signed), public) == 0


def fingerprint(public: bytes) -> str:
    """16 lower-case hex digits (64 bits of SHA-256 under a label) to compare by eye."""
    digest = hashlib.sha256(b"allfives key fingerprint\0" + public).hexdigest()
    return digest[:FINGERPRINT_DIGITS]
