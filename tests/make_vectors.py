"""Vectors of the protocol, regenerated from published seeds.

    python tests/make_vectors.py            rewrite deck, protocol and record.json in tests/vectors
    python tests/make_vectors.py --check    exit 1 if one of them differs

Here is the hidden deck: one deal of two seats, every message of it, and messages with one failure
each. Binary values are hexadecimal. An implementation that follows the protocol accepts the
messages and refuses the failures; with the seed as its random source it also makes the same bytes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from support.places import VECTORS
from support.session import protocol_vectors, record_vectors
from support.session.deck_table import Deal, deal_out, give_shares, make_deal, seeded
from support.session.tampering import with_top_bit

from p2p.crypto.bases import product_bases, selector_bases, shuffle_bases
from p2p.crypto.challenge import Challenge
from p2p.crypto.group import G, Point, Q, encode_scalar, hash_to_point
from p2p.crypto.share import prove
from p2p.deck.hidden import HiddenDeck, open_all
from p2p.deck.keys import commitment, final_opening, lot
from p2p.deck.pairs import TILE_POINTS, open_deck
from p2p.deck.shares import make_shares, shares_challenge
from p2p.deck.unplayable import make_unplayable

SEED = "allfives deck vectors 1"
FILE = VECTORS / "deck.json"
STEP, PROOF = b"example step", b"example proof"
SHARES_STEP, PROOF_STEP = b"example deal", b"example pass"
SHARED_SLOTS, DUE_SLOTS = [9, 10, 11], [0, 4]

Json = dict[str, Any]


def challenge_vectors(deal: Deal) -> list[Json]:
    """Challenges after growing lists of items; the first challenge of an object each time."""
    found = []
    for items in ([], [("a", b"b")], [("a", b""), ("", b"a")], [("a", bytes(100))]):
        challenge = Challenge(deal.context, 1, STEP, PROOF)
        for label, data in items:
            challenge.data(label.encode(), data)
        shown = [{"label": label, "data": data.hex()} for label, data in items]
        weights = challenge.weights(b"weights", 5)
        scalar = encode_scalar(challenge.scalar(b"c")).hex()
        bound = {"seat": 1, "step": STEP.hex(), "proof": PROOF.hex()}
        found.append({**bound, "items": shown, "weights": weights[1:], "scalar": scalar})
    return found


def key_vectors(deal: Deal) -> list[Json]:
    """Secrets and messages of each seat's key."""
    return [
        {
            "seat": seat,
            "secret": secret.to_bytes().hex(),
            "commitment": commitment(deal.context, seat, secret).hex(),
            "opening": deal.openings[seat].to_bytes().hex(),
            "final_opening": final_opening(secret).hex(),
        }
        for seat, secret in deal.secrets.items()
    ]


def share_vector(deal: Deal) -> Json:
    """Seat 0's shares of three slots of seat 1."""
    place = (deal.context, 0, SHARES_STEP, deal.secrets[0], deal.deck)
    data = make_shares(*place, SHARED_SLOTS, seeded(SEED + " shares"))
    return {"seat": 0, "step": SHARES_STEP.hex(), "slots": SHARED_SLOTS, "data": data.hex()}


def unplayable_vector(deal: Deal, hidden: HiddenDeck, tiles: list[int]) -> Json:
    """Seat 0's proof that two of its slots hold none of the tiles that fit."""
    candidates = sorted({*range(18), *(tiles[slot] for slot in DUE_SLOTS)})
    place = (deal.context, 0, PROOF_STEP, deal.secrets[0], hidden)
    data = make_unplayable(*place, DUE_SLOTS, candidates, seeded(SEED + " unplayable"))
    return {
        "seat": 0,
        "step": PROOF_STEP.hex(),
        "slots": DUE_SLOTS,
        "candidates": candidates,
        "data": data.hex(),
    }


def second_encodings(deal: Deal, share: bytes, proof: bytes) -> list[tuple[str, str, str]]:
    """Points with their top bit set, which is no encoding: of the identity, of G, of the right one.

    One of the proofs is made over what it comes with, so it holds where the bit is ignored.
    """
    opening, link = deal.openings[0].to_bytes(), deal.chain[0]
    found = []
    for name, raw in (("the identity", bytes(32)), ("G", G.raw)):
        value = with_top_bit(raw)
        found += [
            ("opening", f"X is {name} with its top bit", _field(opening, 0, value)),
            ("deck", f"a is {name} with its top bit", _field(link.deck.to_bytes(), 0, value)),
            ("shares", f"a share is {name} with its top bit", _field(share, 1, value)),
            ("shuffle", f"A is {name} with its top bit", _field(link.proof, 0, value)),
            ("unplayable", f"R_1 is {name} with its top bit", _field(proof, 1, value)),
        ]
    own = "a share has its top bit, also in what is proven"
    return [*found, ("shares", own, _second_share(deal).hex())]


def _second_share(deal: Deal) -> bytes:
    secret, bases = deal.secrets[0], [deal.deck.pairs[slot][0] for slot in SHARED_SLOTS]
    first, *rest = [secret.key * base for base in bases]
    shares = [Point(with_top_bit(first.raw)), *rest]
    challenge = shares_challenge(deal.context, 0, SHARES_STEP, SHARED_SLOTS)
    proof = prove(challenge, secret.key, secret.public, bases, shares, seeded(SEED + " second"))
    return b"".join(point.raw for point in shares) + proof


def _field(data: bytes, at: int, value: bytes) -> str:
    return (data[: 32 * at] + value + data[32 * (at + 1) :]).hex()


def refused_vectors(shares: Json, unplayable: Json, deal: Deal) -> list[Json]:
    """One failure each; `kind` says which of the vectors above the data stands in for."""
    share, proof = bytes.fromhex(shares["data"]), bytes.fromhex(unplayable["data"])
    shuffle = deal.chain[0].proof
    stranger = hash_to_point(b"stranger").raw
    z = int.from_bytes(share[-32:], "little")
    last = int.from_bytes(shuffle[-32:], "little")
    cases = [
        ("shares", "a share is the identity", _field(share, 0, bytes(32))),
        ("shares", "a share is no point", _field(share, 0, b"\xff" * 32)),
        ("shares", "a share is another point", _field(share, 1, stranger)),
        ("shares", "a scalar is not below the order", share[:-32].hex() + _big(z)),
        ("shares", "a share is missing", share[32:].hex()),
        ("shares", "two shares are exchanged", (share[32:64] + share[:32] + share[64:]).hex()),
        ("shuffle", "u is one more", shuffle[:-32].hex() + encode_scalar(last + 1).hex()),
        ("shuffle", "u is not below the order", shuffle[:-32].hex() + _big(last)),
        ("shuffle", "A is the identity", _field(shuffle, 0, bytes(32))),
        ("shuffle", "E is another pair", _field(shuffle, 6, stranger)),
        ("shuffle", "a byte is missing", shuffle[:-1].hex()),
        ("unplayable", "R_0 is another point", _field(proof, 0, stranger)),
        ("unplayable", "z is zero", _field(proof, len(proof) // 32 - 1, bytes(32))),
        ("unplayable", "a byte too many", proof.hex() + "00"),
        *second_encodings(deal, share, proof),
    ]
    return [{"kind": kind, "comment": comment, "data": data} for kind, comment, data in cases]


def _big(scalar: int) -> str:
    return (scalar + Q).to_bytes(32, "little").hex()


def vectors() -> Json:
    """The whole file as a value."""
    deal = make_deal(SEED)
    hidden = deal_out(deal, 9)
    tiles = open_all(hidden, {seat: secret.key for seat, secret in deal.secrets.items()})
    hidden = give_shares(deal, hidden, 1, [18])
    shares, unplayable = share_vector(deal), unplayable_vector(deal, hidden, tiles)
    coins = [deal.secrets[seat].first_coin for seat in deal.context.seats]
    return {
        "seed": SEED,
        "context": {
            "version": deal.context.version,
            "root": deal.context.root.hex(),
            "deal": deal.context.deal,
            "seats": list(deal.context.seats),
        },
        "tile_points": [point.raw.hex() for point in TILE_POINTS],
        "bases": {
            "H": [point.raw.hex() for point in shuffle_bases(28)],
            "K": [point.raw.hex() for point in selector_bases(11)],
            "K'": [point.raw.hex() for point in product_bases(11)],
        },
        "challenges": challenge_vectors(deal),
        "keys": key_vectors(deal),
        "deck_key": deal.key.raw.hex(),
        "open_deck": open_deck(deal.key).to_bytes().hex(),
        "shuffles": [
            {"seat": link.seat, "deck": link.deck.to_bytes().hex(), "proof": link.proof.hex()}
            for link in deal.chain
        ],
        "tiles": tiles,
        "shares": shares,
        "unplayable": unplayable,
        "lot": {
            "seat": 0,
            "label": "starter",
            "coins": [coin.hex() for coin in coins],
            "number": str(lot(deal.context, b"starter", coins)),
        },
        "refused": refused_vectors(shares, unplayable, deal),
    }


def text() -> str:
    """The file's exact text."""
    return json.dumps(vectors(), indent=1) + "\n"


def main() -> int:
    """Write, or compare."""
    files = {
        FILE: text,
        protocol_vectors.FILE: protocol_vectors.text,
        record_vectors.FILE: record_vectors.text,
    }
    if "--check" not in sys.argv[1:]:
        for file, make in files.items():
            file.write_text(make())
        return 0
    differing = [file.name for file, make in files.items() if file.read_text() != make()]
    print(f"differing: {', '.join(differing)}" if differing else "all vectors are up to date")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
