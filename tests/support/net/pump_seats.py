"""Seats of a table over wires in memory, each with a pump and a bot as its owner."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import permutations

import trio
from support.session.tables import make_table, rules_for, seeded

from engine.events import MatchEnded
from engine.strategy import Player, make_player
from engine.strategy.view import SeatView
from p2p.net.link.live import LinkDown, LinkUp, MeshEvent, Received
from p2p.net.match.pump import Pump, Work
from p2p.session.output import Batch
from p2p.session.session import Session
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.owner import Chosen, Happened, Notice, Outcome
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import SessionEvent


class Wires:
    """One seat's end of a hub: what it sends reaches the others' events at once."""

    def __init__(self, hub: "Hub", seat: int) -> None:
        self.hub = hub
        self.seat = seat
        self.feed, self.events = trio.open_memory_channel[MeshEvent](10_000)
        self.sent: list[bytes] = []
        self.closed: list[tuple[int, str]] = []

    def send(self, seat: int, payload: bytes) -> None:
        self.hub.log.append(("sent", self.seat))
        self.sent.append(payload)
        if (self.seat, seat) in self.hub.held:
            self.hub.held[self.seat, seat].append(payload)
        elif (self.seat, seat) not in self.hub.cut:
            self.hub.wires[seat].feed.send_nowait(Received(self.seat, payload))

    def close(self, seat: int, reason: str) -> None:
        self.closed.append((seat, reason))
        self.feed.send_nowait(LinkDown(seat, reason))

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


@dataclass
class Hub:
    """All wires of a table, what happened in which order, the directions that are cut, and what
    is on its way in those that are slow."""

    wires: list[Wires] = field(default_factory=list)
    log: list[tuple[str, int]] = field(default_factory=list)
    cut: set[tuple[int, int]] = field(default_factory=set)
    held: dict[tuple[int, int], list[bytes]] = field(default_factory=dict)

    def release(self, sender: int, receiver: int) -> None:
        """What was held arrives, and the direction is slow no more."""
        for payload in self.held.pop((sender, receiver)):
            self.wires[receiver].feed.send_nowait(Received(sender, payload))


class Seat:
    """A pump with a bot as its player."""

    def __init__(self, hub: Hub, seat: int, sitting: Sitting, work: Work) -> None:
        self.hub, self.place, self.sitting = hub, seat, sitting
        self.player: Player = make_player("normal", random.Random(seat))
        self.notices: list[Notice] = []
        self.batches: list[Batch] = []
        self.outcome: Outcome | None = None
        self.over = trio.Event()
        self.ended = trio.Event()
        self.choose: Callable[[SeatView], Awaitable[Chosen]] = self.bot
        self.pump = Pump(sitting, hub.wires[seat], self, self.save, work)

    @property
    def session(self) -> Session:
        return self.sitting.session

    @property
    def wires(self) -> Wires:
        return self.hub.wires[self.place]

    @property
    def events(self) -> list[SessionEvent]:
        return [one.event for one in self.notices if isinstance(one, Happened)]

    def save(self, batch: Batch) -> None:
        self.batches.append(batch)
        self.hub.log.append(("saved", self.place))

    def show(self, notice: Notice) -> None:
        self.notices.append(notice)
        self.hub.log.append(("shown", self.place))
        if isinstance(notice, Happened) and isinstance(notice.event, MatchEnded):
            self.over.set()

    async def decide(self, view: SeatView) -> Chosen:
        return await self.choose(view)

    async def bot(self, view: SeatView) -> Chosen:
        await trio.lowlevel.checkpoint()
        if view.awaiting is not None:
            return Chosen(None, claim=self.player.claim(view))
        return Chosen(self.player.choose(view))

    async def run(self) -> None:
        self.outcome = await self.pump.run()
        self.ended.set()


async def at_once(job: Callable[[], Effects]) -> Effects:
    """Work without a thread: a mock clock does not wait for threads."""
    await trio.lowlevel.checkpoint()
    return job()


def make_seats(
    players: int = 2,
    work: Work = at_once,
    name: str = "pump",
    **changes: str,
) -> list[Seat]:
    """Seats of a classic table, ready to run."""
    table, keys = make_table(rules_for(players, **{"target": "20", **changes}), name)
    hub = Hub()
    hub.wires = [Wires(hub, seat) for seat in table.seats]
    for wires, other in permutations(hub.wires, 2):
        wires.feed.send_nowait(LinkUp(other.seat))
    seats = []
    for seat, key in enumerate(keys):
        sitting = Sitting(table, key, seeded(f"pump {seat}"))
        seats.append(Seat(hub, seat, sitting, work))
    return seats


async def play(seats: list[Seat]) -> None:
    """Run all seats to their ends."""
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.run)


async def silent(view: SeatView) -> Chosen:
    """A person who never decides."""
    await trio.sleep_forever()
    raise AssertionError("unreachable")
