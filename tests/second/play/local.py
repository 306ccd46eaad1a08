"""Matches whose seats are all on this machine, with keys that may say anything."""

import os
import random
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.match.match import Match
from second.match.order import record_frames
from second.play.player import Player, any_move
from second.record.file import written
from second.wire.ed25519 import public
from second.wire.messages import Message
from second.wire.table import Person, Table, seat_order, table_of
from second.wire.values import encode


def table_for(
    options: Mapping[str, str], owners: Mapping[int, int], count: int
) -> tuple[Table, list[Ed25519PrivateKey]]:
    """A table of so many seats with fresh keys, in seat order; owners: by place at the door."""
    made = [Ed25519PrivateKey.generate() for _ in range(count)]
    known = [public(private) for private in made]
    people = [
        Person(key, f"P{i}", os.urandom(32), known[owners[i]] if i in owners else b"")
        for i, key in enumerate(known)
    ]
    if options["partners"] == "no":
        people = seat_order(people)
    rows = [[p.key, p.name, p.nonce, p.owner] for p in people]
    table = table_of(encode([dict(options), rows, [300, True]]))
    by_key = {public(private): private for private in made}
    return table, [by_key[person.key] for person in people]


class LocalMatch:
    """One match that all its players share."""

    def __init__(
        self,
        options: Mapping[str, str],
        count: int,
        seed: int,
        owners: Mapping[int, int] | None = None,
    ) -> None:
        self.table, privates = table_for(options, owners or {}, count)
        self.match = Match(self.table)
        choose = any_move(random.Random(seed))
        self.players = [
            Player(self.match, seat, private, choose) for seat, private in enumerate(privates)
        ]

    def next_message(self) -> Message | None:
        """What somebody has to say."""
        for player in self.players:
            message = player.speak()
            if message is not None:
                return message
        return None

    def play(self, until: str = "", most: int = 100000) -> None:
        """Play until nobody has anything to say, a phase is reached, or so much was said."""
        for _ in range(most):
            if until and self.match.state.phase == until:
                return
            message = self.next_message()
            if message is None:
                return
            self.match.accept(message)

    def record(self, evidence: list[Message] | None = None) -> bytes:
        """The record so far."""
        frames = record_frames(self.match.state, evidence or [])
        return written(self.table.description, frames)
