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
    """The public key, if it may be one; refused if it is none of the subgroup of order L."""
    demand(len(key) == 32, "a key is 32 bytes")
    y = int.from_bytes(key, "little") & (2**255 - 1)
    demand(y < P and y not in SMALL_ORDER, "an unusable key")
    x = _root((y * y - 1) * pow(_D * y * y + 1, -1, P) % P)
    product = _multiple(ORDER, (x, y, 1, x * y % P))
    demand(product[0] == 0 and product[1] == product[2], "a key outside the subgroup of order L")
    return key


def _root(square: int) -> int:
    """A square root mod P; refused if there is none."""
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    demand(root * root % P == square, "no point of the curve")
    return root


Point = tuple[int, int, int, int]


def _sum(left: Point, right: Point) -> Point:
    """In extended coordinates (RFC 8032, section 5.1.4), for any two points."""
    a = (left[1] - left[0]) * (right[1] - right[0])
    b = (left[1] + left[0]) * (right[1] + right[0])
    c, d = 2 * left[3] * right[3] * _D, 2 * left[2] * right[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _multiple(number: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    for bit in bin(number)[2:]:
        result = _sum(result, result)
        if bit == "1":
            result = _sum(result, point)
    return result


@functools.lru_cache(maxsize=4096)
def verify(key: bytes, label: str, payload: bytes, signature: bytes) -> None:
    """Refuse a signature that is not this key's. The library checks as section 2 says. What was
    found right is remembered."""
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
