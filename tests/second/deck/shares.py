"""Shares of slots, proven together (11.5)."""

import functools
import os
from collections.abc import Sequence

from second.deck.challenge import Challenge, Nonces, Place
from second.deck.group import (
    combine,
    multiply,
    point,
    scalar,
    scalar_bytes,
    subtract,
    times_base,
)
from second.refusing import demand


def _begin(
    challenge: Challenge, slots: Sequence[int], key: bytes, bases: list[bytes], shares: list[bytes]
) -> tuple[bytes, bytes]:
    challenge.numbers("slots", slots)
    challenge.absorb("public", key)
    challenge.points("bases", bases)
    challenge.points("shares", shares)
    weights = challenge.weights("weights", len(slots))
    return (
        combine(zip(weights, bases, strict=True)),
        combine(zip(weights, shares, strict=True)),
    )


def check(
    place: Place, step: bytes, key: bytes, firsts: dict[int, bytes], data: bytes
) -> dict[int, bytes]:
    """The shares by slot; `firsts` are the first components a of the slots, in their order."""
    return dict(zip(firsts, _proven(place, step, key, tuple(firsts.items()), data), strict=True))


@functools.lru_cache(maxsize=1024)
def _proven(
    place: Place, step: bytes, key: bytes, firsts: tuple[tuple[int, bytes], ...], data: bytes
) -> list[bytes]:
    """The same in order. What was found right is remembered."""
    count = len(firsts)
    demand(len(data) == 32 * count + 64, "shares of another length")
    shares = [point(data[32 * i : 32 * i + 32]) for i in range(count)]
    c, z = scalar(data[-64:-32]), scalar(data[-32:])
    challenge = place.begin("shares", step)
    slots, bases = [slot for slot, _ in firsts], [first for _, first in firsts]
    a_star, s_star = _begin(challenge, slots, key, bases, shares)
    challenge.absorb("R", subtract(times_base(z), multiply(c, key)))
    challenge.absorb("R'", subtract(multiply(z, a_star), multiply(c, s_star)))
    demand(challenge.scalar("c") == c, "the shares are not proven")
    return shares


def prove(place: Place, step: bytes, x: int, firsts: dict[int, bytes]) -> bytes:
    """The shares of these slots with their proof, as they are sent."""
    bases = list(firsts.values())
    shares = [multiply(x, base) for base in bases]
    challenge = place.begin("shares", step)
    a_star, _ = _begin(challenge, list(firsts), times_base(x), bases, shares)
    r = Nonces(challenge, scalar_bytes(x), os.urandom(32)).next()
    challenge.absorb("R", times_base(r))
    challenge.absorb("R'", multiply(r, a_star))
    c = challenge.scalar("c")
    return b"".join(shares) + scalar_bytes(c) + scalar_bytes(r + c * x)
