"""Matches whose seats are all on this machine, with keys that may say anything."""

import os
import random
from collections.abc import Mapping, Sequence

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
    return table_of_people(options, [Ed25519PrivateKey.generate() for _ in range(count)], owners)


def table_of_people(
    options: Mapping[str, str], privates: Sequence[Ed25519PrivateKey], owners: Mapping[int, int]
) -> tuple[Table, list[Ed25519PrivateKey]]:
    """The same of people whose keys there are."""
    known = [public(private) for private in privates]
    people = [
        Person(key, f"P{i}", os.urandom(32), known[owners[i]] if i in owners else b"")
        for i, key in enumerate(known)
    ]
    if options["partners"] == "no":
        people = seat_order(people)
    rows = [[p.key, p.name, p.nonce, p.owner] for p in people]
    table = table_of(encode([dict(options), rows, [300, True]]))
    by_key = dict(zip(known, privates, strict=True))
    return table, [by_key[person.key] for person in people]


class LocalMatch:
    """One match that all its players share."""

    def __init__(self, table: Table, privates: Sequence[Ed25519PrivateKey], seed: int) -> None:
        self.table = table
        self.privates = privates
        self.ahead = False
        """Whether the next deal is prepared as soon as it may be, not as late as it can."""
        self.match = Match(self.table)
        choose = any_move(random.Random(seed))
        self.players = [
            Player(self.match, seat, private, choose) for seat, private in enumerate(privates)
        ]

    @classmethod
    def new(
        cls,
        options: Mapping[str, str],
        count: int,
        seed: int,
        owners: Mapping[int, int] | None = None,
    ) -> "LocalMatch":
        """A match of people who have never met."""
        return cls(*table_for(options, owners or {}, count), seed)

    def parted(self, said: int, seed: int) -> "LocalMatch":
        """The same match after so many messages; from there on it may take another way."""
        other = LocalMatch(self.table, self.privates, seed)
        other.ahead = self.ahead
        for message in list(self.match.known.values())[:said]:
            other.match.accept(message)
        for mine, copy in zip(self.players, other.players, strict=True):
            copy.secrets, copy.answers = dict(mine.secrets), dict(mine.answers)
        return other

    def next_message(self) -> Message | None:
        """What somebody has to say."""
        ways = (Player.prepare, Player.say) if self.ahead else (Player.say, Player.prepare)
        for say in ways:
            for player in self.players:
                message = say(player)
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
