"""Running a sitting: reads, feeds, stores, sends, shows, and sleeps until the deadline.

One input at a time goes through the sitting, in a worker thread, since proofs take up to 0.1 s.
What comes out is stored first, then sent, then shown. Nothing is decided here.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Generic, Protocol, TypeVar

import trio

from engine.strategy.view import SeatView
from p2p.net.link.live import LinkUp, MeshEvent, Received
from p2p.net.match.clock import Clock
from p2p.net.match.wires import Wires
from p2p.session.output import Batch
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.owner import Chosen, Notice, Outcome, Wish
from p2p.session.state.table import Table

Work = Callable[[Callable[[], Effects]], Awaitable[Effects]]
Save = Callable[[Batch], None]
"""Stores a batch of the sitting's match in one transaction."""


class Owner(Protocol):
    """Whoever sits there."""

    def show(self, notice: Notice) -> None:
        """Show something. Never blocks."""
        ...

    async def decide(self, view: SeatView) -> Chosen:
        """A move, or a claim where the view awaits one; may be cancelled. One that breaks a rule
        is not made: `show` gets the reason, and this is asked again."""
        ...


class Life(Protocol):
    """What somebody goes through at a table: a sitting, or an onlooker. Each input has its time."""

    def start(self, now: float) -> Effects: ...

    def repeats(self, place: int, payload: bytes) -> bool: ...

    def heard(self, place: int, payload: bytes, now: float) -> Effects: ...

    def linked(self, place: int, now: float, name: str = "") -> Effects: ...

    def unlinked(self, place: int, why: str, now: float) -> Effects: ...

    def decided(self, chosen: Chosen, now: float) -> Effects: ...

    def wish(self, wish: Wish, now: float) -> Effects: ...

    def tick(self, now: float) -> Effects: ...

    def offer(self, now: float) -> Effects: ...

    def leave(self, now: float) -> Effects: ...

    def ahead(self) -> Callable[[], None] | None: ...


L = TypeVar("L", bound=Life)


async def in_thread(job: Callable[[], Effects]) -> Effects:
    """Run a job of the sitting in a worker thread: others may run meanwhile."""
    return await trio.to_thread.run_sync(job)


def _after(work: Callable[[], None], effects: Effects) -> Effects:
    """Work when all is said and shown."""
    work()
    return effects


class Pump(Generic[L]):
    """A sitting over its wires. `run` plays a match, `another` waits for the next to be agreed."""

    def __init__(
        self, sitting: L, wires: Wires, player: Owner, save: Save, work: Work = in_thread
    ) -> None:
        self.sitting = sitting
        self._wires = wires
        self._player = player
        self._save = save
        self._work = work
        self._clock = Clock()
        self._wishes: deque[Wish] = deque()
        self._chosen: Chosen | None = None
        self._asking: trio.CancelScope | None = None
        self._nap = trio.CancelScope()

    def wish(self, wish: Wish) -> None:
        """Something that the owner wants; it is heard as soon as `run` or `another` can."""
        self._wishes.append(wish)
        self._nap.cancel()

    async def run(self) -> Outcome:
        """Play until the match has ended for this seat."""
        async with trio.open_nursery() as nursery:
            effects = await self._feed(nursery, self.sitting.start)
            while effects.outcome is None:
                effects = await self._step(nursery, effects.deadline)
            nursery.cancel_scope.cancel()
        await self._wires.drain()
        return effects.outcome

    async def another(self) -> Table | None:
        """After `run`: wait until all have asked for another match, or one cannot; its table."""
        async with trio.open_nursery() as nursery:
            effects = await self._feed(nursery, self.sitting.offer)
            while effects.following is None:
                effects = await self._step(nursery, effects.deadline)
        return effects.following.table

    def leave(self) -> None:
        """The owner leaves this table for good: the others are told, as far as links go."""
        self._put(self.sitting.leave(self._clock.now()))

    async def _step(self, nursery: trio.Nursery, deadline: float) -> Effects:
        """Feed what comes first: a wish, a decision, something on the wires, the deadline."""
        if self._wishes:
            return await self._feed(nursery, partial(self.sitting.wish, self._wishes.popleft()))
        if self._chosen is not None:
            chosen, self._chosen, self._asking = self._chosen, None, None
            return await self._feed(nursery, partial(self.sitting.decided, chosen))
        event: MeshEvent | None = None
        with trio.move_on_at(self._clock.alarm(deadline)) as self._nap:
            event = await self._news()
        return await self._feed(nursery, self._job(event))

    async def _news(self) -> MeshEvent:
        """What happens next on the wires, but for what is known already: not worth a thread."""
        while True:
            event = await self._wires.events.receive()
            if not isinstance(event, Received):
                return event
            if not self.sitting.repeats(event.seat, event.payload):
                return event

    def _job(self, event: MeshEvent | None) -> Callable[[float], Effects]:
        if event is None:
            return self.sitting.tick
        if isinstance(event, Received):
            return partial(self.sitting.heard, event.seat, event.payload)
        if isinstance(event, LinkUp):
            return partial(self.sitting.linked, event.seat, name=event.name)
        return partial(self.sitting.unlinked, event.seat, event.reason)

    async def _feed(self, nursery: trio.Nursery, job: Callable[[float], Effects]) -> Effects:
        """Store, then send, then show; then ask the owner if it is to decide; then work ahead."""
        effects = await self._work(partial(job, self._clock.now()))
        self._put(effects)
        self._ask(nursery, effects.ask)
        ahead = self.sitting.ahead()
        return effects if ahead is None else await self._work(partial(_after, ahead, effects))

    def _put(self, effects: Effects) -> None:
        self._save(effects.store)
        for place, payload in effects.send:
            self._wires.send(place, payload)
        for place, why in effects.close:
            self._wires.close(place, why)
        for notice in effects.notices:
            self._player.show(notice)

    def _ask(self, nursery: trio.Nursery, view: SeatView | None) -> None:
        """Have the owner decide, if it must and is not at it; or no longer, if it need not."""
        if view is not None and self._asking is None:
            self._asking = trio.CancelScope()
            nursery.start_soon(self._decide, self._asking, view)
        elif view is None and self._asking is not None:
            self._asking.cancel()
            self._asking = self._chosen = None

    async def _decide(self, scope: trio.CancelScope, view: SeatView) -> None:
        with scope:
            chosen = await self._player.decide(view)
            if not scope.cancel_called:
                self._chosen = chosen
                self._nap.cancel()
