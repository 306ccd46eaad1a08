"""Machines that are not honest: they change what goes out, whatever their sitting says.

A cheat may sign a second version of a message for some seats, or three of which each gets two; keep
its own messages from some, pass on nothing of some seat, or flood. Its own sitting plays on as if
it were honest.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from support.session.second_signature import sign_again
from support.simulate.machine import Machine
from support.simulate.plan import Fault
from support.simulate.reading import signed_in

from p2p.crypto.identity import IdentityKey
from p2p.wire.codec import decode, encode
from p2p.wire.envelope import SIGNED_LABEL, VOTE, Message
from p2p.wire.messages import AgreeBody
from p2p.wire.talk import Said, encode_talk

MOST_FLOOD = 150
# Of a signature: two are alike only if this is.
THIRD_NONCE = 3
# After which votes are spoilt to which an `agree` is kept back.
SPOILT_SECONDS = 8.0
# It is shown when the others have played on for a while.
SHOWN_SECONDS = 80.0
# Whoever kept it goes then, so that they need not wait for it for long.
GONE_SECONDS = 4.0
# The kinds of own messages that are kept back: all, or some.
_ONLY = ((), (), ("agree", "vote"), ("play", "draw", "pass"), ("share", "deal", "open"))


def second_version(key: IdentityKey, message: Message, choice: int) -> bytes:
    """Another message of this seat for the same place, as right as the first: another decision of
    a clock where there is one, else another signature of the very same payload."""
    *head, kind, body = _payload(message)
    if choice % 2 and kind in ("play", "draw", "pass") and isinstance(body, list):
        payload = encode([*head, kind, [*body[:-1], not body[-1]]])
        return encode([key.sign(SIGNED_LABEL, payload), payload])
    signature = sign_again(key.private_bytes(), SIGNED_LABEL, message.payload)
    return encode([signature, message.payload])


def third_version(key: IdentityKey, message: Message) -> bytes:
    """One more, unlike every second version."""
    signature = sign_again(key.private_bytes(), SIGNED_LABEL, message.payload, THIRD_NONCE)
    return encode([signature, message.payload])


def _payload(message: Message) -> list[object]:
    payload = decode(message.payload)
    assert isinstance(payload, list)
    return payload


def wrong_version(key: IdentityKey, message: Message) -> bytes:
    """The message with a body of no right form."""
    *head, body = _payload(message)
    assert isinstance(body, list)
    payload = encode([*head, [*body, 1]])
    return encode([key.sign(SIGNED_LABEL, payload), payload])


def next_vote(key: IdentityKey, vote: Message) -> bytes:
    """The same vote in the next round."""
    *head, body = _payload(vote)
    assert isinstance(body, list)
    payload = encode([*head, [vote.round + 1, *body[1:]]])
    return encode([key.sign(SIGNED_LABEL, payload), payload])


class _Other(NamedTuple):
    """What some get in place of a message: the kind of fault that is, and by place the bytes."""

    kind: str
    to: Mapping[int, tuple[bytes, ...]]

    @classmethod
    def for_all(cls, kind: str, data: bytes, places: Iterable[int]) -> "_Other":
        """All of them get the same."""
        return cls(kind, dict.fromkeys(places, (data,)))


@dataclass
class Dishonest:
    """What a cheat does with what its sitting wants to send; `made` counts it.

    Nothing of other seats goes to the place `blind`. Own payloads are kept from the places of
    `withheld`, those of `only` kinds if it names some.
    """

    machine: Machine
    rng: random.Random
    made: Counter[str]
    blind: int | None = None
    withheld: frozenset[int] = frozenset()
    only: frozenset[str] = frozenset()
    _double: Fault | None = None
    _triple: bool = False
    _wrong: Fault | None = None
    _twice: Fault | None = None
    _keeping: Fault | None = None
    _vote: Message | None = None
    _others_get: dict[bytes, _Other] = field(default_factory=dict)
    _kept: list[tuple[int, bytes]] = field(default_factory=list)
    _held: list[tuple[int, bytes]] = field(default_factory=list)
    _went: set[bytes] = field(default_factory=set)

    def sign_twice(self, fault: Fault) -> None:
        """The next own message has a second version."""
        self._double = fault

    def sign_thrice(self, fault: Fault) -> None:
        """The next own message has three versions, of which each of the others gets two."""
        self._double, self._triple = fault, True

    def say_wrong(self, fault: Fault) -> None:
        """For some, or all, the next own message has another body than its sitting meant, one that
        breaks a rule."""
        self._wrong = fault

    def vote_twice(self, fault: Fault) -> None:
        """The next own vote has a second version."""
        self._twice = fault

    def keep_agree(self, fault: Fault) -> None:
        """The next own `agree` to votes is kept back: soon there is a vote of the next round
        instead, and it is shown when the others have gone on."""
        self._keeping = fault

    def hold_back(self, fault: Fault) -> None:
        """From now on own messages are kept from one or more."""
        others = self._others()
        self.withheld = frozenset(self.rng.sample(others, self.rng.randint(1, len(others))))
        self.only = frozenset(self.rng.choice(_ONLY))

    def release(self) -> list[tuple[int, bytes]]:
        """Nothing is kept any more; what was, and for whom."""
        held, self._held, self.withheld = self._held, [], frozenset()
        return held

    def hears(self, payload: bytes) -> bool:
        """Whether its sitting may hear that: not what it signed itself and denies."""
        message = signed_in(payload)
        return message is None or not self.machine.wrote(message)

    def outgoing(self, to: int, payload: bytes) -> Iterator[bytes]:
        """What really goes to a place."""
        message = signed_in(payload)
        if message is not None and not self.machine.wrote(message) and to == self.blind:
            self.made["selective relay"] += 1
        elif message is not None and self.machine.wrote(message):
            yield from self._own(to, payload, message)
        else:
            yield payload

    def _own(self, to: int, payload: bytes, message: Message) -> Iterator[bytes]:
        if message.data not in self._went:
            self._went.add(message.data)
            self._prepare(message)
        payloads, other = [payload], self._others_get.get(message.data)
        if other is not None and to in other.to:
            self.made[other.kind] += 1
            payloads = [encode_talk(Said(data)) for data in other.to[to]]
        if self._keeps(message):
            self._kept += [(to, one) for one in payloads]
        elif to in self.withheld and (not self.only or message.kind in self.only):
            self.made["withhold"] += 1
            self._held += [(to, one) for one in payloads]
        else:
            yield from payloads

    def _prepare(self, message: Message) -> None:
        """What others are to get in place of a message that is said for the first time."""
        others, key = self._others(), self.machine.key
        some = self.rng.sample(others, self.rng.randint(1, len(others)))
        if message.kind == VOTE:
            self._vote = message
            if self._twice is not None:
                second = second_version(key, message, 0)
                self._others_get[message.data] = _Other.for_all("two votes", second, some)
                self._twice = None
        elif self._double is not None:
            second = second_version(key, message, self._double.choice)
            self._others_get[message.data] = (
                self._pairs(message.data, second, third_version(key, message))
                if self._triple
                else _Other.for_all("two versions", second, some)
            )
            self._double, self._triple = None, False
        elif self._wrong is not None:
            wrong = wrong_version(key, message)
            some = others if self._wrong.choice % 2 else some
            self._others_get[message.data] = _Other.for_all("wrong message", wrong, some)
            self._wrong = None

    def _pairs(self, *versions: bytes) -> _Other:
        """Each of the others gets two of three, and no two of them the same if there are few."""
        pairs = [versions[:2], versions[1:], (versions[2], versions[0])]
        self.rng.shuffle(pairs)
        return _Other("three versions", dict(zip(self._others(), pairs, strict=False)))

    def _keeps(self, message: Message) -> bool:
        """Whether a message is the `agree` to votes that is kept back, or is so from now on."""
        to_votes = message.kind == AgreeBody.kind and self._vote is not None
        if self._keeping is None or not to_votes or message.previous != message.root:
            return False
        if not self._kept:
            self.machine.world.at(SPOILT_SECONDS, self._spoil)
            self.machine.world.at(SHOWN_SECONDS + self._keeping.seconds, self._show)
        return True

    def _spoil(self) -> None:
        """A vote of the next round sets the others free of the votes that they have agreed to."""
        assert self._vote is not None, "an agree to votes without one"
        payload = encode_talk(Said(next_vote(self.machine.key, self._vote)))
        for to in self._others():
            self.machine.world.send(self.machine.place, to, payload)
        self.machine.world.at(GONE_SECONDS, partial(self.machine.die, "it goes for a while"))

    def _show(self) -> None:
        """The `agree` that was kept back is shown over links of a moment."""
        self._keeping, kept = None, dict(self._kept)
        for to, payload in kept.items():
            self.made["kept agree"] += 1
            self.machine.world.show(self.machine.place, to, payload)

    def _others(self) -> list[int]:
        count = len(self.machine.table.seats)
        return [place for place in range(count) if place != self.machine.place]


def flood(rng: random.Random, table: bytes, seat: int) -> list[bytes]:
    """Payloads of every sort that nobody needs: noise, kinds that are none, lists, early steps."""
    made = []
    for _ in range(rng.randint(20, MOST_FLOOD)):
        made.append(
            rng.choice(
                (
                    rng.randbytes(rng.randint(0, 60)),
                    encode(["nothing", rng.getrandbits(30)]),
                    encode(["message", rng.randbytes(rng.randint(0, 200))]),
                    encode([[[]], seat, table]),
                    encode(["chat", rng.randbytes(90)]),
                )
            )
        )
    return made
