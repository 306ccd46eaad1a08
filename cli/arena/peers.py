"""A match of the arena between real peers: a session a seat, with keys, deck and proofs.

The peers run in one process and hand each other their messages directly; each checks all of them.
"""

import os
from collections import deque

from cli.arena.contest import Contest
from engine.match import Match
from engine.strategy import Player
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES
from p2p.session.output import Output
from p2p.session.session import Session
from p2p.session.state.table import Person, Table


def play_peers(contest: Contest, number: int) -> Match:
    """Plays match `number`; its record goes to the folder of the contest, if there is one.

    Returns the match as the peer in seat 0 saw it.
    """
    sessions = _seated(contest, number)
    peers = Peers(sessions, contest.players(number))
    peers.play()
    if contest.records is not None:
        path = contest.records / f"{number + 1:04}.fives"
        path.write_bytes(sessions[0].record())
    return sessions[0].state.match


def _seated(contest: Contest, number: int) -> list[Session]:
    """A session for each seat. Names say who plays for which level: "hard 1", "normal 2"."""
    keys = [IdentityKey.generate() for _ in contest.levels]
    people = [Person(key.public, "", os.urandom(NONCE_BYTES)) for key in keys]
    order = Table.seat_people(contest.rules, tuple(people)).people
    named = {
        contest.seat(number, player): f"{level} {player + 1}"
        for player, level in enumerate(contest.levels)
    }
    seated = tuple(Person(one.key, named[seat], one.nonce) for seat, one in enumerate(order))
    table = Table(contest.rules, seated)
    by_seat = sorted(keys, key=lambda key: table.seat_of(key.public))
    return [Session(table, key, os.urandom) for key in by_seat]


class Peers:
    """The sessions of a table, and what is on the way between them."""

    def __init__(self, sessions: list[Session], players: list[Player]) -> None:
        self._sessions = sessions
        self._players = players
        self._way: deque[tuple[int, bytes]] = deque()

    def play(self) -> None:
        """Plays until every seat has signed the result."""
        for seat, session in enumerate(self._sessions):
            self._send(seat, session.start())
        while not all(session.closed for session in self._sessions):
            if self._way:
                seat, data = self._way.popleft()
                self._send(seat, self._sessions[seat].receive(data))
            elif not self._decide():
                raise AssertionError("no peer has anything to say, and the match is not over")

    def _send(self, seat: int, output: Output) -> None:
        others = [other for other in range(len(self._sessions)) if other != seat]
        self._way.extend((other, data) for data in output.send for other in others)

    def _decide(self) -> bool:
        """Asks one player that is to move or to claim; False if there is none."""
        for seat, (session, player) in enumerate(zip(self._sessions, self._players, strict=True)):
            view = session.decision()
            if view is not None:
                self._send(seat, session.act(player.choose(view)))
                return True
            if session.claim_due():
                self._send(seat, session.claim(player.claim(session.view())))
                return True
        return False
