"""A hidden deck of 28 tiles for any number of seats, as pure steps.

Every step takes its state, its input and its randomness and returns values; bytes on the wire are
bytes here. It knows no rules of the game and no network. The order of one deal: commitments, key
openings, shuffles in turn, shares, proofs during play, final openings.
"""

from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import Point
from p2p.crypto.randomness import RandomBytes
from p2p.deck.errors import DeckFault
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import (
    DealSecret,
    KeyOpening,
    check_final_opening,
    check_key_opening,
    commitment,
    final_opening,
    lot,
    open_key,
)
from p2p.deck.pairs import DECK_BYTES, TILES, Deck, deck_key, open_deck
from p2p.deck.shares import check_shares, make_shares
from p2p.deck.shuffles import (
    Shuffled,
    check_shuffle,
    check_shuffles,
    make_shuffle,
)
from p2p.deck.unplayable import check_unplayable, make_unplayable

__all__ = [
    "DECK_BYTES",
    "TILES",
    "DealContext",
    "DealSecret",
    "Deck",
    "DeckFault",
    "DecodeError",
    "HiddenDeck",
    "KeyOpening",
    "Misuse",
    "Point",
    "RandomBytes",
    "Shuffled",
    "check_final_opening",
    "check_key_opening",
    "check_shares",
    "check_shuffle",
    "check_shuffles",
    "check_unplayable",
    "commitment",
    "deck_key",
    "final_opening",
    "lot",
    "make_shares",
    "make_shuffle",
    "make_unplayable",
    "open_all",
    "open_deck",
    "open_key",
]
