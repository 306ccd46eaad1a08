"""Altered records: what a forger without keys can make of whole ones."""

import random
from collections.abc import Callable, Sequence

from second.forging.made import NOBODY, Made, Source
from second.forging.wrong import flipped
from second.record.file import HEAD, written
from second.wire.messages import opened
from second.wire.values import MESSAGE, Value, decode, encode


def any_byte(one: Source, other: Source, rng: random.Random) -> bytes:
    """A bit of the file, its hashes left as they are."""
    return flipped(one.data, rng)


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
    frames[at] = frames[at][:1] + flipped(frames[at][1:], rng)
    return written(one.description, frames)


def field(one: Source, other: Source, rng: random.Random) -> bytes:
    """A field of a message, or of its place, with the signature that it had."""
    frames = list(one.frames)
    at = rng.randrange(len(frames))
    signature, payload = opened(frames[at][1:])
    fields = decode(payload, MESSAGE)
    part = rng.randrange(len(fields))
    fields[part] = _another(fields[part], rng)
    frames[at] = frames[at][:1] + encode([signature, encode(fields)])
    return written(one.description, frames)


def _another(value: Value, rng: random.Random) -> Value:
    if type(value) is list and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _another(value[at], rng), *value[at + 1 :]]
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value + rng.choice([-1, 1, 5])
    if type(value) is bytes and value:
        return flipped(value, rng)
    if type(value) is str:
        return rng.choice([one for one in ("play", "pass", "L", "R", "U") if one != value])
    return rng.choice([[0], 0])


def signature(one: Source, other: Source, rng: random.Random) -> bytes:
    """The signature of one message under what another says, or none."""
    frames = list(one.frames)
    at = rng.randrange(len(frames))
    mine, payload = opened(frames[at][1:])
    found, _ = opened(rng.choice(frames)[1:])
    replaced = found if found != mine else bytes(64)
    frames[at] = frames[at][:1] + encode([replaced, payload])
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


def unsigned(one: Source, other: Source, rng: random.Random) -> bytes:
    """Some of the last messages are missing, whose they are: signatures of the result."""
    frames = list(one.frames)
    for _ in range(rng.randrange(1, 3)):
        if frames:
            del frames[max(0, len(frames) - 1 - rng.randrange(3))]
    return written(one.description, frames)


def unproven(one: Source, other: Source, rng: random.Random) -> bytes:
    """Evidence, leaves or votes are missing; of a match without them what stands last."""
    frames = list(one.frames)
    proofs = [i for i, frame in enumerate(frames) if frame[:1] in b"le"]
    proofs = proofs or [len(frames) - 1]
    for at in sorted(rng.sample(proofs, rng.randrange(1, len(proofs) + 1)), reverse=True):
        del frames[at]
    return written(one.description, frames)


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


def reordered(one: Source, other: Source, rng: random.Random) -> bytes:
    """Some frames in a row in another order."""
    frames = list(one.frames)
    at = rng.randrange(len(frames))
    end = at + rng.randrange(2, 9)
    frames[at:end] = rng.sample(frames[at:end], len(frames[at:end]))
    return written(one.description, frames)


def spliced(one: Source, other: Source, rng: random.Random) -> bytes:
    """The beginning of one match and the end of another."""
    at, behind = rng.randrange(len(one.frames)), rng.randrange(len(other.frames))
    return written(one.description, [*one.frames[:at], *other.frames[behind:]])


def spliced_level(one: Source, other: Source, rng: random.Random) -> bytes:
    """So many frames of one match, and of another all behind as many."""
    at = rng.randrange(min(len(one.frames), len(other.frames)) + 1)
    return written(one.description, [*one.frames[:at], *other.frames[at:]])


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
    return written(flipped(one.description, rng), one.frames)


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
    field,
    signature,
    mark,
    without,
    shorter,
    unsigned,
    unproven,
    twice,
    swapped,
    moved,
    reordered,
    spliced,
    spliced_level,
    mixed,
    renamed,
    described,
    accused,
)

MIXTURES = (spliced, spliced_level, mixed)
EVERYBODY = frozenset(range(4))


def altered(sources: Sequence[Source], number: int, rng: random.Random) -> Made:
    """One of these records, altered in the way of this number; by whom, nobody can tell."""
    alteration = ALTERATIONS[number % len(ALTERATIONS)]
    one, other = rng.choice(sources), rng.choice(sources)
    data = alteration(one, other, rng)
    guilty = one.guilty
    if alteration in MIXTURES:
        # Of two ways of one table all have signed both.
        two_ways = one.description == other.description
        guilty |= other.guilty | (EVERYBODY if two_ways else NOBODY)
    if rng.random() < 0.1 and len(data) > HEAD:
        return Made("altered_and_cut", data[: rng.randrange(HEAD, len(data))], (), guilty)
    return Made(alteration.__name__, data, (one, other), guilty)
