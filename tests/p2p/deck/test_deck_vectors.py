"""The deck's own vectors: regenerated to the byte, accepted, and the failures refused."""

from __future__ import annotations

import json

import pytest
from make_vectors import FILE, SEED, Json, text

from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import DecodeError
from p2p.deck.errors import DeckFault
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import DealSecret, KeyOpening, check_final_opening, check_key_opening
from p2p.deck.pairs import Deck, deck_key, open_deck
from p2p.deck.shares import check_shares
from p2p.deck.shuffles import Shuffled, check_shuffle, check_shuffles
from p2p.deck.unplayable import check_unplayable

VECTORS: Json = json.loads(FILE.read_text())
CONTEXT = DealContext(
    VECTORS["context"]["version"],
    bytes.fromhex(VECTORS["context"]["root"]),
    VECTORS["context"]["deal"],
    tuple(VECTORS["context"]["seats"]),
)
OPENINGS = {
    entry["seat"]: KeyOpening.from_bytes(bytes.fromhex(entry["opening"]))
    for entry in VECTORS["keys"]
}
KEYS = {seat: opening.key for seat, opening in OPENINGS.items()}
CHAIN = [
    Shuffled(
        entry["seat"], Deck.from_bytes(bytes.fromhex(entry["deck"])), bytes.fromhex(entry["proof"])
    )
    for entry in VECTORS["shuffles"]
]
DECK = CHAIN[-1].deck


def dealt() -> HiddenDeck:
    """The slots of seat 0 with the shares of seat 1, from the published secret."""
    secret = DealSecret.from_bytes(bytes.fromhex(VECTORS["keys"][1]["secret"]))
    shares = {slot: secret.key * DECK.pairs[slot][0] for slot in range(9)}
    return HiddenDeck(KEYS, DECK).add_shares(1, shares)


def check(kind: str, data: bytes) -> None:
    """Check data in place of the vector of that kind."""
    if kind == "opening":
        KeyOpening.from_bytes(data)
        return
    if kind == "deck":
        Deck.from_bytes(data)
        return
    if kind == "shuffle":
        start = open_deck(deck_key(KEYS))
        check_shuffle(CONTEXT, CHAIN[0].seat, deck_key(KEYS), start, CHAIN[0].deck, data)
        return
    vector = VECTORS[kind]
    seat, step, slots = vector["seat"], bytes.fromhex(vector["step"]), vector["slots"]
    if kind == "shares":
        check_shares(CONTEXT, seat, step, KEYS[seat], DECK, slots, data)
    else:
        check_unplayable(CONTEXT, seat, step, dealt(), slots, vector["candidates"], data)


def test_the_file_is_regenerated_to_the_byte() -> None:
    assert VECTORS["seed"] == SEED
    assert FILE.read_text() == text()


def test_keys_and_openings_are_accepted() -> None:
    secrets = {}
    for entry in VECTORS["keys"]:
        seat, opening = entry["seat"], OPENINGS[entry["seat"]]
        check_key_opening(CONTEXT, seat, bytes.fromhex(entry["commitment"]), opening)
        final = bytes.fromhex(entry["final_opening"])
        secrets[seat], _ = check_final_opening(CONTEXT, seat, opening, final)
    assert deck_key(KEYS).raw.hex() == VECTORS["deck_key"]
    assert open_all(HiddenDeck(KEYS, DECK), secrets) == VECTORS["tiles"]


def test_the_chain_is_accepted() -> None:
    check_shuffles(CONTEXT, deck_key(KEYS), CHAIN)


@pytest.mark.parametrize("kind", ["shares", "unplayable"])
def test_messages_are_accepted(kind: str) -> None:
    check(kind, bytes.fromhex(VECTORS[kind]["data"]))


@pytest.mark.parametrize(
    "failure", VECTORS["refused"], ids=lambda failure: f"{failure['kind']}: {failure['comment']}"
)
def test_failures_are_refused(failure: Json) -> None:
    with pytest.raises((DeckFault, DecodeError)):
        check(failure["kind"], bytes.fromhex(failure["data"]))
