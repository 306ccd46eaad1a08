"""What hostile bytes meet: decoder, frames, door, link and sitting, each as pure code.

A target takes one input, and raises nothing but what says that it is wrong.
"""

import copy
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from support.fuzz.twist import any_value, cut_or_flipped, twisted
from support.session.sittings import Hall, make_hall, quiet, silent
from support.session.tables import seeded

from p2p.crypto.identity import IdentityKey
from p2p.net.door import messages as door
from p2p.net.errors import LinkBroken, NotSeated
from p2p.net.link import greeting
from p2p.net.link.message import No, heard, read, whole
from p2p.session.session import Session
from p2p.wire import codec, messages, talk
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.envelope import VERSION, Message, open_envelope, seal
from p2p.wire.framing import CAP_AFTER_PROOF, Deframer, FrameError, frame
from p2p.wire.shape import Shape

HOSTILE = 1
# Seconds between two inputs: some pass, and links that flood are ended now and then.
_TICK = 0.009
_KEY = IdentityKey.generate(seeded("fuzz"))
_HOST = IdentityKey.generate(seeded("fuzz host"))
_SECRET = greeting.LinkSecret(bytes(32), bytes(32))
_NONCE = bytes(32)


def shapes_of(module: object) -> tuple[type[Shape], ...]:
    """The shapes that a module has."""
    found = (one for one in vars(module).values() if isinstance(one, type))
    return tuple(one for one in found if issubclass(one, Shape))


BODIES = tuple(one for one in shapes_of(messages) if one is not Shape and one.kind)
LOBBY = (*(one for one in shapes_of(door) if one is not Shape and one.kind), No)
OPENINGS = (greeting.JoinOpening, greeting.LinkOpening, greeting.LinkAnswer, greeting.Use)


class Target(Protocol):
    """Something that hostile inputs are fed to."""

    def feed(self, signed: bool) -> None:
        """One input, rightly signed or not."""
        ...


class Frames:
    """The decoder, and frames cut at any byte."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def feed(self, signed: bool) -> None:
        """One input."""
        rng = self._rng
        data = encode(any_value(rng)) if signed else rng.randbytes(rng.randrange(1, 60))
        if rng.random() < 0.5:
            data = cut_or_flipped(rng, data)
        for limit in (codec.MESSAGE, codec.STRANGER):
            _value(data, limit)
        _refused(DecodeError, codec.weigh, data)
        whole_frame = frame(data) if data else b""
        stream = cut_or_flipped(rng, whole_frame) if rng.random() < 0.3 else whole_frame
        at = rng.randrange(len(stream) + 1)
        assert _payloads(stream) == _payloads(stream[:at], stream[at:]), "it matters how they came"


def _payloads(*parts: bytes) -> list[bytes]:
    """What frames hold, up to what is none."""
    deframer, found = Deframer(CAP_AFTER_PROOF), list[bytes]()
    for part in parts:
        with suppress(FrameError):
            found += deframer.feed(part)
    return found


def _value(data: bytes, limit: codec.Limits) -> object:
    """What they say, or nothing."""
    try:
        return decode(data, limit)
    except DecodeError:
        return None


def _refused(refusal: type[Exception], job: Callable[..., object], *arguments: object) -> None:
    with suppress(refusal):
        job(*arguments)


class Door:
    """What strangers and joiners say, and openings of links: every shape, rightly signed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def feed(self, signed: bool) -> None:
        """One input."""
        rng = self._rng
        value = self._opening(signed) if rng.random() < 0.5 else self._said()
        data = encode(twisted(rng, value) if not signed or rng.random() < 0.5 else value)
        said = _value(data, codec.STRANGER)
        _refused(DecodeError, greeting.Hello.read, said)
        with suppress(DecodeError, LinkBroken):
            self._judge(said)
        with suppress(DecodeError, NotSeated):
            read(heard(said), *LOBBY)

    def _said(self) -> list[object]:
        return self._filled(self._rng.choice(LOBBY))

    def _filled(self, shape: type[Shape]) -> list[object]:
        return [shape.kind, *(any_value(self._rng) for _ in shape.__dataclass_fields__)]

    def _opening(self, signed: bool) -> list[object]:
        rng = self._rng
        if not signed:
            return self._filled(rng.choice(OPENINGS))
        if rng.random() < 0.5:
            way = rng.choice(list(greeting.WAYS.values()))
            part = rng.randbytes(rng.randrange(64))
            join = greeting.JoinOpening.make(_KEY, _HOST.public, _NONCE, way, "den", part)
            return whole(join)
        run = rng.randbytes(greeting.RUN_BYTES)
        return whole(greeting.LinkOpening.make(_KEY, _HOST.public, _NONCE, _SECRET, run))

    def _judge(self, value: object) -> None:
        if greeting.opening_word(value) == greeting.JoinOpening.kind:
            read(value, greeting.JoinOpening).check(_HOST.public, _NONCE)
        else:
            read(value, greeting.LinkOpening).check(_HOST.public, _NONCE, _SECRET)


@cache
def _halls() -> tuple[Hall, ...]:
    """Tables of three at which one peer is hostile: a deck is made, somebody is to move."""
    begun = make_hall(3, None, "fuzz")
    for one in begun.sitters:
        one.answer = silent
    begun.start(0)
    moved = quiet(3)
    claiming = quiet(3, claims="yes", starter="highest-double")
    return begun, moved, claiming


@dataclass
class Sittings:
    """A seat, and what another one of its table says to it; the same seat throughout."""

    rng: random.Random
    halls: list[Hall] = field(default_factory=list)
    said: list[list[bytes]] = field(default_factory=list)
    messages: dict[bytes, list[Message]] = field(default_factory=dict)
    now: float = 0.0
    proven: int = 0

    def __post_init__(self) -> None:
        for hall in _halls():
            keys = {id(one.sitting._identity): one.sitting._identity for one in hall.sitters}
            self.halls.append(copy.deepcopy(hall, dict(keys)))
            sent = [
                payload
                for one in hall.sitters
                for effects in one.given
                for _, payload in effects.send
            ]
            self.said.append(sent)
            both = (one.session for one in hall.sitters[:2])
            known = [one for session in both for one in session.course.known.messages.values()]
            self.messages.setdefault(hall.sitters[0].session.table.id, []).extend(known)
        for hall in self.halls:
            for one in hall.sitters:
                one.given = one.given[-1:]

    def feed(self, signed: bool) -> None:
        """One input."""
        rng = self.rng
        at = rng.randrange(len(self.halls))
        hall, said = self.halls[at], self.said[at]
        sitting = hall.sitters[0].sitting
        payload = rng.choice(said)
        if signed:
            payload = self._signed(hall.sitters[HOSTILE].session, payload)
        elif rng.random() < 0.9:
            payload = cut_or_flipped(rng, payload)
        self.now += _TICK
        if sitting.repeats(HOSTILE, payload):
            return
        effects = sitting.heard(HOSTILE, payload, self.now)
        if effects.close:
            sitting.unlinked(HOSTILE, "it was ended", self.now)
            sitting.linked(HOSTILE, self.now)
        assert effects.outcome is None, f"the match ended: {effects.outcome}"
        fault = sitting.session.fault
        assert fault is None or fault.seat == HOSTILE, "an innocent seat is named"

    def _signed(self, session: Session, payload: bytes) -> bytes:
        """Something of the hostile seat's own, signed as it must be."""
        rng, table, identity = self.rng, session.table.id, session._identity
        if rng.random() < 0.4:
            shape = rng.choice(list(talk._SAYINGS.values()))
            fields = [any_value(rng) for _ in shape.__dataclass_fields__]
            number = rng.choice((0, 1, rng.randrange(1000), 2**32))
            signed = encode([VERSION, table, HOSTILE, number, shape.kind, fields])
            data = encode([identity.sign(talk.WORD_LABEL, signed), signed])
            return encode([talk.Word.kind, data])
        message = self._message(session, payload)
        place = message.place._replace(seat=HOSTILE, round=0)
        if rng.random() < 0.4:
            ladder = rng.choice((0, 0, 1, 2, 3, rng.randrange(2**32)))
            step = max(1, place.step + rng.choice((0, 0, 1, -1, 2, 1000)))
            place = place._replace(ladder=ladder, step=step)
        known = session.referee.ladders.get(place.ladder)
        previous = known.top if known is not None and rng.random() < 0.7 else message.previous
        body = list(message.body)
        kind = message.kind if rng.random() < 0.8 else rng.choice(BODIES).kind
        said = twisted(rng, body) if rng.random() < 0.8 else body
        if not isinstance(said, list):
            said = [said]
        return encode([talk.Said.kind, seal(identity, table, place, previous, kind, said)])

    def _message(self, session: Session, payload: bytes) -> Message:
        """The message in a payload, or one of the match."""
        value = decode(payload)
        if isinstance(value, list) and value[0] == talk.Said.kind:
            data = value[1]
            assert isinstance(data, bytes)
            return open_envelope(data)
        return self.rng.choice(self.messages[session.table.id])

    @property
    def held(self) -> int:
        """How much the seats hold of what was said: messages, parked ones, words."""
        sessions = [hall.sitters[0].session for hall in self.halls]
        return sum(len(one.course.known.messages) + len(one.parked) for one in sessions)
