"""The proof that none of a seat's due slots can be played: each holds one of the candidates.

The candidates are the tiles that are not on the table and fit no open end; which these are, and
which slots are due, the rules say. A proof of no slot is no bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.crypto import one_of_many, one_of_many_prover
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import DecodeError, Misuse, ProofError
from p2p.crypto.group import Point, ReadPoint
from p2p.crypto.one_of_many import Grid, Statement
from p2p.crypto.randomness import RandomBytes
from p2p.deck.errors import DeckFault, slots_in_words
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import DealSecret
from p2p.deck.pairs import TILE_POINTS, TILES


def unplayable_challenge(
    context: DealContext, seat: int, step_label: bytes, slots: Sequence[int]
) -> Challenge:
    """What the proof of a message about these slots is bound to."""
    challenge = Challenge(context, seat, step_label, b"unplayable")
    challenge.numbers(b"slots", slots)
    return challenge


def unplayable_statement(
    seat: int, hidden: HiddenDeck, slots: Sequence[int], candidates: Sequence[int]
) -> Statement:
    """What is proven. `Misuse` for slots or candidates given twice or out of range."""
    if len(set(slots)) != len(slots) or len(set(candidates)) != len(candidates):
        raise Misuse("slots and candidates are different")
    if not all(0 <= value < TILES for value in (*slots, *candidates)):
        raise Misuse("slots and candidates are numbers from 0 to 27")
    pairs = [(hidden.deck.pairs[slot][0], hidden.without_others(slot, seat)) for slot in slots]
    grid = Grid(tuple([TILE_POINTS[tile] for tile in candidates]))
    return Statement(hidden.keys[seat], pairs, grid)


def make_unplayable(
    context: DealContext,
    seat: int,
    step_label: bytes,
    secret: DealSecret,
    hidden: HiddenDeck,
    slots: Sequence[int],
    candidates: Sequence[int],
    rng: RandomBytes,
) -> bytes:
    """The proof for these slots in this order; 3552 bytes for 9 slots and 20 candidates.

    `Misuse` if one of the slots holds no candidate: the statement would be false.
    """
    if not slots:
        return b""
    statement = unplayable_statement(seat, hidden, slots, candidates)
    challenge = unplayable_challenge(context, seat, step_label, slots)
    return one_of_many_prover.prove(challenge, statement, secret.key, rng).to_bytes()


def check_unplayable(
    context: DealContext,
    seat: int,
    step_label: bytes,
    hidden: HiddenDeck,
    slots: Sequence[int],
    candidates: Sequence[int],
    data: bytes,
) -> None:
    """`DeckFault` unless the seat proves that each of these slots holds one of the candidates."""
    if not slots:
        if data:
            raise DeckFault(seat, "it sent a proof though no slot is due")
        return
    if not candidates:
        raise DeckFault(seat, f"no tile is left that {slots_in_words(slots)} could hold")
    try:
        one_of_many.verify(*claim(context, seat, step_label, hidden, slots, candidates, data))
    except (DecodeError, ProofError) as error:
        what = f"that {slots_in_words(slots)} cannot be played is not proven"
        raise DeckFault(seat, what) from error


def claim(
    context: DealContext,
    seat: int,
    step_label: bytes,
    hidden: HiddenDeck,
    slots: Sequence[int],
    candidates: Sequence[int],
    data: bytes,
    read: ReadPoint = Point.decode,
) -> tuple[Challenge, Statement, one_of_many.Proof]:
    """A received proof with what it is bound to and says; `DecodeError` if it is malformed.

    There is a slot and a candidate.
    """
    statement = unplayable_statement(seat, hidden, slots, candidates)
    proof = one_of_many.Proof.from_bytes(data, len(slots), statement.grid, read)
    return unplayable_challenge(context, seat, step_label, slots), statement, proof
