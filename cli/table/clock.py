"""A person's time for a turn: it runs only while that person is to decide, and in no pause."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from cli.table.port import Notice, Seat, TimeIsUp
from engine.moves import Draw
from engine.strategy import SeatView
from p2p.session.sitting.owner import Began, Chosen, Pausing

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

    def _stand(self) -> None:
        if self._scope is not None and not self._paused:
            self._left = max(0.0, self._scope.deadline - trio.current_time())

    def _run(self) -> None:
        if self._scope is not None:
            stands = self._paused or math.isinf(self._left)
            self._scope.deadline = math.inf if stands else trio.current_time() + self._left


def time_for(view: SeatView, claim_seconds: float | None) -> float | None:
    """The seconds for what the view asks, None: no limit. Those of a turn are in the rules."""
    return view.rules.turn_seconds if view.awaiting is None else claim_seconds


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
        with self._clock.limit(time_for(view, self._seat.claim_seconds), turn):
            chosen = await self._seat.decide(view)
            self._drawing = turn if isinstance(chosen.move, Draw) else None
            return chosen
        claim = view.awaiting is not None
        chosen = Chosen(None) if claim else Chosen(view.legal[0], auto=True)
        self._seat.show(TimeIsUp(chosen))
        return chosen


def _must_draw(view: SeatView) -> bool:
    return view.awaiting is None and isinstance(view.legal[0], Draw)
