"""What is left to a sum is refused and taken as one by one, and an open hand costs no more than it
must. Whole records are compared in tests/p2p/session/test_joint_verdicts.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from support.session.deck_table import Deal, give_shares, make_deal, seeded
from support.session.tampering import STRANGER, altered, misshapen

from p2p.crypto import share
from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point, Q, combine, encode_scalar, multiply_base, pack
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.crypto.shuffle import POINTS
from p2p.deck.checks import Checks
from p2p.deck.errors import DeckFault
from p2p.deck.hidden import HiddenDeck
from p2p.deck.joint import JointChecks, OpenedKeys, Unsettled
from p2p.deck.keys import commitment_to, final_opening
from p2p.deck.pairs import open_deck
from p2p.deck.shares import bases_of, make_shares, shares_challenge
from p2p.deck.unplayable import make_unplayable

SEATS = (0, 1, 2)
DEAL, NEXT = make_deal("joint", SEATS), make_deal("joint next", SEATS, deal=2)
DEALT = {seat: [slot for slot in range(15) if slot // 5 != seat] for seat in SEATS}


def keys_of(*deals: Deal) -> OpenedKeys:
    """The secrets of these deals, as a record opens them."""
    return OpenedKeys(
        encode_scalar(deal.secrets[seat].key) for deal in deals for seat in deal.context.seats
    )


def checking(*opened: Deal) -> JointChecks:
    """The checks of a record in which these deals are opened."""
    return JointChecks(JointSum(b"file", bytes(FRESH_BYTES)), keys_of(*opened))


def checking_again(*opened: Deal, trusted: int) -> JointChecks:
    """The same after a sum failed."""
    return JointChecks(None, keys_of(*opened), trusted)


def shared(deal: Deal, seat: int, slots: Sequence[int]) -> bytes:
    """The shares of these slots, proven."""
    secret, rng = deal.secrets[seat], seeded(f"{seat} {slots}")
    return make_shares(deal.context, seat, b"deal", secret, deal.deck, slots, rng)


def hidden_of(deal: Deal) -> HiddenDeck:
    """The deal with everybody's shares for the others' five tiles."""
    hidden = deal.hidden
    for seat in SEATS:
        hidden = give_shares(deal, hidden, seat, DEALT[seat])
    return hidden


HIDDEN = hidden_of(DEAL)
SLOTS = [0, 2]
TILES = sorted({HIDDEN.own_tile(slot, DEAL.secrets[0]) for slot in SLOTS} | {3, 9, 20})
UNPLAYABLE = make_unplayable(
    DEAL.context, 0, b"draw", DEAL.secrets[0], HIDDEN, SLOTS, TILES, seeded("unplayable")
)

Said = Callable[[Checks, bytes], object]


def key_said(checks: Checks, data: bytes) -> None:
    """The opened key of seat 1, with this proof."""
    opening = replace(DEAL.openings[1], proof=data)
    committed = commitment_to(DEAL.context, 1, opening)
    checks.key_opening(DEAL.context, 1, committed, opening)


def shuffle_said(checks: Checks, data: bytes) -> None:
    """The shuffle of seat 0, with this proof."""
    after = DEAL.chain[0].deck
    checks.shuffle(DEAL.context, 0, DEAL.key, open_deck(DEAL.key), after, data)


def share_said(checks: Checks, data: bytes) -> object:
    """One share of seat 2."""
    key = DEAL.openings[2].key
    return checks.shares(DEAL.context, 2, b"deal", key, DEAL.deck, [4], data)


def shares_said(checks: Checks, data: bytes) -> object:
    """The ten shares of seat 2 that deal the others' tiles."""
    key = DEAL.openings[2].key
    return checks.shares(DEAL.context, 2, b"deal", key, DEAL.deck, DEALT[2], data)


def unplayable_said(checks: Checks, data: bytes) -> None:
    """The proof of two slots."""
    checks.unplayable(DEAL.context, 0, b"draw", HIDDEN, SLOTS, TILES, data)


GOOD: Mapping[Said, tuple[bytes, int]] = {
    key_said: (DEAL.openings[1].proof, 0),
    shuffle_said: (DEAL.chain[0].proof, POINTS),
    share_said: (shared(DEAL, 2, [4]), 1),
    shares_said: (shared(DEAL, 2, DEALT[2]), 10),
    unplayable_said: (UNPLAYABLE, 2 + 4 * 2),
}
ALL = pytest.mark.parametrize("said", GOOD, ids=lambda said: said.__name__)


def outcome(checks: Checks, said: Said, data: bytes) -> object:
    """What the check gives, or how it names whom."""
    try:
        return said(checks, data)
    except DeckFault as fault:
        return fault.seat, fault.what


def some(data: bytes, points: int, said: Said) -> Iterator[bytes]:
    """Alterations of a message: all of short ones, of a shuffle's fields one in nine."""
    step = 9 if said in (shuffle_said, unplayable_said, shares_said) else 1
    yield from list(altered(data, points))[::step]
    yield from misshapen(data)


@ALL
@pytest.mark.parametrize("opened", [(), (DEAL,)], ids=["closed", "opened"])
def test_every_alteration_is_refused_as_alone(said: Said, opened: tuple[Deal, ...]) -> None:
    good, points = GOOD[said]
    checks = checking(*opened)
    assert outcome(checks, said, good) == outcome(Checks(), said, good)
    checks.settle()
    for data in some(good, points, said):
        alone = outcome(Checks(), said, data)
        assert isinstance(alone, tuple), "an alteration that is none"
        checks = checking(*opened)
        if outcome(checks, said, data) != alone:
            with pytest.raises(Unsettled):
                checks.settle()
        again = checking_again(*opened, trusted=0)
        assert outcome(again, said, data) == alone


def test_a_key_that_was_not_committed_is_refused_though_its_secret_is_known() -> None:
    opening = DEAL.openings[1]
    with pytest.raises(DeckFault, match="committed"):
        checking(DEAL).key_opening(DEAL.context, 1, bytes(32), opening)


@pytest.mark.parametrize("said", [share_said, shares_said])
def test_another_number_of_shares_before_a_whole_proof_is_refused(said: Said) -> None:
    good, count = GOOD[said]
    shares, proof = good[: 32 * count], good[32 * count :]
    for data in (shares[32:] + proof, shares + shares[:32] + proof, proof):
        alone = outcome(Checks(), said, data)
        assert isinstance(alone, tuple)
        assert outcome(checking(DEAL), said, data) == alone


@pytest.mark.parametrize("opened", [(), (DEAL,)], ids=["closed", "opened"])
def test_a_proof_of_no_slot_or_of_no_candidate(opened: tuple[Deal, ...]) -> None:
    checks = checking(*opened)
    place = DEAL.context, 0, b"draw", HIDDEN
    checks.unplayable(*place, [], TILES, b"")
    with pytest.raises(DeckFault, match="no slot is due"):
        checks.unplayable(*place, [], TILES, UNPLAYABLE)
    with pytest.raises(DeckFault, match="no tile is left"):
        checks.unplayable(*place, SLOTS, [], UNPLAYABLE)


def play(checks: JointChecks, deal: Deal, hidden: HiddenDeck) -> list[int]:
    """A whole hand goes through the checks: shuffles, shares, a proof, and all is opened."""
    before = open_deck(deal.key)
    for link in deal.chain:
        checks.shuffle(deal.context, link.seat, deal.key, before, link.deck, link.proof)
        before = link.deck
    for seat in SEATS:
        key, data = deal.openings[seat].key, shared(deal, seat, DEALT[seat])
        checks.shares(deal.context, seat, b"deal", key, deal.deck, DEALT[seat], data)
    unplayable_said(checks, UNPLAYABLE)
    return checks.open_all(hidden, {seat: deal.secrets[seat].key for seat in SEATS}, {}, ())


def points_left(checks: JointChecks) -> frozenset[Point]:
    """What the sum would multiply now."""
    assert checks._joint is not None
    return checks._joint.relation.points()


def test_an_open_hand_leaves_no_second_component_and_no_key_to_multiply() -> None:
    checks = checking(DEAL)
    tiles = play(checks, DEAL, HIDDEN)
    assert sorted(tiles) == list(range(28))
    left = points_left(checks)
    assert left.isdisjoint(second for _, second in DEAL.deck.pairs)
    assert left.isdisjoint(second for _, second in open_deck(DEAL.key).pairs)
    assert left.isdisjoint(HIDDEN.without_others(slot, 0) for slot in SLOTS)
    assert left.isdisjoint({DEAL.key, *(opening.key for opening in DEAL.openings.values())})
    assert left >= {first for first, _ in DEAL.deck.pairs}
    checks.settle()
    assert not points_left(checks)


def test_a_sum_that_is_settled_before_the_keys_are_opened_holds_as_well() -> None:
    checks = checking(DEAL)
    shuffle_said(checks, DEAL.chain[0].proof)
    unplayable_said(checks, UNPLAYABLE)
    checks.settle()
    assert checks.settled == 2


def shifted(sign: int, seat: int) -> bytes:
    """A share of slot 4 off by a point, behind nine true ones, in a message of this seat that
    makes the commitment from its shares: only the sum can tell."""
    secret, slots = DEAL.secrets[seat], DEALT[seat]
    bases, nonce = bases_of(DEAL.deck, slots), 1234
    shares = [secret.key * base for base in bases]
    shares[0] += sign * STRANGER
    challenge = shares_challenge(DEAL.context, seat, b"deal", slots)
    weights = share._absorb(challenge, secret.public, bases, shares)
    factor = nonce * pow(secret.key, -1, Q)
    challenge.points(b"R", [multiply_base(nonce)])
    challenge.points(b"R'", [combine([factor * each for each in weights], shares)])
    c = challenge.scalar(b"c")
    return b"".join(one.raw for one in shares) + pack([], [c, nonce + c * secret.key])


@pytest.mark.parametrize("signs", [(1, -1), (1, 0), (1, 1)])
def test_shares_that_cancel_over_two_seats_are_found(signs: tuple[int, int]) -> None:
    checks = checking(DEAL)
    for seat, sign in zip((1, 2), signs, strict=True):
        key = DEAL.openings[seat].key
        data = shifted(sign, seat) if sign else shared(DEAL, seat, DEALT[seat])
        checks.shares(DEAL.context, seat, b"deal", key, DEAL.deck, DEALT[seat], data)
    with pytest.raises(Unsettled):
        checks.settle()


def test_two_hands_settle_together_and_a_wrong_one_spoils_both() -> None:
    checks = checking(DEAL, NEXT)
    play(checks, DEAL, HIDDEN)
    first = NEXT.chain[0]
    claim = NEXT.context, 0, NEXT.key, open_deck(NEXT.key), first.deck
    checks.shuffle(*claim, first.proof)
    checks.settle()
    assert checks.settled == 3 + 3 + 1 + 1
    play(checks, DEAL, HIDDEN)
    checks.shuffle(*claim, first.proof[:-32] + encode_scalar(5))
    with pytest.raises(Unsettled):
        checks.settle()
    assert checks.settled == 8


def test_it_settles_after_so_many_hands() -> None:
    checks = checking(DEAL, DEAL)
    play(checks, DEAL, HIDDEN)
    checks.settle(2)
    assert checks.settled == 0
    play(checks, DEAL, HIDDEN)
    checks.settle(2)
    assert checks.settled == 14
    checks.settle(1)
    assert checks.settled == 14


def test_of_some_hands_only_the_bases_and_the_coming_deck_are_left_before_the_sum() -> None:
    checks = checking(*[DEAL] * 4, NEXT)
    for hand in range(4):
        if hand == 3:
            first = NEXT.chain[0]
            claim = NEXT.context, 0, NEXT.key, open_deck(NEXT.key), first.deck
            checks.shuffle(*claim, first.proof)
        play(checks, DEAL, HIDDEN)
        checks.settle(64)
    assert checks.settled == 0
    shuffled = [link.deck for link in (*DEAL.chain, first)]
    coming = {point for deck in shuffled for pair in deck.pairs for point in pair}
    left = points_left(checks)
    assert left >= {point for pair in first.deck.pairs for point in pair}
    # G, tiles, and the bases of both arguments; the sum of all else.
    assert len(left - coming) <= 1 + 28 + 28 + 2 * 11 + 1 + len({DEAL.key, NEXT.key})
    checks.settle()
    assert checks.settled == 4 * 7 + 1


def test_what_was_folded_may_still_be_found_false() -> None:
    checks = checking(*[DEAL] * 5)
    shuffle_said(checks, DEAL.chain[0].proof[:-32] + encode_scalar(5))
    for _ in range(4):
        play(checks, DEAL, HIDDEN)
        checks.settle(64)
    with pytest.raises(Unsettled):
        checks.settle()


def test_what_an_earlier_run_settled_is_not_checked_and_the_rest_is_at_once() -> None:
    checks = checking_again(DEAL, trusted=1)
    wrong = DEAL.chain[0].proof[:-32] + encode_scalar(5)
    shuffle_said(checks, wrong)
    with pytest.raises(DeckFault, match="shuffle"):
        shuffle_said(checks, wrong)
    assert len(play(checking_again(DEAL, trusted=0), DEAL, HIDDEN)) == 28


def test_wrong_keys_open_nothing() -> None:
    with pytest.raises(Misuse):
        checking(DEAL).open_all(HIDDEN, {0: 1, 1: 2, 2: 3}, {}, ())


def test_keys_are_found_in_the_order_in_which_they_are_opened_or_not_at_all() -> None:
    keys = OpenedKeys(iter([b"short", b"\xff" * 32, bytes(32), encode_scalar(5)]))
    assert keys.secret(STRANGER) is None
    assert keys.secret(STRANGER) is None
    opened = keys_of(DEAL, NEXT)
    for deal in (DEAL, NEXT):
        for seat in SEATS:
            assert opened.secret(deal.openings[seat].key) == deal.secrets[seat].key
    opened.forget(opening.key for opening in DEAL.openings.values())
    assert opened.secret(DEAL.openings[0].key) is None
    assert opened.secret(NEXT.openings[0].key) == NEXT.secrets[0].key


def test_a_hand_that_died_leaves_nothing_to_the_one_that_is_opened_after_it() -> None:
    fewer = make_deal("joint fewer", (1, 2), deal=2)
    checks = checking(fewer)
    # Seat 0 is put out afterwards: nobody opens this hand.
    unplayable_said(checks, UNPLAYABLE)
    keys = {seat: fewer.secrets[seat].key for seat in (1, 2)}
    tiles = checks.open_all(fewer.hidden, keys, {}, ())
    assert sorted(tiles) == list(range(28))
    checks.settle()


@pytest.mark.parametrize("opened", [(DEAL,), ()], ids=["known", "unknown"])
def test_a_final_opening_fits_key_and_coin(opened: tuple[Deal, ...]) -> None:
    secret, opening = DEAL.secrets[1], DEAL.openings[1]
    checks = checking(*opened)
    said = DEAL.context, 1, opening
    assert checks.final_opening(*said, final_opening(secret)) == (secret.key, secret.second_coin)
    for wrong in (
        encode_scalar(secret.key + 1) + secret.second_coin,
        encode_scalar(secret.key) + bytes(32),
        final_opening(secret)[:-1],
        b"\xff" * 64,
    ):
        with pytest.raises(DeckFault) as caught:
            checks.final_opening(*said, wrong)
        with pytest.raises(DeckFault, match=caught.value.what):
            Checks().final_opening(*said, wrong)
