"""The hidden deck against deck.json and the vectors of RFC 9496."""

import functools
from typing import Any

import pytest

from second.deck import keys, shares, shuffle, shuffling, unplayable
from second.deck.challenge import Place
from second.deck.group import (
    base_h,
    base_k,
    base_k_prime,
    multiply,
    point,
    scalar_bytes,
    subtract,
    tile_of,
    tile_point,
    times_base,
)
from second.deck.keys import Opening
from second.deck.shuffle import Deck, Pair
from second.refusing import RefusedError
from second.vectors import vectors

H = bytes.fromhex
DATA: Any = vectors("deck")


def place(seat: int) -> Place:
    """A seat of the deal; `version` is the challenge's."""
    c = DATA["context"]
    return Place(H(c["root"]), c["deal"], tuple(c["seats"]), seat, c["version"])


@functools.cache
def openings() -> tuple[Opening, ...]:
    """What both seats open."""
    return tuple(
        keys.check_opening(place(one["seat"]), H(one["opening"]), H(one["commitment"]))
        for one in DATA["keys"]
    )


def secrets() -> list[int]:
    """Both x."""
    return [int.from_bytes(H(one["final_opening"])[:32], "little") for one in DATA["keys"]]


def dealt() -> Deck:
    """The deck after both shuffles."""
    return shuffle.deck_of(H(DATA["shuffles"][-1]["deck"]))


def statement() -> tuple[dict[int, Pair], list[int]]:
    """What the unplayable proof is about."""
    deck, one = dealt(), DATA["unplayable"]
    pairs = {
        slot: (deck[slot][0], subtract(deck[slot][1], multiply(secrets()[1], deck[slot][0])))
        for slot in one["slots"]
    }
    return pairs, one["candidates"]


def test_points_and_bases_are_those_of_the_vectors() -> None:
    """Tile points, bases, and multiples of the base point."""
    assert [tile_point(tile).hex() for tile in range(28)] == DATA["tile_points"]
    for name, base in (("H", base_h), ("K", base_k), ("K'", base_k_prime)):
        expected = DATA["bases"][name]
        assert [base(i).hex() for i in range(1, len(expected) + 1)] == expected
    for number, expected in enumerate(vectors("rfc9496")["multiples_of_generator"]):
        assert times_base(number).hex() == expected


@pytest.mark.parametrize("kind", vectors("rfc9496")["bad_encodings"])
def test_a_bad_encoding_is_no_point(kind: str) -> None:
    """Whatever the library says to it."""
    for data in vectors("rfc9496")["bad_encodings"][kind]:
        with pytest.raises(RefusedError):
            point(H(data))


def test_a_deal_goes_as_in_the_vectors() -> None:
    """Openings, both shuffles, shares, an unplayable proof, the tiles, the lot."""
    for one, opening in zip(DATA["keys"], openings(), strict=True):
        keys.check_final(place(one["seat"]), H(one["final_opening"]), opening)
    key = keys.deck_key([opening.key for opening in openings()])
    deck = shuffle.open_deck(key)
    assert (key.hex(), shuffle.deck_bytes(deck).hex()) == (DATA["deck_key"], DATA["open_deck"])
    for one in DATA["shuffles"]:
        after = shuffle.deck_of(H(one["deck"]))
        shuffle.check(place(one["seat"]), key, deck, after, H(one["proof"]))
        deck = after
    one = DATA["shares"]
    firsts = {slot: deck[slot][0] for slot in one["slots"]}
    shares.check(place(0), H(one["step"]), openings()[0].key, firsts, H(one["data"]))
    one = DATA["unplayable"]
    unplayable.check(place(0), H(one["step"]), openings()[0].key, statement(), H(one["data"]))
    x = sum(secrets())
    assert [tile_of(subtract(b, multiply(x, a))) for a, b in deck] == DATA["tiles"]
    coins = [opening.coin for opening in openings()]
    assert [coin.hex() for coin in coins] == DATA["lot"]["coins"]
    assert str(keys.lot(place(0), DATA["lot"]["label"], coins)) == DATA["lot"]["number"]


def text(data: str) -> str:
    """Text in hexadecimal."""
    return H(data).decode()


@pytest.mark.parametrize("one", DATA["challenges"], ids=lambda one: str(len(one["items"])))
def test_the_challenge_object(one: Any) -> None:
    """Weights, and then a scalar, behind the absorbed items."""
    challenge = place(one["seat"]).begin(text(one["proof"]), H(one["step"]))
    for item in one["items"]:
        challenge.absorb(item["label"], H(item["data"]))
    assert challenge.weights("weights", 5) == [1, *one["weights"]]
    assert scalar_bytes(challenge.scalar("c")).hex() == one["scalar"]


def judge(kind: str, data: bytes) -> None:
    """Check a message of deck.json in its place."""
    deck, key = dealt(), openings()[0].key
    if kind == "shares":
        firsts = {slot: deck[slot][0] for slot in DATA["shares"]["slots"]}
        shares.check(place(0), H(DATA["shares"]["step"]), key, firsts, data)
    elif kind == "opening":
        keys.check_opening(place(0), data, keys.commitment_of(place(0), data))
    elif kind == "deck":
        shuffle.deck_of(data)
    elif kind == "shuffle":
        together = keys.deck_key([opening.key for opening in openings()])
        after = shuffle.deck_of(H(DATA["shuffles"][0]["deck"]))
        shuffle.check(place(0), together, shuffle.open_deck(together), after, data)
    else:
        assert kind == "unplayable"
        unplayable.check(place(0), H(DATA["unplayable"]["step"]), key, statement(), data)


@pytest.mark.parametrize("one", DATA["refused"], ids=lambda one: f"{one['kind']} {one['comment']}")
def test_what_has_one_failure_is_refused(one: dict[str, str]) -> None:
    """Each message with one thing wrong."""
    with pytest.raises(RefusedError):
        judge(one["kind"], H(one["data"]))


def test_own_proofs_are_taken_in_their_place_alone() -> None:
    """Each proof that this side makes, and the same one under another step or seat."""
    x, key = secrets()[0], openings()[0].key
    firsts = {slot: dealt()[slot][0] for slot in (1, 5)}
    data = shares.prove(place(0), b"0/9/deal", x, firsts)
    shares.check(place(0), b"0/9/deal", key, firsts, data)
    pairs, candidates = statement()
    tiles = [DATA["tiles"][slot] for slot in pairs]
    proof = unplayable.prove(place(0), b"0/9/pass", x, (pairs, candidates), tiles)
    unplayable.check(place(0), b"0/9/pass", key, (pairs, candidates), proof)
    together = keys.deck_key([opening.key for opening in openings()])
    deck, shuffled = shuffling.make(place(1), together, dealt())
    after = shuffle.deck_of(deck)
    shuffle.check(place(1), together, dealt(), after, shuffled)
    with pytest.raises(RefusedError):
        shares.check(place(0), b"0/9/play", key, firsts, data)
    with pytest.raises(RefusedError):
        unplayable.check(place(0), b"0/9/draw", key, (pairs, candidates), proof)
    with pytest.raises(RefusedError):
        shuffle.check(place(0), together, dealt(), after, shuffled)
