"""The proof that some slots hold one of the candidates each (11.6)."""

import functools
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

from second.deck.challenge import Challenge, Nonces, Place
from second.deck.group import (
    BASE,
    IDENTITY,
    Q,
    base_k,
    base_k_prime,
    combine,
    multiply,
    point,
    scalar,
    scalar_bytes,
    subtract,
    tile_point,
    times_base,
)
from second.deck.shuffle import Pair, Term, weighed
from second.refusing import demand


@dataclass(frozen=True)
class Table:
    """The candidates in rows and columns; an index past the last means the last."""

    candidates: tuple[int, ...]

    @property
    def rows(self) -> int:
        """d1."""
        return math.isqrt(len(self.candidates))

    @property
    def columns(self) -> int:
        """d2."""
        return -(-len(self.candidates) // self.rows)

    def tile(self, row: int, column: int) -> int:
        """The tile at T[u, v]."""
        index = row * self.columns + column
        return self.candidates[min(index, len(self.candidates) - 1)]

    def products(self, by_row: Sequence[int], by_column: Sequence[int]) -> list[Term]:
        """by_row[u] by_column[v] T[u, v] for all u, v."""
        return [
            (by_row[u] * by_column[v], tile_point(self.tile(u, v)))
            for u in range(self.rows)
            for v in range(self.columns)
        ]


def _begin(
    place: Place, step: bytes, key: bytes, slots: dict[int, Pair], table: Table
) -> Challenge:
    challenge = place.begin("unplayable", step)
    challenge.numbers("slots", list(slots))
    challenge.absorb("public", key)
    challenge.points("slots", [part for pair in slots.values() for part in pair])
    challenge.points("candidates", [tile_point(tile) for tile in table.candidates])
    return challenge


def check(
    place: Place,
    step: bytes,
    key: bytes,
    statement: tuple[dict[int, Pair], Sequence[int]],
    data: bytes,
) -> None:
    """Refuse what does not prove that each slot (a, B by number) holds a candidate tile."""
    _judged(place, step, key, (tuple(statement[0].items()), tuple(statement[1])), data)


@functools.lru_cache(maxsize=1024)
def _judged(
    place: Place,
    step: bytes,
    key: bytes,
    statement: tuple[tuple[tuple[int, Pair], ...], tuple[int, ...]],
    data: bytes,
) -> None:
    """The same. What was found right is remembered."""
    slots, table = dict(statement[0]), Table(statement[1])
    if not slots:
        demand(data == b"", "a proof of nothing")
        return
    demand(bool(table.candidates), "no tile is left")
    width = table.rows + table.columns
    demand(len(data) == 32 * (3 + len(slots) * (4 + width - 1)), "a proof of another length")
    pieces = [data[i : i + 32] for i in range(0, len(data), 32)]
    head = 2 + 4 * len(slots)
    points = [point(piece) for piece in pieces[:head]]
    scalars = [scalar(piece) for piece in pieces[head:]]
    challenge = _begin(place, step, key, slots, table)
    challenge.points("commitments", points)
    c, z = challenge.scalar("c"), scalars[-1]
    equations: list[list[Term]] = [[(c * c, key), (-z, BASE), (-1, points[0]), (-c, points[1])]]
    for i, pair in enumerate(slots.values()):
        answers = scalars[i * (width - 1) : (i + 1) * (width - 1)]
        row_rest, column_rest = answers[: table.rows - 1], answers[table.rows - 1 : -1]
        f_rows = [(c - sum(row_rest)) % Q, *row_rest]
        f_columns = [(c - sum(column_rest)) % Q, *column_rest]
        big_a, big_c, e_0, e_1 = points[2 + 4 * i : 6 + 4 * i]
        one: list[Term] = [(c, big_a), (1, big_c), (-answers[-1], BASE)]
        for j, f in enumerate(f_rows + f_columns, start=1):
            one += [(-f, base_k(j)), (-f * (c - f), base_k_prime(j))]
        two: list[Term] = [(c * c, pair[1]), (-z, pair[0]), (-1, e_0), (-c, e_1)]
        two += [(-number, base) for number, base in table.products(f_rows, f_columns)]
        equations += [one, two]
    demand(weighed(equations) == IDENTITY, "not shown to be unplayable")


def _commit(left: Sequence[int], right: Sequence[int], blind: int) -> bytes:
    """com2(y, y'; o)."""
    terms = [(number, base_k(j)) for j, number in enumerate(left, start=1)]
    terms += [(number, base_k_prime(j)) for j, number in enumerate(right, start=1)]
    return combine([(blind, BASE), *terms])


class _Slot:
    """What the prover keeps of one slot."""

    def __init__(self, nonces: Nonces, table: Table, tile: int) -> None:
        self.blinds = (nonces.next(), nonces.next())
        rows, columns = nonces.take(table.rows - 1), nonces.take(table.columns - 1)
        self.g_rows, self.g_columns = [-sum(rows), *rows], [-sum(columns), *columns]
        row, column = divmod(table.candidates.index(tile), table.columns)
        self.at_rows = [int(u == row) for u in range(table.rows)]
        self.at_columns = [int(v == column) for v in range(table.columns)]

    def points(self, table: Table, first: bytes, r: tuple[int, int]) -> list[bytes]:
        """A, C, E_0, E_1."""
        g, delta = self.g_rows + self.g_columns, self.at_rows + self.at_columns
        mixed = table.products(self.g_rows, self.at_columns)
        mixed += table.products(self.at_rows, self.g_columns)
        return [
            _commit(
                delta, [x * (1 - 2 * d) for x, d in zip(g, delta, strict=True)], self.blinds[0]
            ),
            _commit(g, [-x * x for x in g], self.blinds[1]),
            subtract(multiply(r[0], first), combine(table.products(self.g_rows, self.g_columns))),
            subtract(multiply(r[1], first), combine(mixed)),
        ]

    def answers(self, c: int) -> list[int]:
        """f of the rows after the first, of the columns after the first, and y."""
        rows = [c * d + g for d, g in zip(self.at_rows, self.g_rows, strict=True)]
        columns = [c * d + g for d, g in zip(self.at_columns, self.g_columns, strict=True)]
        return [*rows[1:], *columns[1:], c * self.blinds[0] + self.blinds[1]]


def prove(
    place: Place,
    step: bytes,
    x: int,
    statement: tuple[dict[int, Pair], Sequence[int]],
    tiles: Sequence[int],
) -> bytes:
    """The proof for slots that hold these tiles, in their order."""
    slots, table = statement[0], Table(tuple(statement[1]))
    if not slots:
        return b""
    challenge = _begin(place, step, times_base(x), slots, table)
    nonces = Nonces(challenge, scalar_bytes(x), os.urandom(32))
    r = (nonces.next(), nonces.next())
    kept = [_Slot(nonces, table, tile) for tile in tiles]
    points = [times_base(r[0]), times_base(r[1])]
    for slot, (first, _) in zip(kept, slots.values(), strict=True):
        points += slot.points(table, first, r)
    challenge.points("commitments", points)
    c = challenge.scalar("c")
    scalars = [number for slot in kept for number in slot.answers(c)]
    scalars.append(c * c * x - r[0] - c * r[1])
    return b"".join(points) + b"".join(scalar_bytes(number) for number in scalars)
