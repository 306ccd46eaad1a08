"""Whole matches that several test modules look at, played once: never change what these return."""

from dataclasses import dataclass
from functools import cache

from support.session.tables import Game, rules_for

from engine.rules import Rules
from p2p.crypto.identity import IdentityKey
from p2p.session.record import Recording, decode
from p2p.session.state.table import Table
from p2p.wire.envelope import Message, open_envelope


@dataclass(frozen=True)
class Kept:
    """A match that was played to its end: the game, its one record, everybody's keys."""

    game: Game
    record: bytes

    @property
    def table(self) -> Table:
        """The table."""
        return self.game.sessions[0].table

    @property
    def keys(self) -> list[IdentityKey]:
        """The identity keys by seat."""
        return [session._identity for session in self.game.sessions]

    @property
    def parts(self) -> Recording:
        """The parts of the record."""
        return decode(self.record)

    @property
    def messages(self) -> list[Message]:
        """The messages of the record."""
        return [open_envelope(data) for data in self.parts.messages]


def _keep(rules: Rules, seed: str) -> Kept:
    game = Game.make(rules, seed).play()
    records = {session.record() for session in game.sessions}
    assert all(session.closed for session in game.sessions)
    assert len(records) == 1
    return Kept(game, records.pop())


@cache
def classic(players: int, seed: str = "kept") -> Kept:
    """A short match by the classic rules."""
    return _keep(rules_for(players, target="30"), seed)


@cache
def preset(name: str, players: int) -> Kept:
    """A short match by a preset's rules."""
    return _keep(rules_for(players, name, target="10"), name)


@cache
def claiming(players: int) -> Kept:
    """A short match in which points are claimed."""
    return _keep(rules_for(players, target="10", claims="yes", starter="highest-double"), "claims")


@cache
def small() -> Kept:
    """The smallest record: one tile each."""
    return _keep(rules_for(2, hand_size="1", target="5"), SMALL_SEED)


SMALL_SEED = "small 0"


def all_kinds() -> list[Kept]:
    """Matches that have every kind of message between them."""
    return [claiming(3), classic(2, "passes 1"), preset("block", 2)]
