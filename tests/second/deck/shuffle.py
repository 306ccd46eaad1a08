"""The open deck, and the proof that one deck is another shuffled (11.4): what is checked."""

import functools
import os
from collections.abc import Iterable
from dataclasses import dataclass

from second.deck.challenge import Challenge, Place
from second.deck.group import (
    BASE,
    IDENTITY,
    Q,
    add,
    base_h,
    combine,
    point,
    scalar,
    tile_point,
)
from second.refusing import demand

N = 28
Pair = tuple[bytes, bytes]
Deck = tuple[Pair, ...]
Term = tuple[int, bytes]


def deck_of(data: bytes) -> Deck:
    """28 pairs in 1792 bytes."""
    demand(len(data) == 64 * N, "a deck of another length")
    points = [point(data[32 * i : 32 * i + 32]) for i in range(2 * N)]
    return tuple(zip(points[::2], points[1::2], strict=True))


def deck_bytes(deck: Deck) -> bytes:
    """The pairs one after the other."""
    return b"".join(first + second for first, second in deck)


def open_deck(key: bytes) -> Deck:
    """(G, M_t + X) for each tile."""
    return tuple((BASE, add(tile_point(tile), key)) for tile in range(N))


@dataclass(frozen=True)
class Proof:
    """The 8 points and the scalars of a proof; lists from index 0."""

    points: tuple[bytes, ...]
    a: tuple[int, ...]
    b: tuple[int, ...]
    f: tuple[int, ...]
    r_a: int
    r_s: int
    r_f: int
    u: int


def parse(data: bytes) -> Proof:
    """A proof of 3008 bytes."""
    demand(len(data) == 3008, "a shuffle proof of another length")
    pieces = [data[32 * i : 32 * i + 32] for i in range(94)]
    points = tuple(point(piece) for piece in pieces[:8])
    s = [scalar(piece) for piece in pieces[8:]]
    return Proof(points, tuple(s[:28]), tuple(s[28:54]), tuple(s[54:82]), *s[82:])


def begin(place: Place, key: bytes, before: Deck, after: Deck) -> Challenge:
    """The object with the statement."""
    challenge = place.begin("shuffle")
    challenge.absorb("deck key", key)
    challenge.absorb("before", deck_bytes(before))
    challenge.absorb("after", deck_bytes(after))
    return challenge


@functools.lru_cache(maxsize=256)
def check(place: Place, key: bytes, before: Deck, after: Deck, data: bytes) -> None:
    """Refuse a proof that does not fit: the equations with random weights must add up to zero.

    What was found right is remembered: of one match there may be many records to check.
    """
    proof = parse(data)
    big_a, big_b, c_d, c_1, c_2, c_w, e_1, e_2 = proof.points
    challenge = begin(place, key, before, after)
    challenge.absorb("A", big_a)
    alpha = challenge.scalar("alpha")
    challenge.absorb("B", big_b)
    beta, gamma = challenge.scalar("beta"), challenge.scalar("gamma")
    challenge.points("C", [c_d, c_1, c_2, c_w, e_1, e_2])
    c = challenge.scalar("c")
    powers = [pow(alpha, i, Q) for i in range(1, N + 1)]
    b = _products(proof, c, beta, gamma, powers)
    h = [base_h(i) for i in range(1, N + 1)]
    one: list[Term] = [(c * beta, big_a), (c, big_b), (1, c_d), (-proof.r_a, BASE)]
    one += [(-c * gamma - proof.a[i], h[i]) for i in range(N)]
    two: list[Term] = [(c, c_2), (1, c_1), (-proof.r_s, BASE)]
    two += [(b[i] * proof.a[i + 1] - c * b[i + 1], h[i]) for i in range(N - 1)]
    three: list[Term] = [(c, big_b), (1, c_w), (-proof.r_f, BASE)]
    three += [(-proof.f[i], h[i]) for i in range(N)]
    equations = [one, two, three]
    for part, shift, factor in ((0, e_1, BASE), (1, e_2, key)):
        four: list[Term] = [(-1, shift), (-proof.u, factor)]
        four += [(proof.f[i], after[i][part]) for i in range(N)]
        four += [(-c * powers[i], before[i][part]) for i in range(N)]
        equations.append(four)
    demand(weighed(equations) == IDENTITY, "the shuffle is not proven")


def _products(proof: Proof, c: int, beta: int, gamma: int, powers: list[int]) -> list[int]:
    """b~_1 to b~_N."""
    product = 1
    for i, power in enumerate(powers, start=1):
        product = product * (beta * i + power - gamma) % Q
    return [proof.a[0], *proof.b, c * product % Q]


def weighed(equations: Iterable[list[Term]]) -> bytes:
    """The sum of all terms, each equation times a random number of 128 bits."""
    terms: list[Term] = []
    for equation in equations:
        weight = int.from_bytes(os.urandom(16), "big") | 1 << 127
        terms += [(weight * number, base) for number, base in equation]
    return combine(terms)
