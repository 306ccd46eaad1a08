"""Messages in any order, doubled and delayed; and a peer that says different things to different
peers, or nothing: the honest seats end with the same bytes, and none of them is ever named.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from support.limits import FULL
from support.session.cheats import CHEAT, CheatingSession, cheat, honest
from support.session.tables import Game, rules_for

from p2p.session.output import Output
from p2p.session.parking import MAX_PARKED_A_SEAT
from p2p.session.state.events import Faulted
from p2p.session.verify import verify_record
from p2p.wire.envelope import MATCH_LADDER, Message, open_envelope, seal

SEEDS = range(100 if FULL else 1)


@dataclass
class Weather:
    """How links behave: `fifo` keeps the order of a link; `doubled` is the chance of a copy."""

    fifo: bool
    doubled: float = 0.3


@dataclass
class Simulator:
    """Sessions over links whose deliveries a seeded generator chooses."""

    game: Game
    rng: random.Random
    weather: Weather
    links: dict[tuple[int, int], list[bytes]] = field(default_factory=dict)
    parked: int = 0

    def start(self) -> None:
        """Start all seats in some order."""
        seats = list(range(len(self.game.sessions)))
        self.rng.shuffle(seats)
        for seat in seats:
            self.send(seat, self.game.sessions[seat].start())

    def send(self, seat: int, output: Output) -> None:
        """Put what a seat says on its links."""
        self.game.events[seat].extend(output.events)
        for data in output.send:
            for other in range(len(self.game.sessions)):
                if other != seat:
                    self.links.setdefault((seat, other), []).extend(
                        self.versions(seat, other, data)
                    )

    def versions(self, seat: int, other: int, data: bytes) -> list[bytes]:
        """What `other` gets of a message: here just that."""
        return [data]

    def deliver(self) -> bool:
        """Deliver one message of one link; False if nothing is on the way."""
        busy = [link for link, waiting in self.links.items() if waiting]
        if not busy:
            return False
        link = self.rng.choice(busy)
        waiting = self.links[link]
        at = 0 if self.weather.fifo else self.rng.randrange(len(waiting))
        data = waiting[at] if self.rng.random() < self.weather.doubled else waiting.pop(at)
        session = self.game.sessions[link[1]]
        self.send(link[1], session.receive(data))
        self.parked = max(self.parked, len(session.parked))
        return True

    def decide(self) -> bool:
        """Let one seat that is to decide do so; False if there is none."""
        sessions = list(enumerate(self.game.sessions))
        self.rng.shuffle(sessions)
        for seat, session in sessions:
            view = session.decision()
            if view is not None:
                self.send(seat, session.act(self.game.players[seat].choose(view)))
                return True
            if session.claim_due():
                self.send(seat, session.claim(self.game.players[seat].claim(session.view())))
                return True
        return False

    def run(self) -> None:
        """Go on until nothing can happen any more."""
        self.start()
        going = True
        while going:
            first, then = self.deliver, self.decide
            if self.rng.random() < 0.1:
                first, then = then, first
            going = first() or then()


def games(seed: int) -> Iterator[Game]:
    """A table of each size, the last with claims and calls for the highest double."""
    for players in (2, 3, 4):
        options = {"starter": "highest-double", "claims": "yes"} if players == 3 else {}
        yield Game.make(rules_for(players, target="5", **options), f"order {seed}")


@pytest.mark.parametrize("fifo", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_any_order_of_deliveries_gives_all_peers_the_same_record(seed: int, fifo: bool) -> None:
    for game in games(seed):
        simulator = Simulator(game, random.Random(f"{seed}/{fifo}"), Weather(fifo))
        simulator.run()
        assert all(session.closed for session in game.sessions)
        tops = {session.referee.ladder(MATCH_LADDER).top for session in game.sessions}
        records = {session.record() for session in game.sessions}
        assert (len(tops), len(records)) == (1, 1)
        assert verify_record(records.pop()).closed
        assert not any(isinstance(event, Faulted) for told in game.events for event in told)
        assert simulator.parked < MAX_PARKED_A_SEAT


@dataclass
class Deceit(Simulator):
    """The cheat's links drop messages, its own and passed on, and change its own for some peers."""

    dropped: float = 0.0
    changed: float = 0.0
    again: float = 0.0

    def versions(self, seat: int, other: int, data: bytes) -> list[bytes]:
        if seat != CHEAT:
            return [data]
        if self.rng.random() < self.dropped:
            return []
        message = open_envelope(data)
        said = [data]
        if message.seat == CHEAT and self.rng.random() < self.changed:
            said = [self.another(message)]
        if self.rng.random() < self.again:
            said += self.rng.sample(self.game.traffic, min(3, len(self.game.traffic)))
        self.game.traffic += said
        return said

    def another(self, message: Message) -> bytes:
        """The same place, but another body, or another history, or both."""
        bodies: list[list[object]] = [message.body, [], [*message.body[:-1], b"x"], [bytes(32)]]
        previous = self.rng.choice([message.previous, bytes(32), message.id])
        key = self.game.sessions[CHEAT]._identity
        body = self.rng.choice(bodies)
        return seal(key, message.table, message.place, previous, message.kind, body)


def _consistent(game: Game) -> None:
    """Nobody honest is named; without a fault the honest histories are one."""
    honest_sessions = [one for one in game.sessions if one.seat != CHEAT]
    faults = [one.fault for one in honest_sessions if one.fault is not None]
    assert {fault.seat for fault in faults} <= {CHEAT}
    for session in honest_sessions:
        report = verify_record(session.record())
        assert report.problem is None
        assert (report.fault.seat if report.fault else None) == (
            session.fault.seat if session.fault else None
        )
    if faults:
        return
    ladders = [one.referee.ladder(MATCH_LADDER).hashes for one in honest_sessions]
    shortest = min(map(len, ladders))
    assert len({tuple(hashes[:shortest]) for hashes in ladders}) == 1


@pytest.mark.parametrize("seed", range(400 if FULL else 5))
def test_whatever_one_peer_withholds_or_changes_no_honest_seat_is_named(seed: int) -> None:
    rng = random.Random(f"deceit {seed}")
    players = 2 + seed % 3
    cheats = {CHEAT: cheat(honest)}
    game = Game.make(rules_for(players, target="5"), f"deceit {seed}", cheats=cheats)
    deceit = Deceit(game, rng, Weather(fifo=bool(seed & 1)))
    deceit.dropped = rng.choice([0.0, 0.05, 0.5])
    deceit.changed = rng.choice([0.0, 0.02, 0.2])
    deceit.again = rng.choice([0.0, 0.3])
    deceit.run()
    assert isinstance(game.sessions[CHEAT], CheatingSession)
    _consistent(game)


@pytest.mark.parametrize("seed", range(40 if FULL else 2))
def test_a_peer_that_changes_many_messages_is_named_by_all_the_others(seed: int) -> None:
    """Some of its versions reach some peers, and those peers pass them on."""
    cheats = {CHEAT: cheat(honest)}
    game = Game.make(rules_for(3, target="5"), f"versions {seed}", cheats=cheats)
    deceit = Deceit(game, random.Random(f"versions {seed}"), Weather(fifo=True), changed=0.5)
    deceit.run()
    _consistent(game)
    assert all(one.fault is not None for one in game.sessions if one.seat != CHEAT)
