"""Proofs of knowledge of a key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.deck_table import seeded
from support.session.tampering import STRANGER, altered, misshapen, other_places, place

from p2p.crypto import schnorr
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import Q, Reader, multiply_base

SECRET = 123456789
PUBLIC = multiply_base(SECRET)
PROOF = schnorr.prove(place(), SECRET, PUBLIC, seeded("schnorr"))


@settings(max_examples=15)
@given(st.integers(min_value=1, max_value=Q - 1), st.text(max_size=3))
def test_true_statements_are_proven(secret: int, seed: str) -> None:
    public = multiply_base(secret)
    proof = schnorr.prove(place(), secret, public, seeded(seed))
    assert len(proof) == schnorr.PROOF_BYTES
    schnorr.verify(place(), public, proof)
    schnorr.verify_opened(place(), secret, public, proof)


def test_every_altered_proof_is_refused() -> None:
    for proof in (*altered(PROOF, 0), *misshapen(PROOF)):
        with pytest.raises((DecodeError, ProofError)):
            schnorr.verify(place(), PUBLIC, proof)
        with pytest.raises((DecodeError, ProofError)):
            schnorr.verify_opened(place(), SECRET, PUBLIC, proof)


def test_another_key_is_refused() -> None:
    for public in (STRANGER, PUBLIC + PUBLIC, multiply_base(-SECRET)):
        with pytest.raises(ProofError):
            schnorr.verify(place(), public, PROOF)


@pytest.mark.parametrize("what", list(other_places()))
def test_a_moved_proof_is_refused(what: str) -> None:
    with pytest.raises(ProofError):
        schnorr.verify(other_places()[what], PUBLIC, PROOF)
    with pytest.raises(ProofError):
        schnorr.verify_opened(other_places()[what], SECRET, PUBLIC, PROOF)


def test_a_proof_without_the_secret_is_refused() -> None:
    proof = schnorr.prove(place(), SECRET + 1, PUBLIC, seeded("schnorr"))
    with pytest.raises(ProofError):
        schnorr.verify(place(), PUBLIC, proof)


def test_a_stuck_source_gives_other_nonces_at_another_place() -> None:
    nonces = set()
    for challenge in (place(), *other_places().values()):
        c, z = Reader(schnorr.prove(challenge, SECRET, PUBLIC, bytes), 0, 2).scalars(2)
        nonces.add((z - c * SECRET) % Q)
    assert len(nonces) == 8
