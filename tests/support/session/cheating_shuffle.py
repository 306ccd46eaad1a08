"""A shuffle prover that lies in one chosen place and is honest everywhere else.

It follows the equations of the argument with hooks for the values that a cheat would change, so
each lie breaks exactly one of the checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from support.session.deck_table import seeded
from support.session.tampering import STRANGER, place

from p2p.crypto.bases import commit
from p2p.crypto.challenge import Challenge
from p2p.crypto.group import G, Point, Q, combine, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.shuffle import (
    Commitments,
    Pair,
    Proof,
    Responses,
    Statement,
    absorb_statement,
    challenge_alpha,
    challenge_beta_gamma,
    challenge_c,
    powers_of,
)


def reencrypted(pair: Pair, rho: int, key: Point) -> Pair:
    """pair + rho (G, X)."""
    return pair[0] + multiply_base(rho), pair[1] + rho * key


class Cheat:
    """Honest by itself: shuffles by `order` (values 1..N) and proves it. Subclasses lie."""

    def __init__(self, order: Sequence[int], key: Point, before: Sequence[Pair]) -> None:
        self.order, self.key, self.before = list(order), key, before
        self.nonces = Nonces(place(), b"cheat", seeded("cheat"))
        self.rho = self.nonces.take(len(before))

    def after(self) -> list[Pair]:
        """The deck passed on."""
        pairs = zip(self.order, self.rho, strict=True)
        return [reencrypted(self.before[at - 1], rho, self.key) for at, rho in pairs]

    def committed_order(self) -> list[int]:
        """What A commits to."""
        return self.order

    def powers(self, alphas: Sequence[int]) -> list[int]:
        """What B commits to."""
        return [alphas[at - 1] for at in self.order]

    def deck_powers(self, alphas: Sequence[int]) -> list[int]:
        """What f and the decks are weighed with."""
        return self.powers(alphas)

    def factors(self, alphas: Sequence[int], beta: int, gamma: int) -> list[int]:
        """The a_i that the product argument is about."""
        pairs = zip(self.committed_order(), self.powers(alphas), strict=True)
        return [(beta * at + power - gamma) % Q for at, power in pairs]

    def mask_errors(self) -> tuple[Point, Point, Point]:
        """What is added to C_d, C_1 and C_w."""
        return 0 * G, 0 * G, 0 * G

    def prove(self, challenge: Challenge) -> tuple[Statement, Proof]:
        """The statement and the proof that this prover sends."""
        statement = Statement(self.key, self.before, self.after())
        absorb_statement(challenge, statement)
        size, take = len(self.before), self.nonces.take
        r_A, r_B, r_d, s_1, s_2, r_w, t = take(7)
        d, w, delta = take(size), take(size), take(size)
        delta[0], delta[-1] = d[0], 0
        A = commit(self.committed_order(), r_A, size)
        alphas = powers_of(challenge_alpha(challenge, A), size)
        B = commit(self.powers(alphas), r_B, size)
        beta, gamma = challenge_beta_gamma(challenge, B)
        a = self.factors(alphas, beta, gamma)
        b = list(accumulate(a, lambda left, right: left * right % Q))
        steps = range(size - 1)
        crossed = [-delta[i] * d[i + 1] for i in steps]
        mixed = [delta[i + 1] - a[i + 1] * delta[i] - b[i] * d[i + 1] for i in steps]
        errors = self.mask_errors()
        made = Commitments(
            permutation=A,
            powers=B,
            nonces=commit(d, r_d, size) + errors[0],
            crossed=commit(crossed, s_1, size) + errors[1],
            mixed=commit(mixed, s_2, size),
            masks=commit(w, r_w, size) + errors[2],
            mask_first=combine(w, [pair[0] for pair in statement.after], t),
            mask_second=combine(w, [pair[1] for pair in statement.after]) + t * self.key,
        )
        c = challenge_c(challenge, made)
        v = self.deck_powers(alphas)
        sent = Responses(
            factors=[c * a[i] + d[i] for i in range(size)],
            products=[c * b[i] + delta[i] for i in range(1, size - 1)],
            powers=[c * v[i] + w[i] for i in range(size)],
            factors_opening=c * (beta * r_A + r_B) + r_d,
            products_opening=c * s_2 + s_1,
            powers_opening=c * r_B + r_w,
            encryption=c * sum(rho * power for rho, power in zip(self.rho, v, strict=True)) - t,
        )
        return statement, Proof(made, sent)


class HiddenDuplicate(Cheat):
    """Repeats a pair, but commits to and multiplies a true permutation: breaks (1) alone."""

    def after(self) -> list[Pair]:
        order = [self.order[0], self.order[0], *self.order[2:]]
        pairs = zip(order, self.rho, strict=True)
        return [reencrypted(self.before[at - 1], rho, self.key) for at, rho in pairs]

    def powers(self, alphas: Sequence[int]) -> list[int]:
        true = super().powers(alphas)
        return [true[0], true[0], *true[2:]]

    def factors(self, alphas: Sequence[int], beta: int, gamma: int) -> list[int]:
        true = super().powers(alphas)
        pairs = zip(self.order, true, strict=True)
        return [(beta * at + power - gamma) % Q for at, power in pairs]


class OpenDuplicate(Cheat):
    """Repeats a pair and commits to just that: the product is another, breaks (2) alone."""

    def __init__(self, order: Sequence[int], key: Point, before: Sequence[Pair]) -> None:
        super().__init__([order[0], order[0], *order[2:]], key, before)


class ScaledPair(Cheat):
    """Doubles a ciphertext and halves its weight: breaks (3) alone."""

    def after(self) -> list[Pair]:
        _, *rest = super().after()
        pair = self.before[self.order[0] - 1]
        doubled = (2 * pair[0], 2 * pair[1])
        return [reencrypted(doubled, self.rho[0], self.key), *rest]

    def deck_powers(self, alphas: Sequence[int]) -> list[int]:
        first, *rest = self.powers(alphas)
        return [first * pow(2, -1, Q) % Q, *rest]


class ReplacedFirst(Cheat):
    """Shifts the first component of a ciphertext: breaks the first half of (4) alone."""

    def after(self) -> list[Pair]:
        (first, second), *rest = super().after()
        return [(first + STRANGER, second), *rest]


class ReplacedSecond(Cheat):
    """Shifts the second component, so that another tile is read: breaks the other half of (4)."""

    def after(self) -> list[Pair]:
        (first, second), *rest = super().after()
        return [(first, second + STRANGER), *rest]


@dataclass(frozen=True)
class Shift:
    """Multiples of one point that are added to C_d, C_1 and C_w."""

    nonces: int = 0
    crossed: int = 0
    masks: int = 0


class Shifted(Cheat):
    """Shifts commitments, hoping that the errors cancel in a joint check."""

    def __init__(
        self, order: Sequence[int], key: Point, before: Sequence[Pair], shift: Shift
    ) -> None:
        super().__init__(order, key, before)
        self.shift = shift

    def mask_errors(self) -> tuple[Point, Point, Point]:
        shift = self.shift
        return shift.nonces * STRANGER, shift.crossed * STRANGER, shift.masks * STRANGER
