"""Keys and coins of one deal: committed, opened, and at the end of the hand given away.

Each seat picks a fresh secret x and two coins, commits to (X = x G, a proof of x, both coins), and
opens X and the first coin when all commitments are in. x and the second coin open at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import schnorr
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    decode_scalar,
    encode_scalar,
    multiply_base,
    random_scalar,
)
from p2p.crypto.randomness import RandomBytes
from p2p.deck.errors import DeckFault

COIN_BYTES = 32
COMMITMENT_BYTES = 32
OPENING_BYTES = POINT_BYTES + schnorr.PROOF_BYTES + COIN_BYTES + COMMITMENT_BYTES
FINAL_BYTES = SCALAR_BYTES + COIN_BYTES
_PROOF_SEED_BYTES = 32
SECRET_BYTES = SCALAR_BYTES + 2 * COIN_BYTES + _PROOF_SEED_BYTES


@dataclass(frozen=True, slots=True, repr=False)
class DealSecret:
    """What one seat alone knows of one deal. Its repr shows nothing.

    `key` is x and `public` x G. `proof_seed` is the fresh randomness of the key's proof, kept so
    that commitment and opening hold the very same proof.
    """

    key: int
    public: Point
    first_coin: bytes
    second_coin: bytes
    proof_seed: bytes

    @staticmethod
    def make(context: DealContext, seat: int, rng: RandomBytes) -> DealSecret:
        """Fresh secrets; the context and seat keep those of two deals apart if `rng` repeats."""
        challenge = Challenge(context, seat, b"", b"secret")

        def drawn(size: int) -> bytes:
            challenge.data(b"random", rng(size))
            return challenge.fork(b"secret").digest(b"secret")[:size]

        key = random_scalar(drawn)
        coins = drawn(COIN_BYTES), drawn(COIN_BYTES)
        return DealSecret(key, multiply_base(key), *coins, drawn(_PROOF_SEED_BYTES))

    def to_bytes(self) -> bytes:
        """128 secret bytes for the store."""
        return encode_scalar(self.key) + self.first_coin + self.second_coin + self.proof_seed

    @staticmethod
    def from_bytes(data: bytes) -> DealSecret:
        """Read what `to_bytes` wrote; `DecodeError` if it is damaged."""
        if len(data) != SECRET_BYTES:
            raise DecodeError(f"the secrets of a deal have {SECRET_BYTES} bytes")
        key, coins = decode_scalar(data[:SCALAR_BYTES]), data[SCALAR_BYTES:]
        return DealSecret(
            key,
            multiply_base(key),
            coins[:COIN_BYTES],
            coins[COIN_BYTES : 2 * COIN_BYTES],
            coins[2 * COIN_BYTES :],
        )


@dataclass(frozen=True, slots=True)
class KeyOpening:
    """The opened half of a commitment: public key, its proof, first coin, second coin's digest."""

    key: Point
    proof: bytes
    first_coin: bytes
    second_digest: bytes

    def to_bytes(self) -> bytes:
        """160 bytes, in the order of the fields."""
        return self.key.raw + self.proof + self.first_coin + self.second_digest

    @staticmethod
    def from_bytes(data: bytes) -> KeyOpening:
        """Decode a received opening; `DecodeError` if malformed. Nothing is proven yet."""
        if len(data) != OPENING_BYTES:
            raise DecodeError(f"a key opening has {OPENING_BYTES} bytes")
        key, rest = data[:POINT_BYTES], data[POINT_BYTES:]
        proof, coins = rest[: schnorr.PROOF_BYTES], rest[schnorr.PROOF_BYTES :]
        return KeyOpening(Point.decode(key), proof, coins[:COIN_BYTES], coins[COIN_BYTES:])


def open_key(context: DealContext, seat: int, secret: DealSecret) -> KeyOpening:
    """The opening of this seat's commitment; the same bytes at every call."""
    challenge = key_challenge(context, seat)
    seed = secret.proof_seed
    proof = schnorr.prove(challenge, secret.key, secret.public, lambda size: seed[:size])
    digest = _coin_digest(context, seat, secret.second_coin)
    return KeyOpening(secret.public, proof, secret.first_coin, digest)


def commitment(context: DealContext, seat: int, secret: DealSecret) -> bytes:
    """32 bytes that bind the seat to its key, the key's proof and both coins, and hide them."""
    return commitment_to(context, seat, open_key(context, seat, secret))


def commitment_to(context: DealContext, seat: int, opening: KeyOpening) -> bytes:
    """The 32-byte commitment that this opening opens."""
    challenge = Challenge(context, seat, b"", b"commitment")
    challenge.data(b"opening", opening.to_bytes())
    return challenge.digest(b"commitment")[:COMMITMENT_BYTES]


def check_key_opening(
    context: DealContext, seat: int, commitment: bytes, opening: KeyOpening
) -> None:
    """`DeckFault` unless the opening is the committed one and proves its key."""
    if commitment_to(context, seat, opening) != commitment:
        raise DeckFault(seat, "the opened key is not the committed one")
    try:
        schnorr.verify(key_challenge(context, seat), opening.key, opening.proof)
    except (DecodeError, ProofError) as error:
        raise DeckFault(seat, "the knowledge of its key is not proven") from error


def final_opening(secret: DealSecret) -> bytes:
    """64 bytes that give the key away when the hand is over: x and the second coin."""
    return encode_scalar(secret.key) + secret.second_coin


def read_final_opening(seat: int, data: bytes) -> tuple[int, bytes]:
    """The secret key x and the second coin that a seat gives away, unproven. `DeckFault`."""
    if len(data) != FINAL_BYTES:
        raise DeckFault(seat, "the opening of its key has the wrong length")
    try:
        return decode_scalar(data[:SCALAR_BYTES]), data[SCALAR_BYTES:]
    except DecodeError as error:
        raise DeckFault(seat, "the opened secret key is not validly encoded") from error


def check_final_opening(
    context: DealContext, seat: int, opening: KeyOpening, data: bytes
) -> tuple[int, bytes]:
    """The secret key x and the second coin of a seat, or `DeckFault`."""
    key, coin = read_final_opening(seat, data)
    if multiply_base(key) != opening.key:
        raise DeckFault(seat, "the opened secret key does not fit its public key")
    check_final_coin(context, seat, opening, coin)
    return key, coin


def check_final_coin(context: DealContext, seat: int, opening: KeyOpening, coin: bytes) -> None:
    """`DeckFault` unless the coin is the committed one."""
    if _coin_digest(context, seat, coin) != opening.second_digest:
        raise DeckFault(seat, "the opened coin is not the committed one")


def lot(context: DealContext, label: bytes, coins: Sequence[bytes]) -> int:
    """A number below 2^512 that no seat could choose: a hash of the coins in seat order.

    It is bound to the deal, so its coins serve this lot alone.
    """
    if len(coins) != len(context.seats):
        raise Misuse("a lot needs one coin of every seat")
    challenge = Challenge(context, context.seats[0], label, b"lot")
    for coin in coins:
        challenge.data(b"coin", coin)
    return int.from_bytes(challenge.digest(b"lot"), "big")


def key_challenge(context: DealContext, seat: int) -> Challenge:
    """What the proof of a key is bound to."""
    return Challenge(context, seat, b"", b"key")


def _coin_digest(context: DealContext, seat: int, coin: bytes) -> bytes:
    challenge = Challenge(context, seat, b"", b"coin")
    challenge.data(b"coin", coin)
    return challenge.digest(b"commitment")[:COMMITMENT_BYTES]
