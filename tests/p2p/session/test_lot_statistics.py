"""Lots that a seat cannot turn: who starts a hand, and who sits where.

One seat is honest. Another picks what it gives after it has seen all that the protocol has shown it
by then: the commitments of the honest seat. The same seat without that bond, and a lot that is
divided unevenly, show that the counts would tell.

`ALLFIVES_LOTS=10000 pytest tests/p2p/session/test_lot_statistics.py` is the full size, a minute or
two; -s shows how likely each count is.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations, product

import pytest
from support.chances import IMPOSSIBLE, even, plausible
from support.session.tables import rules_for, seeded

from engine.match import Match
from p2p.crypto.challenge import DealContext
from p2p.deck.keys import DealSecret, commitment, lot
from p2p.session.state.table import Person, Table, nonce_commitment
from p2p.session.steps.deal import FIRST_LOT, NEXT_LOT
from p2p.wire.envelope import VERSION

FULL_LOTS = int(os.environ.get("ALLFIVES_LOTS", "0"))
LOTS = FULL_LOTS or 1000
# What a seat tries before it binds itself; it has some seconds.
TRIES = 8

Starters = Callable[[DealContext, bytes, list[bytes]], int]
"""The seat that starts, by the coins of all seats and the label of the lot."""


@cache
def match_of(players: int) -> Match:
    return Match(rules_for(players), players)


def starter(context: DealContext, label: bytes, coins: list[bytes]) -> int:
    """As the game finds it."""
    return match_of(len(context.seats)).lot_seat(lot(context, label, coins))


def uneven(context: DealContext, label: bytes, coins: list[bytes]) -> int:
    """Two bits of it, over three seats."""
    return lot(context, label, coins) % 4 % len(context.seats)


def coins_of(context: DealContext, first: bytes, own: bytes) -> list[bytes]:
    """The coins by seat; the seats between the honest one and the one that picks give the same."""
    return [first, *[bytes(32)] * (len(context.seats) - 2), own]


def picked(
    starts: Starters, context: DealContext, label: bytes, known: bytes, tries: Sequence[bytes]
) -> bytes:
    """The coin by which the last seat would start if what is known of the first were its coin."""
    last = context.seats[-1]
    coins = (own for own in tries if starts(context, label, coins_of(context, known, own)) == last)
    return next(coins, tries[-1])


def starters(players: int, starts: Starters = starter, bound: bool = True) -> list[tuple[int, int]]:
    """Who starts the first hand and the next in so many deals. Seat 0 is honest, the last picks its
    coins. `bound`: it has seen the commitment of seat 0 by then, and not its coins."""
    rng, found = seeded(f"lots {players}"), []
    for deal in range(1, LOTS + 1):
        context = DealContext(VERSION, bytes(32), deal, tuple(range(players)))
        honest = DealSecret.make(context, 0, rng)
        seen, tries = commitment(context, 0, honest), [rng(32) for _ in range(TRIES)]
        turned = []
        for label, coin in ((FIRST_LOT, honest.first_coin), (NEXT_LOT, honest.second_coin)):
            own = picked(starts, context, label, seen if bound else coin, tries)
            turned.append(starts(context, label, coins_of(context, coin, own)))
        found.append((turned[0], turned[1]))
    return found


def check(what: str, counts: Counter[object], kinds: Sequence[object]) -> None:
    """Chance may well give it: of these kinds all are equally likely. Shown with pytest -s."""
    likelihood = even([counts[one] for one in kinds])
    print(f"{what}: {likelihood:.4f}")
    assert counts.total() == LOTS
    assert plausible(likelihood), what


@pytest.mark.parametrize("players", [2, 3, 4] if FULL_LOTS else [3])
def test_who_starts_cannot_be_chosen_by_who_has_seen_the_commitments(players: int) -> None:
    found = starters(players)
    check("first hand", Counter(first for first, _ in found), range(players))
    check("next hand", Counter(second for _, second in found), range(players))
    check("both", Counter(found), list(product(range(players), repeat=2)))


def test_a_coin_chosen_with_the_others_in_view_and_an_uneven_lot_are_noticed() -> None:
    unbound = Counter(first for first, _ in starters(3, bound=False))
    assert even([unbound[seat] for seat in range(3)]) < IMPOSSIBLE
    divided = Counter(first for first, _ in starters(3, uneven))
    assert even([divided[seat] for seat in range(3)]) < IMPOSSIBLE


NAMES = ("Ana", "Ben", "Cem", "Eve")


def names_of(players: int) -> tuple[str, ...]:
    return (*NAMES[: players - 1], NAMES[-1])


def order(keys: Sequence[bytes], first: bytes, own: bytes) -> tuple[str, ...]:
    """The names in seat order, by the nonces of the first and the last; others have the same."""
    players = len(keys)
    nonces = (first, *[bytes(32)] * (players - 2), own)
    people = tuple(map(Person, keys, names_of(players), nonces))
    return tuple(one.name for one in Table.seat_people(match_of(players).rules, people).people)


def seated(players: int, bound: bool = True) -> list[tuple[str, ...]]:
    """The names in seat order of so many tables. Ana is honest, Eve picks its nonce so that it sits
    first. `bound`: as for coins."""
    rng, orders = seeded(f"seats {players}"), []
    for number in range(LOTS):
        keys = [rng(32) for _ in range(players)]
        draw, nonce = number.to_bytes(4, "big"), rng(32)
        known = nonce_commitment(draw, keys[0], nonce) if bound else nonce
        tries = [rng(32) for _ in range(TRIES)]
        wins = (own for own in tries if order(keys, known, own)[0] == NAMES[-1])
        orders.append(order(keys, nonce, next(wins, tries[-1])))
    return orders


@pytest.mark.parametrize("players", [2, 3, 4] if FULL_LOTS else [3])
def test_who_sits_where_cannot_be_chosen_by_who_has_seen_the_commitments(players: int) -> None:
    check("seats", Counter(seated(players)), list(permutations(names_of(players))))


def test_a_nonce_chosen_with_the_others_in_view_is_noticed() -> None:
    orders = Counter(seated(3, bound=False))
    assert even([orders[one] for one in permutations(names_of(3))]) < IMPOSSIBLE
