"""Values and their one encoding (section 4), and the shapes of lists."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgpack

from second.refusing import RefusedError, demand

Value = Any  # nil, boolean, integer, bytes, text, list, map: what a peer sent is not known yet


@dataclass(frozen=True)
class Limits:
    """What is decoded at most."""

    size: int
    depth: int
    items: int
    text: int
    data: int
    values: int = 512


STRANGER = Limits(4096, 4, 64, 256, 1024)
MESSAGE = Limits(65536, 6, 64, 4096, 65536)


def encode(value: Value) -> bytes:
    """The encoding; keys of maps in ascending order of their bytes."""
    result: bytes = msgpack.packb(_ordered(value), use_bin_type=True)
    return result


def _ordered(value: Value) -> Value:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode())
        return {key: _ordered(value[key]) for key in keys}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    return value


def decode(data: bytes, limits: Limits) -> Value:
    """The value that these bytes encode; every other spelling is refused."""
    demand(len(data) <= limits.size, "too long")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=False,
            max_array_len=limits.items,
            max_map_len=limits.items,
            max_str_len=limits.text,
            max_bin_len=limits.data,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
        raise RefusedError("no value") from error
    demand(_count(value, limits, 0) <= limits.values, "too many values")
    try:
        again = encode(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise RefusedError("no value") from error
    demand(again == data, "another spelling")
    return value


def _count(value: Value, limits: Limits, depth: int) -> int:
    """How many values there are, in all; depth and kinds are checked on the way."""
    if isinstance(value, list | dict):
        demand(depth < limits.depth, "too deep")
        items = value if isinstance(value, list) else [*value.values()]
        keys = len(value) if isinstance(value, dict) else 0
        demand(all(type(key) is str for key in value) or not keys, "a key that is no text")
        return 1 + keys + sum(_count(item, limits, depth + 1) for item in items)
    demand(value is None or type(value) in (bool, int, bytes, str), "no kind of value")
    return 1


def listed(value: Value, fields: int | None = None) -> list[Value]:
    """A list, of so many fields if that is said."""
    demand(type(value) is list, "no list")
    demand(fields is None or len(value) == fields, "another number of fields")
    return list(value)


def integer(value: Value, low: int, high: int) -> int:
    """An integer in bounds; true is none."""
    demand(type(value) is int and low <= value <= high, "no such integer")
    return int(value)


def octets(value: Value, *sizes: int) -> bytes:
    """Bytes of one of these lengths, or of any."""
    demand(type(value) is bytes, "no bytes")
    demand(not sizes or len(value) in sizes, "bytes of another length")
    return bytes(value)


def text(value: Value) -> str:
    """Text."""
    demand(type(value) is str, "no text")
    return str(value)


def boolean(value: Value) -> bool:
    """True or false."""
    demand(type(value) is bool, "no boolean")
    return bool(value)


def strictly_ascending(values: Sequence[Any]) -> bool:
    """Whether each is more than the one before."""
    return all(left < right for left, right in itertools.pairwise(values))
