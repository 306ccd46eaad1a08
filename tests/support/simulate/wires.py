"""Links in memory between machines: in order each way, slow, cut, silent, and made again.

As over TCP nothing is lost of a link that lives; what was on the way goes with it. Each end learns
by itself that its link is gone, and is linked again before the other or after.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

# As p2p.net.link.live: a link without a byte for so long is down.
SILENT_SECONDS = 8.0
AGAIN_SECONDS = 2.0

At = Callable[[float, Callable[[], None]], None]


class End(Protocol):
    """A machine, as its links see it."""

    alive: bool
    awake: bool

    def linked(self, other: int) -> None:
        """The link to the machine in place `other` is there."""
        ...

    def unlinked(self, other: int, why: str) -> None:
        """It is gone."""
        ...

    def heard(self, other: int, payload: bytes) -> None:
        """A payload of that machine came."""
        ...


@dataclass
class Line:
    """Two ends. `run` counts their links; `up` are the ends that have the present one. Of a `dead`
    one nothing arrives any more; none is made before `blocked`. `arrival`: by receiver, when the
    last payload comes."""

    ends: tuple[int, int]
    run: int = 0
    up: set[int] = field(default_factory=set)
    dead: bool = False
    blocked: float = 0.0
    dialling: bool = False
    arrival: dict[int, float] = field(default_factory=dict)

    def across(self, end: int) -> int:
        """The other end."""
        return self.ends[0] if end == self.ends[1] else self.ends[1]


class Wires:
    """All links of a table. `at` has something done after some seconds, `clock` says the time."""

    def __init__(
        self,
        ends: list[End],
        rng: random.Random,
        delays: tuple[float, float],
        at: At,
        clock: Callable[[], float],
    ) -> None:
        self._ends, self._rng, self._at, self._clock = ends, rng, at, clock
        self.delays = delays
        self.lost = 0
        count = len(ends)
        self.lines = {
            frozenset(pair): Line(pair)
            for pair in ((one, other) for one in range(count) for other in range(one))
        }

    def line(self, one: int, other: int) -> Line:
        """The line between two places."""
        return self.lines[frozenset((one, other))]

    def of(self, place: int) -> list[Line]:
        """All lines of a place."""
        return [line for line in self.lines.values() if place in line.ends]

    def send(self, sender: int, receiver: int, payload: bytes) -> None:
        """Put a payload on the way; without a link it goes nowhere."""
        line = self.line(sender, receiver)
        if sender not in line.up:
            return
        if line.dead:
            self.lost += 1
            return
        now = self._clock()
        arrives = max(line.arrival.get(receiver, 0.0), now + self._rng.uniform(*self.delays))
        line.arrival[receiver] = arrives
        run = line.run

        def deliver() -> None:
            if line.run == run and receiver in line.up and not line.dead:
                self._ends[receiver].heard(sender, payload)
            else:
                self.lost += 1

        self._at(arrives - now, deliver)

    def link(self, one: int, other: int) -> None:
        """Make a link, now or as soon as it is possible; an end that still has an old one loses it
        first."""
        line = self.line(one, other)
        if (len(line.up) == 2 and not line.dead) or not all(
            self._ends[end].alive for end in line.ends
        ):
            return
        awake = all(self._ends[end].awake for end in line.ends)
        if not awake or self._clock() < line.blocked:
            self._dial_later(line)
            return
        line.run, line.dead = line.run + 1, False
        for end in line.ends:
            self._lose(line, end, "a new link took its place")
            wait = self._rng.uniform(0.0, 0.05)
            line.arrival[end] = self._clock() + wait
            self._at(wait, self._raiser(line, end))

    def _dial_later(self, line: Line) -> None:
        if not line.dialling:
            line.dialling = True
            self._at(max(AGAIN_SECONDS, line.blocked - self._clock()), lambda: self._dial(line))

    def _dial(self, line: Line) -> None:
        line.dialling = False
        self.link(*line.ends)

    def _raiser(self, line: Line, end: int) -> Callable[[], None]:
        run = line.run

        def rise() -> None:
            if line.run == run and self._ends[end].alive:
                line.up.add(end)
                self._ends[end].linked(line.across(end))

        return rise

    def cut(self, line: Line, seconds: float, why: str = "the connection was closed") -> None:
        """End a link, as both ends notice soon; a new one is made after some seconds."""
        line.run += 1
        self._fall(line, 0.2, why)
        self._again(line, seconds)

    def silence(self, line: Line, seconds: float) -> None:
        """From now on nothing arrives; the ends notice unless it goes on soon, which TCP makes
        good: then what was said comes late."""
        if seconds < SILENT_SECONDS:
            later = self._clock() + seconds
            line.arrival.update({end: max(later, line.arrival.get(end, 0.0)) for end in line.ends})
            return
        line.dead = True
        run = line.run

        def notice() -> None:
            if line.run == run:
                line.run += 1
                self._fall(line, 3.0, "nothing was heard for 8 seconds")

        self._at(SILENT_SECONDS, notice)
        self._again(line, seconds)

    def starve(self, line: Line, seconds: float) -> None:
        """One end sleeps for so long: what comes to it waits there, until the other notices."""
        run = line.run

        def notice() -> None:
            if line.run == run:
                line.run += 1
                self._fall(line, 3.0, "nothing was heard for 8 seconds")

        self._at(SILENT_SECONDS, notice)
        self._again(line, seconds)

    def end(self, place: int, other: int, why: str) -> None:
        """One end closes its link; the other notices."""
        line = self.line(place, other)
        if place in line.up:
            line.run += 1
            self._lose(line, place, why)
            self._fall(line, 0.2, "the connection was closed")
            self._again(line, 0.5)

    def _fall(self, line: Line, within: float, why: str) -> None:
        """Both ends notice, each in its time, unless a new link comes before."""
        run = line.run
        for end in line.ends:

            def notice(end: int = end) -> None:
                if line.run == run:
                    self._lose(line, end, why)

            self._at(self._rng.uniform(0.0, within), notice)

    def _lose(self, line: Line, end: int, why: str) -> None:
        if end in line.up:
            line.up.discard(end)
            self._dial_later(line)
            if self._ends[end].alive:
                self._ends[end].unlinked(line.across(end), why)

    def _again(self, line: Line, seconds: float) -> None:
        line.blocked = max(line.blocked, self._clock() + seconds)
        wait = line.blocked - self._clock() + self._rng.uniform(0.2, AGAIN_SECONDS)
        self._at(wait, lambda: self.link(*line.ends))

    def gone(self, place: int, silent: bool) -> None:
        """The machine in a place is gone: its links end at once, or with silence."""
        for line in self.of(place):
            line.up.discard(place)
            if silent:
                self.silence(line, SILENT_SECONDS)
            else:
                self.cut(line, 0.0)

    def back(self, place: int) -> None:
        """It is there again, and dials."""
        for line in self.of(place):
            self._again(line, 0.0)
