"""`replay` at the full screen."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

import trio

from cli.process.errors import DONE
from cli.screen.app import make_app
from cli.screen.bridge import Guest, run_guest
from cli.screen.drawing.keys import Act
from cli.screen.drawing.view import Desk
from cli.screen.line.look import Look
from cli.screen.modes.base import Holder
from cli.screen.modes.replaying import Replaying
from cli.screen.modes.wishes import Wish
from cli.table.port import Leave
from cli.telling.looking.advice import Advised
from p2p.session.state.events import SessionEvent

# A setting for bots, who need no time, is none for eyes.
_SHORTEST_PACE: Final = 0.1


class Replay(Holder):
    """The match of these events, which begins with `first`; `leave` is called when the person has
    seen enough, `started` when it begins to play by itself."""

    def __init__(
        self, first: Replaying, leave: Callable[[], None], started: Callable[[], None]
    ) -> None:
        self.mode = self._shown = first
        self._desk = self._shown.desk()
        self._leave, self._started = leave, started
        self._note = ""

    @property
    def desk(self) -> Desk:
        """The table at this step; drawn again it is not played again."""
        ground = self.mode.ground
        if isinstance(ground, Replaying) and ground.at != self._shown.at:
            self._shown, self._desk = ground, ground.desk()
        return replace(self._desk, note=self._note, scroll=self.scroll)

    @property
    def runs(self) -> bool:
        """Whether it plays by itself."""
        return isinstance(self.mode, Replaying) and self.mode.runs

    def go_on(self) -> None:
        """A step further, if it plays by itself."""
        if isinstance(self.mode, Replaying) and self.mode.runs:
            self.mode = self.mode.gone_on()

    def key(self, name: str) -> None:
        """A key; one may make it play by itself."""
        before = self.runs
        super().key(name)
        self._tell(before)

    def act(self, act: Act) -> None:
        """A click, likewise."""
        before = self.runs
        super().act(act)
        self._tell(before)

    def _tell(self, before: bool) -> None:
        if self.runs and not before:
            self._started()

    def note(self, text: str) -> None:
        """A short word to the person."""
        self._note = text

    def send(self, wish: Wish) -> None:
        """Leaving is all there is to want."""
        if isinstance(wish, Leave):
            self._leave()


class Pace:
    """Plays by itself, a step each `seconds`, from when it is started; idle it costs nothing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = max(seconds, _SHORTEST_PACE)
        self._started = trio.Event()

    def start(self) -> None:
        """The person wants it to play."""
        self._started.set()

    async def run(self, shown: Replay, draw: Callable[[], None]) -> None:
        """For ever."""
        while True:
            await self._started.wait()
            self._started = trio.Event()
            while shown.runs:
                await trio.sleep(self._seconds)
                shown.go_on()
                draw()


def run_replay(
    events: Iterable[SessionEvent],
    look: Look,
    advice: Mapping[int, Advised] | None = None,
    pace: float = 1.0,
    mouse: bool = True,
    leaver: int | None = None,
) -> int:
    """Step through `events` until the person leaves, with the `advice` for them by their place."""
    guest, left, paced = Guest(), trio.Event(), Pace(pace)
    shown = Replay(
        Replaying.begun(events, advice, leaver),
        lambda: guest.call(left.set),
        lambda: guest.call(paced.start),
    )
    shown.look = look
    app = make_app(shown, os.environ, mouse=mouse)

    async def main() -> int:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(paced.run, shown, app.invalidate)
            await left.wait()
            nursery.cancel_scope.cancel()
        return DONE

    return run_guest(app, guest, main)
