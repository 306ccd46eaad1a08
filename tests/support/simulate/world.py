"""The scheduler of a simulated table: one queue, one clock, one random source."""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from support.session.tables import NAMES, rules_for, seeded
from support.simulate.cheats import Dishonest
from support.simulate.faults import Faults, idle_seconds
from support.simulate.machine import IDLE_SECONDS, Disk, Machine
from support.simulate.plan import IDLE, MACHINE, VOTER, Fault, Plan, Wanted
from support.simulate.trace import Trace
from support.simulate.watchers import REST_SECONDS, watchers_of
from support.simulate.wires import SILENT_SECONDS, End, Wires

from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES
from p2p.session.sitting import owner
from p2p.session.state.table import Person, Table, Terms

# A match of this size takes minutes; nobody waits longer than a grace.
LAST_SECOND = 2500.0
LAST_STEP = 400_000
# Nothing here waits for longer: neither a grace, with the votes behind it, nor an idle person.
QUIET_SECONDS = 600.0
# A silence is noticed after 8 s and some, and a link made again in 2.
NOTICE_SECONDS = 14.0


def _table_of(plan: Plan) -> tuple[Table, list[IdentityKey]]:
    """The table of a plan, and the keys of its seats by seat."""
    rng = seeded(f"table {plan.seed}")
    keys = [IdentityKey.generate(rng) for _ in range(plan.players)]
    people = tuple(
        Person(key.public, name, rng(NONCE_BYTES), keys[0].public if at in plan.bots else b"")
        for at, (key, name) in enumerate(zip(keys, NAMES, strict=False))
    )
    rules, terms = rules_for(plan.players, **plan.options), Terms(plan.grace)
    table = Table.seat_people(rules, people, terms=terms)
    return table, sorted(keys, key=lambda key: table.seat_of(key.public))


def _seconds(faults: Iterable[Fault]) -> float:
    """For how long faults last, until all have noticed that they are over."""
    return sum(one.seconds + NOTICE_SECONDS for one in faults)


class World:
    """A table of a plan. `made` counts the faults that were made, by kind."""

    def __init__(self, plan: Plan, folder: Path, trace: Trace) -> None:
        self.plan, self.trace = plan, trace
        self.now = 0.0
        self.steps = 0
        self.made: Counter[str] = Counter()
        # Stalls that the design allows, for no more than half of the voices are honest and there.
        self.excused: Counter[str] = Counter()
        self.progress = 0
        self._rng = random.Random(f"world {plan.seed}")
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._wanted = list(plan.wanted)
        self.lines = 0
        self.table, keys = _table_of(plan)
        self.machines = [
            Machine(
                self,
                place,
                key,
                f"seed {plan.seed}",
                Disk(folder / f"{place}.sqlite"),
                1 + (plan.seed % 5 == 0),
                offset=self._rng.uniform(0, 1e5),
            )
            for place, key in enumerate(keys)
        ]
        if plan.kill is not None:
            self.machines[plan.kill[0]].last_store = plan.kill[1]
        self.cheats = {
            place: Dishonest(self.machines[place], self._rng, self.made) for place in plan.cheats
        }
        ends: list[End] = list(self.machines)
        self.wires = Wires(ends, self._rng, plan.delays, self.at, lambda: self.now)
        self.faults = Faults(self)
        self.watchers = watchers_of(self)
        self._done_at: float | None = None
        self._moved_at = 0.0

    def at(self, wait: float, action: Callable[[], None]) -> None:
        """Have something done after some seconds, in the order of the asking."""
        self._count += 1
        heapq.heappush(self._queue, (self.now + wait, self._count, action))

    def run(self) -> None:
        """Play until all are done, nothing happens any more, or the time is up."""
        for line in self.wires.lines.values():
            self.wires.link(*line.ends)
        for machine in self.machines:
            machine.awake = False
            self.at(self._rng.uniform(0.1, 1), partial(self._sit, machine))
        while self._queue and not self._is_over():
            self.now, _, action = heapq.heappop(self._queue)
            self.steps += 1
            if self.now > LAST_SECOND or self.steps > LAST_STEP:
                break
            action()
        for machine in self.machines:
            if machine.alive:
                machine.disk.look(machine.table.id)
                machine.disk.store.close()

    def _is_over(self) -> bool:
        """Whether all is done, and who looks on, or cheats, is at its end, or had the time; or
        whether nothing more comes of what there is."""
        if not self.done:
            return self.now - self._moved_at >= QUIET_SECONDS
        self._done_at = self.now if self._done_at is None else self._done_at
        cheats = (self.machines[place] for place in self.plan.cheats)
        ended = all(one.finished for one in cheats if one.alive)
        whole = ended and all(one.whole for one in self.watchers.values())
        since = max(self._done_at, *(one.joined_at for one in self.watchers.values()), 0.0)
        return whole or self.now - since >= REST_SECONDS

    def _sit(self, machine: Machine) -> None:
        machine.sit(self.table)
        machine.wake()

    @property
    def done(self) -> bool:
        """Whether everybody honest who is there has ended, for good; or something is wrong already.
        A cheat may be left with a match of its own."""
        honest = [one for one in self.machines if one.place not in self.cheats]
        if any(one.broken or one.wrongs for one in honest):
            return True
        return not self.faults.returning and all(one.finished for one in honest if one.alive)

    def may_be_out(self, place: int, number: int = 1) -> bool:
        """Whether the others may have put a place out of that match: it cheated, left with its
        owner, may have been away for its grace, in all, or was gone before it."""
        machine = self.machines[place]
        owner_key = self.table.people[place].owner
        owners = [one.place for one in self.machines if one.key.public == owner_key]
        return (
            place in self.plan.cheats
            or machine.left
            or self._away(place) >= self.plan.grace
            or self._idle(place)
            or (machine.gone and len(machine.played) < number)
            or any(self.may_be_out(one, number) for one in owners)
        )

    def _idle(self, place: int) -> bool:
        """Whether the person there may have let the others wait for too long."""
        idle = [one for one in self.plan.faults if one.kind in IDLE and one.place == place]
        return any(idle_seconds(one) + NOTICE_SECONDS >= IDLE_SECONDS for one in idle)

    def _away(self, place: int) -> float:
        """For how many seconds at most nobody hears a place: as long as its machine does nothing,
        or all its links are cut at once."""
        faults = self.plan.faults
        gone = {one.place for one in self.machines if one.left or one.place in self.plan.cheats}
        others = (one for one in self.table.seats if one != place and one not in gone)
        own = [
            one
            for one in faults
            if (one.place == place and one.kind in (*MACHINE, "unplug"))
            or (one.other == place and one.kind in VOTER)
        ]
        return _seconds(own) + min((self._cut(place, other) for other in others), default=0.0)

    def _cut(self, place: int, other: int) -> float:
        """For how many seconds at most the link between two places is dead."""
        line = [one for one in self.plan.faults if {place, other} == {one.place, one.other}]
        # What goes quiet for less long is not down, but brings no word of others meanwhile.
        quiet = sum(min(one.seconds, SILENT_SECONDS) for one in line if one.kind == "lag")
        return quiet + _seconds(one for one in line if one.kind in ("cut", "silence", "flood"))

    def heard_by(self, place: int, number: int) -> set[int]:
        """The places, its own among them, that one hears in that match through links of which none
        is dead for a grace, whoever else may be away for so long."""
        there = {one for one in self.table.seats if not self.may_be_out(one, number)}
        heard, new = set[int](), {place}
        while new:
            heard |= new
            linked = {b for a in new for b in there if self._cut(a, b) < self.plan.grace}
            new = linked - heard
        return heard

    # What machines do.

    def send(self, place: int, to: int, payload: bytes) -> None:
        """Put a payload on the way, as a cheat changes it."""
        if to in self.watchers:
            self.watchers[to].hears(place, payload)
            return
        cheat = self.cheats.get(place)
        if cheat is None:
            self.wires.send(place, to, payload)
        else:
            for out in cheat.outgoing(to, payload):
                self.wires.send(place, to, out)

    def show(self, place: int, to: int, payload: bytes) -> None:
        """Bring a payload though there is no link: one that lives for this alone."""
        self.machines[to].heard(place, payload)

    def hears(self, place: int, payload: bytes) -> bool:
        """Whether the machine in a place listens to that."""
        cheat = self.cheats.get(place)
        return cheat is None or cheat.hears(payload)

    def hang_up(self, place: int, other: int, why: str) -> None:
        """A machine ends a link."""
        if other in self.watchers:
            self.watchers[other].lose(place, why)
            machine = self.machines[place]
            machine.take(lambda now: machine.sitting.unlinked(other, why, now))
            return
        self.wires.end(place, other, why)

    def stored(self, place: int, count: int) -> None:
        """Faults come with what is stored."""
        self.progress += count
        self._moved_at = self.now
        self.faults.progressed(self.progress)
        while self._wanted and self._wanted[0].at <= self.progress:
            self.at(0.0, partial(self._want, self._wanted.pop(0)))

    def _want(self, wanted: Wanted) -> None:
        machine = self.machines[wanted.place]
        if machine.keys and machine.alive and not machine.over and not machine.went:
            if wanted.pause:
                machine.wish(owner.Pause(True))
                self.at(wanted.seconds, partial(machine.wish, owner.Pause(False)))
            else:
                self.lines += 1
                machine.wish(owner.Say(f"line {self.lines}"))

    def died(self, place: int, why: str) -> None:
        """A program has ended; whether by itself or killed, its links go, and it may come back."""
        self.note(f"{place} ends: {why}")
        self._moved_at = self.now
        for watcher in self.watchers.values():
            watcher.lose(place, "it has ended")
        self.faults.died(place)

    def note(self, what: str, data: bytes = b"") -> None:
        """Note what happens."""
        self.trace.add(self.now, what, data)
