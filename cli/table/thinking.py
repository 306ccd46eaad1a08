"""Players for a table, which think in a thread, so that the links never wait for them. One that
looks ahead thinks in a process of its own: in a thread alone it would take turns with the proofs of
this peer, and every call into their library would wait for it."""

import gc
import multiprocessing
import random
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol

import trio

from cli.process.workers import uninterrupted
from engine.moves import Move
from engine.seats import HARD
from engine.strategy import Clock, Player, SeatView
from engine.strategy import make_player as make_engine_player
from engine.strategy.advice import Advice, advise
from engine.strategy.normal import NormalPlayer

LOOKS_AHEAD = HARD
MakePlayer = Callable[[SeatView], Player]


class Adviser(Protocol):
    """Who gives hints."""

    def advise(self, view: SeatView) -> Advice:
        """Advice to the seat to move."""
        ...


MakeAdviser = Callable[[SeatView], Adviser]


class Thoughts:
    """What a player, which is made for the first view, thinks of it and of those that follow."""

    def __init__(self, make: MakePlayer) -> None:
        self._make = make
        self._player: Player | None = None

    async def move(self, view: SeatView) -> Move:
        """The move that the player chooses; may be cancelled."""
        return await trio.to_thread.run_sync(self._of(view).choose, view, abandon_on_cancel=True)

    async def claim(self, view: SeatView) -> int:
        """What the player claims; may be cancelled."""
        return await trio.to_thread.run_sync(self._of(view).claim, view, abandon_on_cancel=True)

    def _of(self, view: SeatView) -> Player:
        self._player = self._player or self._make(view)
        return self._player


def make_player(level: str, rng: random.Random, *, think: float, clock: Clock) -> Player:
    """A player of that level, which takes at most about `think` seconds of `clock` for a move.

    `clock` must mean the same in another process, as `time.monotonic` does.
    """
    if level == LOOKS_AHEAD:
        return Thinker(level, rng, think, clock)
    return make_engine_player(level, rng)


class Hints:
    """What an adviser, which is made for the first view, says of it and of those that follow."""

    def __init__(self, make: MakeAdviser) -> None:
        self._make = make
        self._adviser: Adviser | None = None

    async def of(self, view: SeatView) -> Advice:
        """Advice to the seat to move; may be cancelled."""
        self._adviser = self._adviser or self._make(view)
        return await trio.to_thread.run_sync(self._adviser.advise, view, abandon_on_cancel=True)


class _Apart:
    """A process that answers each view that is sent to it; it ends with its pipe, when this one
    ends however it may. `target` gets the other end of the pipe, and `arguments`."""

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        here, there = multiprocessing.Pipe()
        self._pipe = here
        self._asking = threading.Lock()  # a cancelled turn leaves a thread that still waits
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=target, args=(there, *arguments), daemon=True)
        with uninterrupted():
            self.process.start()
        there.close()

    def ask(self, view: SeatView) -> Any:
        """The answer; None if the process was killed."""
        with self._asking:
            try:
                self._pipe.send(view)
                return self._pipe.recv()
            except (EOFError, OSError):
                return None


class Thinker(NormalPlayer):
    """Asks a process that it starts; its `choose` blocks, so call it in a thread."""

    def __init__(self, level: str, rng: random.Random, think: float, clock: Clock) -> None:
        self._apart = _Apart(answer, level, rng, think, clock)
        self.process = self._apart.process

    def choose(self, view: SeatView) -> Move:
        """The bot's move, thought over in the other process; that of `normal` if it was killed."""
        move: Move | None = self._apart.ask(view)
        return super().choose(view) if move is None else move


class ApartAdviser:
    """Asks a process that it starts; its `advise` blocks, so call it in a thread."""

    def __init__(self, rng: random.Random, think: float, clock: Clock) -> None:
        self._rng = rng
        self._apart = _Apart(answer_with_advice, rng, think, clock)
        self.process = self._apart.process

    def advise(self, view: SeatView) -> Advice:
        """Advice, thought over in the other process; a quick one if it was killed."""
        advice: Advice | None = self._apart.ask(view)
        return advise(view, self._rng, worlds=1) if advice is None else advice


def answer(pipe: Connection, level: str, rng: random.Random, think: float, clock: Clock) -> None:
    """In the other process: a move for each view, until the pipe ends."""
    player = make_engine_player(level, rng, think=think, clock=clock)
    _answer_all(pipe, player.choose)


def answer_with_advice(pipe: Connection, rng: random.Random, think: float, clock: Clock) -> None:
    """In the other process: advice for each view, until the pipe ends."""
    _answer_all(pipe, lambda view: advise(view, rng, think=think, clock=clock))


def _answer_all(pipe: Connection, think: Callable[[SeatView], object]) -> None:
    # Collecting circles of objects takes some hundredths of a second, which nobody sees coming: it
    # is done while others move.
    gc.disable()
    while True:
        try:
            view: SeatView = pipe.recv()
        except EOFError:
            return
        pipe.send(think(view))
        gc.collect()
