"""The group: ristretto255 (RFC 9496), written additively, base point G, prime order Q.

This is the only module that talks to `rbcl` (libsodium, loaded by sodium.py). rbcl 1.1.2 adds
invalid encodings to the identity without an error, accepts the identity as a valid point, ignores
the top bit of an encoding, reduces large scalars silently and raises for the zero multiple. So
every received point passes `Point.decode` once, or `Point.canonical` and then a multiplication,
which decodes it too; every received scalar passes `decode_scalar`; products with zero or the
identity are defined here; arithmetic works on `Point` alone. No error of rbcl leaves this module.

Scalars are Python integers. Python's integers do not run in constant time: a peer's timing over a
network is dominated by people and links, and all secrets here live for one deal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.sodium import rbcl

_add = rbcl.crypto_core_ristretto255_add
_from_hash = rbcl.crypto_core_ristretto255_from_hash
_is_valid = rbcl.crypto_core_ristretto255_is_valid_point
_sub = rbcl.crypto_core_ristretto255_sub
_multiply = rbcl.crypto_scalarmult_ristretto255
_multiply_base = rbcl.crypto_scalarmult_ristretto255_base

Q = 2**252 + 27742317777372353535851937790883648493
"""The order of the group (RFC 9496, section 4.4)."""

P = 2**255 - 19
"""The order of the field that encodings are numbers of (RFC 9496, section 4.1)."""

POINT_BYTES = 32
SCALAR_BYTES = 32
_ZERO = bytes(POINT_BYTES)
_NO_POINT = "a point is not validly encoded"
_NO_SCALAR = "a scalar is not validly encoded"
_Computed = TypeVar("_Computed")


def _compute(function: Callable[..., _Computed], *operands: object) -> _Computed:
    """What functions of rbcl give; whatever they raise means that this program misused them."""
    try:
        return function(*operands)
    except (RuntimeError, TypeError, ValueError) as error:
        raise Misuse("rbcl was given what it cannot compute with") from error


@dataclass(frozen=True, slots=True)
class Point:
    """An element of the group. `raw` is its 32-byte encoding, valid by construction.

    Make one with `decode` or the functions of this module, never from received bytes directly.
    """

    raw: bytes

    def __reduce__(self) -> tuple[type[Point], tuple[bytes]]:
        # Between processes of ours, several times as fast as field by field.
        return Point, (self.raw,)

    @staticmethod
    def decode(data: bytes) -> Point:
        """The point that 32 received bytes encode.

        A point has one encoding (RFC 9496, section 4.3.1): an even number below P, little-endian.
        Raises `DecodeError` for every other, so also for one with its top bit set, for a wrong
        length, and for the identity, which no honest message contains.
        """
        point = Point.canonical(data)
        if not _compute(_is_valid, data):
            raise DecodeError(_NO_POINT)
        return point

    @staticmethod
    def canonical(data: bytes) -> Point:
        """The same but for one thing, which takes most of the time: that this number has a point.

        It is no `Point` yet for what is concluded from it: that waits for `Sum.checked_value`.
        """
        number = int.from_bytes(data, "little")
        if len(data) != POINT_BYTES or not 0 < number < P or data[0] & 1:
            raise DecodeError(_NO_POINT)
        return Point(data)

    def __add__(self, other: Point) -> Point:
        return Point(_compute(_add, self.raw, other.raw))

    def __sub__(self, other: Point) -> Point:
        return Point(_compute(_sub, self.raw, other.raw))

    def __rmul__(self, scalar: int) -> Point:
        """scalar * point, for any integer; the zero multiple is the identity."""
        reduced = scalar % Q
        if not reduced or self.raw == _ZERO:
            return IDENTITY
        return Point(_compute(_multiply, reduced.to_bytes(SCALAR_BYTES, "little"), self.raw))


IDENTITY = Point(_ZERO)
ReadPoint = Callable[[bytes], Point]
"""How received points are decoded: `Point.decode`, or for who checks them later another."""


def multiply_base(scalar: int) -> Point:
    """scalar * G, about a third of the price of another multiplication."""
    reduced = scalar % Q
    if not reduced:
        return IDENTITY
    return Point(_compute(_multiply_base, reduced.to_bytes(SCALAR_BYTES, "little")))


G = multiply_base(1)


def from_uniform(data: bytes) -> Point:
    """The point that 64 uniform bytes map to (RFC 9496, section 4.3.4)."""
    return Point(_compute(_from_hash, data))


def hash_to_point(label: bytes) -> Point:
    """The point that SHA-512 of the label maps to.

    Nobody knows a relation between the points of two labels, or to G.
    """
    return from_uniform(hashlib.sha512(label).digest())


def add_up(points: Iterable[Point]) -> Point:
    """The sum of the points; the identity for none."""
    total = _ZERO
    for point in points:
        total = point.raw if total == _ZERO else _compute(_add, total, point.raw)
    return Point(total)


def combine(scalars: Sequence[int], points: Sequence[Point], base: int = 0) -> Point:
    """base * G + sum of scalars[i] * points[i]; the two sequences have one length."""
    terms = list(zip((point.raw for point in points), scalars, strict=True))
    return Point(_compute(_combined, terms, base))


def _combined(terms: Iterable[tuple[bytes, int]], base: int) -> bytes:
    """The same on bytes, with what rbcl raises."""
    total = multiply_base(base).raw
    for raw, scalar in terms:
        reduced = scalar % Q
        if reduced and raw != _ZERO:
            term = _multiply(reduced.to_bytes(SCALAR_BYTES, "little"), raw)
            total = term if total == _ZERO else _add(total, term)
    return total


def _total(terms: dict[bytes, int], base: int) -> Point:
    """base * G + sum of scalar * point, by the points' bytes; G is taken out of the terms."""
    return Point(_compute(_combined, terms.items(), base + terms.pop(G.raw, 0)))


class Sum:
    """A sum of multiples of points, in which every point is multiplied once.

    Terms over the same point (of G too) are merged before anything is multiplied. Weighed
    equations that share bases, decks or tiles pay for each of them once this way.
    """

    __slots__ = ("_base", "_terms")

    def __init__(self) -> None:
        self._base = 0
        # By encoding: bytes keep their hash, and a sum asks for it a thousand times.
        self._terms: dict[bytes, int] = {}

    def add(self, scalar: int, point: Point) -> None:
        """Add scalar * point."""
        raw = point.raw
        self._terms[raw] = self._terms.get(raw, 0) + scalar

    def add_all(self, scalars: Iterable[int], points: Iterable[Point], weight: int = 1) -> None:
        """Add weight * sum of scalars[i] * points[i]."""
        terms = self._terms
        for scalar, point in zip(scalars, points, strict=True):
            raw = point.raw
            terms[raw] = terms.get(raw, 0) + weight * scalar

    def add_base(self, scalar: int) -> None:
        """Add scalar * G."""
        self._base += scalar

    def replace(self, point: Point, terms: Iterable[tuple[int, Point]]) -> None:
        """Write a point that is known to be the sum of scalar * other as just that."""
        scalar = self._terms.pop(point.raw, 0) % Q
        for factor, other in terms if scalar else ():
            self.add(scalar * factor, other)

    def points(self) -> frozenset[Point]:
        """The points that stand in the sum, whatever their multiples."""
        return frozenset(map(Point, self._terms))

    def value(self) -> Point:
        """The sum."""
        return _total(dict(self._terms), self._base)

    def checked_value(self, received: Iterable[Point]) -> Point:
        """The sum, where of these points it is only known that they are `canonical`; `DecodeError`
        unless they are points. rbcl decodes what it multiplies, so here only the others are.
        """
        # Each is asked for below; those whose multiple is zero are not multiplied.
        terms = {raw: rest for raw, scalar in self._terms.items() if (rest := scalar % Q)}
        left = [one.raw for one in received if one.raw not in terms]
        try:
            total = _total(terms, self._base)
        except Misuse as error:
            raise DecodeError(_NO_POINT) from error
        if not all(_compute(_is_valid, raw) for raw in left):
            raise DecodeError(_NO_POINT)
        return total

    def fold(self, lasting: Container[bytes], received: Iterable[Point]) -> None:
        """Multiply now all but G and the `lasting` points, known by their bytes: what they come to
        stands in their place. `received` and `DecodeError` as in `checked_value`.
        """
        terms, base = self._terms, self._base
        kept = {raw: terms.pop(raw) % Q for raw in [one for one in terms if one in lasting]}
        self._base = 0
        folded = self.checked_value(received)
        self._terms, self._base = kept, base % Q
        self.add(1, folded)

    def include(self, other: Sum) -> None:
        """Add another sum."""
        self._base += other._base
        for raw, scalar in other._terms.items():
            self._terms[raw] = self._terms.get(raw, 0) + scalar

    def is_zero(self) -> bool:
        """Whether the sum is the identity: whether the equations gathered in it hold."""
        return self.value() == IDENTITY


def encode_scalar(scalar: int) -> bytes:
    """The scalar mod Q as 32 bytes, little-endian."""
    return (scalar % Q).to_bytes(SCALAR_BYTES, "little")


def decode_scalar(data: bytes) -> int:
    """The scalar in 32 received bytes; `DecodeError` for a wrong length or Q and more."""
    value = int.from_bytes(data, "little")
    if len(data) != SCALAR_BYTES or value >= Q:
        raise DecodeError(_NO_SCALAR)
    return value


def random_scalar(rng: RandomBytes) -> int:
    """A uniform scalar other than zero, from 64 random bytes (bias below 2^-250)."""
    return int.from_bytes(rng(64), "little") % (Q - 1) + 1


class Reader:
    """Reads received bytes of one exact length from front to back."""

    __slots__ = ("_at", "_data", "_read")

    def __init__(
        self, data: bytes, points: int, scalars: int, read: ReadPoint = Point.decode
    ) -> None:
        """The data must hold exactly this many points, which `read` decodes, and scalars, 32 bytes
        each."""
        if len(data) != POINT_BYTES * points + SCALAR_BYTES * scalars:
            raise DecodeError("a proof has the wrong length")
        self._data = data
        self._read = read
        self._at = 0

    def _take(self, count: int) -> list[bytes]:
        begin, self._at = self._at, self._at + count * POINT_BYTES
        data = self._data
        return [data[at : at + POINT_BYTES] for at in range(begin, self._at, POINT_BYTES)]

    def points(self, count: int) -> list[Point]:
        """The next `count` points; `DecodeError` as in `Point.decode`."""
        return list(map(self._read, self._take(count)))

    def scalars(self, count: int) -> list[int]:
        """The next `count` scalars; `DecodeError` as in `decode_scalar`."""
        values = [int.from_bytes(data, "little") for data in self._take(count)]
        if values and max(values) >= Q:
            raise DecodeError(_NO_SCALAR)
        return values


def pack(points: Iterable[Point], scalars: Iterable[int]) -> bytes:
    """The points and then the scalars, 32 bytes each."""
    return b"".join([*(point.raw for point in points), *map(encode_scalar, scalars)])
