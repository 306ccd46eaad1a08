"""`replay` at the full screen."""

import os
from collections.abc import Callable, Iterable

import trio

from cli.process.errors import DONE
from cli.screen.app import make_app
from cli.screen.bridge import Guest, run_guest
from cli.screen.drawing.view import Desk
from cli.screen.line.look import Look
from cli.screen.modes.base import Holder
from cli.screen.modes.replaying import Replaying
from cli.screen.modes.wishes import Wish
from cli.table.port import Leave
from p2p.session.state.events import SessionEvent


class Replay(Holder):
    """The match of these events; `leave` is called when the person has seen enough."""

    def __init__(self, events: Iterable[SessionEvent], leave: Callable[[], None]) -> None:
        self.mode = self._shown = Replaying.begun(events)
        self._desk = self._shown.desk()
        self._leave = leave

    @property
    def desk(self) -> Desk:
        """The table at this step; drawn again it is not played again."""
        if isinstance(self.mode, Replaying) and self.mode.at != self._shown.at:
            self._shown, self._desk = self.mode, self.mode.desk()
        return self._desk

    def note(self, text: str) -> None:
        """A replay says nothing beside its step."""

    def send(self, wish: Wish) -> None:
        """Leaving is all there is to want."""
        if isinstance(wish, Leave):
            self._leave()


def run_replay(events: Iterable[SessionEvent], look: Look) -> int:
    """Step through `events` until the person leaves."""
    guest, left = Guest(), trio.Event()
    replay = Replay(events, lambda: guest.call(left.set))
    replay.look = look
    app = make_app(replay, os.environ)

    async def main() -> int:
        await left.wait()
        return DONE

    return run_guest(app, guest, main)
