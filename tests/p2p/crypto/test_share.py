"""Shares proven together: complete, and every altered value and cancelling error refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.deck_table import seeded
from support.session.tampering import STRANGER, again, altered, misshapen, other_places, place

from p2p.crypto import share
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import IDENTITY, Point, Q, Reader, combine, hash_to_point, multiply_base, pack
from p2p.crypto.joint import JointSum

SECRET = 987654321
PUBLIC = multiply_base(SECRET)
BASES = [hash_to_point(f"base {at}".encode()) for at in range(3)]
SHARES = [SECRET * base for base in BASES]
PROOF = share.prove(place(), SECRET, PUBLIC, BASES, SHARES, seeded("share"))


def refused(
    public: Point = PUBLIC,
    bases: list[Point] = BASES,
    shares: list[Point] = SHARES,
    proof: bytes = PROOF,
) -> None:
    """The check refuses these arguments, and so does the one with the secret where it fits."""
    with pytest.raises((DecodeError, ProofError)):
        share.verify(place(), public, bases, shares, proof)
    if public == PUBLIC:
        assert not holds_opened(SECRET, bases, shares, proof)


def holds_opened(
    secret: int,
    bases: list[Point],
    shares: list[Point],
    proof: bytes,
    challenge: Challenge | None = None,
) -> bool:
    """Whether the checks with the secret take a proof; one share has two of them, which agree."""
    bound, joint, public = challenge or place(), JointSum(b"file", bytes(32)), multiply_base(secret)
    claim = secret, public, bases, shares, proof
    try:
        share.gather_opened(joint.relation, joint.weights(1), again(bound), *claim)
        holds = joint.settle()
    except (DecodeError, ProofError):
        holds = False
    if len(bases) == 1:
        try:
            share.verify_opened(bound, secret, public, bases[0], shares[0], proof)
            assert holds
        except (DecodeError, ProofError):
            assert not holds
    return holds


@settings(max_examples=15)
@given(st.integers(min_value=1, max_value=Q - 1), st.integers(min_value=1, max_value=9))
def test_true_statements_are_proven(secret: int, count: int) -> None:
    bases = [hash_to_point(f"{secret} {at}".encode()) for at in range(count)]
    shares, public = [secret * base for base in bases], multiply_base(secret)
    proof = share.prove(place(), secret, public, bases, shares, seeded("any"))
    assert len(proof) == share.PROOF_BYTES
    share.verify(place(), public, bases, shares, proof)
    assert holds_opened(secret, bases, shares, proof)


def test_every_altered_proof_is_refused() -> None:
    for proof in (*altered(PROOF, 0), *misshapen(PROOF)):
        refused(proof=proof)


def test_every_altered_statement_is_refused() -> None:
    refused(public=STRANGER)
    for at in range(3):
        refused(bases=[*BASES[:at], STRANGER, *BASES[at + 1 :]])
        refused(shares=[*SHARES[:at], STRANGER, *SHARES[at + 1 :]])
    refused(bases=BASES[::-1])
    refused(shares=SHARES[::-1])
    refused(bases=BASES[::-1], shares=SHARES[::-1])
    refused(bases=BASES[:2], shares=SHARES[:2])


@pytest.mark.parametrize("what", list(other_places()))
def test_a_moved_proof_is_refused(what: str) -> None:
    with pytest.raises(ProofError):
        share.verify(other_places()[what], PUBLIC, BASES, SHARES, PROOF)
    assert not holds_opened(SECRET, BASES, SHARES, PROOF, other_places()[what])


def test_errors_that_cancel_over_two_shares_are_refused() -> None:
    """A prover who knows x but shifts two shares by opposite amounts."""
    for first, second in ((0, 1), (1, 2), (0, 2)):
        shares = list(SHARES)
        shares[first] += STRANGER
        shares[second] -= STRANGER
        proof = share.prove(place(), SECRET, PUBLIC, BASES, shares, seeded("cancel"))
        refused(shares=shares, proof=proof)


def test_shares_of_another_key_are_refused() -> None:
    """A prover who uses x' for the shares and for the response."""
    other = SECRET + 1
    shares = [other * base for base in BASES]
    for secret in (other, SECRET):
        proof = share.prove(place(), secret, PUBLIC, BASES, shares, seeded("key"))
        refused(shares=shares, proof=proof)


def test_a_share_chosen_after_the_challenge_is_refused() -> None:
    """The weak Fiat-Shamir forgery: possible if the shares were not hashed into the challenge."""
    base, nonce, other_nonce = BASES[0], 1234, 5678
    challenge = place()
    challenge.points(b"public", [PUBLIC])
    challenge.points(b"bases", [base])
    challenge.points(b"shares", [])
    challenge.points(b"R", [multiply_base(nonce)])
    challenge.points(b"R'", [other_nonce * base])
    c = challenge.scalar(b"c")
    z = (nonce + c * SECRET) % Q
    false_share = ((z - other_nonce) * pow(c, -1, Q)) * base
    assert false_share != SHARES[0]
    refused(bases=[base], shares=[false_share], proof=pack([], [c, z]))


def test_a_stuck_source_gives_other_nonces_for_other_statements() -> None:
    nonces = set()
    for count in (1, 2, 3):
        arguments = (SECRET, PUBLIC, BASES[:count], SHARES[:count])
        c, z = Reader(share.prove(place(), *arguments, bytes), 0, 2).scalars(2)
        nonces.add((z - c * SECRET) % Q)
    assert len(nonces) == 3


def of_nonce_zero(shares: list[Point]) -> bytes:
    """The proof of a prover who takes 0 for its nonce: both commitments are the identity."""
    challenge = place()
    share._absorb(challenge, PUBLIC, BASES, shares)
    challenge.points(b"R", [IDENTITY])
    challenge.points(b"R'", [IDENTITY])
    c = challenge.scalar(b"c")
    return pack([], [c, c * SECRET])


def test_a_nonce_of_zero_says_nothing_to_who_knows_the_secret() -> None:
    """There R' computed from the shares is the identity whatever they are: only verify can tell."""
    share.verify(place(), PUBLIC, BASES, SHARES, of_nonce_zero(SHARES))
    wrong = [SHARES[0] + STRANGER, *SHARES[1:]]
    refused(shares=wrong, proof=of_nonce_zero(wrong))
    joint = JointSum(b"file", bytes(32))
    claim = SECRET, PUBLIC, BASES, wrong, of_nonce_zero(wrong)
    with pytest.raises(ProofError, match="identity"):
        share.gather_opened(joint.relation, joint.weights(1), place(), *claim)
    assert joint.settle()


def test_shares_that_fit_their_commitment_and_not_their_bases_fail_the_sum() -> None:
    """A prover who makes R' from its false shares: c comes out, and only the equation is left."""
    shares = [one + STRANGER for one in SHARES]
    challenge, nonce = place(), 77
    weights = share._absorb(challenge, PUBLIC, BASES, shares)
    factor = nonce * pow(SECRET, -1, Q)
    challenge.points(b"R", [multiply_base(nonce)])
    challenge.points(b"R'", [combine([factor * each for each in weights], shares)])
    c = challenge.scalar(b"c")
    proof = pack([], [c, nonce + c * SECRET])
    joint = JointSum(b"file", bytes(32))
    claim = SECRET, PUBLIC, BASES, shares, proof
    share.gather_opened(joint.relation, joint.weights(1), place(), *claim)
    assert not joint.settle()
    refused(shares=shares, proof=proof)


def test_a_commitment_that_fits_a_false_share_is_refused_with_the_secret() -> None:
    """A prover who makes R' from the base, as is right, and then another share."""
    shares, challenge, nonce = [STRANGER], place(), 77
    share._absorb(challenge, PUBLIC, BASES[:1], shares)
    challenge.points(b"R", [multiply_base(nonce)])
    challenge.points(b"R'", [nonce * BASES[0]])
    c = challenge.scalar(b"c")
    refused(bases=BASES[:1], shares=shares, proof=pack([], [c, nonce + c * SECRET]))
