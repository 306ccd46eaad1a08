"""A seat played at the full screen: the Trio side of the control, and the run of both."""

import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import trio
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.process.clipboard import clip
from cli.process.errors import Stop
from cli.process.kinds import CLAIM_SECONDS
from cli.process.output import tell
from cli.process.running import plain
from cli.screen.app import make_app
from cli.screen.attention import Attention
from cli.screen.bridge import Guest, Main, run_guest
from cli.screen.control import GUARD_SECONDS, Control
from cli.screen.line.look import Look
from cli.screen.modes.wishes import Answer, Clip, Enter, Hint, Outward
from cli.table.clock import time_for
from cli.table.port import Leave, Notice, Opened, Wants, Wish
from cli.table.thinking import Hints, MakeAdviser
from engine.strategy import SeatView
from p2p.session.sitting.owner import Chosen

T = TypeVar("T")

_TICK_SECONDS: Final = 1.0


@dataclass(frozen=True)
class Settings:
    """How a person wants to be asked: the seconds for a claim, the bell, a notice of the desktop,
    the mouse; `guard`: how long Enter does not count after its meaning has changed."""

    claim_seconds: float = CLAIM_SECONDS
    bell: bool = False
    notice: bool = False
    mouse: bool = True
    guard: float = GUARD_SECONDS


class ScreenSeat:
    """A seat as cli.table.port has it, shown by prompt_toolkit; `run` runs a table's main with it.

    The control belongs to the one thread in which both loops take turns, so neither side waits
    for the other; only what wakes a Trio task goes through the guest.
    """

    stays = True

    def __init__(
        self,
        hinter: MakeAdviser,
        settings: Settings,
        look: Look,
        environment: Mapping[str, str] = os.environ,
        terminal_in: Input | None = None,
        terminal_out: Output | None = None,
    ) -> None:
        self.claim_seconds = settings.claim_seconds
        self._guest = Guest()
        self._hints = Hints(hinter)
        self._wants: Wants = lambda wish: None
        self._lines: trio.MemorySendChannel[str] | None = None
        self._left = trio.Event()
        self._views, self._viewed = trio.open_memory_channel[SeatView](1)
        self._answers: trio.MemorySendChannel[Chosen] | None = None
        self.control = Control(self._out, time.monotonic, settings.guard)
        self.control.bell, self.control.look = settings.bell, look
        control, mouse = self.control, settings.mouse
        self.app = make_app(control, environment, terminal_in, terminal_out, mouse)
        self._attention = Attention(self.app.output, settings.notice)

    # As a seat

    def sit(self, wants: Wants) -> None:
        """Take place."""
        self._wants = wants

    def show(self, notice: Notice) -> None:
        """Draw what it changes. How others join stands above the screen too, on lines that are
        whole, where the terminal's own marking and scrolling reaches it."""
        if isinstance(notice, Opened):
            with set_app(self.app):
                run_in_terminal(lambda: tell(*notice.lines))
        self.control.show(notice)
        self.app.invalidate()

    async def decide(self, view: SeatView) -> Chosen:
        """What the person decides."""
        seconds = time_for(view, self.claim_seconds)
        if view.awaiting is None:
            self._attention.turn(view.rules.game.removeprefix("the "), self.control.bell)
        self._answers, answer = trio.open_memory_channel[Chosen](1)
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
            self._attention.over()
            self.control.unask()
            self.app.invalidate()

    async def _tick(self) -> None:
        """The clock is drawn anew each second, while one runs."""
        while True:
            await trio.sleep(_TICK_SECONDS)
            self.app.invalidate()

    async def listen(self) -> None:
        """Give hints."""
        async for view in self._viewed:
            self.control.hinted(await self._hints.of(view), view)
            self.app.invalidate()

    async def lines(self) -> AsyncIterator[str]:
        """Lines that are typed at the screen, each as it is asked for, until the person leaves."""
        typed, line = trio.open_memory_channel[str](1)
        self._lines = typed
        while True:
            self.control.ask_line()
            self.app.invalidate()
            try:
                given = await line.receive()
            except trio.EndOfChannel:
                return
            yield given

    # From the keys

    def _out(self, wish: Outward) -> None:
        """Over to Trio. An answer goes to what was asked when it was given, and to nothing else."""
        match wish:
            case Answer(given):
                chosen = Chosen(None, given) if isinstance(given, int) else Chosen(given)
                self._send(self._answers, chosen)
            case Enter(line):
                self._send(self._lines, line)
            case Hint(seen):
                self._guest.call(lambda: self._want_hint(seen))
            case Clip(text):
                self.app.output.write_raw(clip(text))
                self.app.output.flush()
            case _:
                self._guest.call(lambda: self._want(wish))

    def _send(self, channel: trio.MemorySendChannel[T] | None, said: T) -> None:
        if channel is not None:
            self._guest.call(lambda: channel.send_nowait(said))

    def _want_hint(self, view: SeatView) -> None:
        """A hint takes time to think, and a key that is held down wants dozens a second: besides
        the one that is thought of, one waits."""
        with suppress(trio.WouldBlock):
            self._views.send_nowait(view)

    def _want(self, wish: Wish) -> None:
        if isinstance(wish, Leave):
            self._left.set()
            if self._lines is not None:
                self._lines.close()
                self._lines = None
        self._wants(wish)

    # The run of both

    def run(self, main: Main) -> int:
        """Run a table's `main` behind the screen; the result stays until the person has seen it."""

        async def shown() -> int:
            try:
                code = await main()
            except Exception as error:
                stop = plain(error)
                playing = self.control.scene.players and not self._left.is_set()
                if isinstance(stop, Stop) and playing:
                    self.control.stop(stop.sentence)
                    self.app.invalidate()
                    await self._left.wait()
                raise
            await self._left.wait()
            return code

        self._attention.begin()
        try:
            return run_guest(self.app, self._guest, shown)
        except Exception as error:
            raise plain(error) from error
        finally:
            self._attention.end()
            for line in self.control.last_words():
                tell(line)
