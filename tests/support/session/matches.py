"""Whole matches that several test modules look at, played once: never change what these return."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import Played
from engine.rules import Rules
from engine.tiles import LEAD_RANKING, Tile
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


# `python -m support.session.seeds` finds them anew when the bytes of a table's description change.
PASSING, SMALL = "passes 104", "small 12"


def draws_and_passes(kept: Kept) -> bool:
    """Whether seats draw and pass in it, and it has more than a hand."""
    kinds = Counter(message.kind for message in kept.messages)
    return min(kinds["draw"], kinds["pass"], kinds["open"] // 2 - 1) > 0


def ends_at_once(kept: Kept) -> bool:
    """Whether its first hand decides it."""
    return kept.game.sessions[0].state.match.hand_number == 1


@cache
def passing(seed: str = PASSING) -> Kept:
    """A short match of two that draw and pass, and of more than a hand."""
    kept = classic(2, seed)
    assert seed != PASSING or draws_and_passes(kept)
    return kept


def few_called(seed: str) -> Game:
    """The first hand of two who are dealt two tiles, of which the highest leads."""
    rules = rules_for(2, "online", hand_size="2", target="100")
    return Game.make(rules, seed).play_hand()


def denied_and_played(game: Game) -> set[Tile]:
    """Tiles of the first hand that all seats denied, and one played."""
    above = LEAD_RANKING[: game.sessions[0].state.deals[1].denied]
    return {one.tile for one in bare(game.events[0]) if isinstance(one, Played)} & {*above}


@cache
def small(seed: str = SMALL) -> Kept:
    """The smallest record: one tile each, and the first placement decides."""
    kept = _keep(rules_for(2, hand_size="1", target="5"), seed)
    assert seed != SMALL or ends_at_once(kept)
    return kept


def all_kinds() -> list[Kept]:
    """Matches that have every kind of message between them."""
    return [claiming(3), passing(), preset("block", 2)]
