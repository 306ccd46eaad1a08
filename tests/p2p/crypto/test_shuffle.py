"""The shuffle argument: completeness, every alteration, and a liar for each equation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.cheating_shuffle import (
    Cheat,
    HiddenDuplicate,
    OpenDuplicate,
    ReplacedFirst,
    ReplacedSecond,
    ScaledPair,
    Shift,
    Shifted,
)
from support.session.deck_table import seeded
from support.session.tampering import (
    CONTEXT,
    STRANGER,
    again,
    altered,
    misshapen,
    other_places,
    place,
)

from p2p.crypto import shuffle, shuffle_prover
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import G, Point, Q, hash_to_point, multiply_base
from p2p.crypto.joint import JointSum
from p2p.crypto.shuffle import Pair, Proof, Statement

KEY = multiply_base(31337)


def encrypted(size: int) -> list[Pair]:
    """A deck under KEY whose pairs have nothing in common."""
    messages = [hash_to_point(f"message {at}".encode()) for at in range(size)]
    return [((at + 5) * G, message + (at + 5) * KEY) for at, message in enumerate(messages)]


def shuffled(before: list[Pair], seed: str, challenge: Challenge) -> tuple[Statement, bytes]:
    """An honest shuffle and its proof."""
    rng = seeded(seed)
    prepared = shuffle_prover.prepare(place(), KEY, len(before), rng)
    statement = Statement(KEY, before, shuffle_prover.apply(before, prepared))
    return statement, shuffle_prover.prove(challenge, statement, prepared, rng).to_bytes()


def check(statement: Statement, proof: bytes, challenge: Challenge | None = None) -> None:
    """Decode and verify, alone and in a sum."""
    decoded = Proof.from_bytes(proof, len(statement.before))
    claim, joint = (challenge or place(), statement, decoded), JointSum(b"file", bytes(32))
    weights = joint.weights(shuffle.EQUATIONS)
    shuffle.gather(joint.relation, weights, again(claim[0]), statement, decoded)
    holds = joint.settle()
    try:
        shuffle.verify_all([claim])
    except ProofError:
        assert not holds
        raise
    assert holds


SIZE = 4
STATEMENT, PROOF = shuffled(encrypted(SIZE), "base", place())


@settings(max_examples=12)
@given(st.integers(min_value=2, max_value=9), st.text(max_size=4))
def test_true_shuffles_are_proven(size: int, seed: str) -> None:
    statement, proof = shuffled(encrypted(size), seed, place())
    assert len(proof) == 32 * (shuffle.POINTS + shuffle.scalars_for(size))
    check(statement, proof)
    plain = [second - 31337 * first for first, second in statement.before]
    opened = [second - 31337 * first for first, second in statement.after]
    assert sorted(p.raw for p in plain) == sorted(p.raw for p in opened)
    assert not {p.raw for pair in statement.before for p in pair} & {
        p.raw for pair in statement.after for p in pair
    }


def test_28_pairs_take_3008_bytes() -> None:
    statement, proof = shuffled(encrypted(28), "full", place())
    assert len(proof) == 3008
    check(statement, proof)


def test_bytes_round_trip() -> None:
    assert Proof.from_bytes(PROOF, SIZE).to_bytes() == PROOF


def test_every_altered_proof_is_refused() -> None:
    count = 0
    for proof in (*altered(PROOF, shuffle.POINTS), *misshapen(PROOF)):
        with pytest.raises((DecodeError, ProofError)):
            check(STATEMENT, proof)
        count += 1
    assert count >= 3 * (shuffle.POINTS + shuffle.scalars_for(SIZE))


def _with_pair(
    deck: Sequence[Pair], at: int, first: Point | None, second: Point | None
) -> list[Pair]:
    pair = (first or deck[at][0], second or deck[at][1])
    return [*deck[:at], pair, *deck[at + 1 :]]


def altered_statements() -> list[Statement]:
    """The statement with each of its points replaced, and with decks reordered."""
    found = [replace(STATEMENT, key=STRANGER)]
    for at in range(SIZE):
        for first, second in ((STRANGER, None), (None, STRANGER)):
            found.append(replace(STATEMENT, before=_with_pair(STATEMENT.before, at, first, second)))
            found.append(replace(STATEMENT, after=_with_pair(STATEMENT.after, at, first, second)))
    before, after = list(STATEMENT.before), list(STATEMENT.after)
    found.append(Statement(KEY, after, before))
    found.append(replace(STATEMENT, after=[*after[1:], after[0]]))
    found.append(replace(STATEMENT, before=[*before[1:], before[0]]))
    found.append(replace(STATEMENT, after=before))
    return found


def test_every_altered_statement_is_refused() -> None:
    for statement in altered_statements():
        with pytest.raises(ProofError):
            check(statement, PROOF)


@pytest.mark.parametrize("what", list(other_places()))
def test_a_moved_proof_is_refused(what: str) -> None:
    with pytest.raises(ProofError):
        check(STATEMENT, PROOF, other_places()[what])


def test_the_cheating_prover_is_complete_without_a_lie() -> None:
    statement, proof = Cheat([3, 1, 4, 2], KEY, encrypted(4)).prove(place())
    check(statement, proof.to_bytes())


@pytest.mark.parametrize(
    "liar", [HiddenDuplicate, OpenDuplicate, ScaledPair, ReplacedFirst, ReplacedSecond]
)
def test_a_lie_in_one_equation_is_refused(liar: type[Cheat]) -> None:
    statement, proof = liar([3, 1, 4, 2], KEY, encrypted(4)).prove(place())
    with pytest.raises(ProofError):
        check(statement, proof.to_bytes())


@pytest.mark.parametrize("shift", [Shift(1, -1, 0), Shift(0, 1, -1), Shift(1, 0, -1)])
def test_errors_that_cancel_inside_a_proof_are_refused(shift: Shift) -> None:
    statement, proof = Shifted([3, 1, 4, 2], KEY, encrypted(4), shift).prove(place())
    with pytest.raises(ProofError):
        check(statement, proof.to_bytes())


@pytest.mark.parametrize("shift", [Shift(1, 0, 0), Shift(0, 1, 0), Shift(0, 0, 1)])
def test_errors_that_cancel_over_two_proofs_are_refused(shift: Shift) -> None:
    seats = [Challenge(CONTEXT, seat, b"", b"shuffle") for seat in (0, 1)]
    opposite = Shift(-shift.nonces, -shift.crossed, -shift.masks)
    first, one = Shifted([3, 1, 4, 2], KEY, encrypted(4), shift).prove(seats[0])
    second, two = Shifted([2, 1, 4, 3], KEY, first.after, opposite).prove(seats[1])
    again = [Challenge(CONTEXT, seat, b"", b"shuffle") for seat in (0, 1)]
    with pytest.raises(ProofError):
        shuffle.verify_all([(again[0], first, one), (again[1], second, two)])


def test_the_weights_of_one_proof_depend_on_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else two seats could look for fitting errors apart from each other, at the birthday price."""
    claims = []
    for seed in ("a", "b"):
        statement, proof = shuffled(encrypted(3), seed, place())
        claims.append((statement, Proof.from_bytes(proof, 3)))
    seen: list[list[int]] = []
    plain = Challenge.weights

    def noted(self: Challenge, label: bytes, count: int) -> list[int]:
        seen.append(plain(self, label, count))
        return seen[-1]

    monkeypatch.setattr(Challenge, "weights", noted)
    for second in claims:
        shuffle.verify_all([(place(), *claims[0]), (place(), *second)])
    assert len(seen) == 2
    assert len(seen[0]) == len(seen[1]) == 2 * shuffle.EQUATIONS
    assert set(seen[0][1:]).isdisjoint(seen[1][1:])


def test_an_alteration_is_refused_in_a_joint_check_too() -> None:
    """Every field of the second proof and every point of its statement, next to a true proof."""
    first, one = shuffled(encrypted(3), "first", place())
    second, two = shuffled(list(first.after), "second", other_places()["seat"])

    def joint(statement: Statement, proof: bytes) -> None:
        true = (place(), first, Proof.from_bytes(one, 3))
        shuffle.verify_all([true, (other_places()["seat"], statement, Proof.from_bytes(proof, 3))])

    joint(second, two)
    for proof in altered(two, shuffle.POINTS):
        with pytest.raises((DecodeError, ProofError)):
            joint(second, proof)
    for at, shifted in product(range(3), ((STRANGER, None), (None, STRANGER))):
        before = _with_pair(second.before, at, *shifted)
        after = _with_pair(second.after, at, *shifted)
        for statement in (replace(second, before=before), replace(second, after=after)):
            with pytest.raises(ProofError):
                joint(statement, two)


def test_many_true_proofs_hold_together() -> None:
    deck, claims = encrypted(5), []
    for seat in range(4):
        statement, proof = shuffled(deck, f"chain {seat}", Challenge(CONTEXT, seat, b"", b"s"))
        deck = list(statement.after)
        decoded = Proof.from_bytes(proof, 5)
        claims.append((Challenge(CONTEXT, seat, b"", b"s"), statement, decoded))
    shuffle.verify_all(claims)


def test_a_prepared_shuffle_serves_once_and_shows_nothing() -> None:
    rng = seeded("once")
    prepared = shuffle_prover.prepare(place(), KEY, 3, rng)
    before = encrypted(3)
    statement = Statement(KEY, before, shuffle_prover.apply(before, prepared))
    shuffle_prover.prove(place(), statement, prepared, rng)
    with pytest.raises(Misuse):
        shuffle_prover.prove(place(), statement, prepared, rng)
    shown = repr(prepared) + repr(prepared.masks)
    secrets = [*prepared.factors, prepared.r_A, *prepared.masks.factors, *prepared.masks.powers]
    assert not any(str(secret) in shown or f"{secret:x}" in shown for secret in secrets)


def secrets_from_a_stuck_source(preparation: Challenge) -> list[int]:
    """Masks and re-encryption factors of an honest proof whose random source repeats itself."""
    prepared = shuffle_prover.prepare(preparation, KEY, 4, bytes)
    before = encrypted(4)
    statement = Statement(KEY, before, shuffle_prover.apply(before, prepared))
    proof = shuffle_prover.prove(place(), statement, prepared, bytes)
    check(statement, proof.to_bytes())
    return [*prepared.masks.powers, *prepared.factors, proof.responses.encryption % Q]


def test_a_stuck_source_gives_other_masks_for_another_preparation() -> None:
    places = (place(), *other_places().values())
    drawn = [secrets_from_a_stuck_source(preparation) for preparation in places]
    assert len({value for masks in drawn for value in masks}) == 8 * 9
