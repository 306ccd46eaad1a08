"""Shares of ciphertexts and their common proof (Chaum and Pedersen, Crypto 1992).

Statement: X = x G and s_k = x a_k for every k. The pairs are weighed into one, a* = sum w_k a_k
and s* = sum w_k s_k, with weights hashed from the whole statement (w_1 = 1), then
R = r G, R' = r a*; c = challenge over statement, R, R'; z = r + c x.
Check: R = z G - c X and R' = z a* - c s* give c again. The proof has 64 bytes however many shares.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.crypto.challenge import Challenge
from p2p.crypto.encoding import Reader, pack
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point, combine, encode_scalar, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.randomness import RandomBytes

PROOF_BYTES = 64


def _absorb(
    challenge: Challenge, public: Point, bases: Sequence[Point], shares: Sequence[Point]
) -> list[int]:
    """Absorb the statement and return the weights of its pairs."""
    challenge.points(b"public", [public])
    challenge.points(b"bases", bases)
    challenge.points(b"shares", shares)
    return challenge.weights(b"weights", len(bases))


def prove(
    challenge: Challenge,
    secret: int,
    public: Point,
    bases: Sequence[Point],
    shares: Sequence[Point],
    rng: RandomBytes,
) -> bytes:
    """64 bytes that prove shares[k] = secret * bases[k] for all k, where public = secret * G."""
    weights = _absorb(challenge, public, bases, shares)
    nonce = Nonces(challenge, encode_scalar(secret), rng).next()
    challenge.points(b"R", [multiply_base(nonce)])
    challenge.points(b"R'", [combine([nonce * weight for weight in weights], bases)])
    c = challenge.scalar(b"c")
    return pack([], [c, nonce + c * secret])


def verify(
    challenge: Challenge,
    public: Point,
    bases: Sequence[Point],
    shares: Sequence[Point],
    proof: bytes,
) -> None:
    """Check a proof of `prove`. `DecodeError` if malformed, `ProofError` if it does not hold."""
    c, response = Reader(proof, 0, 2).scalars(2)
    weights = _absorb(challenge, public, bases, shares)
    scalars = [response * weight for weight in weights] + [-c * weight for weight in weights]
    challenge.points(b"R", [combine([-c], [public], response)])
    challenge.points(b"R'", [combine(scalars, [*bases, *shares])])
    if challenge.scalar(b"c") != c:
        raise ProofError("the shares are not proven")
