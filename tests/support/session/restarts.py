"""A table in memory whose seats keep what they take in real stores, are killed, and come back."""

import random
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from support.session.tables import make_table, seeded

from engine.rules import Rules
from engine.strategy import make_player
from p2p.session.output import Output
from p2p.session.restoring import restore
from p2p.session.session import Session
from p2p.store import Store
from p2p.wire.envelope import MATCH_LADDER, Place, open_envelope

Kill = Callable[[int, int], str]
"""By seat and number of its output that is to be stored, from 0: "" lets it live, "unstored" and
"unsent" end it before or after the store has taken the output, of which nothing is sent."""


@dataclass
class Restarts:
    """All seats of a table. `sent` are all messages that a seat ever sent of its own, by place."""

    sessions: list[Session]
    stores: list[Store]
    kill: Kill
    seed: str
    queue: deque[tuple[int, bytes]] = field(default_factory=deque)
    sent: dict[Place, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    counts: list[int] = field(default_factory=list)
    kills: int = 0

    @classmethod
    def make(cls, rules: Rules, seed: str, folder: Path, kill: Kill) -> "Restarts":
        """A table whose stores lie in `folder`; they are not synced, which nothing here can see."""
        table, keys = make_table(rules, seed)
        sessions = [Session(table, key, seeded(f"{seed}/{seat}")) for seat, key in enumerate(keys)]
        stores = [Store(folder / str(seat) / "store.sqlite3") for seat in table.seats]
        for store in stores:
            store._db.execute("PRAGMA synchronous = OFF")
            store.open_match(table.id, table.description, [one.name for one in table.people])
        return cls(sessions, stores, kill, seed, counts=[0] * len(sessions))

    def take(self, seat: int, output: Output) -> None:
        """Store and send what an input gave, unless the seat is killed at it."""
        session, store = self.sessions[seat], self.stores[seat]
        how = self.kill(seat, self.counts[seat]) if output.batch.messages else ""
        self.counts[seat] += bool(output.batch.messages)
        if how != "unstored":
            store.commit(session.table.id, output.batch)
        if how:
            self._restart(seat)
        else:
            for data in output.send:
                self._send(seat, data)

    def _send(self, seat: int, data: bytes) -> None:
        for other in set(range(len(self.sessions))) - {seat}:
            self._send_to(other, seat, data)

    def _send_to(self, other: int, seat: int, data: bytes) -> None:
        message = open_envelope(data)
        if message.seat == seat:
            self.sent[message.place].add(message.id)
        self.queue.append((other, data))

    def _restart(self, seat: int) -> None:
        """The seat begins anew from its disk, and all say what they have."""
        self.kills += 1
        dead = self.sessions[seat]
        kept = self.stores[seat].kept(dead.table.id)
        rng = seeded(f"{self.seed}/{seat} again {self.kills}")
        self.sessions[seat] = restore(kept, dead.table, dead._identity, rng)
        # What was on its way to the dead one is lost, and said again now that it is linked.
        self.queue = deque((to, data) for to, data in self.queue if to != seat)
        mine = {data for data, _ in kept.messages}
        for other in set(range(len(self.sessions))) - {seat}:
            theirs = [data for data, _ in self.stores[other].kept(dead.table.id).messages]
            self.queue.extend((seat, data) for data in theirs if data not in mine)
            for data, _ in kept.messages:
                if data not in theirs:
                    self._send_to(other, seat, data)

    def play(self, hands: int = 1) -> "Restarts":
        """Play until so many hands are over at all seats."""
        self.bots = [
            make_player("normal", random.Random(f"{self.seed}/{seat}"))
            for seat in range(len(self.sessions))
        ]
        for seat in range(len(self.sessions)):
            self.take(seat, self.sessions[seat].start())
        while self._deliver() or self._act(hands):
            pass
        return self

    def _deliver(self) -> bool:
        """Deliver all that is on its way; then those who came back have heard all."""
        delivered = bool(self.queue)
        while self.queue:
            seat, data = self.queue.popleft()
            self.take(seat, self.sessions[seat].receive(data))
        for seat, session in enumerate(self.sessions):
            if session.returning:
                self.take(seat, session.speak_again())
                return True
        return delivered

    def _act(self, hands: int) -> bool:
        if min(one.state.match.hand_number for one in self.sessions) > hands:
            return False
        for seat, session in enumerate(self.sessions):
            view = session.decision()
            if view is not None:
                self.take(seat, session.act(self.bots[seat].choose(view)))
                return True
            if session.claim_due():
                self.take(seat, session.claim(self.bots[seat].claim(session.view())))
                return True
        return False

    def check(self) -> None:
        """One T at all seats and on all disks, and no second signature."""
        tops = {self._top(session) for session in self.sessions}
        assert len(tops) == 1
        assert not any(session.fault or session.mute for session in self.sessions)
        for seat, (session, store) in enumerate(zip(self.sessions, self.stores, strict=True)):
            kept = store.kept(session.table.id)
            again = restore(kept, session.table, session._identity, seeded("disk"))
            assert self._top(again) in tops
            own = [open_envelope(data) for data, _ in kept.messages]
            places = [message.place for message in own if message.seat == seat]
            assert len(places) == len(set(places))
        assert {len(ids) for ids in self.sent.values()} == {1}

    def _top(self, session: Session) -> tuple[bytes, int]:
        return session.referee.ladder(MATCH_LADDER).top, session.state.match.hand_number

    def close(self) -> None:
        """Close the stores."""
        for store in self.stores:
            store.close()
