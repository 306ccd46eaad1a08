"""What a seat can do with its own key to what it said: other signatures, other spellings, and whole
records in which it changed something and signed all again that it said behind that."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.forging.made import Made, Source
from second.forging.wrong import WRONG
from second.play.local import LocalMatch
from second.record.file import written
from second.wire.ed25519 import ORDER, public, sign
from second.wire.messages import Message, chained, opened, read_message
from second.wire.values import MESSAGE, Value, decode, encode

LABEL = "allfives message"


def _scalar(private: Ed25519PrivateKey) -> int:
    """The secret number of a key (RFC 8032, 5.1.5)."""
    digest = hashlib.sha512(private.private_bytes_raw()).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254


def signed_anew(private: Ed25519PrivateKey, label: str, payload: bytes) -> bytes:
    """Another right signature of the same, with a nonce by lot: that of a fresh key."""
    nonce = Ed25519PrivateKey.generate()
    said = label.encode() + b"\0" + payload
    digest = hashlib.sha512(public(nonce) + public(private) + said).digest()
    answer = _scalar(nonce) + int.from_bytes(digest, "little") * _scalar(private)
    return public(nonce) + (answer % ORDER).to_bytes(32, "little")


def second_signature(match: LocalMatch, message: Message) -> Message:
    """The same message, signed by its signer a second time."""
    _, payload = opened(message.envelope)
    signature = signed_anew(match.privates[message.seat], LABEL, payload)
    return read_message(match.table, encode([signature, payload]), any_vote=True)


def spelled_otherwise(private: Ed25519PrivateKey, message: Message, rng: random.Random) -> bytes:
    """An envelope that says the same in a spelling which is not its one encoding, rightly signed:
    bytes that are no message."""
    signature, payload = opened(message.envelope)
    if rng.random() < 0.3:
        return _loosely([signature, payload], rng)
    loose = _loosely(decode(payload, MESSAGE), rng)
    return encode([sign(private, LABEL, loose), loose])


def _loosely(value: Value, rng: random.Random) -> bytes:
    """Some encoding that is longer than it need be, or has something behind it."""
    usual = encode(value)
    while True:
        spelled = _spelled(value, rng) + (b"\xc0" if rng.random() < 0.05 else b"")
        if spelled != usual:
            return spelled


def _spelled(value: Value, rng: random.Random) -> bytes:
    loose = rng.random() < 0.2
    if isinstance(value, list):
        head = b"\xdc" + len(value).to_bytes(2, "big") if loose else encode([None] * len(value))[:1]
        return head + b"".join(_spelled(item, rng) for item in value)
    if loose and type(value) is int and 0 <= value < 2**32:
        return b"\xcf" + value.to_bytes(8, "big")
    if loose and type(value) is str:
        return b"\xda" + len(value.encode()).to_bytes(2, "big") + value.encode()
    if loose and type(value) is bytes:
        return b"\xc6" + len(value).to_bytes(4, "big") + value
    return encode(value)


class Resigned:
    """The frames of a closed match in which nobody was put out, to be changed by one seat."""

    def __init__(self, match: LocalMatch, source: Source, rng: random.Random) -> None:
        self.match, self.source, self.rng = match, source, rng
        self.said = [read_message(match.table, frame[1:]) for frame in source.frames]

    def _made(self, kind: str, said: Sequence[Message | bytes], seat: int) -> Made:
        envelopes = [one if isinstance(one, bytes) else one.envelope for one in said]
        frames = [b"m" + envelope for envelope in envelopes]
        data = written(self.source.description, frames)
        return Made(kind, data, (self.source,), frozenset({seat}), resigned=True)

    def _some(self, most: float = 1.0) -> int:
        return self.rng.randrange(max(1, int(most * len(self.said))))

    def wrong_within(self) -> Made:
        """Somebody's message has a wrong body: that seat must be named."""
        while True:
            at = self._some()
            old = self.said[at]
            body = self.rng.choice(WRONG)(old.kind, old.body, self.rng)
            if body is not None:
                break
        player = self.match.players[old.seat]
        said = [*self.said[:at], player.sign(old.place, old.kind, body), *self.said[at + 1 :]]
        return replace(self._made("wrong_within", said, old.seat), named=old.seat)

    def result_anew(self) -> Made:
        """A seat signs the result a second time: the same match, in other bytes."""
        at = len(self.said) - 1 - self.rng.randrange(len(self.match.match.state.seats))
        said = list(self.said)
        said[at] = second_signature(self.match, said[at])
        return self._made("result_anew", said, said[at].seat)

    def spelled_within(self) -> Made:
        """Somebody spells a message otherwise: no message, and nobody is named."""
        at = self._some()
        private = self.match.privates[self.said[at].seat]
        other = spelled_otherwise(private, self.said[at], self.rng)
        made = self._made("spelled_within", [*self.said[:at], other, *self.said[at + 1 :]], 0)
        return replace(made, guilty=frozenset())

    def chained_anew(self) -> Made:
        """A seat signs a message anew, and then all that it said behind it, each for the T that
        follows from that; the others signed for another."""
        at = self._some(0.9)
        said: list[Message] = [*self.said[:at], second_signature(self.match, self.said[at])]
        seat, renamed = self.said[at].seat, self._other_names(said, at)
        for old in self.said[at + 1 :]:
            said.append(self._renamed(old, renamed) if old.seat == seat else old)
            renamed |= self._other_names(said, len(said) - 1)
        return self._made("chained_anew", said, seat)

    def _other_names(self, said: Sequence[Message], at: int) -> dict[bytes, bytes]:
        """What T of the step of a message becomes, if the step ends there."""
        place = self.said[at].place
        step = [i for i, one in enumerate(self.said) if one.place == place]
        if step[-1] != at or len(said) <= at:
            return {}
        ways = []
        for messages in (self.said, said):
            ids = [messages[i].id for i in step]
            ways.append(chained("step", messages[step[0]].place.previous, ids))
        return {ways[0]: ways[1]}

    def _renamed(self, old: Message, renamed: dict[bytes, bytes]) -> Message:
        previous = renamed.get(old.place.previous, old.place.previous)
        body = [renamed.get(v, v) if type(v) is bytes and len(v) == 32 else v for v in old.body]
        if previous == old.place.previous and body == old.body:
            return old
        place = replace(old.place, previous=previous)
        return self.match.players[old.seat].sign(place, old.kind, body)

    def all_ways(self) -> list[Made]:
        """One of each sort, more of the one in which somebody must be named."""
        made = [self.wrong_within() for _ in range(4)]
        return [*made, self.result_anew(), self.spelled_within(), self.chained_anew()]
