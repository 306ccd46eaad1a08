"""Modified peers for tests: a session that twists one of its messages and is honest otherwise."""

from collections.abc import Callable
from functools import cache, partial

from support.limits import FULL
from support.session.tables import Game, MakeSession, rules_for
from support.session.told import bare

from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from engine.strategy.view import SeatView
from p2p.crypto.errors import Misuse
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.session.session import Session
from p2p.session.state.errors import Fault
from p2p.session.state.events import Faulted
from p2p.session.state.table import Table
from p2p.session.verify import Report, verify_record
from p2p.wire.envelope import MATCH_LADDER, Body, Message, Place
from p2p.wire.messages import RankBody

# The kind and body that a modified peer says instead of the honest ones; None: it says those.
Twist = Callable[["CheatingSession", str, Body], tuple[str, Body] | None]


def honest(session: "CheatingSession", kind: str, body: Body) -> tuple[str, Body] | None:
    """No twist at all."""
    return None


class CheatingSession(Session):
    """Sends its messages without asking whether they are right; silent once one was not.

    `notes` is for twists that need something from an earlier message.
    """

    def __init__(
        self, table: Table, identity: IdentityKey, rng: RandomBytes, twist: Twist = honest
    ) -> None:
        super().__init__(table, identity, rng)
        self.twist = twist
        self.silent = False
        self.notes: dict[str, bytes] = {}

    def _sign(self, place: Place, kind: str, body: Body) -> bytes:
        said = self.twist(self, kind, body)
        return super()._sign(place, *(said or (kind, body)))

    def _hear_own(self, message: Message) -> None:
        try:
            taken = self._take(message)
        except Fault:
            taken = False
        if not taken:
            self.silent = True
            self._send.append(message.data)

    def _speak(self) -> bool:
        try:
            return not self.silent and super()._speak()
        except Misuse:
            # What it has to prove is false: the twist says something else, or it is silent.
            self.silent = self.twist(self, RankBody.kind, [b""]) is None
            if not self.silent:
                self._say(self._place(MATCH_LADDER), RankBody(b""))
            return not self.silent

    def decision(self) -> SeatView | None:
        return None if self.silent else super().decision()

    def claim_due(self) -> bool:
        return not self.silent and super().claim_due()


def cheat(twist: Twist) -> MakeSession:
    """Makes sessions of that twist."""
    return partial(CheatingSession, twist=twist)


CHEAT = 1

# By the number of seats and the cheat's: tables where it leads the first hand, and it and somebody
# else draw in it. Found by support.session.seeds.
SEEDS = {
    (2, 0): "dealt 1",
    (2, 1): "dealt 3",
    (3, 0): "dealt 9",
    (3, 1): "dealt 0",
    (3, 2): "dealt 1",
    (4, 0): "dealt 24",
    (4, 1): "dealt 5",
    (4, 2): "dealt 15",
    (4, 3): "dealt 2",
}

# The same where the highest double leads, and the cheat is dealt 6-6 and 5-5.
HOLDS_BOTH = {
    (2, 0): "online 27",
    (2, 1): "online 3",
    (3, 0): "online 26",
    (3, 1): "online 0",
    (3, 2): "online 1",
    (4, 0): "online 4",
    (4, 1): "online 38",
    (4, 2): "online 91",
    (4, 3): "online 29",
}


def places(*players: int, full: tuple[int, ...] = (2, 3, 4)) -> list[tuple[int, int]]:
    """Numbers of players, each with the cheat's seat: these few with CHEAT, in a full run `full`
    with each seat."""
    if not FULL:
        return [(number, CHEAT) for number in players]
    return [(number, seat) for number in full for seat in range(number)]


@cache
def _dealt(players: int, seat: int, target: str) -> Game:
    rules = rules_for(players, target=target)
    game = Game.make(rules, SEEDS[players, seat], cheats={seat: cheat(honest)})
    return game.play(moves=0)


@cache
def _played(players: int, seat: int, target: str) -> Game:
    game, moves = _dealt(players, seat, target).copy(), 0
    while not any(isinstance(event, HandEnded) for event in bare(game.events[0])):
        game.play(moves=1)
        moves += 1
    return _dealt(players, seat, target).copy().play(moves - 1)


def _twisted(game: Game, seat: int, twist: Twist) -> Game:
    copied = game.copy()
    modified = copied.sessions[seat]
    assert isinstance(modified, CheatingSession)
    modified.twist = twist
    return copied


def dealt(players: int, twist: Twist = honest, seat: int = CHEAT) -> Game:
    """A table whose first hand is dealt and not begun; the cheat twists what it says from there."""
    return _twisted(_dealt(players, seat, "100"), seat, twist)


def almost_over(
    players: int, twist: Twist = honest, target: str = "100", seat: int = CHEAT
) -> Game:
    """The same before the last move of the first hand, with the next deck shuffled already."""
    return _twisted(_played(players, seat, target), seat, twist)


def play_against(twist: Twist, players: int, rules: Rules | None = None, seat: int = CHEAT) -> Game:
    """A whole match against a peer with that twist, played as far as it goes."""
    table_rules = rules or rules_for(players, target="100")
    return Game.make(table_rules, SEEDS[players, seat], cheats={seat: cheat(twist)}).play()


def other_seat(session: Session) -> int:
    """Some seat that is not this one's."""
    return 0 if session.seat else 1


def other_slot(session: Session) -> int:
    """Some slot that was dealt to another."""
    return session.state.slots(other_seat(session))[0]


def honest_seats(game: Game, seat: int = CHEAT) -> list[int]:
    """All seats but the cheat's."""
    return [other for other in range(len(game.sessions)) if other != seat]


def check_named(game: Game, seat: int = CHEAT) -> str:
    """All honest seats, and all their records, name `seat`; returns the one sentence they give."""
    sentences = set()
    for other in honest_seats(game, seat):
        fault = game.sessions[other].fault
        assert fault is not None, f"seat {other} found no fault"
        assert fault.seat == seat
        _check_events(game, other, fault)
        sentences.add(fault.what)
    for record in {game.sessions[other].record() for other in honest_seats(game, seat)}:
        report = verify_record(record)
        assert found_seat(report) == seat, report.problem
        assert report.fault is not None
        sentences.add(report.fault.what)
    assert len(sentences) == 1, sentences
    return sentences.pop()


def found_seat(report: Report) -> int | None:
    """The seat that a report names, which is then not in order, and has no other problem."""
    if report.fault is None:
        return None
    assert report.problem is None
    assert (report.ok, report.decided, report.closed) == (False, False, False)
    return report.fault.seat


def _check_events(game: Game, seat: int, fault: Fault) -> None:
    events = game.events[seat]
    faults = [event for event in events if isinstance(event, Faulted)]
    assert faults == [Faulted(fault.seat, fault.what)]
    rest = events[events.index(faults[0]) + 1 :]
    ends = [event for event in rest if isinstance(event, MatchEnded)]
    if not game.sessions[seat].referee.two_sides:
        assert not ends, "three and more play on"
        return
    assert rest[-1:] == ends
    assert [event.reason for event in ends] == ["fault"]
    assert fault.seat not in ends[0].winners
    for event in bare(rest[:-1]):
        assert isinstance(event, HandEnded)
        assert event.reason == "fault"
