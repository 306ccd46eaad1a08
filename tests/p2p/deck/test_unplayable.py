"""The proof that no due slot can be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.session.deck_table import deal_out, give_shares, make_deal, seeded
from support.session.tampering import altered, misshapen

from p2p.crypto import one_of_many_prover
from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import Misuse
from p2p.deck.errors import DeckFault
from p2p.deck.hidden import HiddenDeck
from p2p.deck.unplayable import (
    check_unplayable,
    make_unplayable,
    unplayable_challenge,
    unplayable_statement,
)

DEAL = make_deal("unplayable", (0, 1, 2))
HIDDEN = deal_out(DEAL, 5)
STEP = b"match/30"
HELD = [HIDDEN.own_tile(slot, DEAL.secrets[1]) for slot in range(5, 10)]
FOREIGN = next(tile for tile in range(28) if tile not in HELD)
CANDIDATES = [tile for tile in range(28) if tile != FOREIGN]
SLOTS = [5, 7, 8]


def made(slots: Sequence[int] = SLOTS, candidates: Sequence[int] = CANDIDATES) -> bytes:
    """An honest proof of seat 1."""
    secret = DEAL.secrets[1]
    place = (DEAL.context, 1, STEP, secret, HIDDEN)
    return make_unplayable(*place, slots, candidates, seeded("made"))


DATA = made()


def refused(
    data: bytes = DATA,
    slots: Sequence[int] = SLOTS,
    candidates: Sequence[int] = CANDIDATES,
    seat: int = 1,
    step: bytes = STEP,
    context: DealContext = DEAL.context,
    hidden: HiddenDeck = HIDDEN,
) -> str:
    """The check refuses and names the seat; what it says."""
    with pytest.raises(DeckFault) as caught:
        check_unplayable(context, seat, step, hidden, slots, candidates, data)
    assert caught.value.seat == seat
    return caught.value.what


@pytest.mark.parametrize("count", [1, 2, 5])
def test_true_statements_are_accepted(count: int) -> None:
    slots = [5, 6, 7, 8, 9][:count]
    tight = sorted(HELD[:count])
    for candidates in (CANDIDATES, CANDIDATES[::-1], tight):
        data = made(slots, candidates)
        check_unplayable(DEAL.context, 1, STEP, HIDDEN, slots, candidates, data)


def test_a_slot_whose_own_share_is_public_is_provable_too() -> None:
    public = give_shares(DEAL, HIDDEN, 1, [5])
    check_unplayable(DEAL.context, 1, STEP, public, SLOTS, CANDIDATES, DATA)


def test_a_seat_refuses_to_prove_a_false_statement() -> None:
    without = [tile for tile in CANDIDATES if tile != HELD[2]]
    with pytest.raises(Misuse) as caught:
        made(candidates=without)
    assert str(caught.value) == "a slot holds none of the candidates"  # neither tile nor key
    with pytest.raises(Misuse):
        made(candidates=[])


def test_a_forged_false_statement_is_refused() -> None:
    without = [tile for tile in CANDIDATES if tile != HELD[2]]
    statement = unplayable_statement(1, HIDDEN, SLOTS, without)
    challenge = unplayable_challenge(DEAL.context, 1, STEP, SLOTS)
    positions = [without.index(HELD[0]), 0, without.index(HELD[3])]
    forged = one_of_many_prover.build(
        challenge, statement, DEAL.secrets[1].key, positions, seeded("forged")
    )
    what = refused(forged.to_bytes(), candidates=without)
    assert what == "that slots 5, 7, 8 cannot be played is not proven"


def test_altered_fields_are_refused() -> None:
    points = 2 + 4 * len(SLOTS)
    alterations = list(altered(DATA, points))
    for data in (*alterations[::5], *misshapen(DATA)):
        refused(data)


def test_other_slots_and_candidates_are_refused() -> None:
    refused(slots=[5, 8, 7])
    refused(slots=[5, 7])
    refused(slots=[5, 7, 8, 9])
    refused(slots=[5, 7, 9])
    refused(candidates=CANDIDATES[:-1])
    refused(candidates=[*CANDIDATES[:-1], FOREIGN])
    refused(candidates=CANDIDATES[::-1])


def test_a_moved_proof_is_refused() -> None:
    refused(step=b"match/31")
    refused(context=replace(DEAL.context, deal=2))
    refused(context=replace(DEAL.context, version=2))
    refused(context=replace(DEAL.context, root=b"x" * 32))
    refused(context=replace(DEAL.context, seats=(0, 1)))
    everything = HIDDEN
    for seat in (0, 1, 2):
        everything = give_shares(DEAL, everything, seat, SLOTS)
    refused(seat=0, hidden=everything)


def test_no_due_slot_needs_no_bytes() -> None:
    assert made(slots=[]) == b""
    check_unplayable(DEAL.context, 1, STEP, HIDDEN, [], CANDIDATES, b"")
    assert refused(DATA, slots=[]) == "it sent a proof though no slot is due"


def test_no_candidates_leave_nothing_to_prove() -> None:
    assert "no tile is left" in refused(candidates=[])


@pytest.mark.parametrize(
    ("slots", "candidates"),
    [([5, 5], [1, 2]), ([5], [1, 1]), ([28], [1]), ([5], [28]), ([-1], [1]), ([5], [-1])],
)
def test_impossible_arguments_are_our_mistake(slots: list[int], candidates: list[int]) -> None:
    with pytest.raises(Misuse):
        check_unplayable(DEAL.context, 1, STEP, HIDDEN, slots, candidates, DATA)


def test_a_slot_without_the_others_shares_is_our_mistake() -> None:
    with pytest.raises(Misuse, match="missing"):
        check_unplayable(DEAL.context, 1, STEP, HIDDEN, [20], CANDIDATES, DATA)
