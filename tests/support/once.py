"""Sums of the group that are computed once for all seats in a process of tests.

All seats of a table, and each verifier of its record, check the same proofs over the same numbers,
and a game that is played again from its seed proves the same again. What a sum gives depends on its
terms alone, so half of the multiplications are saved.
"""

import hashlib
import marshal
from collections.abc import Iterable

from p2p.crypto import group

_plain = group._combined
_multiply = group._multiply
# By a digest of all terms, which themselves would take much room.
_known: dict[bytes, bytes] = {}


def _combined(terms: Iterable[tuple[bytes, int]], base: int) -> bytes:
    terms = list(terms)
    if group._multiply is not _multiply:
        return _plain(terms, base)  # somebody counts the multiplications
    asked = hashlib.sha256(marshal.dumps((base, terms), 2)).digest()
    if asked not in _known:
        _known[asked] = _plain(terms, base)
    return _known[asked]


def install() -> None:
    """From now on, in this process."""
    group._combined = _combined
