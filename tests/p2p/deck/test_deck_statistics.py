"""One honest shuffler is enough: every order is equally likely, whatever the others do.

The others keep the order, apply one of their choice, or arrange what the honest seat gives them by
all that they can see of it. What is counted: which tile came to which slot, which tiles lie beside
each other, who is dealt what. Each of these finds a bias that was planted.

`ALLFIVES_DECK_HANDS=5000 pytest tests/p2p/deck/test_deck_statistics.py` is the full size, some
minutes; -s shows how likely each count is.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from support.chances import IMPOSSIBLE, dealt, fits, plausible, tail
from support.session.deck_table import context_of, seeded
from support.session.tables import rules_for

from engine.deal import deal_slots
from engine.tiles import ALL_TILES
from p2p.crypto.challenge import Challenge
from p2p.crypto.group import Point, multiply_base
from p2p.crypto.nonces import Nonces
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle import Pair, Statement
from p2p.crypto.shuffle_prover import SECRET_BYTES, Prepared, apply, prepare, prove
from p2p.deck.pairs import TILES, Deck, open_deck, tile_index
from p2p.deck.shuffles import check_shuffle, shuffle_challenge

FULL_HANDS = int(os.environ.get("ALLFIVES_DECK_HANDS", "0"))
HANDS = FULL_HANDS or 20
OPEN_HANDS = FULL_HANDS or 2500
BIASED_HANDS = 1000
SECRET = 2026
KEY = multiply_base(SECRET)
KEPT = tuple(range(1, TILES + 1))
DOUBLES = frozenset(tile.index for tile in ALL_TILES if tile.is_double)

Pairs = Sequence[Pair]
Step = Callable[[list[Pairs], int], Pairs]
"""What one seat makes of all decks so far, the newest last, in the deal of that number."""


class Ordered(Prepared):
    """A shuffle to a given order under given factors; without masks, since nothing is proven."""

    def __init__(self, order: Sequence[int], factors: Sequence[int]) -> None:
        self.order, self.factors = order, list(factors)
        self.shifts = [(multiply_base(rho), rho * KEY) for rho in factors]


def honest_challenge(deal: int) -> Challenge:
    return Challenge(context_of(deal=deal), 0, b"", b"honest")


def honest(rng: RandomBytes) -> Step:
    """As the product shuffles: what it proves changes nothing of the deck, so no proof is made."""
    return lambda decks, deal: apply(decks[-1], prepare(honest_challenge(deal), KEY, TILES, rng))


def careless(rng: RandomBytes, factor: int) -> Step:
    """An honest order under one factor for all tiles: 0 is no re-encryption at all."""

    def step(decks: list[Pairs], deal: int) -> Pairs:
        return apply(decks[-1], Ordered(drawn_order(deal, rng), [factor] * TILES))

    return step


def arranging(rng: RandomBytes) -> Step:
    """A seat that arranges the tiles as it likes if it can tell them apart, and else by their
    bytes, as it likes it too; its re-encryption hides that."""

    def step(decks: list[Pairs], deal: int) -> Pairs:
        order = recognised(decks) or sorted(KEPT, key=lambda at: decks[-1][at - 1][1].raw)
        factors = Nonces(Challenge(context_of(deal=deal), 1, b"", b"arranging"), b"", rng)
        return apply(decks[-1], Ordered(order, factors.take(TILES)))

    return step


def recognised(decks: list[Pairs]) -> list[int] | None:
    """The order that puts the newest deck back to what it was before its last shuffle, if every
    tile of it was moved by one and the same factor; None if it was not, or is not known to be."""
    if len(decks) < 2:
        return None
    before, after = ([second for _, second in deck] for deck in decks[-2:])
    at = {point.raw: place for place, point in enumerate(before)}
    for one in before:
        shift = after[0] - one
        if (after[1] - shift).raw in at:
            places = [at[(point - shift).raw] for point in after]
            return [places.index(place) + 1 for place in range(TILES)]
    return None


def played(steps: Sequence[Step], hands: int) -> list[list[int]]:
    """The tiles by slot of so many hands that these seats shuffle in turn."""
    orders = []
    for deal in range(hands):
        decks: list[Pairs] = [open_deck(KEY).pairs]
        for step in steps:
            decks.append(step(decks, deal))
        orders.append([tile_index(second - SECRET * first) for first, second in decks[-1]])
    return orders


# Thousands of hands in a moment: the same permutations by the same `apply`, but of tiles that lie
# open. What hides them is the same for every order, so the orders come out as they do under it.


class Shown(Point):
    """A tile that lies open: what is added to it leaves it as it is."""

    def __add__(self, other: Point) -> Point:
        return self


OPEN: Pairs = [(Shown(bytes([tile])), Shown(bytes([tile]))) for tile in range(TILES)]
NOTHING = [0] * TILES
Orders = Callable[[int, RandomBytes], Sequence[int]]
"""The permutation of a seat in the deal of that number."""


def drawn_order(deal: int, rng: RandomBytes) -> list[int]:
    """The honest seat's, as `prepare` draws it."""
    challenge = honest_challenge(deal)
    challenge.points(b"deck key", [KEY])
    return Nonces(challenge, rng(SECRET_BYTES), rng).permutation(TILES)


def always(*order: int) -> Orders:
    """A seat that has one order of its choice."""
    return lambda deal, rng: order


REVERSED = always(*KEPT[::-1])
RIFFLED = always(*KEPT[::2], *KEPT[1::2])


def laid(hands: int, *seats: Orders) -> list[list[int]]:
    """The tiles by slot of so many hands that these seats bring into order in turn."""
    rng, orders = seeded("statistics"), []
    for deal in range(hands):
        pairs = OPEN
        for order in seats:
            pairs = apply(pairs, Ordered(order(deal, rng), NOTHING))
        orders.append([second.raw[0] for _, second in pairs])
    return orders


# What is counted


def by_slot(orders: list[list[int]]) -> float:
    """Which tile came to which slot."""
    return by_place(orders, [1] * TILES)


def by_place(orders: list[list[int]], sizes: Sequence[int]) -> float:
    """The same with so many slots in a row taken as one place."""
    counts = [[0] * len(sizes) for _ in range(TILES)]
    places = [place for place, size in enumerate(sizes) for _ in range(size)]
    for order in orders:
        for place, tile in zip(places, order, strict=True):
            counts[tile][place] += 1
    return dealt(counts, sizes)


def by_neighbours(orders: list[list[int]]) -> float:
    """Which tile lies behind which: of each hand one pair of slots, so that counts are independent
    of each other, and all slots in turn."""
    counts = [0] * (TILES * (TILES - 1))
    for number, order in enumerate(orders):
        one, other = order[number % (TILES - 1)], order[number % (TILES - 1) + 1]
        counts[one * (TILES - 1) + other - (other > one)] += 1
    return fits(counts, [1 / len(counts)] * len(counts))


def by_doubles(orders: list[list[int]], slots: Sequence[int]) -> float:
    """How many doubles somebody is dealt who is dealt these slots: hypergeometric."""
    size, doubles = len(slots), len(DOUBLES)
    seen = Counter(sum(order[slot] in DOUBLES for slot in slots) for order in orders)
    ways = [
        math.comb(doubles, count) * math.comb(TILES - doubles, size - count)
        for count in range(size + 1)
    ]
    # What hardly ever happens is no cell of its own.
    most = max(count for count, number in enumerate(ways) if number * 50 > sum(ways))
    counts = [*(seen[count] for count in range(most)), sum(seen[at] for at in seen if at >= most)]
    return fits(counts, [way / sum(ways) for way in (*ways[:most], sum(ways[most:]))])


def check(what: str, likelihood: float) -> None:
    """Chance may well give it. Shown with pytest -s."""
    print(f"{what}: {likelihood:.4f}")
    assert plausible(likelihood), what


@pytest.mark.parametrize(
    ("statistic", "freedom", "likelihood"),
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (29.588, 10, 0.001), (135.807, 100, 0.01)],
)
def test_the_tail_is_that_of_printed_tables(
    statistic: float, freedom: int, likelihood: float
) -> None:
    """Critical values of NIST/SEMATECH's Handbook of Statistical Methods, 1.3.6.7.4."""
    assert tail(statistic, freedom) == pytest.approx(likelihood, rel=0.07)


@pytest.mark.parametrize("order", ["ha", "ah", "ahaa"] if FULL_HANDS else ["ha", "ah"])
def test_nobody_can_arrange_what_an_honest_seat_has_shuffled(order: str) -> None:
    rng = seeded(f"statistics {order}")
    steps = {"h": honest(rng), "a": arranging(rng)}
    orders = played([steps[one] for one in order], HANDS)
    check(f"slots, {order}", by_slot(orders))
    assert recognised([OPEN]) is None


@pytest.mark.parametrize("factor", [0, 7])
def test_an_order_that_is_not_hidden_is_undone(factor: int) -> None:
    """It is the re-encryption that keeps the last seat from arranging the tiles, and the test above
    would tell."""
    rng = seeded("careless")
    assert by_slot(played([careless(rng, factor), arranging(rng)], 8)) < IMPOSSIBLE
    assert plausible(by_slot(played([careless(rng, factor)], 8)))


def test_the_orders_that_are_counted_are_those_that_are_played() -> None:
    for deal in range(2):
        order = prepare(honest_challenge(deal), KEY, TILES, seeded("same")).order
        assert order == drawn_order(deal, seeded("same"))


PLACES = [(drawn_order, RIFFLED, REVERSED), (RIFFLED, REVERSED, drawn_order)]


@pytest.mark.parametrize(
    "seats", [(REVERSED, drawn_order, RIFFLED), *(PLACES if FULL_HANDS else ())]
)
def test_every_order_is_equally_likely(seats: tuple[Orders, ...]) -> None:
    orders = laid(OPEN_HANDS, *seats)
    check("slots", by_slot(orders))
    check("neighbours", by_neighbours(orders))
    for players in (2, 3, 4):
        for size in range(1, 8):
            slots = deal_slots(rules_for(players, hand_size=str(size)), range(players))
            left = TILES - players * size
            sizes = [size] * players + [left] * (left > 0)
            check(f"tiles of {players} with {size} each", by_place(orders, sizes))
            for seat in range(players):
                doubles = by_doubles(orders, slots[seat])
                check(f"doubles of seat {seat} of {players} with {size}", doubles)


def without(skipped: int) -> Orders:
    """Fisher and Yates with one exchange left out."""

    def order(deal: int, rng: RandomBytes) -> list[int]:
        nonces, tiles = Nonces(honest_challenge(deal), b"", rng), list(KEPT)
        for at in range(TILES - 1, 0, -1):
            other = nonces.next() % (at + 1)
            if at != skipped:
                tiles[at], tiles[other] = tiles[other], tiles[at]
        return tiles

    return order


def naive(deal: int, rng: RandomBytes) -> list[int]:
    """Each tile exchanged with any: not every order is equally likely."""
    nonces, tiles = Nonces(honest_challenge(deal), b"", rng), list(KEPT)
    for at in range(TILES):
        other = nonces.next() % TILES
        tiles[at], tiles[other] = tiles[other], tiles[at]
    return tiles


def cut(deal: int, rng: RandomBytes) -> list[int]:
    """A cut, and no shuffle: every tile is equally likely in every slot."""
    at = Nonces(honest_challenge(deal), b"", rng).next() % TILES
    return [*KEPT[at:], *KEPT[:at]]


@pytest.mark.parametrize("skipped", range(1, TILES) if FULL_HANDS else [7, 14])
def test_an_exchange_that_is_left_out_is_noticed(skipped: int) -> None:
    orders = laid(FULL_HANDS or BIASED_HANDS, REVERSED, without(skipped), RIFFLED)
    assert by_slot(orders) < IMPOSSIBLE


def test_a_naive_shuffle_a_cut_and_a_stacked_hand_are_noticed() -> None:
    assert by_slot(laid(OPEN_HANDS, naive)) < IMPOSSIBLE
    cuts = laid(BIASED_HANDS, cut)
    assert plausible(by_place(cuts, [1] * TILES))
    assert by_neighbours(cuts) < IMPOSSIBLE
    assert by_doubles(cuts, range(7)) < IMPOSSIBLE


def test_an_identity_shuffler_passes_the_check() -> None:
    """It breaks no rule, so it must be harmless: that is what one honest seat is for."""
    context, rng = context_of(), seeded("lazy")
    nonces = Nonces(Challenge(context, 1, b"", b"lazy"), b"", rng)
    lazy = Prepared(KEY, KEPT, nonces)
    before = open_deck(KEY)
    after = Deck(tuple(apply(before.pairs, lazy)))
    statement = Statement(KEY, before.pairs, after.pairs)
    proof = prove(shuffle_challenge(context, 1), statement, lazy, rng)
    check_shuffle(context, 1, KEY, before, after, proof.to_bytes())
    assert [tile_index(b - SECRET * a) for a, b in after.pairs] == list(range(TILES))
