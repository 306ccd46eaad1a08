"""Small records of tables that put a seat out, one for each reason."""

from __future__ import annotations

from support.session.leavers import cut, play_on, put_out, until
from support.session.tables import Game, rules_for

from engine.moves import Move
from engine.strategy.view import SeatView
from p2p.session.state.state import Phase
from p2p.wire.envelope import MATCH_LADDER, Place, open_envelope, seal

SEED = "allfives record vectors 1/out"


class First:
    """A player whose moves need no explanation: the first legal one, and no claim."""

    def choose(self, view: SeatView) -> Move:
        """The first legal move in canonical order."""
        return view.legal[0]

    def claim(self, view: SeatView) -> int:
        """Nothing."""
        return 0


def left() -> bytes:
    """Three seats: the last has agreed, and leaves before the first deal."""
    game = _begun(3, "left")
    until(game, Phase.DEAL)
    return _out(game, 2, "left")


def absent() -> bytes:
    """Three seats: the last never agrees. The match begins without it."""
    game = _begun(3, "absent")
    game.start()
    cut(game, {2})
    game.queue = type(game.queue)(one for one in game.queue if _seat(one[1]) != 2)
    return _out(game, 2, "absent")


def fault() -> bytes:
    """Four seats: the second signs two different messages for its first step."""
    game = _begun(4, "fault")
    game.start()
    cheat = game.sessions[1]
    place = Place(cheat.table.id, MATCH_LADDER, 1, 1)
    other = seal(cheat._identity, cheat.table.id, place, cheat.table.id, "agree", [1])
    game.queue.extend((seat, other) for seat in (0, 2, 3))
    return _out(game, 1, "fault")


def idle() -> bytes:
    """Three seats: the one that leads is waited for too long; the others play to the end."""
    game = _begun(3, "idle")
    until(game, Phase.TURN)
    turn = game.sessions[0].state.hand.turn
    assert turn is not None
    cut(game, {turn})
    put_out(game, {turn}, "idle")
    play_on(game, {turn})
    return game.sessions[(turn + 1) % 3].record()


def _begun(players: int, name: str) -> Game:
    options = {"target": "1", "hand_size": "1", "draws": "none", "starter": "lot"}
    game = Game.make(rules_for(players, "pagat", **options), f"{SEED}/{name}")
    game.players = [First() for _ in game.sessions]
    return game


def _seat(data: bytes) -> int:
    return open_envelope(data).seat


def _out(game: Game, gone: int, reason: str) -> bytes:
    """The record of the others when they have agreed."""
    put_out(game, {gone}, reason)
    stay = [session for session in game.sessions if session.seat != gone]
    (data,) = {session.record() for session in stay}
    assert all(session.state.outs for session in stay)
    return data
