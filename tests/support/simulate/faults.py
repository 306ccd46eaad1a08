"""The faults of a plan, made when the match has come so far."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, get_args

from support.simulate.cheats import flood
from support.simulate.machine import Crash, Doom, Moment
from support.simulate.plan import IDLE_MOST, IDLE_TIMES, Fault
from support.simulate.wires import SILENT_SECONDS

if TYPE_CHECKING:
    from support.simulate.world import World

# How often it is looked whether somebody is to move.
ASKED_SECONDS = 0.04
# A copy of a disk is put back after so many seconds at most.
LONGEST_COPY = 10.0
# How often a payload is the last one that a program sends.
_SENDS = (0, 0, 1, 2, 3)


def idle_seconds(fault: Fault) -> float:
    """For how long a person decides nothing."""
    return min(IDLE_TIMES * fault.seconds, IDLE_MOST)


# When a program ends between two matches, and those of them at which something is to be stored.
_MOMENTS = get_args(Moment)
_STORES: tuple[Moment, ...] = ("ended", "follows", "opened")


class Faults:
    """What goes wrong in a world. `returning` are places whose programs will start again."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._waiting = list(world.plan.faults)
        self.returning: set[int] = set()
        self._deadly: dict[int, Fault] = {}
        if world.plan.kill is not None:
            place, number = world.plan.kill
            self._deadly[place] = Fault("kill", 0, place, place, 1.0, number)
        self._makers: dict[str, Callable[[Fault], None]] = {
            "lag": self._lag,
            "cut": self._cut,
            "silence": self._silence,
            "unplug": self._unplug,
            "kill": self._kill,
            "sleep": self._sleep,
            "full disk": self._full_disk,
            "leave": self._leave,
            "idle": self._idle,
            "two versions": self._two_versions,
            "three versions": self._three_versions,
            "wrong message": self._wrong_message,
            "withhold": self._withhold,
            "selective relay": self._relay,
            "flood": self._flood,
            "old copy": self._old_copy,
            "kept agree": self._keep_agree,
            "two votes": self._two_votes,
        }

    def progressed(self, progress: int) -> None:
        """So many messages were stored: it is time for some faults."""
        while self._waiting and self._waiting[0].at <= progress:
            self._world.at(0.0, partial(self._make, self._waiting.pop(0)))

    def _make(self, fault: Fault) -> None:
        """Make a fault now."""
        world, machine = self._world, self._world.machines[fault.place]
        if not machine.keys:
            world.at(1.0, partial(self._make, fault))
        elif machine.alive and machine.awake and not machine.finished and not machine.went:
            what = f"{fault.kind} at {fault.place} ({fault.other}), {fault.seconds:.1f} s"
            world.note(f"fault: {what}, {fault.choice}")
            make = self._between if fault.between else self._makers[fault.kind]
            make(fault)

    def _count(self, fault: Fault) -> None:
        self._world.made[fault.kind] += 1

    # Of the network

    def _lag(self, fault: Fault) -> None:
        """One link goes quiet for less than it takes to be down; then all comes at once."""
        self._count(fault)
        line = self._world.wires.line(fault.place, fault.other)
        self._world.wires.silence(line, min(fault.seconds, SILENT_SECONDS - 1))

    def _cut(self, fault: Fault) -> None:
        """A link breaks, with all that is on the way, and comes again later."""
        self._count(fault)
        self._world.wires.cut(self._world.wires.line(fault.place, fault.other), fault.seconds)

    def _silence(self, fault: Fault) -> None:
        """A link is dead, and nobody notices before it has been silent for long."""
        self._count(fault)
        line = self._world.wires.line(fault.place, fault.other)
        self._world.wires.silence(line, SILENT_SECONDS + fault.seconds)

    def _unplug(self, fault: Fault) -> None:
        """All links of a machine are dead, until it is plugged in again."""
        self._count(fault)
        self._unplug_place(fault.place, fault.seconds)

    def _unplug_place(self, place: int, seconds: float) -> None:
        for line in self._world.wires.of(place):
            self._world.wires.silence(line, max(SILENT_SECONDS, seconds))

    # Of a machine

    def _sleep(self, fault: Fault) -> None:
        """A machine does nothing for some time; its links may be down when it wakes."""
        self._count(fault)
        machine, wires = self._world.machines[fault.place], self._world.wires
        machine.awake = False
        if fault.seconds >= SILENT_SECONDS:
            for line in wires.of(fault.place):
                wires.starve(line, fault.seconds)
        self._world.at(fault.seconds, partial(machine.wake, fault.seconds))

    def _kill(self, fault: Fault) -> None:
        """A program ends in the middle of its next input, or at once."""
        machine = self._world.machines[fault.place]
        self._deadly[fault.place] = fault
        how = fault.choice % 4
        if how == 0:
            machine.die("killed")
        else:
            sends = _SENDS[fault.choice // 4 % len(_SENDS)]
            machine.crash = Crash(before=True) if how == 1 else Crash(sends=sends)

    def _full_disk(self, fault: Fault) -> None:
        """The disk has no more room, until the program is started again."""
        self._deadly[fault.place] = fault
        self._world.machines[fault.place].disk.fill()

    def _between(self, fault: Fault) -> None:
        """A program is killed between two matches, or finds its disk full."""
        full = fault.kind != "kill"
        moments = _STORES if full else _MOMENTS
        moment, sends = moments[fault.choice // 5 % len(moments)], _SENDS[fault.choice // 64 % 5]

        def strikes() -> None:
            self._world.note(f"fault: {fault.kind} at {fault.place}, {moment}")
            self._deadly[fault.place] = replace(fault, kind=f"{fault.kind} between matches")

        self._world.machines[fault.place].doom = Doom(moment, sends, full, strikes)

    def died(self, place: int) -> None:
        """A program has ended, with its links: of a whole machine nothing is heard any more."""
        fault = self._deadly.pop(place, None)
        machine = self._world.machines[place]
        if machine.went and not machine.stopped:
            # Whoever sat there has left, and comes no more.
            fault = None
        self._world.wires.gone(place, silent=fault is not None and fault.choice % 3 == 0)
        if fault is not None:
            self._count(fault)
            self.returning.add(place)
            self._world.at(fault.seconds, partial(self._again, place))

    def _again(self, place: int) -> None:
        self.returning.discard(place)
        if self._world.machines[place].restart():
            self._world.wires.back(place)

    # Of people

    def _leave(self, fault: Fault) -> None:
        """Whoever sits there leaves, for good."""
        self._count(fault)
        self._world.machines[fault.place].leave()

    def _idle(self, fault: Fault) -> None:
        """Whoever sits there decides nothing, for minutes perhaps."""
        self._count(fault)
        machine = self._world.machines[fault.place]
        machine.idle_until = self._world.now + idle_seconds(fault)

    # Of cheats

    def _two_versions(self, fault: Fault) -> None:
        self._world.cheats[fault.place].sign_twice(fault)

    def _three_versions(self, fault: Fault) -> None:
        self._world.cheats[fault.place].sign_thrice(fault)

    def _wrong_message(self, fault: Fault) -> None:
        self._world.cheats[fault.place].say_wrong(fault)

    def _old_copy(self, fault: Fault) -> None:
        """The disk of a machine is put back to what it was before, as from a copy."""
        machine, world = self._world.machines[fault.place], self._world
        machine.disk.copy()

        def put_back() -> None:
            if machine.alive and not machine.over:
                self._deadly[fault.place] = Fault("old copy", 0, fault.place, 0, 1.0, 1)
                machine.die("its disk is put back")
                machine.disk.put_back()

        world.at(min(fault.seconds, LONGEST_COPY), put_back)

    def _keep_agree(self, fault: Fault) -> None:
        """Somebody is put out, with a cheat's vote; the cheat keeps its `agree` back, votes again,
        and shows the `agree` when the others have long gone on."""
        self._world.cheats[fault.place].keep_agree(fault)
        self._unplug_mover(fault)

    def _two_votes(self, fault: Fault) -> None:
        """Somebody is put out; of a cheat's vote there are two."""
        self._world.cheats[fault.place].vote_twice(fault)
        self._unplug_mover(fault)

    def _unplug_mover(self, fault: Fault) -> None:
        """Somebody else is away as soon as it is to move: no step but its own waits for it."""
        machine = self._world.machines[fault.other]
        if machine.asked:
            self._unplug_place(fault.other, fault.seconds)
        elif machine.alive and not machine.finished and not machine.went:
            self._world.at(ASKED_SECONDS, partial(self._unplug_mover, fault))

    def _withhold(self, fault: Fault) -> None:
        """Own messages are kept from some for a while, or for ever."""
        cheat, world = self._world.cheats[fault.place], self._world
        cheat.hold_back(fault)
        if fault.choice % 5:
            world.at(fault.seconds * (1 + fault.choice % 4), partial(self._release, fault.place))

    def _release(self, place: int) -> None:
        for to, payload in self._world.cheats[place].release():
            self._world.wires.send(place, to, payload)

    def _relay(self, fault: Fault) -> None:
        self._world.cheats[fault.place].blind = fault.other

    def _flood(self, fault: Fault) -> None:
        self._count(fault)
        rng = random.Random(fault.choice)
        for payload in flood(rng, self._world.table.id, fault.place):
            self._world.wires.send(fault.place, fault.other, payload)
