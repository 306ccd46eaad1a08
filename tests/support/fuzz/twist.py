"""Values and bytes as somebody hostile would write them, drawn by a seeded generator."""

import random
from collections.abc import Callable, Sequence

INTERESTING = (0, 1, -1, 2, 27, 28, 31, 32, 255, 256, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1)
_TEXTS = ("", "a", "no", "\u3164", "\u202e", "x" * 300, "ladder", "e\u0301" * 9)
_DEEP = 5
_MOST = 80


def any_value(rng: random.Random, depth: int = 0) -> object:
    """Some value that can be encoded."""
    pick = rng.randrange(7 if depth < _DEEP else 5)
    if pick == 0:
        return rng.choice(INTERESTING)
    if pick == 1:
        return rng.randbytes(rng.choice((0, 1, 16, 31, 32, 33, 64, 96, 1000)))
    if pick == 2:
        return rng.choice(_TEXTS)
    if pick == 3:
        return rng.choice((None, True, False))
    if pick == 4:
        return rng.getrandbits(rng.randrange(64))
    if pick == 5:
        return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {str(number): any_value(rng, depth + 1) for number in range(rng.randrange(3))}


def twisted(rng: random.Random, value: object) -> object:
    """The value with one thing in it changed."""
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return rng.choice(_WITH_LIST)(rng, list(value), at)
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        return cut_or_flipped(rng, value)
    if type(value) is int and rng.random() < 0.8:
        return max(-(2**63), min(2**64 - 1, value + rng.choice((-1, 1, 2, -2, 256))))
    return any_value(rng)


def _inside(rng: random.Random, value: list[object], at: int) -> list[object]:
    value[at] = twisted(rng, value[at])
    return value


def _without(rng: random.Random, value: list[object], at: int) -> list[object]:
    del value[at]
    return value


def _twice(rng: random.Random, value: list[object], at: int) -> list[object]:
    return [*value[:at], *[value[at]] * rng.choice((2, 2, 3, _MOST)), *value[at + 1 :]]


def _turned(rng: random.Random, value: list[object], at: int) -> list[object]:
    other = rng.randrange(len(value))
    value[at], value[other] = value[other], value[at]
    return value


def _more(rng: random.Random, value: list[object], at: int) -> list[object]:
    value.insert(at, any_value(rng))
    return value


_WITH_LIST: Sequence[Callable[[random.Random, list[object], int], list[object]]] = (
    *[_inside] * 6,
    _without,
    _twice,
    _turned,
    _more,
)


def cut_or_flipped(rng: random.Random, data: bytes) -> bytes:
    """Bytes of which one was changed, put in, or a part cut off."""
    at = rng.randrange(len(data) + 1)
    pick = rng.randrange(5)
    if pick == 0:
        return data[:at]
    if pick == 1:
        return data[:at] + rng.randbytes(1) + data[at:]
    if pick == 2:
        return data[:at] + data[at + 1 :]
    if pick == 3:
        return data + rng.randbytes(rng.randrange(1, 9))
    at = min(at, max(len(data) - 1, 0))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data else data
