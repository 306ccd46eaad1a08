"""Secret nonces of proofs, hashed from secret, fresh random bytes and statement.

With a broken or repeated random source two statements still get different nonces, because the
statement is in the hash, and nobody can compute them, because the secret is (the idea of RFC 6979
and of hedged signatures).
"""

from __future__ import annotations

import hashlib

from p2p.crypto.challenge import Challenge
from p2p.crypto.group import Q
from p2p.crypto.randomness import RandomBytes

FRESH_BYTES = 32
_LABEL = b"allfives deck nonces"


class Nonces:
    """A stream of secret uniform scalars for one proof. Its repr shows nothing."""

    __slots__ = ("_count", "_seed")

    def __init__(self, statement: Challenge, secret: bytes, rng: RandomBytes) -> None:
        """`statement`: the challenge after the whole statement was absorbed, left as it is."""
        digest = statement.fork(b"nonces").digest(b"statement")
        framed = len(secret).to_bytes(8, "big") + secret + rng(FRESH_BYTES)
        self._seed = hashlib.sha512(_LABEL + digest + framed).digest()
        self._count = 0

    def next(self) -> int:
        """The next scalar, uniform mod Q up to 2^-250."""
        self._count += 1
        block = hashlib.sha512(self._seed + self._count.to_bytes(8, "big")).digest()
        return int.from_bytes(block, "little") % Q

    def take(self, count: int) -> list[int]:
        """The next `count` scalars."""
        return [self.next() for _ in range(count)]

    def permutation(self, size: int) -> list[int]:
        """A uniform permutation of 1..size (Fisher-Yates; bias below 2^-240)."""
        order = list(range(1, size + 1))
        for at in range(size - 1, 0, -1):
            other = self.next() % (at + 1)
            order[at], order[other] = order[other], order[at]
        return order
