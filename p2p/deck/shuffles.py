"""One seat's turn at shuffling: re-encrypt, permute, prove; the check of a turn or a chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import shuffle, shuffle_prover
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import Point, ReadPoint
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle_prover import Prepared
from p2p.deck.errors import DeckFault
from p2p.deck.pairs import TILES, Deck, open_deck

_WHAT = "its shuffle is not proven"


@dataclass(frozen=True, slots=True)
class Shuffled:
    """One link of a chain: the seat, the deck that it passed on, and its proof as received."""

    seat: int
    deck: Deck
    proof: bytes


def shuffle_challenge(context: DealContext, seat: int) -> Challenge:
    """What a shuffle proof of this seat in this deal is bound to."""
    return Challenge(context, seat, b"", b"shuffle")


def prepare_shuffle(context: DealContext, seat: int, deck_key: Point, rng: RandomBytes) -> Prepared:
    """What a shuffle needs before its deck is known: more than a third of the work.

    It serves one deck and stays in memory: one that was written down, or made twice by a random
    state that came again, might serve two, and give the permutation away.
    """
    challenge = Challenge(context, seat, b"", b"shuffle preparation")
    return shuffle_prover.prepare(challenge, deck_key, TILES, rng)


def make_shuffle(
    context: DealContext,
    seat: int,
    deck_key: Point,
    before: Deck,
    rng: RandomBytes,
    prepared: Prepared | None = None,
) -> tuple[Deck, bytes]:
    """The shuffled deck and its proof, 3008 bytes. If nothing was prepared, the deck is hashed into
    every secret nonce, so that a random state that comes again never serves two decks."""
    if prepared is None:
        challenge = Challenge(context, seat, b"", b"shuffle preparation")
        challenge.data(b"before", before.to_bytes())
        prepared = shuffle_prover.prepare(challenge, deck_key, TILES, rng)
    after = Deck(tuple(shuffle_prover.apply(before.pairs, prepared)))
    statement = shuffle.Statement(deck_key, before.pairs, after.pairs)
    proof = shuffle_prover.prove(shuffle_challenge(context, seat), statement, prepared, rng)
    return after, proof.to_bytes()


def check_shuffle(
    context: DealContext, seat: int, deck_key: Point, before: Deck, after: Deck, proof: bytes
) -> None:
    """`DeckFault` unless `after` is proven to be a shuffle of `before` by this seat."""
    try:
        shuffle.verify_all([claim(context, deck_key, before, Shuffled(seat, after, proof))])
    except (DecodeError, ProofError) as error:
        raise DeckFault(seat, _WHAT) from error


def check_shuffles(context: DealContext, deck_key: Point, chain: Sequence[Shuffled]) -> None:
    """Check a whole chain from the open deck in one relation: cheaper than one by one.

    `DeckFault` names the first seat of the chain whose own proof does not hold.
    """
    decks = [open_deck(deck_key), *(link.deck for link in chain)]
    links = list(zip(decks, chain, strict=False))
    try:
        shuffle.verify_all([claim(context, deck_key, before, link) for before, link in links])
    except (DecodeError, ProofError):
        for before, link in links:
            check_shuffle(context, link.seat, deck_key, before, link.deck, link.proof)
        raise Misuse("proofs that hold one by one do not hold together") from None


def claim(
    context: DealContext,
    deck_key: Point,
    before: Deck,
    link: Shuffled,
    read: ReadPoint = Point.decode,
) -> tuple[Challenge, shuffle.Statement, shuffle.Proof]:
    """A received proof with what it is bound to and says; `DecodeError` if it is malformed."""
    statement = shuffle.Statement(deck_key, before.pairs, link.deck.pairs)
    proof = shuffle.Proof.from_bytes(link.proof, TILES, read)
    return shuffle_challenge(context, link.seat), statement, proof
