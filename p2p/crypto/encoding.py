"""Reading the points and scalars of a proof from received bytes."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.crypto.errors import DecodeError
from p2p.crypto.group import POINT_BYTES, SCALAR_BYTES, Point, decode_scalar, encode_scalar


class Reader:
    """Reads received bytes of one exact length from front to back."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes, points: int, scalars: int) -> None:
        """The data must hold exactly this many points and scalars, 32 bytes each."""
        if len(data) != POINT_BYTES * points + SCALAR_BYTES * scalars:
            raise DecodeError("a proof has the wrong length")
        self._data = data
        self._at = 0

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def point(self) -> Point:
        """The next point; `DecodeError` as in `Point.decode`."""
        return Point.decode(self._take(POINT_BYTES))

    def points(self, count: int) -> list[Point]:
        """The next `count` points."""
        return [self.point() for _ in range(count)]

    def scalar(self) -> int:
        """The next scalar; `DecodeError` as in `decode_scalar`."""
        return decode_scalar(self._take(SCALAR_BYTES))

    def scalars(self, count: int) -> list[int]:
        """The next `count` scalars."""
        return [self.scalar() for _ in range(count)]


def pack(points: Iterable[Point], scalars: Iterable[int]) -> bytes:
    """The points and then the scalars, 32 bytes each."""
    return b"".join([*(point.raw for point in points), *map(encode_scalar, scalars)])
