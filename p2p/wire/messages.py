"""What the signed messages say, one class a kind as in section 12 of protocol.md.

Here are the kinds of values and their limits. What bytes of the hidden deck must be long (a key's
opening, a deck, shares, proofs) p2p.deck judges with everything else about them.
"""

from functools import partial
from typing import Annotated

from engine.hand import MOST_CLAIMED
from engine.tiles import TILE_COUNT
from p2p.wire.codec import INT_LOW, DecodeError, integer, list_of, octets
from p2p.wire.envelope import HASH_BYTES, MAX_STEP, MAX_VOTE_ROUNDS, VOTE
from p2p.wire.out import Out, read_outs
from p2p.wire.shape import Shape

CLAIM_SALT_BYTES = 32
# Of one step: each of four seats may have said two things.
HELD_MOST = 8


def _end(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise DecodeError("an end that is no text")
    return value


def _deck_name(value: bytes) -> bytes:
    if len(value) != HASH_BYTES:
        raise DecodeError("a name of a deck that is no hash")
    return value


def _claim(value: object) -> int | None:
    return None if value is None else integer(value, high=MOST_CLAIMED)


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(list_of(value, partial(integer, low=INT_LOW, high=-INT_LOW - 1)))


def _held(value: object) -> tuple[bytes, ...]:
    ids = tuple(list_of(value, partial(octets, size=HASH_BYTES), high=HELD_MOST))
    if list(ids) != sorted(set(ids)):
        raise DecodeError("ids that are not in order")
    return ids


Hash = Annotated[bytes, partial(octets, size=HASH_BYTES)]
Claim = Annotated[int | None, _claim]
Numbers = Annotated[tuple[int, ...], _numbers]


class AgreeBody(Shape, kind="agree"):
    """Nothing: the signature covers the table id, which is the hash of the description."""


class CommitBody(Shape, kind="commit"):
    """A commitment to the deal key and both coins."""

    commitment: Hash


class KeyBody(Shape, kind="key"):
    """The opening of a commitment, 160 bytes: public key, proof, first coin, digest of the next."""

    opening: bytes


class ShuffleBody(Shape, kind="shuffle"):
    """A shuffled deck, 1792 bytes, and its proof, 3008 bytes."""

    deck: bytes
    proof: bytes


class DealBody(Shape, kind="deal"):
    """The name of the deck that is dealt, and the shares of all slots dealt to others."""

    name: Annotated[bytes, _deck_name]
    shares: bytes


class DenialBody(Shape, kind="call"):
    """No to the call for a tile."""


class CallBody(Shape, kind="call"):
    """Yes to it: the slot that holds the tile, its share with proof (96 bytes), the claim."""

    slot: int
    share: bytes
    claim: Claim


class RankBody(Shape, kind="rank"):
    """The proof that no slot that was dealt holds a tile that ranks above the lead."""

    proof: bytes


class PlayBody(Shape, kind="play"):
    """A placement: the tile's slot and number, the end (None for a lead), the share of the slot
    with proof (96 bytes), the claim (None without claims), and whether a clock made the move."""

    slot: Annotated[int, integer]
    tile: Annotated[int, partial(integer, high=TILE_COUNT - 1)]
    end: Annotated[str | None, _end]
    share: bytes
    claim: Claim
    auto: bool


class DrawBody(Shape, kind="draw"):
    """A draw: the proof that no due slot can be played, and whether a clock made the move."""

    proof: bytes
    auto: bool


class PassBody(DrawBody, kind="pass"):
    """A pass: the same."""


class ShareBody(Shape, kind="share"):
    """The share of the slot just drawn, with proof, 96 bytes."""

    share: bytes


class ClaimBody(Shape, kind="claim"):
    """A commitment to the answer to a placement."""

    commitment: Hash


class RevealBody(Shape, kind="reveal"):
    """The points that were claimed, 0 for none, and the salt of the commitment."""

    number: Annotated[int, partial(integer, high=MOST_CLAIMED)]
    salt: Annotated[bytes, partial(octets, size=CLAIM_SALT_BYTES)]


class OpenBody(Shape, kind="open"):
    """The final opening, 64 bytes: the secret key and the second coin."""

    opening: bytes


class ResultBody(Shape, kind="result"):
    """Scores by seat, winners ascending."""

    scores: Numbers
    winners: Numbers


class VoteBody(Shape, kind=VOTE):
    """A vote to go on without the seats `out`, on the step that is open to the voter.

    `held`: the ids of the messages of that step that the voter has, ascending; `reach`: the highest
    step of ladder 0 at which it has said anything in this era, 0 for none.
    """

    round: Annotated[int, partial(integer, low=1, high=MAX_VOTE_ROUNDS)]
    out: Annotated[tuple[Out, ...], read_outs]
    held: Annotated[tuple[bytes, ...], _held]
    reach: Annotated[int, partial(integer, high=MAX_STEP)]
