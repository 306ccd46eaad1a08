"""The shuffle argument: one deck is a re-encrypted permutation of another.

Bayer and Groth (Eurocrypt 2012) with one row; its product argument is Groth's (J. Cryptology
2010). Statement: decks I and O of N pairs and the deck key X; the prover knows a permutation p
and rho_i with O_i = I_p(i) + rho_i (G, X). Names as in `protocol.md`; com is `bases.commit`.

    A = com(p; r_A), alpha; B = com(alpha^p(i); r_B), beta, gamma
    a_i = beta p(i) + alpha^p(i) - gamma, partial products b_i, whole product Pi
    C_d, C_1, C_2 commit to the product argument, C_w and the pair E to the decks; c
    responses a~, b~, f, R_a, R_s, R_f, u

A proof is 8 points and 3 N + 2 scalars: 3008 bytes for N = 28. This file holds the proof's layout
and the check; the prover is `shuffle_prover`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from p2p.crypto.bases import shuffle_bases
from p2p.crypto.challenge import Challenge
from p2p.crypto.errors import ProofError
from p2p.crypto.group import G, Point, Q, Reader, ReadPoint, Sum, pack

Pair = tuple[Point, Point]
POINTS = 8
EQUATIONS = 5


def scalars_for(size: int) -> int:
    """How many scalars a proof over `size` pairs has."""
    return 3 * size + 2


@dataclass(frozen=True, slots=True)
class Statement:
    """`after` is a shuffle of `before` under the deck key; both have N >= 2 pairs."""

    key: Point
    before: Sequence[Pair]
    after: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class Commitments:
    """The eight points of a proof, in the order in which they are made and sent."""

    permutation: Point  # A
    powers: Point  # B
    nonces: Point  # C_d
    crossed: Point  # C_1
    mixed: Point  # C_2
    masks: Point  # C_w
    mask_first: Point  # E
    mask_second: Point

    def points(self) -> list[Point]:
        """All eight, in sending order."""
        return [
            self.permutation,
            self.powers,
            self.nonces,
            self.crossed,
            self.mixed,
            self.masks,
            self.mask_first,
            self.mask_second,
        ]


@dataclass(frozen=True, slots=True)
class Responses:
    """The responses: three vectors and four scalars, in sending order."""

    factors: Sequence[int]  # a~, N
    products: Sequence[int]  # b~_2 .. b~_(N-1)
    powers: Sequence[int]  # f, N
    factors_opening: int  # R_a
    products_opening: int  # R_s
    powers_opening: int  # R_f
    encryption: int  # u

    def scalars(self) -> list[int]:
        """All of them, in sending order."""
        openings = (self.factors_opening, self.products_opening, self.powers_opening)
        return [*self.factors, *self.products, *self.powers, *openings, self.encryption]


@dataclass(frozen=True, slots=True)
class Proof:
    """A decoded proof."""

    commitments: Commitments
    responses: Responses

    def to_bytes(self) -> bytes:
        """32 bytes a value: commitments, then responses."""
        return pack(self.commitments.points(), self.responses.scalars())

    @staticmethod
    def from_bytes(data: bytes, size: int, read: ReadPoint = Point.decode) -> Proof:
        """Decode a received proof over `size` pairs; `DecodeError` for anything malformed."""
        reader = Reader(data, POINTS, scalars_for(size), read)
        commitments = Commitments(*reader.points(POINTS))
        factors, products, powers = map(reader.scalars, (size, size - 2, size))
        return Proof(commitments, Responses(factors, products, powers, *reader.scalars(4)))


def absorb_statement(challenge: Challenge, statement: Statement) -> None:
    """The statement is absorbed before any commitment."""
    challenge.points(b"deck key", [statement.key])
    for label, deck in ((b"before", statement.before), (b"after", statement.after)):
        challenge.points(label, [point for pair in deck for point in pair])


def challenge_alpha(challenge: Challenge, permutation: Point) -> int:
    """alpha, after A."""
    challenge.points(b"A", [permutation])
    return challenge.scalar(b"alpha")


def challenge_beta_gamma(challenge: Challenge, powers: Point) -> tuple[int, int]:
    """beta and gamma, after B."""
    challenge.points(b"B", [powers])
    return challenge.scalar(b"beta"), challenge.scalar(b"gamma")


def challenge_c(challenge: Challenge, commitments: Commitments) -> int:
    """c, after the other commitments."""
    challenge.points(b"C", commitments.points()[2:])
    return challenge.scalar(b"c")


def powers_of(alpha: int, size: int) -> list[int]:
    """alpha^1 .. alpha^size mod Q."""
    return list(accumulate([alpha] * size, lambda power, factor: power * factor % Q))


def product_of_all(alphas: Sequence[int], beta: int, gamma: int) -> int:
    """Pi = product over i of (beta i + alpha^i - gamma), which everyone can compute."""
    product = 1
    for at, power in enumerate(alphas, 1):
        product = product * (beta * at + power - gamma) % Q
    return product


@dataclass(frozen=True, slots=True)
class _Challenges:
    alphas: Sequence[int]
    beta: int
    gamma: int
    c: int


def _challenges(challenge: Challenge, statement: Statement, proof: Proof) -> _Challenges:
    absorb_statement(challenge, statement)
    alpha = challenge_alpha(challenge, proof.commitments.permutation)
    beta, gamma = challenge_beta_gamma(challenge, proof.commitments.powers)
    c = challenge_c(challenge, proof.commitments)
    return _Challenges(powers_of(alpha, len(statement.before)), beta, gamma, c)


def _gather_commitments(
    relation: Sum, drawn: _Challenges, proof: Proof, weights: Sequence[int]
) -> None:
    """Checks (1), (2), (3), of which all openings fall on the same bases H."""
    made, sent, c = proof.commitments, proof.responses, drawn.c
    size = len(sent.factors)
    w1, w2, w3 = weights
    whole = c * product_of_all(drawn.alphas, drawn.beta, drawn.gamma) % Q
    products = [sent.factors[0], *sent.products, whole]
    steps = [c * products[at + 1] - products[at] * sent.factors[at + 1] for at in range(size - 1)]
    shift = w1 * c * drawn.gamma
    openings = [
        shift + w1 * factor + w2 * step + w3 * power
        for factor, step, power in zip(sent.factors, [*steps, 0], sent.powers, strict=True)
    ]
    relation.add_all(openings, shuffle_bases(size), -1)
    relation.add(w1 * c * drawn.beta, made.permutation)
    relation.add((w1 + w3) * c, made.powers)
    relation.add(w1, made.nonces)
    relation.add(w2 * c, made.mixed)
    relation.add(w2, made.crossed)
    relation.add(w3, made.masks)
    relation.add_base(
        -w1 * sent.factors_opening - w2 * sent.products_opening - w3 * sent.powers_opening
    )


def _gather_decks(
    relation: Sum,
    drawn: _Challenges,
    statement: Statement,
    proof: Proof,
    weights: Sequence[int],
) -> None:
    """Check (4), both components of the pairs."""
    u = proof.responses.encryption
    common = [-drawn.c * power for power in drawn.alphas]
    masks = (proof.commitments.mask_first, proof.commitments.mask_second)
    for half, weight in enumerate(weights):
        relation.add_all(proof.responses.powers, [pair[half] for pair in statement.after], weight)
        relation.add_all(common, [pair[half] for pair in statement.before], weight)
        relation.add(-weight, masks[half])
        relation.add(-weight * u, (G, statement.key)[half])


def gather(
    relation: Sum,
    weights: Sequence[int],
    challenge: Challenge,
    statement: Statement,
    proof: Proof,
) -> None:
    """Add the five equations of a proof to a relation, each with one of five weights that nobody
    could know before the proof was fixed. The proof holds if the relation does."""
    _gather(relation, _challenges(challenge, statement, proof), statement, proof, weights)


def _gather(
    relation: Sum,
    drawn: _Challenges,
    statement: Statement,
    proof: Proof,
    weights: Sequence[int],
) -> None:
    _gather_commitments(relation, drawn, proof, weights[:3])
    _gather_decks(relation, drawn, statement, proof, weights[3:])


def verify_all(claims: Sequence[tuple[Challenge, Statement, Proof]]) -> None:
    """Check one or more proofs in one relation; shared decks and bases are paid for once.

    Every weight is hashed from all statements, commitments and responses together, so no two
    seats can fit their errors to each other. `ProofError` if any proof does not hold, without
    saying which.
    """
    drawn = [_challenges(*claim) for claim in claims]
    for challenge, _, proof in claims:
        challenge.scalars(b"responses", proof.responses.scalars())
    weigher = claims[0][0].fork(b"joint")
    for challenge, _, _ in claims:
        weigher.data(b"claim", challenge.digest(b"claim"))
    weights = weigher.weights(b"weights", EQUATIONS * len(claims))
    relation = Sum()
    for at, (_, statement, proof) in enumerate(claims):
        chosen = weights[EQUATIONS * at : EQUATIONS * (at + 1)]
        _gather(relation, drawn[at], statement, proof, chosen)
    if not relation.is_zero():
        raise ProofError("the shuffle is not proven")
