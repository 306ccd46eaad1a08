"""What can be read from a dealt deck, by whom and when."""

from __future__ import annotations

import pytest
from support.session.deck_table import deal_out, give_shares, make_deal
from support.session.tampering import STRANGER

from p2p.crypto.errors import Misuse
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import check_final_opening, final_opening


@pytest.mark.parametrize("seats", [(0, 1), (0, 2, 3), (0, 1, 2, 3)])
def test_a_whole_deal(seats: tuple[int, ...]) -> None:
    deal = make_deal(f"whole {seats}", seats)
    hidden = deal_out(deal, 5)
    hands = {
        seat: [hidden.own_tile(5 * at + slot, deal.secrets[seat]) for slot in range(5)]
        for at, seat in enumerate(seats)
    }
    opened = open_all(hidden, {seat: deal.secrets[seat].key for seat in seats})
    assert sorted(opened) == list(range(28))
    for at, seat in enumerate(seats):
        assert opened[5 * at : 5 * at + 5] == hands[seat]
    played = give_shares(deal, hidden, seats[0], [3])
    assert played.tile_of(3) == hands[seats[0]][3]
    assert played.own_tile(3, deal.secrets[seats[0]]) == hands[seats[0]][3]


DEAL = make_deal("hidden", (0, 1, 2))
HIDDEN = deal_out(DEAL, 5)


def test_a_state_is_not_changed_by_the_next() -> None:
    assert HIDDEN.missing(0) == (0,)
    after = give_shares(DEAL, HIDDEN, 0, [0])
    assert HIDDEN.missing(0) == (0,)
    assert after.missing(0) == ()
    assert after.missing(20) == (0, 1, 2)


def test_nobody_else_can_read_a_slot() -> None:
    """Slot 0 is seat 0's: the others' secrets together do not open it, nor an undealt one."""
    for seat in (1, 2):
        with pytest.raises(Misuse):
            HIDDEN.own_tile(0, DEAL.secrets[seat])
    with pytest.raises(Misuse, match="missing"):
        HIDDEN.tile_of(0)
    for slot in (20, 27):
        with pytest.raises(Misuse, match="missing"):
            HIDDEN.own_tile(slot, DEAL.secrets[0])
        with pytest.raises(Misuse, match="missing"):
            HIDDEN.without_others(slot, 0)


def test_the_others_together_cannot_open_the_deck() -> None:
    keys = {seat: DEAL.secrets[seat].key for seat in (1, 2)}
    with pytest.raises(Misuse, match="all seats"):
        open_all(HIDDEN, keys)
    with pytest.raises(Misuse, match="no tile"):
        open_all(HIDDEN, {**keys, 0: 1})


def test_a_value_outside_the_table_blames_nobody() -> None:
    wrong = HIDDEN.add_shares(0, {0: STRANGER})
    with pytest.raises(Misuse, match="no tile"):
        wrong.tile_of(0)


def test_shares_of_a_foreign_seat_are_our_mistake() -> None:
    with pytest.raises(Misuse, match="no key"):
        HIDDEN.add_shares(3, {0: STRANGER})


def test_a_deck_with_a_tile_twice_is_found_at_the_end() -> None:
    pairs = DEAL.deck.pairs
    doubled = HiddenDeck(HIDDEN.keys, type(DEAL.deck)((pairs[1], *pairs[1:])))
    with pytest.raises(Misuse, match="once"):
        open_all(doubled, {seat: secret.key for seat, secret in DEAL.secrets.items()})


def test_final_openings_open_the_deck() -> None:
    keys = {
        seat: check_final_opening(
            DEAL.context, seat, DEAL.openings[seat], final_opening(DEAL.secrets[seat])
        )[0]
        for seat in (0, 1, 2)
    }
    assert sorted(open_all(HIDDEN, keys)) == list(range(28))
