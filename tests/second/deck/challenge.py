"""The challenge object (11.1): a running SHA-512 that binds a proof to its place."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from second.deck.group import Q

ABSORB, SQUEEZE, FORK = 0, 1, 2


def u64(number: int) -> bytes:
    """8 bytes, big-endian."""
    return number.to_bytes(8, "big")


@dataclass(frozen=True)
class Place:
    """Where a proof stands: root of the era, number of the deal, the deal's seats, a seat."""

    root: bytes
    deal: int
    seats: tuple[int, ...]
    seat: int
    version: int = 2

    def begin(self, proof: str, step: bytes = b"") -> "Challenge":
        """An object for one proof of this place."""
        challenge = Challenge()
        challenge.absorb("domain", b"allfives deck challenge")
        challenge.absorb("version", u64(self.version))
        challenge.absorb("root", self.root)
        challenge.absorb("deal", u64(self.deal))
        challenge.numbers("seats", self.seats)
        challenge.absorb("seat", u64(self.seat))
        challenge.absorb("step", step)
        challenge.absorb("proof", proof.encode())
        return challenge


class Challenge:
    """What was absorbed so far."""

    def __init__(self) -> None:
        self._hash = hashlib.sha512()

    def _item(self, kind: int, label: str, data: bytes) -> None:
        name = label.encode()
        self._hash.update(bytes([kind]) + len(name).to_bytes(2, "big") + name)
        self._hash.update(u64(len(data)) + data)

    def absorb(self, label: str, data: bytes) -> None:
        """Absorb bytes."""
        self._item(ABSORB, label, data)

    def points(self, label: str, points: Iterable[bytes]) -> None:
        """Absorb several points under one label."""
        self.absorb(label, b"".join(points))

    def numbers(self, label: str, numbers: Sequence[int]) -> None:
        """Absorb several numbers under one label."""
        self.absorb(label, b"".join(u64(number) for number in numbers))

    def squeeze(self, label: str) -> bytes:
        """64 bytes that depend on all so far."""
        self._item(SQUEEZE, label, b"")
        return self._hash.copy().digest()

    def scalar(self, label: str) -> int:
        """A challenge mod Q."""
        return int.from_bytes(self.squeeze(label), "little") % Q

    def fork(self, label: str) -> "Challenge":
        """A copy that goes its own way."""
        copy = Challenge()
        copy._hash = self._hash.copy()
        copy._item(FORK, label, b"")
        return copy

    def weights(self, label: str, count: int) -> list[int]:
        """1 and then count - 1 numbers of 128 bits; the object is left as it was."""
        if count < 2:
            return [1] * count
        copy = self.fork(label)
        stream = b"".join(copy.squeeze("weight") for _ in range(16 * count // 64 + 1))
        cut = [stream[16 * i : 16 * i + 16] for i in range(count - 1)]
        return [1, *(int.from_bytes(piece, "little") for piece in cut)]


class Nonces:
    """The nonces of one proof (11.7), from its secret, 32 fresh bytes and the statement."""

    def __init__(self, challenge: Challenge, secret: bytes, fresh: bytes) -> None:
        statement = challenge.fork("nonces").squeeze("statement")
        seed = b"allfives deck nonces" + statement + u64(len(secret)) + secret + fresh
        self._seed = hashlib.sha512(seed).digest()
        self._count = 0

    def next(self) -> int:
        """The next nonce."""
        self._count += 1
        digest = hashlib.sha512(self._seed + u64(self._count)).digest()
        return int.from_bytes(digest, "little") % Q

    def take(self, count: int) -> list[int]:
        """Several."""
        return [self.next() for _ in range(count)]
