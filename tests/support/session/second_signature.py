"""A second valid Ed25519 signature of a payload, as only the owner of a key can make it.

RFC 8032, section 5.1.6, with another nonce than the standard one. Slow and not constant in time.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202

Affine = tuple[int, int]


def _add(one: Affine, other: Affine) -> Affine:
    """The complete addition law of edwards25519."""
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2 % P
    x3 = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    y3 = (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x3 % P, y3 % P


def _multiply(scalar: int) -> bytes:
    """scalar times the base point, encoded."""
    total, power = (0, 1), (BASE_X, BASE_Y)
    while scalar:
        if scalar & 1:
            total = _add(total, power)
        power = _add(power, power)
        scalar >>= 1
    return (total[1] | (total[0] & 1) << 255).to_bytes(32, "little")


def sign_again(seed: bytes, label: bytes, payload: bytes, nonce: int | None = None) -> bytes:
    """A valid signature of label and payload that differs from the standard one.

    With the nonce 0 it gives the key away, and R is the identity.
    """
    message = label + b"\0" + payload
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    if nonce is None:
        nonce = int.from_bytes(hashlib.sha512(b"again" + digest + message).digest(), "little") % L
    point = _multiply(nonce)
    hashed = hashlib.sha512(point + _multiply(scalar) + message).digest()
    response = (nonce + int.from_bytes(hashed, "little") * scalar) % L
    return point + response.to_bytes(32, "little")


def malleated(signature: bytes) -> bytes:
    """The same signature with the group order added to its scalar, as anybody can do."""
    response = int.from_bytes(signature[32:], "little") + L
    return signature[:32] + response.to_bytes(32, "little")
