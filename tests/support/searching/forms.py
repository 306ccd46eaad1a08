"""The forms in which a secret can lie in memory or on a disk, and objects that have these forms.

Of CPython: numbers of more than a digit lie in digits of 30 bits, each in four bytes; lists and
tuples are addresses in a row, of small numbers and of the 28 tiles always the same ones.
"""

import ctypes
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from support.searching.told import Secret, Value

from engine.tiles import ALL_TILES, TILE_COUNT
from p2p.crypto.group import SCALAR_BYTES

Forms = Mapping[str, bytes]
"""What to search for, by name."""

# So many tiles in a row are nobody's by chance, nor any list of all tiles.
RUN = 4
# The bits, or bytes, of fewer are sometimes those of others, such as of all that fit some ends.
MANY = 8
_WORD = 8
# Behind the count of references: the type's address and the size, then the digits.
_TYPE_AT, _DIGITS_AT = _WORD, 3 * _WORD


@dataclass(frozen=True)
class Addresses:
    """Where in a process the numbers from 0 to 28 lie, the 28 tiles, and the type of numbers."""

    numbers: tuple[int, ...]
    tiles: tuple[int, ...]
    type: int

    @staticmethod
    def here() -> "Addresses":
        """Those of this process."""
        numbers = tuple(id(number) for number in range(TILE_COUNT + 1))
        return Addresses(numbers, tuple(map(id, ALL_TILES)), id(int))

    def to_line(self) -> str:
        """A line of text."""
        return json.dumps([self.numbers, self.tiles, self.type])

    @staticmethod
    def from_line(line: str) -> "Addresses":
        """What `to_line` wrote."""
        numbers, tiles, kind = json.loads(line)
        return Addresses(tuple(numbers), tuple(tiles), kind)


def forms_of(secret: Secret, at: Addresses | None = None) -> Forms:
    """All forms of a secret that is no tile; those made of addresses only where they are given."""
    forms = dict(_forms_of_value(secret.value, at))
    return {f"{secret.what} as {form}": data for form, data in forms.items()}


def _forms_of_value(value: Value, at: Addresses | None) -> Iterator[tuple[str, bytes]]:
    if isinstance(value, int):
        yield "digits", _digits(value)
        yield "decimal", str(value).encode()
        yield from _forms_of_value(value.to_bytes(SCALAR_BYTES, "little"), at)
        for form, data in _forms_of_value(value.to_bytes(SCALAR_BYTES, "big"), at):
            yield f"{form}, largest first", data
    elif isinstance(value, bytes):
        yield "bytes", value
        yield "hex", value.hex().encode()
    else:
        yield "bytes", bytes(value)
        yield "scalars", b"".join(one.to_bytes(SCALAR_BYTES, "little") for one in value)
        yield "list of text", ", ".join(map(str, value)).encode()
        yield "text", ",".join(map(str, value)).encode()
        yield "bytes from 0", bytes(one - 1 for one in value)
        if at is not None:
            yield "list", _row(at.numbers[one] for one in value)
            yield "list from 0", _row(at.numbers[one - 1] for one in value)


def objects_of(secret: Secret) -> list[object]:
    """Objects that have all forms of a secret that is no tile."""
    value = secret.value
    if isinstance(value, int):
        little, big = value.to_bytes(SCALAR_BYTES, "little"), value.to_bytes(SCALAR_BYTES, "big")
        return [value + 0, str(value), little, big, little.hex(), big.hex()]
    if isinstance(value, bytes):
        return [bytearray(value), value.hex()]
    scalars = b"".join(one.to_bytes(SCALAR_BYTES, "little") for one in value)
    texts = [", ".join(map(str, value)), ",".join(map(str, value))]
    lists = [list(value), [one - 1 for one in value]]
    return [bytes(value), scalars, *texts, *lists, bytes(lists[1])]


def forms_of_hand(hand: Mapping[int, int], at: Addresses | None = None) -> Forms:
    """All forms of some tiles of one seat, at least RUN, by slot; those made of addresses of RUN
    tiles in a row, so that a part is found too."""
    slots, tiles = sorted(hand), [hand[slot] for slot in sorted(hand)]
    forms = {f"tiles as {form}": data for form, data in _forms_of_tiles(tiles)}
    if at is not None:
        if len(tiles) >= MANY:
            forms["tiles as bits"] = _small(_bits(tiles), at)
        for first in range(len(slots) - RUN + 1):
            run = slots[first : first + RUN]
            if run[-1] - run[0] == RUN - 1:
                found = _runs(run, hand, at)
                forms |= {f"{form}, from slot {run[0]}": data for form, data in found}
    return forms


def _forms_of_tiles(tiles: Sequence[int]) -> Iterator[tuple[str, bytes]]:
    if len(tiles) >= MANY:
        yield "bytes", bytes(tiles)
    for order, ordered in (("dealt", tiles), ("shown", sorted(tiles, reverse=True))):
        for form, between in (("text", " "), ("list of text", ", "), ("JSON", '","')):
            text = between.join(str(ALL_TILES[one]) for one in ordered)
            yield f"{form}, as {order}", text.encode()


def _runs(
    run: Sequence[int], hand: Mapping[int, int], at: Addresses
) -> Iterator[tuple[str, bytes]]:
    yield "tiles as list", _row(at.tiles[hand[slot]] for slot in run)
    yield "tiles as list of numbers", _row(at.numbers[hand[slot]] for slot in run)
    for form, places in (("map", at.tiles), ("map of numbers", at.numbers)):
        entries = ((slot, at.numbers[slot], places[hand[slot]]) for slot in run)
        yield f"tiles as {form}", _row(word for entry in entries for word in entry)


def objects_of_hand(hand: Mapping[int, int]) -> list[object]:
    """Objects that have all forms of these tiles, and know of no other slot."""
    tiles = [hand[slot] for slot in sorted(hand)]
    texts = [data.decode() for form, data in _forms_of_tiles(tiles) if form != "bytes"]
    shown = {slot: ALL_TILES[hand[slot]] for slot in sorted(hand)}
    numbers = {slot: hand[slot] for slot in sorted(hand)}
    return [bytes(tiles), *texts, tiles, list(shown.values()), shown, numbers, _bits(tiles)]


def _bits(tiles: Sequence[int]) -> int:
    return sum(1 << one for one in tiles)


def _row(words: Iterator[int]) -> bytes:
    return b"".join(word.to_bytes(_WORD, sys.byteorder) for word in words)


def _digits(number: int) -> bytes:
    """The digits of a number as they lie in memory, the lowest first."""
    size = sys.int_info.sizeof_digit
    count = -(-number.bit_length() // sys.int_info.bits_per_digit)
    return ctypes.string_at(id(number) + _DIGITS_AT, count * size)


def _small(number: int, at: Addresses) -> bytes:
    """A number of one digit as an object of a process, without its count of references."""
    lies = ctypes.string_at(id(number) + 2 * _WORD, _WORD + sys.int_info.sizeof_digit)
    return at.type.to_bytes(_WORD, sys.byteorder) + lies
