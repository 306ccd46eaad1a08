"""Decryption shares: what each seat publishes so that a slot can be read.

The share of seat j for a slot (a, b) is x_j a. All shares of one message are proven together.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.crypto import share
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import POINT_BYTES, Point, ReadPoint
from p2p.crypto.randomness import RandomBytes
from p2p.deck.errors import DeckFault, slots_in_words
from p2p.deck.keys import DealSecret
from p2p.deck.pairs import Deck


def shares_challenge(
    context: DealContext, seat: int, step_label: bytes, slots: Sequence[int]
) -> Challenge:
    """What the proof of a message of shares is bound to."""
    challenge = Challenge(context, seat, step_label, b"shares")
    challenge.numbers(b"slots", slots)
    return challenge


def make_shares(
    context: DealContext,
    seat: int,
    step_label: bytes,
    secret: DealSecret,
    deck: Deck,
    slots: Sequence[int],
    rng: RandomBytes,
) -> bytes:
    """The shares of these slots in this order, 32 bytes each, and their proof, 64 bytes."""
    bases = bases_of(deck, slots)
    shares = [secret.key * base for base in bases]
    challenge = shares_challenge(context, seat, step_label, slots)
    proof = share.prove(challenge, secret.key, secret.public, bases, shares, rng)
    return b"".join(point.raw for point in shares) + proof


def check_shares(
    context: DealContext,
    seat: int,
    step_label: bytes,
    key: Point,
    deck: Deck,
    slots: Sequence[int],
    data: bytes,
) -> dict[int, Point]:
    """The proven shares of exactly these slots, or `DeckFault`. `key` is the seat's public key."""
    bases = bases_of(deck, slots)
    if len(data) != POINT_BYTES * len(slots) + share.PROOF_BYTES:
        raise DeckFault(seat, f"it sent no {len(slots)} shares for {slots_in_words(slots)}")
    try:
        shares, proof = decode_shares(data)
        challenge = shares_challenge(context, seat, step_label, slots)
        share.verify(challenge, key, bases, shares, proof)
    except (DecodeError, ProofError) as error:
        one = len(slots) == 1
        subject = f"the {'share' if one else 'shares'} for {slots_in_words(slots)}"
        raise DeckFault(seat, f"{subject} {'is' if one else 'are'} not proven") from error
    return dict(zip(slots, shares, strict=True))


def decode_shares(data: bytes, read: ReadPoint = Point.decode) -> tuple[list[Point], bytes]:
    """The shares of a message, and the bytes of their proof. `DecodeError` for no valid points."""
    cut = len(data) - share.PROOF_BYTES
    return [read(data[at : at + POINT_BYTES]) for at in range(0, cut, POINT_BYTES)], data[cut:]


def bases_of(deck: Deck, slots: Sequence[int]) -> list[Point]:
    """The first components of the slots; `Misuse` for a slot twice, outside the deck, or none."""
    if not slots or len(set(slots)) != len(slots):
        raise Misuse("shares are for one or more different slots")
    if not all(0 <= slot < len(deck.pairs) for slot in slots):
        raise Misuse("a share is for a slot of the deck")
    return [deck.pairs[slot][0] for slot in slots]
