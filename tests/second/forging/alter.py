"""Altered records: what a forger without keys can make of whole ones."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from second.record.file import HEAD, read, written


@dataclass(frozen=True)
class Source:
    """A record in parts."""

    data: bytes
    description: bytes
    frames: tuple[bytes, ...]


def source_of(data: bytes) -> Source:
    """The parts of a whole record."""
    file = read(data)
    return Source(data, file.table.description, tuple(file.frames))


def _flip(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def any_byte(one: Source, other: Source, rng: random.Random) -> bytes:
    """A bit of the file, its hashes left as they are."""
    return _flip(one.data, rng)


def cut(one: Source, other: Source, rng: random.Random) -> bytes:
    """The file ends early."""
    return one.data[: rng.randrange(HEAD, len(one.data))]


def longer(one: Source, other: Source, rng: random.Random) -> bytes:
    """Bytes behind the body."""
    return one.data + rng.randbytes(rng.randrange(1, 9))


def frame_byte(one: Source, other: Source, rng: random.Random) -> bytes:
    """A bit of one frame, with right hashes."""
    frames = list(one.frames)
    at = rng.randrange(len(frames))
    frames[at] = frames[at][:1] + _flip(frames[at][1:], rng)
    return written(one.description, frames)


def mark(one: Source, other: Source, rng: random.Random) -> bytes:
    """A frame under another mark."""
    frames = list(one.frames)
    at = rng.randrange(len(frames))
    frames[at] = rng.choice([b"m", b"l", b"e", b"x"]) + frames[at][1:]
    return written(one.description, frames)


def without(one: Source, other: Source, rng: random.Random) -> bytes:
    """A frame is missing."""
    frames = list(one.frames)
    del frames[rng.randrange(len(frames))]
    return written(one.description, frames)


def shorter(one: Source, other: Source, rng: random.Random) -> bytes:
    """The last frames are missing, with right hashes: signatures or evidence were cut off."""
    keep = rng.choice([rng.randrange(len(one.frames)), len(one.frames) - rng.randrange(1, 5)])
    return written(one.description, one.frames[: max(keep, 0)])


def twice(one: Source, other: Source, rng: random.Random) -> bytes:
    """A frame a second time, somewhere."""
    frames = list(one.frames)
    frames.insert(rng.randrange(len(frames) + 1), rng.choice(frames))
    return written(one.description, frames)


def swapped(one: Source, other: Source, rng: random.Random) -> bytes:
    """Two neighbours change places."""
    frames = list(one.frames)
    at = rng.randrange(max(1, len(frames) - 1))
    frames[at : at + 2] = frames[at : at + 2][::-1]
    return written(one.description, frames)


def moved(one: Source, other: Source, rng: random.Random) -> bytes:
    """A frame stands elsewhere."""
    frames = list(one.frames)
    frame = frames.pop(rng.randrange(len(frames)))
    frames.insert(rng.randrange(len(frames) + 1), frame)
    return written(one.description, frames)


def spliced(one: Source, other: Source, rng: random.Random) -> bytes:
    """The beginning of one match and the end of another."""
    at, behind = rng.randrange(len(one.frames)), rng.randrange(len(other.frames))
    return written(one.description, [*one.frames[:at], *other.frames[behind:]])


def mixed(one: Source, other: Source, rng: random.Random) -> bytes:
    """A frame of another match in place of one of this."""
    frames = list(one.frames)
    frames[rng.randrange(len(frames))] = rng.choice(other.frames)
    return written(one.description, frames)


def renamed(one: Source, other: Source, rng: random.Random) -> bytes:
    """The description of another table."""
    return written(other.description, one.frames)


def described(one: Source, other: Source, rng: random.Random) -> bytes:
    """A bit of the description, with right hashes."""
    return written(_flip(one.description, rng), one.frames)


def accused(one: Source, other: Source, rng: random.Random) -> bytes:
    """One to three messages of the match as evidence, behind it or behind a part of it."""
    keep = rng.choice([len(one.frames), rng.randrange(len(one.frames) + 1)])
    named = [b"e" + frame[1:] for frame in rng.choices(one.frames, k=rng.randrange(1, 4))]
    return written(one.description, [*one.frames[:keep], *sorted(named)])


Alteration = Callable[[Source, Source, random.Random], bytes]

ALTERATIONS: tuple[Alteration, ...] = (
    any_byte,
    cut,
    longer,
    frame_byte,
    mark,
    without,
    shorter,
    twice,
    swapped,
    moved,
    spliced,
    mixed,
    renamed,
    described,
    accused,
)
