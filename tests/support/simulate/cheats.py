"""Machines that are not honest: they change what goes out, whatever their sitting says.

A cheat may sign a second version of a message for some seats, keep its own messages from some, pass
on nothing of some seat, or flood. Its own sitting plays on as if it were honest.
"""

import random
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
    """What a cheat does with what its sitting wants to send.

    `versions`: by first version, the second one and the places that get it. `withheld`: places
    that get no own message; `blind`: (author's seat, place) whose messages are not passed on there.
    """

    machine: Machine
    rng: random.Random
    double: Fault | None = None
    withheld: frozenset[int] = frozenset()
    blind: frozenset[tuple[int, int]] = frozenset()
    shown_twice: int = 0
    held_back: int = 0
    _second: dict[bytes, bytes] = field(default_factory=dict)
    _to: frozenset[int] = frozenset()

    def outgoing(self, to: int, payload: bytes, players: int) -> bytes | None:
        """What really goes to a place; None: nothing."""
        message = signed_in(payload)
        if message is None:
            return payload
        if not self.machine.wrote(message):
            hidden = (message.seat, to) in self.blind
            self.held_back += hidden
            return None if hidden else payload
        if to in self.withheld:
            self.held_back += 1
            return None
        return self._version(to, payload, message, players)

    def hears(self, payload: bytes) -> bool:
        """Whether its sitting may hear that: not what it signed itself and denies."""
        message = signed_in(payload)
        return message is None or not self.machine.wrote(message)

    def _version(self, to: int, payload: bytes, message: Message, players: int) -> bytes:
        if self.double is not None:
            others = [place for place in range(players) if place != self.machine.place]
            some = self.rng.sample(others, self.rng.randint(1, len(others)))
            self._to = frozenset(some)
            self._second[message.data] = second_version(
                self.machine.key, message, self.double.choice
            )
            self.double = None
        other = self._second.get(message.data)
        if other is None or to not in self._to:
            return payload
        self.shown_twice += 1
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
