"""A seat played at the full screen: the Trio side of the control, and the run of both."""

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.process.errors import Stop
from cli.process.running import plain
from cli.screen.app import make_app
from cli.screen.bridge import Guest, Main, run_guest
from cli.screen.control import Control
from cli.screen.line.canvas import Look
from cli.screen.modes.outlets import Outlets
from cli.table.clock import Clock
from cli.table.seat import Ask, Leaving, Voice
from cli.telling.ask import hint_text
from cli.telling.room import Room
from cli.telling.scene import Scene
from engine.moves import Move
from engine.strategy import Player, SeatView
from p2p.session.sitting.owner import Pausing
from p2p.session.state.events import SessionEvent

# What the person does comes one thing at a time; more than these waiting is nobody's typing.
_WAITING: Final = 100
_TICK_SECONDS: Final = 1.0


class ScreenSeat:
    """A seat as cli.table.seat has it, shown by prompt_toolkit; `run` runs a table's main with it.

    The control belongs to the one thread in which both loops take turns, so neither side waits
    for the other; only what wakes a Trio task goes through the guest.
    """

    stays = True

    def __init__(
        self,
        hinter: Callable[[SeatView], Player],
        claim_seconds: float,
        look: Look,
        environment: Mapping[str, str] = os.environ,
        terminal_in: Input | None = None,
        terminal_out: Output | None = None,
    ) -> None:
        self._guest = Guest()
        self._hinter = hinter
        self._claim_seconds = claim_seconds
        self._player: Player | None = None
        self._voice: Voice | None = None
        self.clock = Clock()
        self._ask: Ask | None = None
        self._lines: trio.MemorySendChannel[str] | None = None
        self._left = trio.Event()
        self._wishes, self._wanted = trio.open_memory_channel[SeatView](_WAITING)
        self._answers: trio.MemorySendChannel[Move | int] | None = None
        self.control = Control(
            Outlets(
                self._answer,
                self._say,
                self._type,
                self._wish,
                self._again,
                self._pause,
                self._leave,
            ),
            time.monotonic,
        )
        self.app = make_app(self.control, look, environment, terminal_in, terminal_out)

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        return self.control.scene

    # As a seat

    def tell(self, text: str) -> None:
        """A line that is not about the game itself."""
        self.control.tell(text)
        self.app.invalidate()

    def publish(self, event: SessionEvent) -> None:
        """An event of the match."""
        self.control.hear(event)
        self.app.invalidate()

    def fill(self, room: Room) -> None:
        """Who is at the table now, while it fills."""
        self.control.fill(room)
        self.app.invalidate()

    def begin(self, me: int, voice: Voice) -> None:
        """A match begins."""
        self._voice = voice
        self.control.begin(me)
        self.app.invalidate()

    def paused(self, change: Pausing) -> None:
        """Somebody wants a pause, or goes on."""
        self.control.paused(change)
        self.app.invalidate()

    def link(self, seat: int, state: str) -> None:
        """How the link to a seat is."""
        self.control.link(seat, state)
        self.app.invalidate()

    def offer(self, ask: Ask | None) -> None:
        """The match is over: the person may ask for another, or there is none."""
        self._ask = ask
        self.control.offer(ask is not None)
        self.app.invalidate()

    def asked(self, name: str) -> None:
        """Somebody wants another match."""
        self.tell(f"{name} asks for another match.")

    async def decide(self, view: SeatView) -> Move:
        """The person's move."""
        if self.control.bell:
            self.app.output.bell()
        move = await self._asked(view, view.rules.turn_seconds)
        assert not isinstance(move, int), "a claim where a move was asked for"
        return move

    async def claim(self, view: SeatView) -> int:
        """The person's claim; who says nothing in time claims nothing."""
        with self.clock.limit(self._claim_seconds):
            points = await self._asked(view, self._claim_seconds)
            assert isinstance(points, int), "a move where a claim was asked for"
            return points
        return 0

    async def _asked(self, view: SeatView, seconds: float | None) -> Move | int:
        self._answers, answer = trio.open_memory_channel[Move | int](1)
        self.control.ask(view, seconds)
        self.app.invalidate()
        try:
            async with trio.open_nursery() as nursery:
                if seconds is not None:
                    nursery.start_soon(self._tick)
                given = await answer.receive()
                nursery.cancel_scope.cancel()
            return given
        finally:
            self._answers = None
            self.control.unask()
            self.app.invalidate()

    async def _tick(self) -> None:
        """The clock is drawn anew each second, while one runs."""
        while True:
            await trio.sleep(_TICK_SECONDS)
            self.app.invalidate()

    async def listen(self) -> None:
        """Give hints until the person leaves: then raises Leaving."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._give_hints)
            await self._left.wait()
            nursery.cancel_scope.cancel()
        raise Leaving("You leave.")

    async def _give_hints(self) -> None:
        async for view in self._wanted:
            player = self._player = self._player or self._hinter(view)
            move = await trio.to_thread.run_sync(player.choose, view, abandon_on_cancel=True)
            self.control.note(hint_text(move, view))
            self.app.invalidate()

    async def lines(self) -> AsyncIterator[str]:
        """Lines that are typed at the screen, each as it is asked for."""
        typed, line = trio.open_memory_channel[str](1)
        self._lines = typed
        while True:
            self.control.ask_line()
            self.app.invalidate()
            yield await line.receive()

    # From the keys

    def _type(self, line: str) -> None:
        lines = self._lines
        if lines is not None:
            self._guest.call(lambda: lines.send_nowait(line))

    def _answer(self, answer: Move | int) -> None:
        answers = self._answers
        if answers is not None:
            self._guest.call(lambda: answers.send_nowait(answer))

    def _wish(self, view: SeatView) -> None:
        self._guest.call(lambda: self._wishes.send_nowait(view))

    def _again(self) -> None:
        ask = self._ask
        if ask is not None:
            self._guest.call(ask)

    def _pause(self, on: bool) -> None:
        voice = self._voice
        if voice is not None:
            self._guest.call(lambda: voice.pause(on))

    def _leave(self) -> None:
        self._guest.call(self._left.set)

    def _say(self, words: str) -> None:
        def send() -> None:
            if self._voice is None:
                self.control.note("There is nobody to write to.")
                return
            try:
                self._voice.chat(words)
            except ValueError as error:
                self.control.note(f"{error}.")
            else:
                self.control.tell(f"You: {words}")
            self.app.invalidate()

        self._guest.call(send)

    # The run of both

    def run(self, main: Main) -> int:
        """Run a table's `main` behind the screen; the result stays until the person has seen it."""

        async def shown() -> int:
            try:
                code = await main()
            except Exception as error:
                stop = plain(error)
                if isinstance(stop, Stop) and self.scene.players and not self._left.is_set():
                    self.control.stop(stop.sentence)
                    self.app.invalidate()
                    await self._left.wait()
                raise
            await self._left.wait()
            return code

        try:
            return run_guest(self.app, self._guest, shown)
        except Exception as error:
            raise plain(error) from error
        finally:
            for line in self.control.last_words():
                print(line, flush=True)
