"""The challenge object: one labelled hash that every proof of a deal is bound to.

Fiat-Shamir over SHA-512, after the manner of merlin transcripts: the caller absorbs labelled
values, every absorbed item is framed by the lengths of its label and its data, and every
challenge absorbs its own label first. It starts from the protocol version, the root, the deal,
the seats in the deal, the seat that proves, the step and the kind of proof, so a proof holds in
no other place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point, Q, encode_scalar

ROOT_BYTES = 32
WEIGHT_BITS = 128
_DOMAIN = b"allfives deck challenge"
_ABSORB, _SQUEEZE, _FORK = b"\x00", b"\x01", b"\x02"


@dataclass(frozen=True, slots=True)
class DealContext:
    """Which deal of which table a proof belongs to.

    `version`: protocol version; `root`: of the era, 32 bytes, which is the table id until a seat
    was put out; `deal`: number of the deal, growing with every key step begun; `seats`: the seats
    of the table in this deal, in ascending order.
    """

    version: int
    root: bytes
    deal: int
    seats: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.root) != ROOT_BYTES:
            raise Misuse("a root has 32 bytes")
        if not self.seats or list(self.seats) != sorted(set(self.seats)):
            raise Misuse("the seats of a deal are distinct and in ascending order")
        if min(self.version, self.deal, *self.seats) < 0:
            raise Misuse("versions, deals and seats are not negative")


# Labels are few; steps and data are none.
@lru_cache(maxsize=256)
def _named(kind: bytes, label: bytes) -> bytes:
    return kind + len(label).to_bytes(2, "big") + label


def _framed(kind: bytes, label: bytes, data: bytes) -> tuple[bytes, bytes, bytes]:
    """One absorbed item: kind, u16 length and label; u64 length; data. Big-endian."""
    return _named(kind, label), len(data).to_bytes(8, "big"), data


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big")


@lru_cache(maxsize=64)
def _begun(context: DealContext, seat: int) -> hashlib._Hash:
    """The hash after everything that all proofs of a seat in a deal have in common; copy before
    use."""
    items = (
        (b"domain", _DOMAIN),
        (b"version", _number(context.version)),
        (b"root", context.root),
        (b"deal", _number(context.deal)),
        (b"seats", b"".join(map(_number, context.seats))),
        (b"seat", _number(seat)),
    )
    framed = (piece for label, data in items for piece in _framed(_ABSORB, label, data))
    return hashlib.sha512(b"".join(framed))


class Challenge:
    """A running labelled hash. Items absorbed in another order give other challenges."""

    __slots__ = ("_hash", "_said")

    def __init__(self, context: DealContext, seat: int, step: bytes, proof: bytes) -> None:
        """`seat` proves, in the step that `step` names; `proof` names the kind of proof."""
        self._hash = _begun(context, seat).copy()
        # What the hash is still to take, in one go.
        self._said = [*_framed(_ABSORB, b"step", step), *_framed(_ABSORB, b"proof", proof)]

    def data(self, label: bytes, data: bytes) -> None:
        """Absorb bytes."""
        self._said += _framed(_ABSORB, label, data)

    def numbers(self, label: bytes, numbers: Iterable[int]) -> None:
        """Absorb integers from 0 to 2^64 - 1, 8 bytes each, big-endian."""
        self.data(label, b"".join(map(_number, numbers)))

    def points(self, label: bytes, points: Iterable[Point]) -> None:
        """Absorb points, 32 bytes each."""
        self.data(label, b"".join([point.raw for point in points]))

    def scalars(self, label: bytes, scalars: Iterable[int]) -> None:
        """Absorb scalars, 32 bytes each, little-endian."""
        self.data(label, b"".join(map(encode_scalar, scalars)))

    def scalar(self, label: bytes) -> int:
        """The challenge of this label: 64 bytes of hash, little-endian, mod Q."""
        return int.from_bytes(self.digest(label), "little") % Q

    def digest(self, label: bytes) -> bytes:
        """64 bytes of hash over this label and everything absorbed so far."""
        self._said += _framed(_SQUEEZE, label, b"")
        return self._taken().digest()

    def fork(self, label: bytes) -> Challenge:
        """A copy that goes on under its own label and leaves this one as it is."""
        copy = object.__new__(Challenge)
        copy._hash = self._taken().copy()
        copy._said = [*_framed(_FORK, label, b"")]
        return copy

    def _taken(self) -> hashlib._Hash:
        """The hash after all that was absorbed."""
        self._hash.update(b"".join(self._said))
        self._said.clear()
        return self._hash

    def weights(self, label: bytes, count: int) -> list[int]:
        """`count` weights of 128 bits for a joint check of what was absorbed so far.

        The first is 1: one equation of several may stand unweighed.
        """
        if count <= 1:
            return [1] * count
        size = WEIGHT_BITS // 8
        fork = self.fork(label)
        stream = b"".join(fork.digest(b"weight") for _ in range(count * size // 64 + 1))
        cut = (stream[at : at + size] for at in range(0, (count - 1) * size, size))
        return [1, *(int.from_bytes(piece, "little") for piece in cut)]
