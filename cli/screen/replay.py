"""`replay` at the full screen."""

import os
from collections.abc import Sequence

import trio

from cli.process.errors import DONE
from cli.screen.app import make_app
from cli.screen.bridge import Guest, run_guest
from cli.screen.line.canvas import Look
from cli.screen.modes.replaying import Replay
from p2p.session.state.events import SessionEvent


def run_replay(events: Sequence[SessionEvent], look: Look) -> int:
    """Step through `events` until the person leaves."""
    guest, left = Guest(), trio.Event()
    app = make_app(Replay(events, lambda: guest.call(left.set)), look, os.environ)

    async def main() -> int:
        await left.wait()
        return DONE

    return run_guest(app, guest, main)
