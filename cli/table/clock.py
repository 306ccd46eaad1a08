"""A person's time for a turn: it runs only while that person is to decide, and in no pause."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import trio

from cli.table.port import Notice, Seat, TimeIsUp, TimeRuns
from engine.moves import Draw
from engine.strategy import SeatView
from p2p.session.sitting.owner import Began, Chosen, Pausing

FEW_SECONDS: Final = 10
Turn = tuple[int, int, bool]


def turn_of(view: SeatView) -> Turn:
    """What tells one turn, or one claim, of a match from any other: a draw does not end a turn."""
    ended = sum(not isinstance(move, Draw) for move in view.moves)
    return view.hand_number, ended, view.awaiting is not None


class Clock:
    """One limit at a time. `pause` may come at any moment, before a limit as well."""

    def __init__(self) -> None:
        self._paused = False
        self._scope: trio.CancelScope | None = None
        self._left = math.inf
        self._turn: Turn | None = None
        self._changed = trio.Event()

    @contextmanager
    def limit(self, seconds: float | None, turn: Turn | None = None) -> Iterator[None]:
        """Leave the block after so many seconds that were not paused; None: never.

        Blocks of one `turn` share its seconds.
        """
        if turn is None or turn != self._turn:
            self._left = math.inf if seconds is None else seconds
        self._turn = turn
        try:
            with trio.CancelScope() as self._scope:
                self._run()
                yield
        finally:
            self._stand()
            self._scope = None

    @property
    def paused(self) -> bool:
        """Whether the time stands still."""
        return self._paused

    @property
    def left(self) -> float:
        """The seconds that are left now."""
        if self._scope is None or self._paused:
            return self._left
        return max(0.0, self._scope.deadline - trio.current_time())

    async def until(self, left: float) -> None:
        """Wait until no more than so many seconds are left."""
        while (now := self.left) > left:
            with trio.move_on_after(math.inf if self._paused else now - left):
                await self._changed.wait()

    def anew(self) -> None:
        """Another match begins: its turns are none of the last."""
        self._turn = None

    def pause(self, on: bool) -> None:
        """Stop the time, or let it go on; said again, it changes nothing."""
        if on == self._paused:
            return
        if on:
            self._stand()
        self._paused = on
        self._run()
        self._changed.set()
        self._changed = trio.Event()

    def _stand(self) -> None:
        self._left = self.left

    def _run(self) -> None:
        if self._scope is not None:
            stands = self._paused or math.isinf(self._left)
            self._scope.deadline = math.inf if stands else trio.current_time() + self._left


def time_for(view: SeatView, claim_seconds: float | None) -> float | None:
    """The seconds for what the view asks, None: no limit. Those of a turn are in the rules."""
    return view.rules.turn_seconds if view.awaiting is None else claim_seconds


def told_at(seconds: float) -> tuple[int, ...]:
    """At how many seconds left it is told: at half of them, and when few are left."""
    half = int(seconds // 2)
    return tuple(mark for mark in (half, FEW_SECONDS if half > FEW_SECONDS else 0) if mark)


class Timed:
    """A seat for whose decisions there is a time; when it is over, the clock decides: the first
    legal move in order, and no claim.

    Who has drawn in a turn is not asked about further draws of it, which the rules force.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._clock = Clock()
        self._drawing: Turn | None = None

    def show(self, notice: Notice) -> None:
        """Show it to the seat; no time runs in a pause."""
        if isinstance(notice, Began):
            self._clock.anew()
            self._drawing = None
        if isinstance(notice, Began | Pausing):
            self._clock.pause(isinstance(notice, Pausing) and notice.on)
        self._seat.show(notice)

    async def decide(self, view: SeatView) -> Chosen:
        """What the seat decides, or the clock for it."""
        turn = turn_of(view)
        if self._drawing == turn and not self._clock.paused and _must_draw(view):
            await trio.lowlevel.checkpoint()
            return Chosen(view.legal[0])
        self._drawing = None
        seconds = time_for(view, self._seat.claim_seconds)
        with self._clock.limit(seconds, turn):
            chosen = await self._decided(view, seconds)
            self._drawing = turn if isinstance(chosen.move, Draw) else None
            return chosen
        claim = view.awaiting is not None
        chosen = Chosen(None) if claim else Chosen(view.legal[0], auto=True)
        self._seat.show(TimeIsUp(chosen))
        return chosen

    async def _decided(self, view: SeatView, seconds: float | None) -> Chosen:
        """What the seat decides, who is told how the time runs."""
        if seconds is None:
            return await self._seat.decide(view)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_time, seconds)
            chosen = await self._seat.decide(view)
            nursery.cancel_scope.cancel()
        return chosen

    async def _tell_time(self, seconds: float) -> None:
        """Tell what is left at some moments that are still to come."""
        for mark in told_at(seconds):
            if mark < self._clock.left:
                await self._clock.until(mark)
                self._seat.show(TimeRuns(mark))


def _must_draw(view: SeatView) -> bool:
    return view.awaiting is None and isinstance(view.legal[0], Draw)
