"""The prover of the shuffle argument (statement and check: `shuffle`).

A good part of the work depends on nothing but the deck key: the permutation, the re-encryption
factors rho_i (G, X), and three of the eight commitments. `prepare` makes it ahead of time. What is
prepared serves one shuffle: two proofs over one set of masks would give the permutation away.
It stays in memory only, so that a restart or a restored copy of a disk cannot bring it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from p2p.crypto import shuffle
from p2p.crypto.bases import commit, commit_permutation
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import Misuse
from p2p.crypto.group import G, Point, Q, Sum, encode_scalar, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle import Commitments, Pair, Proof, Responses, Statement

SECRET_BYTES = 64


@dataclass(frozen=True, slots=True, repr=False)
class Masks:
    """Nonces of the product argument and of the deck argument, and commitments to them."""

    factors: Sequence[int]  # d
    products: Sequence[int]  # delta
    powers: Sequence[int]  # w
    factors_opening: int  # r_d
    crossed_opening: int  # s_1
    powers_opening: int  # r_w
    committed_factors: Point  # C_d
    crossed: Point  # C_1
    committed_powers: Point  # C_w

    @staticmethod
    def make(nonces: Nonces, size: int) -> Masks:
        """Fresh masks for `size` pairs: 83 multiplications and 3 of G for 28."""
        d, w = nonces.take(size), nonces.take(size)
        delta = [d[0], *nonces.take(size - 2), 0]
        r_d, s_1, r_w = nonces.take(3)
        crossed = [-delta[at] * d[at + 1] for at in range(size - 1)]
        committed = commit(d, r_d, size), commit(crossed, s_1, size), commit(w, r_w, size)
        return Masks(d, delta, w, r_d, s_1, r_w, *committed)


class Prepared:
    """What a shuffle needs before its deck is known; serves once. Its repr shows nothing.

    `order` is p(1)..p(N); `factors` are rho_1..rho_N, `shifts` the pairs rho_i (G, X).
    """

    __slots__ = ("_used", "committed_order", "factors", "key", "masks", "order", "r_A", "shifts")

    def __init__(self, key: Point, order: Sequence[int], nonces: Nonces) -> None:
        """`nonces` must come from a secret source: everything here is derived from it."""
        size = len(order)
        self.key = key
        self.order = order
        self.factors = nonces.take(size)
        self.shifts = [(multiply_base(rho), rho * key) for rho in self.factors]
        self.r_A = nonces.next()
        self.committed_order = commit_permutation(order, self.r_A)
        self.masks = Masks.make(nonces, size)
        self._used = False

    def use(self) -> None:
        """Mark as used; `Misuse` the second time."""
        if self._used:
            raise Misuse("a prepared shuffle serves once")
        self._used = True


def prepare(challenge: Challenge, key: Point, size: int, rng: RandomBytes) -> Prepared:
    """A fresh permutation, re-encryption factors and masks for `size` pairs under `key`.

    The challenge (bound to deal and seat, and to whatever the caller absorbed before) keeps the
    nonces of two deals apart even if the random source repeats itself.
    """
    challenge.points(b"deck key", [key])
    order = Nonces(challenge, rng(SECRET_BYTES), rng).permutation(size)
    return Prepared(key, order, Nonces(challenge, _as_secret(order) + rng(SECRET_BYTES), rng))


def _as_secret(numbers: Sequence[int]) -> bytes:
    return b"".join(map(encode_scalar, numbers))


def apply(before: Sequence[Pair], prepared: Prepared) -> list[Pair]:
    """O_i = I_p(i) + rho_i (G, X)."""
    return [
        (before[at - 1][0] + shift[0], before[at - 1][1] + shift[1])
        for at, shift in zip(prepared.order, prepared.shifts, strict=True)
    ]


def prove(
    challenge: Challenge, statement: Statement, prepared: Prepared, rng: RandomBytes
) -> Proof:
    """The proof that statement.after = apply(statement.before, prepared)."""
    prepared.use()
    shuffle.absorb_statement(challenge, statement)
    secret = _as_secret([*prepared.order, *prepared.factors])
    nonces = Nonces(challenge, secret, rng)
    masks, size = prepared.masks, len(prepared.order)
    r_B, s_2, t = nonces.take(3)

    alpha = shuffle.challenge_alpha(challenge, prepared.committed_order)
    alphas = shuffle.powers_of(alpha, size)
    powers = [alphas[at - 1] for at in prepared.order]
    committed_powers = commit(powers, r_B, size)
    beta, gamma = shuffle.challenge_beta_gamma(challenge, committed_powers)

    factors = [
        (beta * at + power - gamma) % Q for at, power in zip(prepared.order, powers, strict=True)
    ]
    products = list(accumulate(factors, lambda product, factor: product * factor % Q))
    commitments = Commitments(
        permutation=prepared.committed_order,
        powers=committed_powers,
        nonces=masks.committed_factors,
        crossed=masks.crossed,
        mixed=commit(_mixed(masks, factors, products), s_2, size),
        masks=masks.committed_powers,
        mask_first=_mask(statement, prepared, 0, t),
        mask_second=_mask(statement, prepared, 1, t),
    )
    c = shuffle.challenge_c(challenge, commitments)
    responses = Responses(
        factors=_answer(c, factors, masks.factors),
        products=_answer(c, products, masks.products)[1:-1],
        powers=_answer(c, powers, masks.powers),
        factors_opening=c * (beta * prepared.r_A + r_B) + masks.factors_opening,
        products_opening=c * s_2 + masks.crossed_opening,
        powers_opening=c * r_B + masks.powers_opening,
        encryption=c * sum(map(int.__mul__, prepared.factors, powers)) - t,
    )
    return Proof(commitments, responses)


def _mixed(masks: Masks, factors: Sequence[int], products: Sequence[int]) -> list[int]:
    """What C_2 commits to: delta_(i+1) - a_(i+1) delta_i - b_i d_(i+1) for i < N."""
    delta, d = masks.products, masks.factors
    return [
        delta[at + 1] - factors[at + 1] * delta[at] - products[at] * d[at + 1]
        for at in range(len(factors) - 1)
    ]


def _mask(statement: Statement, prepared: Prepared, half: int, t: int) -> Point:
    """One component of E = sum w_i O_i + t (G, X), written over the deck that was shuffled.

    The open deck has G in every pair, so the first seat of a chain saves 28 multiplications.
    """
    w = prepared.masks.powers
    total = Sum()
    total.add_all(w, [statement.before[at - 1][half] for at in prepared.order])
    shift = t + sum(map(int.__mul__, w, prepared.factors))
    total.add(shift, (G, statement.key)[half])
    return total.value()


def _answer(c: int, values: Sequence[int], masks: Sequence[int]) -> list[int]:
    """c value + mask for each."""
    return [(c * value + mask) % Q for value, mask in zip(values, masks, strict=True)]
