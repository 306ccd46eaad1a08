"""A stand-in of the group: integers modulo its order, added. Nothing above notices it.

Discrete logarithms are divisions here, so it serves the simulator alone, where a multiplication
costs a hundredth of the real one. It stands below `p2p.crypto.group`, which must not be loaded yet.
"""

import hashlib
import importlib
import sys
from functools import lru_cache
from typing import Any

from p2p.crypto import sodium

# As in p2p.crypto.group, which is loaded later.
ORDER = 2**252 + 27742317777372353535851937790883648493
_TWICE = 2 * ORDER
_SIZE = 32
from_bytes = int.from_bytes
# Pure functions of values, which all seats ask the same: in the order in which they are loaded.
_ONCE = {
    "p2p.crypto.identity": ("verify",),
    "p2p.wire.envelope": (
        "open_envelope",
        "_payload_fields",
        "signed_head",
        "place_of",
        "open_signed",
    ),
    "p2p.wire.talk": ("decode_talk", "table_of", "encode_talk"),
    "p2p.deck.shuffles": ("check_shuffle",),
    "p2p.deck.shares": ("check_shares",),
}


def _encoded(element: int) -> bytes:
    """An element as an even number below 2 ORDER: what the group module takes for canonical."""
    return (2 * element).to_bytes(_SIZE, "little")


class AddedNumbers:
    """The functions of `rbcl` that the group module uses, over the stand-in. G is 1."""

    @staticmethod
    def crypto_core_ristretto255_add(one: bytes, other: bytes) -> bytes:
        """The sum."""
        return ((from_bytes(one, "little") + from_bytes(other, "little")) % _TWICE).to_bytes(
            _SIZE, "little"
        )

    @staticmethod
    def crypto_core_ristretto255_sub(one: bytes, other: bytes) -> bytes:
        """The difference."""
        return ((from_bytes(one, "little") - from_bytes(other, "little")) % _TWICE).to_bytes(
            _SIZE, "little"
        )

    @staticmethod
    def crypto_core_ristretto255_is_valid_point(raw: bytes) -> bool:
        """Whether it encodes an element."""
        return from_bytes(raw, "little") < _TWICE

    @staticmethod
    def crypto_core_ristretto255_from_hash(data: bytes) -> bytes:
        """An element of 64 bytes, which are uniform."""
        return _encoded(from_bytes(hashlib.sha512(data).digest(), "little") % ORDER)

    @staticmethod
    def crypto_scalarmult_ristretto255(scalar: bytes, raw: bytes) -> bytes:
        """The multiple; RuntimeError, as of the library, for what is no element."""
        element = from_bytes(raw, "little")
        if element >= _TWICE:
            raise RuntimeError("no element")
        return (from_bytes(scalar, "little") * element % _TWICE).to_bytes(_SIZE, "little")

    @staticmethod
    def crypto_scalarmult_ristretto255_base(scalar: bytes) -> bytes:
        """The multiple of G."""
        return _encoded(from_bytes(scalar, "little") % ORDER)


def install(once: bool = True) -> None:
    """From now on the group is the stand-in, in this process, to its end; and, `once`, what the
    bytes of a message say, whether they are signed, and whether a proof holds, is found out once
    for all seats."""
    assert "p2p.crypto.group" not in sys.modules, "the group is loaded already"
    module: Any = sodium
    module.rbcl = AddedNumbers
    for name, functions in _ONCE.items() if once else ():
        place = importlib.import_module(name)
        for function in functions:
            setattr(place, function, lru_cache(maxsize=4096)(getattr(place, function)))
