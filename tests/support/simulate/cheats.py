"""Machines that are not honest: they change what goes out, whatever their sitting says.

A cheat may sign a second version of a message for some seats, keep its own messages from some, pass
on nothing of some seat, or flood. Its own sitting plays on as if it were honest.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from support.session.second_signature import sign_again
from support.simulate.machine import Machine
from support.simulate.plan import Fault
from support.simulate.reading import signed_in

from p2p.crypto.identity import IdentityKey
from p2p.wire.codec import decode, encode
from p2p.wire.envelope import SIGNED_LABEL, Message
from p2p.wire.talk import Said, encode_talk

MOST_FLOOD = 150
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


def _payload(message: Message) -> list[object]:
    payload = decode(message.payload)
    assert isinstance(payload, list)
    return payload


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
    _second: dict[bytes, bytes] = field(default_factory=dict)
    _to: frozenset[int] = frozenset()
    _held: list[tuple[int, bytes]] = field(default_factory=list)
    _went: set[bytes] = field(default_factory=set)

    def sign_twice(self, fault: Fault) -> None:
        """The next own message has a second version."""
        self._double = fault

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
        version = self._version(to, payload, message)
        if to in self.withheld and (not self.only or message.kind in self.only):
            self.made["withhold"] += 1
            self._held.append((to, version))
        else:
            yield version

    def _others(self) -> list[int]:
        count = len(self.machine.table.seats)
        return [place for place in range(count) if place != self.machine.place]

    def _version(self, to: int, payload: bytes, message: Message) -> bytes:
        fresh = message.data not in self._went
        self._went.add(message.data)
        if self._double is not None and fresh:
            others = self._others()
            self._to = frozenset(self.rng.sample(others, self.rng.randint(1, len(others))))
            choice = self._double.choice
            self._second[message.data] = second_version(self.machine.key, message, choice)
            self._double = None
        other = self._second.get(message.data)
        if other is None or to not in self._to:
            return payload
        self.made["two versions"] += 1
        return encode_talk(Said(other))


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
