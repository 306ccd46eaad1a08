"""Identities and signatures (sections 2 and 3)."""

import functools

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from second.refusing import demand

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, P) % P
_EIGHTH = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
SMALL_ORDER = (0, 1, P - 1, _EIGHTH, P - _EIGHTH)


@functools.lru_cache(maxsize=256)
def usable(key: bytes) -> bytes:
    """The public key, if it may be one; refused if not a point, or of small order."""
    demand(len(key) == 32, "a key is 32 bytes")
    y = int.from_bytes(key, "little") & (2**255 - 1)
    demand(y < P and y not in SMALL_ORDER, "an unusable key")
    square = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    demand(pow(square, (P - 1) // 2, P) in (0, 1), "no point of the curve")
    return key


def verify(key: bytes, label: str, payload: bytes, signature: bytes) -> None:
    """Refuse a signature that is not this key's. The library checks as section 2 says."""
    usable(key)
    demand(len(signature) == 64, "a signature is 64 bytes")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, label.encode() + b"\0" + payload)
    except InvalidSignature:
        demand(False, "a wrong signature")


def sign(private: Ed25519PrivateKey, label: str, payload: bytes) -> bytes:
    """64 bytes."""
    return private.sign(label.encode() + b"\0" + payload)


def public(private: Ed25519PrivateKey) -> bytes:
    """The identity of a private key."""
    return private.public_key().public_bytes_raw()
