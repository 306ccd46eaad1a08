"""A seat's turn at shuffling, checked alone and in a chain."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.session.deck_table import Deal, make_deal, seeded
from support.session.tampering import STRANGER, altered, misshapen

from p2p.crypto import shuffle_prover
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point
from p2p.crypto.shuffle import POINTS, Statement
from p2p.deck.errors import DeckFault
from p2p.deck.pairs import TILES, Deck, open_deck
from p2p.deck.shuffles import (
    Shuffled,
    check_shuffle,
    check_shuffles,
    make_shuffle,
    prepare_shuffle,
    shuffle_challenge,
)

DEAL = make_deal("shuffles", (0, 1, 2))
FIRST, SECOND, THIRD = DEAL.chain


def refused(
    seat: int = 1,
    context: DealContext = DEAL.context,
    key: Point = DEAL.key,
    before: Deck = FIRST.deck,
    after: Deck = SECOND.deck,
    proof: bytes = SECOND.proof,
) -> None:
    """The check refuses and names the seat."""
    with pytest.raises(DeckFault) as caught:
        check_shuffle(context, seat, key, before, after, proof)
    assert caught.value.seat == seat
    assert caught.value.what == "its shuffle is not proven"


def test_each_link_holds_alone() -> None:
    before = open_deck(DEAL.key)
    for link in DEAL.chain:
        check_shuffle(DEAL.context, link.seat, DEAL.key, before, link.deck, link.proof)
        before = link.deck


def test_what_was_prepared_shuffles_the_deck_that_comes_once() -> None:
    ready = prepare_shuffle(DEAL.context, 1, DEAL.key, seeded("ahead"))
    before, key = FIRST.deck, DEAL.key
    after, proof = make_shuffle(DEAL.context, 1, key, before, seeded("then"), ready)
    check_shuffle(DEAL.context, 1, key, before, after, proof)
    with pytest.raises(Misuse):
        make_shuffle(DEAL.context, 1, key, THIRD.deck, seeded("then"), ready)


def test_a_stuck_source_shuffles_another_deck_with_other_masks() -> None:
    """Without preparation the deck is in every nonce."""
    one, first = make_shuffle(DEAL.context, 1, DEAL.key, FIRST.deck, bytes)
    two, second = make_shuffle(DEAL.context, 1, DEAL.key, THIRD.deck, bytes)
    fields = {data[at : at + 32] for data in (first, second) for at in range(0, len(data), 32)}
    assert len(fields) == 2 * 94
    shifts = [
        {(a[0] - b[0]).raw for a in after.pairs for b in before.pairs}
        for before, after in ((FIRST.deck, one), (THIRD.deck, two))
    ]
    assert shifts[0].isdisjoint(shifts[1])


def test_every_altered_field_is_refused() -> None:
    """One alteration a field in full size; all of them are tried on the argument itself."""
    alterations = list(altered(SECOND.proof, POINTS))
    for proof in (*alterations[2::9], *misshapen(SECOND.proof)):
        refused(proof=proof)


def test_other_decks_are_refused() -> None:
    pairs = SECOND.deck.pairs
    refused(after=Deck((pairs[1], pairs[0], *pairs[2:])))
    refused(after=Deck((pairs[0], pairs[0], *pairs[2:])))
    refused(after=Deck(((pairs[0][0], pairs[0][1] + STRANGER), *pairs[1:])))
    refused(after=FIRST.deck)
    refused(after=THIRD.deck)
    refused(before=open_deck(DEAL.key))
    refused(before=SECOND.deck, after=FIRST.deck)
    refused(key=STRANGER)


def test_a_moved_shuffle_is_refused() -> None:
    refused(seat=0)
    refused(context=replace(DEAL.context, deal=2))
    refused(context=replace(DEAL.context, root=b"x" * 32))
    refused(context=replace(DEAL.context, version=2))
    refused(context=replace(DEAL.context, seats=(0, 1)))


def test_no_decoded_deck_can_hold_a_reused_pair() -> None:
    """A seat that copies a pair of the last hand's deck proves nothing."""
    old = make_deal("old", (0, 1, 2), deal=1)
    refused(after=Deck((old.deck.pairs[0], *SECOND.deck.pairs[1:])))


def broken(deal: Deal, at: int) -> list[Shuffled]:
    """The chain with an altered response in the proof of one link."""
    chain = list(deal.chain)
    proof = bytearray(chain[at].proof)
    proof[-32] ^= 1
    chain[at] = replace(chain[at], proof=bytes(proof))
    return chain


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_broken_chain_names_the_seat(at: int) -> None:
    with pytest.raises(DeckFault) as caught:
        check_shuffles(DEAL.context, DEAL.key, broken(DEAL, at))
    assert caught.value.seat == at


def test_a_malformed_proof_in_a_chain_names_the_seat() -> None:
    chain = [FIRST, replace(SECOND, proof=SECOND.proof[:-1]), THIRD]
    with pytest.raises(DeckFault) as caught:
        check_shuffles(DEAL.context, DEAL.key, chain)
    assert caught.value.seat == 1


def test_a_chain_starts_from_the_open_deck() -> None:
    check_shuffles(DEAL.context, DEAL.key, DEAL.chain[:1])
    with pytest.raises(DeckFault) as caught:
        check_shuffles(DEAL.context, DEAL.key, DEAL.chain[1:])
    assert caught.value.seat == 1
    with pytest.raises(DeckFault) as caught:
        check_shuffles(DEAL.context, DEAL.key, [FIRST, THIRD])
    assert caught.value.seat == 2


def shifted(seat: int, before: Deck, sign: int) -> Shuffled:
    """A shuffle whose commitment C_1 is off by a known point."""
    rng = seeded(f"shifted {seat}")
    place = Challenge(DEAL.context, seat, b"", b"shifted")
    prepared = shuffle_prover.prepare(place, DEAL.key, TILES, rng)
    masks = prepared.masks
    prepared.masks = replace(masks, crossed=masks.crossed + sign * STRANGER)
    after = Deck(tuple(shuffle_prover.apply(before.pairs, prepared)))
    statement = Statement(DEAL.key, before.pairs, after.pairs)
    challenge = shuffle_challenge(DEAL.context, seat)
    proof = shuffle_prover.prove(challenge, statement, prepared, rng)
    return Shuffled(seat, after, proof.to_bytes())


def test_errors_that_cancel_over_two_seats_name_the_first() -> None:
    one = shifted(0, open_deck(DEAL.key), 1)
    two = shifted(1, one.deck, -1)
    with pytest.raises(DeckFault) as caught:
        check_shuffles(DEAL.context, DEAL.key, [one, two])
    assert caught.value.seat == 0


def test_a_deck_keeps_its_size() -> None:
    assert len(THIRD.deck.pairs) == TILES
