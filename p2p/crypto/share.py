"""Shares of ciphertexts and their common proof (Chaum and Pedersen, Crypto 1992).

Statement: X = x G and s_k = x a_k for every k. The pairs are weighed into one, a* = sum w_k a_k
and s* = sum w_k s_k, with weights hashed from the whole statement (w_1 = 1), then
R = r G, R' = r a*; c = challenge over statement, R, R'; z = r + c x.
Check: R = z G - c X and R' = z a* - c s* give c again. The proof has 64 bytes however many shares.

Where x is known, with x G = X, so is r = z - c x, and the statement says s* = x a*. A false one
gives c again only by chance, so what is left to check is s* = x a*, and that R = r G and R' = r a*
give c: half the work.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point, Q, Reader, Sum, combine, encode_scalar, multiply_base, pack
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
    commitments = combine([-c], [public], response), combine(scalars, [*bases, *shares])
    _compare(challenge, commitments, c)


def verify_opened(
    challenge: Challenge, secret: int, public: Point, base: Point, share: Point, proof: bytes
) -> None:
    """Check a proof over one share where public = secret * G is known; accepts as `verify` does. It
    finds that a `canonical` share is a point: it is the computed one."""
    c, nonce = _opened(secret, proof)
    if secret * base != share:
        raise ProofError("the share is another")
    _absorb(challenge, public, [base], [share])
    _compare(challenge, (multiply_base(nonce), nonce * base), c)


def gather_opened(
    relation: Sum,
    weights: Sequence[int],
    challenge: Challenge,
    secret: int,
    public: Point,
    bases: Sequence[Point],
    shares: Sequence[Point],
    proof: bytes,
) -> None:
    """Check a proof over several shares where public = secret * G is known, but for one equation.
    The shares are `canonical`.

    R' = (r / x) s* is computed from the shares and must give c again; R' = r a*, without which
    that says nothing, goes to the relation with the one weight, that nobody could know before the
    proof was fixed. `DecodeError` if a share is no point; `ProofError`, and nothing added, if c is
    another, or if r is 0 and R' would say nothing of the shares: then only `verify` can tell.
    """
    c, nonce = _opened(secret, proof)
    if not nonce:
        raise ProofError("the commitment of the proof is the identity")
    (weight,) = weights
    pairs = _absorb(challenge, public, bases, shares)
    factor = nonce * pow(secret, -1, Q) % Q
    weighed = Sum()
    weighed.add_all(pairs, shares, factor)
    commitment = weighed.checked_value(shares)
    _compare(challenge, (multiply_base(nonce), commitment), c)
    relation.add(weight, commitment)
    relation.add_all(pairs, bases, -weight * nonce)


def _opened(secret: int, proof: bytes) -> tuple[int, int]:
    """c and r of a proof."""
    c, response = Reader(proof, 0, 2).scalars(2)
    return c, (response - c * secret) % Q


def _compare(challenge: Challenge, commitments: tuple[Point, Point], c: int) -> None:
    """R and R' give c again."""
    challenge.points(b"R", commitments[:1])
    challenge.points(b"R'", commitments[1:])
    if challenge.scalar(b"c") != c:
        raise ProofError("the shares are not proven")
