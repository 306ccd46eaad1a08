"""Keys, coins and lots (11.3)."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from second.deck.challenge import Nonces, Place
from second.deck.group import Q, add, multiply, point, scalar, scalar_bytes, subtract, times_base
from second.refusing import demand


@dataclass(frozen=True)
class Opening:
    """What a seat shows once all are bound: key, proof of it, first coin, digest of the second."""

    key: bytes
    coin: bytes
    digest: bytes


@dataclass(frozen=True)
class Secret:
    """A seat's secret of one deal, with what it says of it."""

    x: int
    coins: tuple[bytes, bytes]
    opening: bytes
    commitment: bytes
    final: bytes


def coin_digest(place: Place, coin: bytes) -> bytes:
    """The digest of the second coin."""
    challenge = place.begin("coin")
    challenge.absorb("coin", coin)
    return challenge.squeeze("commitment")[:32]


def commitment_of(place: Place, opening: bytes) -> bytes:
    """What binds a seat to its opening of 160 bytes."""
    challenge = place.begin("commitment")
    challenge.absorb("opening", opening)
    return challenge.squeeze("commitment")[:32]


def make(place: Place) -> Secret:
    """A fresh secret."""
    x = int.from_bytes(os.urandom(64), "little") % (Q - 1) + 1
    first, second = os.urandom(32), os.urandom(32)
    key = times_base(x)
    challenge = place.begin("key")
    challenge.absorb("public", key)
    r = Nonces(challenge, scalar_bytes(x), os.urandom(32)).next()
    challenge.absorb("R", times_base(r))
    c = challenge.scalar("c")
    proof = scalar_bytes(c) + scalar_bytes(r + c * x)
    opening = key + proof + first + coin_digest(place, second)
    final = scalar_bytes(x) + second
    return Secret(x, (first, second), opening, commitment_of(place, opening), final)


def check_opening(place: Place, data: bytes, commitment: bytes) -> Opening:
    """The opening of a seat: the committed one, with a key that it proves to know."""
    demand(len(data) == 160, "an opening is 160 bytes")
    demand(commitment_of(place, data) == commitment, "not the committed opening")
    key, c, z = point(data[:32]), scalar(data[32:64]), scalar(data[64:96])
    challenge = place.begin("key")
    challenge.absorb("public", key)
    challenge.absorb("R", subtract(times_base(z), multiply(c, key)))
    demand(challenge.scalar("c") == c, "the key is not proven")
    return Opening(key, data[96:128], data[128:160])


def check_final(place: Place, data: bytes, opening: Opening) -> tuple[int, bytes]:
    """The secret and the second coin that a seat shows at the end of a hand."""
    demand(len(data) == 64, "a final opening is 64 bytes")
    x = scalar(data[:32])
    demand(times_base(x) == opening.key, "another key")
    demand(coin_digest(place, data[32:]) == opening.digest, "another coin")
    return x, data[32:]


def lot(place: Place, label: str, coins: Sequence[bytes]) -> int:
    """The number that a lot draws, before it is reduced; the object has the lowest seat."""
    challenge = replace(place, seat=min(place.seats)).begin("lot", label.encode())
    for coin in coins:
        challenge.absorb("coin", coin)
    return int.from_bytes(challenge.squeeze("lot"), "big")


def deck_key(keys: Sequence[bytes]) -> bytes:
    """The sum of all keys; the caller refuses the identity."""
    result = keys[0]
    for key in keys[1:]:
        result = add(result, key)
    return result
