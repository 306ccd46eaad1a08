"""Values <-> bytes: msgpack with one encoding a value, hard limits, and strict shapes.

Values are None, bool, int (-2^63 .. 2^64-1), bytes, str, list (a tuple is written as one) and
dict with str keys. msgpack (https://github.com/msgpack/msgpack/blob/master/spec.md) has many
encodings of one value; ours is the shortest of each, with the keys of a map in order of their
code points. decode() refuses every other, so equal values are equal bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import msgpack

from p2p.crypto.errors import DecodeError as DecodeError  # what every reader here raises
from p2p.wire.framing import CAP_BEFORE_PROOF, PAYLOAD_MOST

INT_LOW = -(2**63)
INT_HIGH = 2**64 - 1
# The kinds of values that hold no others.
_SINGLE = frozenset({type(None), bool, int, bytes, str})

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")


@dataclass(frozen=True)
class Limits:
    """What decode() accepts. Lengths: whole input, binary and text in bytes, lists in items;
    `nodes`: all values together, each list and what is in it."""

    size: int = PAYLOAD_MOST
    depth: int = 6
    nodes: int = 512
    items: int = 64
    pairs: int = 64
    text: int = 4096
    binary: int = PAYLOAD_MOST


# One frame after a peer is known. The largest list is an envelope's, the deepest value a table
# description, the most values a start in the lobby with all addresses of four people has; more
# would only give a hostile peer our time.
MESSAGE = Limits()
# Before a peer is known: flat lists of short fields.
STRANGER = Limits(size=CAP_BEFORE_PROOF, depth=4, items=64, pairs=64, text=256, binary=1024)


def encode(value: object) -> bytes:
    """The one encoding of `value`. TypeError or ValueError for what is no value (our mistake)."""
    return _packed(_plain(value))


def _packed(value: object) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True, strict_types=True)
    return packed


def decode(data: bytes, limit: Limits = MESSAGE) -> object:
    """The value whose one encoding `data` is, within `limit`; else DecodeError."""
    if len(data) > limit.size:
        raise DecodeError(f"{len(data)} bytes where at most {limit.size} are allowed")
    # A value takes a byte at least: short data need not be counted.
    if len(data) > limit.nodes and count_nodes(data, limit.nodes) > limit.nodes:
        raise DecodeError(f"more than {limit.nodes} values")
    value = _unpacked(data, limit)
    _check_kinds(value, limit.depth)
    if _packed(value) != data:
        raise DecodeError("a value that is not in its one allowed encoding")
    return value


def first_items(data: bytes, count: int, limit: Limits = MESSAGE) -> list[object]:
    """The first `count` items of the list that `data` encodes, the rest unread. DecodeError if
    there are no so many. What is read of it may have other encodings than the one allowed."""
    if len(data) > limit.size or count_nodes(data, limit.nodes) > limit.nodes:
        raise DecodeError("a value over a limit")
    unpacker = msgpack.Unpacker(raw=False, strict_map_key=True, max_buffer_size=limit.size)
    unpacker.feed(data)
    try:
        if unpacker.read_array_header() < count:
            raise DecodeError(f"a list of fewer than {count}")
        return [unpacker.unpack() for _ in range(count)]
    except DecodeError:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        raise DecodeError("bytes that are no value, cut short or over a limit") from None


# By the first byte of a value (msgpack's spec, "formats"): how many bytes of length follow, or how
# many bytes the value has behind the first.
_LENGTHS = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_COUNTS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}
_SIZES = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}


def count_nodes(data: bytes, most: int) -> int:
    """How many values the first value of `data` consists of, itself too; above `most` it only says
    that it is more. Nothing is built, so hostile bytes cost no more than `most` looks at them."""
    at, open_, count = 0, 1, 0
    while open_ and at < len(data) and count <= most:
        head = data[at]
        at, open_, count = at + 1, open_ - 1, count + 1
        if head < 0x80 or head >= 0xE0:
            continue
        if head < 0x90:
            open_ += 2 * (head & 15)
        elif head < 0xA0:
            open_ += head & 15
        elif head < 0xC0:
            at += head & 31
        elif head in _LENGTHS:
            wide = _LENGTHS[head]
            at += wide + int.from_bytes(data[at : at + wide], "big")
        elif head in _COUNTS:
            wide, each = _COUNTS[head]
            open_ += each * int.from_bytes(data[at : at + wide], "big")
            at += wide
        else:
            at += _SIZES.get(head, 0)
    return count


def weigh(payload: bytes) -> int:
    """How many values a payload has, and those within a list's last item, where that is bytes, as
    in what is signed: what it costs to read it. Counted no further than the limit of a value.
    """
    total = 0
    for _ in range(3):
        count = count_nodes(payload, MESSAGE.nodes)
        total += count
        if count > MESSAGE.nodes:
            break
        try:
            value = msgpack.unpackb(payload, raw=True, strict_map_key=False)
        except (ValueError, TypeError, msgpack.UnpackException, RecursionError):
            break
        if not isinstance(value, list) or not value or not isinstance(value[-1], bytes):
            break
        payload = value[-1]
    return total


def _unpacked(data: bytes, limit: Limits) -> object:
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=limit.text,
            max_bin_len=limit.binary,
            max_array_len=limit.items,
            max_map_len=limit.pairs,
            max_ext_len=0,
        )
    except msgpack.ExtraData:
        raise DecodeError("bytes after the value") from None
    except msgpack.StackError:
        raise DecodeError("lists nested too deeply") from None
    # msgpack documents its own errors and ValueError; the others cover both its implementations.
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        raise DecodeError("bytes that are no value, cut short or over a limit") from None


def _check_kinds(value: object, depth: int) -> None:
    """Only the kinds of the module text, nested at most `depth` lists or maps, keys in order."""
    kind = type(value)
    if kind in _SINGLE:
        return
    if kind not in (list, dict):
        raise DecodeError(f"a value of the kind {kind.__name__}")
    if depth == 0:
        raise DecodeError("lists nested too deeply")
    if isinstance(value, dict):
        if any(type(key) is not str for key in value):
            raise DecodeError("a map with a key that is no text")
        if list(value) != sorted(value):
            raise DecodeError("a value that is not in its one allowed encoding")
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            if type(child) not in _SINGLE:
                _check_kinds(child, depth - 1)


def _plain(value: object) -> object:
    """The value as msgpack is to write it: keys sorted, tuples as lists; kinds, ranges checked."""
    if type(value) in _SINGLE and type(value) is not int:
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        if any(type(key) is not str for key in value):
            raise TypeError("a map's keys are text")
        return {key: _plain(value[key]) for key in sorted(value)}
    if type(value) is int and not INT_LOW <= value <= INT_HIGH:
        raise ValueError("an integer of more than 64 bits")
    if type(value) is not int:
        raise TypeError(f"a {type(value).__name__} has no encoding")
    return value


def integer(value: object, low: int = 0, high: int = INT_HIGH) -> int:
    """`value` if it is an int (not a bool) from low to high, both included; else DecodeError."""
    if type(value) is not int:
        raise DecodeError("something else where a whole number must be")
    if not low <= value <= high:
        raise DecodeError(f"a number outside {low} to {high}")
    return value


def octets(value: object, size: int | None = None, most: int | None = None) -> bytes:
    """`value` if it is bytes, of exactly `size`, of at most `most`; else DecodeError."""
    if type(value) is not bytes:
        raise DecodeError("something else where bytes must be")
    if size is not None and len(value) != size:
        raise DecodeError(f"{len(value)} bytes where {size} must be")
    if most is not None and len(value) > most:
        raise DecodeError(f"{len(value)} bytes where at most {most} may be")
    return value


def text(value: object, most: int = MESSAGE.text) -> str:
    """`value` if it is a str of at most `most` code points; else DecodeError."""
    if type(value) is not str:
        raise DecodeError("something else where text must be")
    if len(value) > most:
        raise DecodeError(f"text of {len(value)} characters where at most {most} may be")
    return value


def list_of(
    value: object, item: Callable[[object], A], low: int = 0, high: int = MESSAGE.items
) -> list[A]:
    """`value` if it is a list of low to high items, each as `item` (a check) returns it."""
    if type(value) is not list:
        raise DecodeError("something else where a list must be")
    if not low <= len(value) <= high:
        raise DecodeError(f"a list of {len(value)} where {low} to {high} must be")
    return [item(one) for one in value]


def map_of(value: object, item: Callable[[object], A], high: int = MESSAGE.pairs) -> dict[str, A]:
    """`value` if it is a map of at most `high` pairs, each value as `item` returns it."""
    if type(value) is not dict:
        raise DecodeError("something else where a map must be")
    if len(value) > high:
        raise DecodeError(f"a map of {len(value)} where at most {high} may be")
    return {text(key): item(one) for key, one in value.items()}


@overload
def fields(value: object, a: type[A], /) -> tuple[A]: ...
@overload
def fields(value: object, a: type[A], b: type[B], /) -> tuple[A, B]: ...
@overload
def fields(value: object, a: type[A], b: type[B], c: type[C], /) -> tuple[A, B, C]: ...
@overload
def fields(v: object, a: type[A], b: type[B], c: type[C], d: type[D], /) -> tuple[A, B, C, D]: ...
@overload
def fields(
    value: object, a: type[A], b: type[B], c: type[C], d: type[D], e: type[E], /
) -> tuple[A, B, C, D, E]: ...
@overload
def fields(
    value: object, a: type[A], b: type[B], c: type[C], d: type[D], e: type[E], f: type[F], /
) -> tuple[A, B, C, D, E, F]: ...
@overload
def fields(value: object, /, *kinds: type[Any]) -> tuple[Any, ...]: ...
def fields(value: object, *kinds: type[Any]) -> tuple[Any, ...]:
    """The items of a list of exactly these kinds (`object` takes any), as a tuple.

    No coercion: True is no int, b"" no str. Raises DecodeError. `fields(v, int, bytes, list)`.
    """
    if type(value) is not list:
        raise DecodeError("something else where a list must be")
    if len(value) != len(kinds):
        raise DecodeError(f"a list of {len(value)} where {len(kinds)} must be")
    items = tuple(value)
    # A list first: a tuple of an iterator is cut to size, and the cut ones pile up unused.
    if tuple([type(item) for item in items]) != kinds:
        for place, (item, kind) in enumerate(zip(items, kinds, strict=True)):
            if kind is not object and type(item) is not kind:
                raise DecodeError(f"a {type(item).__name__} at place {place} of a list")
    return items
