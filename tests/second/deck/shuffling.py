"""A shuffle and its proof (11.4): what the shuffler does."""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass

from second.deck.challenge import Nonces, Place
from second.deck.group import BASE, Q, add, base_h, combine, multiply, scalar_bytes, times_base
from second.deck.shuffle import Deck, N, begin, deck_bytes


@dataclass(frozen=True)
class Shuffle:
    """A deck and the way from the one before: O_i = I_p(i) + rho_i (G, X), p from 0."""

    deck: Deck
    order: tuple[int, ...]
    rho: tuple[int, ...]


def commit(values: Sequence[int], blind: int) -> bytes:
    """com(v_1..v_m; r)."""
    terms = [(value, base_h(i)) for i, value in enumerate(values, start=1)]
    return combine([(blind, BASE), *terms])


def shuffle(key: bytes, before: Deck) -> Shuffle:
    """Another order, each pair with another mask."""
    order = list(range(N))
    random.SystemRandom().shuffle(order)
    rho = tuple(int.from_bytes(os.urandom(64), "little") % Q for _ in range(N))
    deck = tuple(
        (add(before[source][0], times_base(mask)), add(before[source][1], multiply(mask, key)))
        for source, mask in zip(order, rho, strict=True)
    )
    return Shuffle(deck, tuple(order), rho)


def make(place: Place, key: bytes, before: Deck) -> tuple[bytes, bytes]:
    """The bytes of a fresh deck and of its proof."""
    shuffled = shuffle(key, before)
    return deck_bytes(shuffled.deck), prove(place, key, before, shuffled)


def prove(place: Place, key: bytes, before: Deck, done: Shuffle) -> bytes:
    """The proof, 3008 bytes."""
    challenge = begin(place, key, before, done.deck)
    secret = b"".join(scalar_bytes(n) for n in (*done.order, *done.rho))
    nonces = Nonces(challenge, secret, os.urandom(32))
    p = [source + 1 for source in done.order]
    r_a, r_b, r_d, r_w, s_1, s_2, t = nonces.take(7)
    d, w = nonces.take(N), nonces.take(N)
    delta = [d[0], *nonces.take(N - 2), 0]
    big_a = commit(p, r_a)
    challenge.absorb("A", big_a)
    alpha = challenge.scalar("alpha")
    powers = [pow(alpha, i, Q) for i in p]
    big_b = commit(powers, r_b)
    challenge.absorb("B", big_b)
    beta, gamma = challenge.scalar("beta"), challenge.scalar("gamma")
    a = [(beta * p[i] + powers[i] - gamma) % Q for i in range(N)]
    b = a[:1]
    for factor in a[1:]:
        b.append(b[-1] * factor % Q)
    points = [
        big_a,
        big_b,
        commit(d, r_d),
        commit([-delta[i] * d[i + 1] for i in range(N - 1)], s_1),
        commit([delta[i + 1] - a[i + 1] * delta[i] - b[i] * d[i + 1] for i in range(N - 1)], s_2),
        commit(w, r_w),
        combine([(t, BASE), *((w[i], done.deck[i][0]) for i in range(N))]),
        combine([(t, key), *((w[i], done.deck[i][1]) for i in range(N))]),
    ]
    challenge.points("C", points[2:])
    c = challenge.scalar("c")
    scalars = [c * a[i] + d[i] for i in range(N)]
    scalars += [c * b[i] + delta[i] for i in range(1, N - 1)]
    scalars += [c * powers[i] + w[i] for i in range(N)]
    scalars += [c * (beta * r_a + r_b) + r_d, c * s_2 + s_1, c * r_b + r_w]
    scalars.append(c * sum(done.rho[i] * powers[i] for i in range(N)) - t)
    return b"".join(points) + b"".join(scalar_bytes(number) for number in scalars)
