"""Tables in memory for tests: sessions of all seats, with seeded randomness, wired together."""

import copy
import hashlib
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from support.session.told import bare

from engine.events import HandEnded
from engine.rules import Rules
from engine.strategy import Player, make_player
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.session.output import Output
from p2p.session.session import Session
from p2p.session.state.events import SessionEvent
from p2p.session.state.table import Person, Table

NAMES = ("Ana", "Ben", "Cem", "Dot")


@dataclass
class Seeded:
    """A deterministic source of bytes, whose copy goes on by itself."""

    seed: str
    reads: int = 0

    def __call__(self, size: int) -> bytes:
        self.reads += 1
        return hashlib.shake_256(f"{self.seed}/{self.reads}".encode()).digest(size)


def seeded(seed: str) -> RandomBytes:
    """A deterministic source of bytes."""
    return Seeded(seed)


def rules_for(players: int, preset: str = "classic", **changes: str) -> Rules:
    """The rules of a preset with changes, as hand_size="7"."""
    named = {name.replace("_", "-"): value for name, value in changes.items()}
    return Rules.make(preset, players, named)


def make_table(
    rules: Rules,
    seed: str = "table",
    names: Sequence[str] = NAMES,
    bots: Collection[int] = (),
) -> tuple[Table, list[IdentityKey]]:
    """A table with the identity keys of its seats, in seat order; `bots` are those of its people,
    by number, that belong to the first."""
    rng = seeded(seed)
    keys = [IdentityKey.generate(rng) for _ in range(rules.players)]
    people = tuple(
        Person(key.public, name, rng(32), keys[0].public if at in bots else b"")
        for at, (key, name) in enumerate(zip(keys, names, strict=False))
    )
    table = Table.seat_people(rules, people)
    return table, sorted(keys, key=lambda key: table.seat_of(key.public))


MakeSession = Callable[[Table, IdentityKey, RandomBytes], Session]


@dataclass
class Game:
    """All sessions of a table, and what they sent, said and stored."""

    sessions: list[Session]
    players: list[Player]
    queue: deque[tuple[int, bytes]] = field(default_factory=deque)
    traffic: list[bytes] = field(default_factory=list)
    events: list[list[SessionEvent]] = field(default_factory=list)
    outputs: list[list[Output]] = field(default_factory=list)

    @classmethod
    def make(
        cls,
        rules: Rules,
        seed: str = "game",
        level: str = "normal",
        cheats: dict[int, MakeSession] | None = None,
        names: Sequence[str] = NAMES,
    ) -> "Game":
        """A table with one session a seat; `cheats` by seat make theirs differently."""
        table, keys = make_table(rules, seed, names)
        make: Iterator[MakeSession] = ((cheats or {}).get(seat, Session) for seat in table.seats)
        sessions = [
            build(table, key, seeded(f"{seed}/{seat}"))
            for seat, (build, key) in enumerate(zip(make, keys, strict=True))
        ]
        players = [make_player(level, random.Random(f"{seed}/{seat}")) for seat in table.seats]
        game = cls(sessions, players)
        game.events = [[] for _ in sessions]
        game.outputs = [[] for _ in sessions]
        return game

    def take(self, seat: int, output: Output) -> None:
        """Note an output and put what it sends on the way to all others."""
        self.outputs[seat].append(output)
        self.events[seat].extend(output.events)
        for data in output.send:
            self.traffic.append(data)
            self.queue.extend((other, data) for other in range(len(self.sessions)) if other != seat)

    def start(self) -> None:
        """Start every seat."""
        for seat, session in enumerate(self.sessions):
            self.take(seat, session.start())

    def deliver(self) -> None:
        """Deliver everything that is on the way."""
        while self.queue:
            seat, data = self.queue.popleft()
            self.take(seat, self.sessions[seat].receive(data))

    def move(self) -> bool:
        """Let one player who is to decide do so; False if there is none."""
        for seat, session in enumerate(self.sessions):
            view = session.decision()
            if view is not None:
                self.take(seat, session.act(self.players[seat].choose(view)))
                return True
            if session.claim_due():
                self.take(seat, session.claim(self.players[seat].claim(session.view())))
                return True
        return False

    def copy(self) -> "Game":
        """The same game at the same point, to be played on differently."""
        kept = [session._identity for session in self.sessions]
        return copy.deepcopy(self, {id(one): one for one in kept})

    def play_hand(self) -> "Game":
        """Play to the end of the first hand."""
        self.play(moves=0)
        while not any(isinstance(event, HandEnded) for event in bare(self.events[0])):
            self.play(moves=1)
        return self

    def play(self, moves: int = 10_000) -> "Game":
        """Play on to the end, or for so many moves."""
        if not self.traffic:
            self.start()
        self.deliver()
        while moves and self.move():
            moves -= 1
            self.deliver()
        return self


__all__ = ["Game", "make_table", "rules_for", "seeded"]
