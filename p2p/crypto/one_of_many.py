"""One of many: each hidden slot holds one of the tiles of a set, without saying which.

Groth and Kohlweiss (Eurocrypt 2015) in the two-level form of Bootle and others (ESORICS 2015).
Statement: the public key X of the prover and, for each slot, the pair (a, B), where B is the second
component without the others' shares; for some tile point M of the set, X = x G and B - M = x a.
The set is laid out as T[u, v] with d1 = floor(sqrt |S|) rows and d2 = ceil(|S| / d1) columns,
padded with its last tile; com2(y, y'; o) = o G + sum y_j K_j + sum y'_j K'_j over d1 + d2 values.

    per slot    A = com2(delta, g (1 - 2 delta); o), C = com2(g, -g^2; o'),
                E_k = r_k a - sum p_k(u, v) T[u, v], p_0 = g_u g_v, p_1 = g_u delta_v + delta_u g_v
    per message R_k = r_k G for k = 0, 1; challenge c
    responses   f = c delta + g without the first of rows and of columns, c o + o'; z

A proof is 4 points and d1 + d2 - 1 scalars a slot, 2 points and a scalar a message. This file holds
layout and check; the prover is `one_of_many_prover`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from p2p.crypto.bases import product_bases, selector_bases
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point, Q, Reader, ReadPoint, Sum, pack

Pair = tuple[Point, Point]


@dataclass(frozen=True)
class Grid:
    """The candidates laid out in rows and columns. At least one, all different."""

    tiles: tuple[Point, ...]

    @cached_property
    def rows(self) -> int:
        """d1."""
        return isqrt(len(self.tiles))

    @cached_property
    def columns(self) -> int:
        """d2."""
        return -(-len(self.tiles) // self.rows)

    @property
    def selectors(self) -> int:
        """d1 + d2: how many selector values a slot has, rows first."""
        return self.rows + self.columns

    def spread(self, cells: Sequence[int]) -> list[int]:
        """Coefficients of the cells T[0,0], T[0,1], ... added up by tile (padding: the last)."""
        count = len(self.tiles)
        return [*cells[: count - 1], sum(cells[count - 1 :])]

    @property
    def cells(self) -> list[Point]:
        """T[0,0], T[0,1], ...: the tiles row by row, the last one repeated as padding."""
        padding = self.rows * self.columns - len(self.tiles)
        return [*self.tiles, *self.tiles[-1:] * padding]

    def products_by_cell(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        """left_u right_v for each cell, from d1 + d2 values each."""
        rows = self.rows
        return [u * v % Q for u in left[:rows] for v in right[rows:]]

    def products(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        """The same, added up by tile."""
        return self.spread(self.products_by_cell(left, right))


@dataclass(frozen=True, slots=True)
class Statement:
    """`public`: the prover's key X; `slots`: the pairs (a, B); `grid`: the candidates."""

    public: Point
    slots: Sequence[Pair]
    grid: Grid


@dataclass(frozen=True, slots=True)
class SlotCommitments:
    """The four points of a slot."""

    selectors: Point  # A
    nonces: Point  # C
    constant: Point  # E_0
    linear: Point  # E_1

    def points(self) -> tuple[Point, Point, Point, Point]:
        """All four, in sending order."""
        return self.selectors, self.nonces, self.constant, self.linear


@dataclass(frozen=True, slots=True)
class SlotResponses:
    """`values`: f without the first row and the first column; `opening`: c o + o'."""

    values: Sequence[int]
    opening: int


@dataclass(frozen=True, slots=True)
class Proof:
    """A decoded proof: R_0 and R_1, then commitments and responses by slot, then z."""

    keys: Pair
    commitments: Sequence[SlotCommitments]
    responses: Sequence[SlotResponses]
    response: int

    def to_bytes(self) -> bytes:
        """R_0, R_1, all commitments, all responses, z; 32 bytes a value."""
        return pack(self.points(), self.scalars())

    def points(self) -> list[Point]:
        """All points in sending order."""
        slots = [point for slot in self.commitments for point in slot.points()]
        return [*self.keys, *slots]

    def scalars(self) -> list[int]:
        """All scalars in sending order."""
        slots = [value for slot in self.responses for value in (*slot.values, slot.opening)]
        return [*slots, self.response]

    @staticmethod
    def from_bytes(data: bytes, slots: int, grid: Grid, read: ReadPoint = Point.decode) -> Proof:
        """Decode a received proof over `slots` slots; `DecodeError` for anything malformed."""
        values = grid.selectors - 2
        reader = Reader(data, 2 + 4 * slots, (values + 1) * slots + 1, read)
        first, second = reader.points(2)
        commitments = [SlotCommitments(*reader.points(4)) for _ in range(slots)]
        sent = [reader.scalars(values + 1) for _ in range(slots)]
        responses = [SlotResponses(each, opening) for *each, opening in sent]
        return Proof((first, second), commitments, responses, *reader.scalars(1))


def absorb_statement(challenge: Challenge, statement: Statement) -> None:
    """The statement is absorbed before any commitment."""
    challenge.points(b"public", [statement.public])
    challenge.points(b"slots", [point for pair in statement.slots for point in pair])
    challenge.points(b"candidates", statement.grid.tiles)


def challenge_c(challenge: Challenge, points: Sequence[Point]) -> int:
    """c, after all points of the proof."""
    challenge.points(b"commitments", points)
    return challenge.scalar(b"c")


def completed(values: Sequence[int], c: int, grid: Grid) -> list[int]:
    """All d1 + d2 values of f: the first of rows and of columns is c minus the others."""
    cut = grid.rows - 1
    rows, columns = values[:cut], values[cut:]
    return [c - sum(rows), *rows, c - sum(columns), *columns]


def equations(slots: int) -> int:
    """How many equations a proof over so many slots has."""
    return 2 * slots + 1


def gather(
    relation: Sum,
    weights: Sequence[int],
    challenge: Challenge,
    statement: Statement,
    proof: Proof,
) -> None:
    """Add the `equations` of a proof to a relation, each with one of these weights, that nobody
    could know before the proof was fixed. The proof holds if the relation does."""
    absorb_statement(challenge, statement)
    _gather(relation, statement, proof, challenge_c(challenge, proof.points()), weights)


def verify(challenge: Challenge, statement: Statement, proof: Proof) -> None:
    """Check all slots in one relation; `ProofError` if it does not hold.

    The weights are hashed from statement, commitments and responses; tile points and bases count
    once for the whole message.
    """
    absorb_statement(challenge, statement)
    c = challenge_c(challenge, proof.points())
    challenge.scalars(b"responses", proof.scalars())
    weights = challenge.weights(b"weights", equations(len(statement.slots)))
    relation = Sum()
    _gather(relation, statement, proof, c, weights)
    if not relation.is_zero():
        raise ProofError("the slots are not proven")


def _gather(
    relation: Sum, statement: Statement, proof: Proof, c: int, weights: Sequence[int]
) -> None:
    _gather_key(relation, statement.public, proof, c, weights[0])
    for at in range(len(statement.slots)):
        _gather_slot(relation, statement, proof, at, c, weights[2 * at + 1 : 2 * at + 3])


def _gather_key(relation: Sum, public: Point, proof: Proof, c: int, weight: int) -> None:
    """c^2 X = z G + R_0 + c R_1, once a message."""
    relation.add(weight * c * c, public)
    relation.add_base(-weight * proof.response)
    relation.add(-weight, proof.keys[0])
    relation.add(-weight * c, proof.keys[1])


def _gather_slot(
    relation: Sum, statement: Statement, proof: Proof, at: int, c: int, weights: Sequence[int]
) -> None:
    """The two equations of a slot: bits that add up to 1, and the tile that they select."""
    w1, w2 = weights
    made, sent = proof.commitments[at], proof.responses[at]
    base, rest = statement.slots[at]
    grid = statement.grid
    f = completed(sent.values, c, grid)
    relation.add(w1 * c, made.selectors)
    relation.add(w1, made.nonces)
    relation.add_all(f, selector_bases(grid.selectors), -w1)
    relation.add_all([x * (c - x) % Q for x in f], product_bases(grid.selectors), -w1)
    relation.add_base(-w1 * sent.opening)

    relation.add(w2 * c * c, rest)
    relation.add_all(grid.products(f, f), grid.tiles, -w2)
    relation.add(-w2 * proof.response, base)
    relation.add(-w2, made.constant)
    relation.add(-w2 * c, made.linear)
