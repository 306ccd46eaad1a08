"""Equations of many proofs, checked in one random combination.

The small exponents test of Bellare, Garay and Rabin (Eurocrypt 1998): each equation "this sum of
multiples of points is the identity" gets a weight of its own, and only the weighed total is
computed, in which every point is multiplied once. If one equation is false, the total is the
identity with a probability of 2^-128. All that is weighed must be fixed before the weights are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container

from p2p.crypto.challenge import WEIGHT_BITS
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import IDENTITY, Point, Sum

FRESH_BYTES = 32
_LABEL = b"allfives joint weights"
_WEIGHT_BYTES = WEIGHT_BITS // 8


class JointSum:
    """The equations gathered in `relation`, the received points that stand in them or beside them,
    and the weights for more equations. It serves one checking."""

    __slots__ = ("_count", "_received", "_seed", "relation")

    def __init__(self, fixed: bytes, fresh: bytes) -> None:
        """`fixed`: a hash of all bytes that the equations come from; `fresh`: 32 random bytes,
        drawn after those bytes were received."""
        if len(fresh) != FRESH_BYTES:
            raise Misuse(f"weights come from {FRESH_BYTES} fresh bytes")
        self._seed = _LABEL + fresh + fixed
        self._count = 0
        self._received: list[Point] = []
        self.relation = Sum()

    def point(self, data: bytes) -> Point:
        """A received point, of which `settle` says whether it is one: most are multiplied there,
        which decodes them anyway. `DecodeError` for what is not even `canonical`."""
        point = Point.canonical(data)
        self._received.append(point)
        return point

    def weights(self, count: int) -> list[int]:
        """The next `count` weights, 128 bits each; none is given out twice."""
        self._count += 1
        block = self._seed + self._count.to_bytes(8, "big")
        stream = hashlib.shake_256(block).digest(count * _WEIGHT_BYTES)
        cuts = range(0, len(stream), _WEIGHT_BYTES)
        return [int.from_bytes(stream[at : at + _WEIGHT_BYTES], "little") for at in cuts]

    def settle(self) -> bool:
        """Whether all equations gathered since the last call that said so hold, and all points
        received since are points."""
        try:
            holds = self.relation.checked_value(self._received) == IDENTITY
        except DecodeError:
            return False
        if holds:
            self.relation = Sum()
            self._received.clear()
        return holds

    def fold(self, lasting: Container[bytes]) -> bool:
        """Multiply now all but the `lasting` points, which the equations to come have too; False if
        another that was received is no point. Whether the equations hold `settle` says, or who adds
        up the relations of several: each equation has its own weight.
        """
        kept = [point for point in self._received if point.raw in lasting]
        rest = [point for point in self._received if point.raw not in lasting]
        try:
            self.relation.fold(lasting, rest)
        except DecodeError:
            return False
        self._received = kept
        return True
