"""The deck as encrypted pairs, and the 28 points that stand for tiles.

A tile t is the point M_t, hashed from a label; a pair (a, b) = (r G, M_t + r X) hides it under the
deck key X = sum of X_i (ElGamal). The deck layer knows tiles as indices 0..27 only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.tiles import TILE_COUNT
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import (
    IDENTITY,
    POINT_BYTES,
    G,
    Point,
    ReadPoint,
    add_up,
    hash_to_point,
)

TILES = TILE_COUNT
PAIR_BYTES = 2 * POINT_BYTES
DECK_BYTES = TILES * PAIR_BYTES

TILE_POINTS: tuple[Point, ...] = tuple(
    hash_to_point(f"allfives tile {index}".encode()) for index in range(TILES)
)
"""M_0..M_27."""

_INDEX_OF: Mapping[bytes, int] = {point.raw: index for index, point in enumerate(TILE_POINTS)}


def tile_index(point: Point) -> int:
    """The tile that a decrypted point stands for.

    After valid proofs every slot decrypts to a tile, so anything else is `Misuse`: our own mistake.
    """
    index = _INDEX_OF.get(point.raw)
    if index is None:
        raise Misuse("a slot decrypts to no tile")
    return index


@dataclass(frozen=True, slots=True)
class Deck:
    """28 pairs in order. Slot s is pairs[s]."""

    pairs: tuple[tuple[Point, Point], ...]

    def to_bytes(self) -> bytes:
        """1792 bytes: both components of each pair in turn."""
        return b"".join(first.raw + second.raw for first, second in self.pairs)

    @staticmethod
    def from_bytes(data: bytes, read: ReadPoint = Point.decode) -> Deck:
        """Decode a received deck; `DecodeError` unless it is 28 pairs of valid points."""
        if len(data) != DECK_BYTES:
            raise DecodeError(f"a deck has {DECK_BYTES} bytes")
        points = [read(data[at : at + POINT_BYTES]) for at in range(0, DECK_BYTES, POINT_BYTES)]
        return Deck(tuple(zip(points[::2], points[1::2], strict=True)))


def deck_key(keys: Mapping[int, Point]) -> Point:
    """X = sum of the keys X_i by seat."""
    total = _sum_of_keys(tuple(keys.values()))
    if total == IDENTITY:
        raise Misuse("the deck key is the identity")
    return total


# The deal in play and the next are asked for again and again.
@lru_cache(maxsize=4)
def _sum_of_keys(keys: tuple[Point, ...]) -> Point:
    return add_up(keys)


@lru_cache(maxsize=4)
def open_deck(key: Point) -> Deck:
    """(G, M_t + X) for t = 0..27: the tiles in order under the known randomness 1."""
    return Deck(tuple((G, tile + key) for tile in TILE_POINTS))
