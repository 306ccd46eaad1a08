"""Proof of knowledge of x with X = x G (Schnorr, J. Cryptology 1991): 64 bytes, c and z.

R = r G; c = challenge over the statement and R; z = r + c x. Check: R = z G - c X gives c again;
where x is known, R = (z - c x) G.
"""

from __future__ import annotations

from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point, Reader, combine, encode_scalar, multiply_base, pack
from p2p.crypto.nonces import Nonces
from p2p.crypto.randomness import RandomBytes

PROOF_BYTES = 64


def prove(challenge: Challenge, secret: int, public: Point, rng: RandomBytes) -> bytes:
    """64 bytes that prove knowledge of `secret`, where public = secret * G."""
    challenge.points(b"public", [public])
    nonce = Nonces(challenge, encode_scalar(secret), rng).next()
    challenge.points(b"R", [multiply_base(nonce)])
    c = challenge.scalar(b"c")
    return pack([], [c, nonce + c * secret])


def verify(challenge: Challenge, public: Point, proof: bytes) -> None:
    """Check a proof of `prove`. `DecodeError` if malformed, `ProofError` if it does not hold."""
    c, response = Reader(proof, 0, 2).scalars(2)
    _compare(challenge, public, combine([-c], [public], response), c)


def verify_opened(challenge: Challenge, secret: int, public: Point, proof: bytes) -> None:
    """The same where public = secret * G is known: it accepts no more and no less."""
    c, response = Reader(proof, 0, 2).scalars(2)
    _compare(challenge, public, multiply_base(response - c * secret), c)


def _compare(challenge: Challenge, public: Point, commitment: Point, c: int) -> None:
    challenge.points(b"public", [public])
    challenge.points(b"R", [commitment])
    if challenge.scalar(b"c") != c:
        raise ProofError("the knowledge of a key is not proven")
