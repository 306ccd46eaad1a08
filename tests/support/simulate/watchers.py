"""Who looks on at a simulated table: they come early or late, are cut off, and go from seat to
seat. All chances of theirs are their own, so those of the table are the same without them."""

import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from support.session.tables import seeded

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.session.onlooking.onlooker import Onlooker
from p2p.session.sitting.effects import Effects

if TYPE_CHECKING:
    from support.simulate.world import World

NAME = "Eve"
# Who looks on comes within this, and comes again when it was cut off or found nobody.
LATEST, AGAIN_SECONDS = 60.0, 2.0
# When all others are done, and it has found one of them, it has so long to hear the rest.
REST_SECONDS = 15.0


@dataclass(frozen=True)
class Seen:
    """A match as somebody saw it who looked on: of which table, how it ended, the record."""

    table: bytes
    outcome: str
    record: bytes


class Watcher:
    """Somebody without a seat; `place` names its links at the seats. `seen` are its matches;
    `joined_at`: when it found the seat that it has a link to, or had."""

    def __init__(self, world: "World", place: int) -> None:
        self.place = place
        self.seen: list[Seen] = []
        self.broken: str | None = None
        self._world = world
        self._rng = random.Random(f"watcher {world.plan.seed} {place}")
        key = IdentityKey.generate(seeded(f"watcher {world.plan.seed} {place}"))
        self.life = Onlooker([one.key.public for one in world.machines], key, NAME)
        self._seat: int | None = None
        self.joined_at = 0.0
        self._run = self._timer = 0
        self._arrival = {True: 0.0, False: 0.0}
        self.over = False
        world.at(self._rng.choice((0.0, self._rng.uniform(0, LATEST))), self._come)

    @property
    def whole(self) -> bool:
        """Whether it has heard the end of what is played, or is not linked to hear it."""
        return self.over or self._seat is None

    @property
    def linked(self) -> int | None:
        """The seat to which it has a link."""
        return self._seat

    def hears(self, seat: int, payload: bytes) -> None:
        """A seat sends it something."""
        if seat == self._seat:
            self._later(True, partial(self._hear, seat, payload))

    def lose(self, seat: int, why: str) -> None:
        """Its link to a seat is gone, if it has one, and it looks for another."""
        if seat == self._seat:
            self._seat, self._run = None, self._run + 1
            self._feed(lambda now: self.life.unlinked(seat, why, now))
            self._world.at(AGAIN_SECONDS, self._join)

    def _come(self) -> None:
        self._feed(self.life.start)
        self._join()
        if self._rng.random() < 0.5:
            self._world.at(self._rng.uniform(1, LATEST), self._cut)

    def _join(self) -> None:
        there = [one for one in self._world.machines if one.alive and one.awake and one.keys]
        if self._seat is not None or self.over:
            return
        if not there:
            self._world.at(AGAIN_SECONDS, self._join)
            return
        machine = self._rng.choice(there)
        self._seat, self._run = machine.place, self._run + 1
        self.joined_at = self._world.now
        self._feed(lambda now: self.life.linked(machine.place, now))
        machine.take(lambda now: machine.sitting.linked(self.place, now, NAME))

    def _cut(self) -> None:
        """Its link breaks, with all that is on the way."""
        seat = self._seat
        if seat is not None:
            machine = self._world.machines[seat]
            self.lose(seat, "cut")
            machine.take(lambda now: machine.sitting.unlinked(self.place, "cut", now))

    def _hear(self, seat: int, payload: bytes) -> None:
        self._feed(lambda now: self.life.heard(seat, payload, now))

    def _later(self, to_it: bool, action: Callable[[], None]) -> None:
        """In order each way, as long as the link lives."""
        now, run = self._world.now, self._run
        wait = self._rng.uniform(*self._world.plan.delays)
        self._arrival[to_it] = max(self._arrival[to_it], now + wait)

        def arrive() -> None:
            if run == self._run:
                action()

        self._world.at(self._arrival[to_it] - now, arrive)

    def _feed(self, job: Callable[[float], Effects]) -> None:
        try:
            effects = job(self._world.now)
            for seat, payload in effects.send:
                machine = self._world.machines[seat]
                self._later(False, partial(machine.heard, self.place, payload))
            for seat, why in effects.close:
                self._world.note(f"who looks on hangs up on {seat}: {why}")
                self._cut()
            self._wait(effects.deadline)
            self._end(effects)
        except Exception:
            self.broken = traceback.format_exc()
            self.over = True

    def _wait(self, deadline: float) -> None:
        self._timer += 1
        timer = self._timer

        def tick() -> None:
            if timer == self._timer and not self.over:
                self._feed(self.life.tick)

        if deadline < float("inf"):
            self._world.at(max(deadline - self._world.now, 0.0), tick)

    def _end(self, effects: Effects) -> None:
        session = self.life.session
        if effects.outcome is not None and session is not None:
            if not self.seen or self.seen[-1].table != session.table.id:
                one = Seen(session.table.id, effects.outcome.kind, session.record())
                self.seen.append(one)
                self._feed(self.life.offer)
        elif effects.outcome is not None:
            self.over = True
        if effects.following is not None:
            if effects.following.table is None:
                self.over = True
            else:
                self._feed(self.life.start)


def watchers_of(world: "World") -> dict[int, Watcher]:
    """Those of a seed, by the place of their links."""
    count = random.Random(f"watchers {world.plan.seed}").choice((0, 0, 1, 2))
    return {place: Watcher(world, place) for place in range(MAX_SEATS, MAX_SEATS + count)}
