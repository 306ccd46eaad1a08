"""The one-of-many argument: complete for 1 to 28 candidates, and a liar for each equation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.deck_table import seeded
from support.session.tampering import STRANGER, again, altered, misshapen, other_places, place

from p2p.crypto import group, one_of_many, one_of_many_prover
from p2p.crypto.bases import product_bases, selector_bases
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import G, Point, Q, combine, hash_to_point, multiply_base
from p2p.crypto.joint import JointSum
from p2p.crypto.nonces import Nonces
from p2p.crypto.one_of_many import Grid, Pair, Proof, SlotCommitments, Statement
from p2p.crypto.one_of_many_prover import SlotSecrets
from p2p.crypto.sodium import rbcl

SECRET = 424242
PUBLIC = multiply_base(SECRET)
TILES = tuple(hash_to_point(f"candidate {at}".encode()) for at in range(28))


def slot(tile: Point, number: int = 3) -> Pair:
    """A slot that decrypts to `tile`."""
    base = (number + 7) * G
    return base, tile + SECRET * base


def statement_of(held: Sequence[int], candidates: int) -> Statement:
    """Slots that hold these candidates, out of the first `candidates`."""
    slots = [slot(TILES[tile], number) for number, tile in enumerate(held)]
    return Statement(PUBLIC, slots, Grid(TILES[:candidates]))


def check(statement: Statement, proof: bytes, challenge: Challenge | None = None) -> None:
    """Decode and verify, alone and in a sum."""
    decoded = Proof.from_bytes(proof, len(statement.slots), statement.grid)
    bound, joint = challenge or place(), JointSum(b"file", bytes(32))
    weights = joint.weights(one_of_many.equations(len(statement.slots)))
    one_of_many.gather(joint.relation, weights, again(bound), statement, decoded)
    holds = joint.settle()
    try:
        one_of_many.verify(bound, statement, decoded)
    except ProofError:
        assert not holds
        raise
    assert holds


def refused(statement: Statement, proof: bytes) -> None:
    """The check refuses."""
    with pytest.raises((DecodeError, ProofError)):
        check(statement, proof)


def proven(statement: Statement, seed: str = "seed") -> bytes:
    """An honest proof."""
    return one_of_many_prover.prove(place(), statement, SECRET, seeded(seed)).to_bytes()


STATEMENT = statement_of([4, 1], 6)
PROOF = proven(STATEMENT)
POINTS = 2 + 4 * 2


@pytest.mark.parametrize("candidates", range(1, 29))
def test_every_number_of_candidates(candidates: int) -> None:
    held = sorted({0, candidates // 2, candidates - 1})
    statement = statement_of(held, candidates)
    proof = proven(statement)
    rows, columns = statement.grid.rows, statement.grid.columns
    assert rows * columns >= candidates > rows * (columns - 1)
    assert len(proof) == 32 * (3 + len(held) * (4 + rows + columns - 1))
    check(statement, proof)


@settings(max_examples=12)
@given(st.data())
def test_true_statements_are_proven(data: st.DataObject) -> None:
    candidates = data.draw(st.integers(min_value=1, max_value=28))
    held = data.draw(st.lists(st.integers(0, candidates - 1), min_size=1, max_size=4))
    statement = statement_of(held, candidates)
    check(statement, proven(statement, data.draw(st.text(max_size=3))))


def test_nine_slots_of_twenty_candidates_stay_below_4_kb() -> None:
    statement = statement_of([0, 1, 2, 3, 4, 5, 18, 19, 19], 20)
    proof = proven(statement)
    assert len(proof) == 3552
    check(statement, proof)


def test_bytes_round_trip() -> None:
    assert Proof.from_bytes(PROOF, 2, STATEMENT.grid).to_bytes() == PROOF


def test_the_prover_refuses_a_false_statement() -> None:
    grid = Grid(TILES[:6])
    for slots in ([slot(TILES[6])], [slot(TILES[0]), slot(TILES[9])]):
        with pytest.raises(Misuse):
            one_of_many_prover.prove(place(), Statement(PUBLIC, slots, grid), SECRET, bytes)


def test_every_altered_proof_is_refused() -> None:
    count = 0
    for proof in (*altered(PROOF, POINTS), *misshapen(PROOF)):
        refused(STATEMENT, proof)
        count += 1
    assert count >= 3 * len(PROOF) // 32


def altered_statements() -> list[Statement]:
    """The statement with each value replaced, tiles and slots reordered, sets made smaller."""
    tiles = STATEMENT.grid.tiles
    found = [replace(STATEMENT, public=STRANGER), replace(STATEMENT, slots=STATEMENT.slots[::-1])]
    for at, (base, rest) in enumerate(STATEMENT.slots):
        for pair in ((STRANGER, rest), (base, STRANGER)):
            slots = [*STATEMENT.slots[:at], pair, *STATEMENT.slots[at + 1 :]]
            found.append(replace(STATEMENT, slots=slots))
    for at in range(len(tiles)):
        changed = (*tiles[:at], STRANGER, *tiles[at + 1 :])
        found.append(replace(STATEMENT, grid=Grid(changed)))
    found.append(replace(STATEMENT, grid=Grid(tiles[::-1])))
    found.append(replace(STATEMENT, grid=Grid(tiles[:5])))
    found.append(replace(STATEMENT, grid=Grid(TILES[:7])))
    return found


def test_every_altered_statement_is_refused() -> None:
    for statement in altered_statements():
        refused(statement, PROOF)


def test_a_proof_for_fewer_or_more_slots_is_refused() -> None:
    refused(replace(STATEMENT, slots=STATEMENT.slots[:1]), PROOF)
    refused(replace(STATEMENT, slots=[*STATEMENT.slots, slot(TILES[2])]), PROOF)


@pytest.mark.parametrize("what", list(other_places()))
def test_a_moved_proof_is_refused(what: str) -> None:
    with pytest.raises(ProofError):
        check(STATEMENT, PROOF, other_places()[what])


def forged(statement: Statement, positions: Sequence[int], secret: int = SECRET) -> bytes:
    """What a prover sends that does not look whether its statement is true."""
    made = one_of_many_prover.build(place(), statement, secret, positions, seeded("forged"))
    return made.to_bytes()


@pytest.mark.parametrize("position", range(6))
def test_a_tile_outside_the_set_is_refused(position: int) -> None:
    """Breaks the equation of the tile alone."""
    statement = Statement(PUBLIC, [slot(TILES[20])], Grid(TILES[:6]))
    refused(statement, forged(statement, [position]))


def test_a_secret_of_another_key_is_refused() -> None:
    """The slot is opened with x' and so read as a candidate: breaks the key equation alone."""
    other = SECRET + 5
    base, tile = 9 * G, TILES[2]
    statement = Statement(PUBLIC, [(base, tile + other * base)], Grid(TILES[:6]))
    refused(statement, forged(statement, [2], other))
    check(replace(statement, public=multiply_base(other)), _true_for(statement, other))


def _true_for(statement: Statement, secret: int) -> bytes:
    """The same slots, proven for the key that really opens them."""
    honest = replace(statement, public=multiply_base(secret))
    return one_of_many_prover.prove(place(), honest, secret, seeded("x")).to_bytes()


@dataclass(frozen=True, slots=True, repr=False)
class NoBits(SlotSecrets):
    """Selectors that add up to 1 but are no bits: breaks the equation of the bits alone."""

    def commitments(self, grid: Grid, base: Point, keys: Sequence[int]) -> SlotCommitments:
        delta, g = self.selectors, self.masks
        size = grid.selectors
        bits = [mask * (1 - 2 * bit) for bit, mask in zip(delta, g, strict=True)]
        honest = SlotSecrets(_first_of_each(grid), g, self.opening, self.mask_opening)
        mixed = [
            left + right
            for left, right in zip(grid.products(g, delta), grid.products(delta, g), strict=True)
        ]
        return replace(
            honest.commitments(grid, base, keys),
            selectors=combine(
                [*delta, *bits], [*selector_bases(size), *product_bases(size)], self.opening
            ),
            linear=combine([keys[1], *(-k for k in mixed)], [base, *grid.tiles]),
        )


def _first_of_each(grid: Grid) -> list[int]:
    return [int(at in (0, grid.rows)) for at in range(grid.selectors)]


def with_selectors(rows: list[int], columns: list[int]) -> tuple[Statement, bytes]:
    """A slot that holds the mixture of four tiles which these selectors choose, and its proof."""
    grid = Grid(TILES[:4])
    held = combine(grid.products([*rows, *columns], [*rows, *columns]), grid.tiles)
    statement = Statement(PUBLIC, [slot(held)], grid)
    challenge = place()
    one_of_many.absorb_statement(challenge, statement)
    nonces = Nonces(challenge, b"", seeded("no bits"))
    keys, g = nonces.take(2), nonces.take(2)
    secrets = NoBits([*rows, *columns], [-g[0], g[0], -g[1], g[1]], *nonces.take(2))
    made = secrets.commitments(grid, statement.slots[0][0], keys)
    public = (multiply_base(keys[0]), multiply_base(keys[1]))
    c = one_of_many.challenge_c(challenge, [*public, *made.points()])
    response = c * c * SECRET - keys[0] - c * keys[1]
    proof = Proof(public, [made], [secrets.responses(grid, c)], response % Q)
    return statement, proof.to_bytes()


def test_selectors_that_are_bits_pass_in_the_cheating_prover() -> None:
    check(*with_selectors([0, 1], [1, 0]))


@pytest.mark.parametrize(
    ("rows", "columns"), [([2, -1], [1, 0]), ([1, 0], [3, -2]), ([5, -4], [-1, 2])]
)
def test_selectors_that_are_no_bits_are_refused(rows: list[int], columns: list[int]) -> None:
    refused(*with_selectors(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), [([1, 1], [1, 0]), ([0, 0], [0, 1])])
def test_selectors_that_do_not_add_up_to_one_are_refused(
    rows: list[int], columns: list[int]
) -> None:
    refused(*with_selectors(rows, columns))


def test_errors_that_cancel_over_two_slots_are_refused() -> None:
    (base, first), (other, second) = STATEMENT.slots
    shifted = [(base, first + STRANGER), (other, second - STRANGER)]
    statement = replace(STATEMENT, slots=shifted)
    refused(statement, forged(statement, [4, 1]))


def test_errors_that_cancel_between_key_and_slot_are_refused() -> None:
    """X' = X + D and B' = B - D."""
    base, rest = STATEMENT.slots[0]
    statement = Statement(PUBLIC + STRANGER, [(base, rest - STRANGER)], STATEMENT.grid)
    refused(statement, forged(statement, [4]))


def test_a_stuck_source_gives_other_nonces_for_other_statements() -> None:
    seen = set()
    statements = [STATEMENT, statement_of([4, 1], 7), statement_of([4], 6), statement_of([1, 4], 6)]
    for statement in statements:
        proof = one_of_many_prover.prove(place(), statement, SECRET, bytes)
        seen |= {proof.keys[0], proof.keys[1]}
    assert len(seen) == 8


@pytest.mark.parametrize("candidates", [3, 5, 19, 23])
def test_the_number_of_multiplications_does_not_depend_on_the_tile(
    candidates: int,
) -> None:
    counts = []
    for tile in range(candidates):
        statement = statement_of([tile], candidates)
        counted = mock.Mock(side_effect=rbcl.crypto_scalarmult_ristretto255)
        with mock.patch.object(group, "_multiply", counted):
            proven(statement)
        counts.append(counted.call_count)
    assert len(set(counts)) == 1


def test_reprs_show_no_selectors() -> None:
    secrets = SlotSecrets([0, 1, 1, 0], [11111, 22222, 33333, 44444], 55555, 66666)
    assert "11111" not in repr(secrets)
    assert "55555" not in repr(secrets)
