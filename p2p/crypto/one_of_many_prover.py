"""The prover of the one-of-many argument (statement, names and check: `one_of_many`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import one_of_many
from p2p.crypto.bases import product_bases, selector_bases
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point, combine, encode_scalar, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.one_of_many import Grid, Proof, SlotCommitments, SlotResponses, Statement
from p2p.crypto.randomness import RandomBytes


@dataclass(frozen=True, slots=True, repr=False)
class SlotSecrets:
    """What the prover knows of a slot: its selectors and its masks."""

    selectors: Sequence[int]  # delta
    masks: Sequence[int]  # g
    opening: int  # o
    mask_opening: int  # o'

    @staticmethod
    def make(grid: Grid, position: int, nonces: Nonces) -> SlotSecrets:
        """Selectors of the tile at `position` of the grid; the masks of each part add up to 0."""
        row, column = divmod(position, grid.columns)
        selectors = [int(u == row) for u in range(grid.rows)]
        selectors += [int(v == column) for v in range(grid.columns)]
        parts = [nonces.take(grid.rows - 1), nonces.take(grid.columns - 1)]
        masks = [value for part in parts for value in (-sum(part), *part)]
        return SlotSecrets(selectors, masks, nonces.next(), nonces.next())

    def commitments(self, grid: Grid, base: Point, keys: Sequence[int]) -> SlotCommitments:
        """A, C, E_0 and E_1 of a slot with first component `base`; `keys` are r_0 and r_1.

        E_1 is summed over cells, of which d1 + d2 - 1 count wherever the tile lies: the number of
        multiplications, and so the time, says nothing about it.
        """
        delta, g = self.selectors, self.masks
        bits = [mask * (1 - 2 * bit) for bit, mask in zip(delta, g, strict=True)]
        squares = [-mask * mask for mask in g]
        constant = grid.products(g, g)
        crossed = zip(grid.products_by_cell(g, delta), grid.products_by_cell(delta, g), strict=True)
        linear = [left + right for left, right in crossed]
        return SlotCommitments(
            selectors=_chosen(delta, grid) + _commit([], bits, self.opening),
            nonces=_commit(g, squares, self.mask_opening),
            constant=combine([keys[0], *(-k for k in constant)], [base, *grid.tiles]),
            linear=combine([keys[1], *(-k for k in linear)], [base, *grid.cells]),
        )

    def responses(self, grid: Grid, c: int) -> SlotResponses:
        """f without the first row and the first column, and c o + o'."""
        f = [c * bit + mask for bit, mask in zip(self.selectors, self.masks, strict=True)]
        values = [*f[1 : grid.rows], *f[grid.rows + 1 :]]
        return SlotResponses(values, c * self.opening + self.mask_opening)


def _chosen(delta: Sequence[int], grid: Grid) -> Point:
    """sum delta_j K_j for the two selectors that are 1."""
    bases = selector_bases(grid.selectors)
    row, column = (base for bit, base in zip(delta, bases, strict=True) if bit)
    return row + column


def _commit(values: Sequence[int], products: Sequence[int], opening: int) -> Point:
    """com2(values, products; opening); `values` may be left out."""
    bases = [*selector_bases(len(values)), *product_bases(len(products))]
    return combine([*values, *products], bases, opening)


def prove(challenge: Challenge, statement: Statement, secret: int, rng: RandomBytes) -> Proof:
    """The proof that every slot holds one of the candidates; `secret` is x with public = x G.

    `Misuse` if a slot holds none of them: a seat must never be led to sign a false statement.
    """
    places = {tile.raw: at for at, tile in enumerate(statement.grid.tiles)}
    held = [(rest - secret * base).raw for base, rest in statement.slots]
    if not all(tile in places for tile in held):
        raise Misuse("a slot holds none of the candidates")
    return build(challenge, statement, secret, [places[tile] for tile in held], rng)


def build(
    challenge: Challenge,
    statement: Statement,
    secret: int,
    positions: Sequence[int],
    rng: RandomBytes,
) -> Proof:
    """The proof itself, once it is known which candidate each slot holds."""
    one_of_many.absorb_statement(challenge, statement)
    known = b"".join(map(encode_scalar, [secret, *positions]))
    nonces = Nonces(challenge, known, rng)
    keys = nonces.take(2)
    grid = statement.grid
    slots = [SlotSecrets.make(grid, position, nonces) for position in positions]
    commitments = [
        slot.commitments(grid, base, keys)
        for slot, (base, _) in zip(slots, statement.slots, strict=True)
    ]
    public_keys = (multiply_base(keys[0]), multiply_base(keys[1]))
    points = [*public_keys, *(point for made in commitments for point in made.points())]
    c = one_of_many.challenge_c(challenge, points)
    responses = [slot.responses(grid, c) for slot in slots]
    return Proof(public_keys, commitments, responses, c * c * secret - keys[0] - c * keys[1])
