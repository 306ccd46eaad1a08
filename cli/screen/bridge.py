"""The one place where asyncio, on which prompt_toolkit runs, and Trio meet: Trio as a guest.

Both run in one thread. The terminal's application runs on asyncio's loop; the match runs in Trio.
Whatever ends first ends the other, Trio always before the loop; then the terminal is as it was,
and only then an error or a signal goes on to the caller.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import trio
from outcome import Error, Outcome
from prompt_toolkit.application import Application

from cli.process.errors import FAILED
from cli.process.signals import SIGNALS, Interrupted
from cli.screen.painting import take_back

Main = Callable[[], Awaitable[int]]
# What a terminal that has gone away raises when it is written to.
_GONE: Final = (OSError, EOFError)
# What a program gets that was stopped and goes on; Windows has none.
_CONTINUES: Final = tuple(
    signal.Signals[name] for name in ("SIGCONT",) if name in signal.Signals.__members__
)


class Guest:
    """Trio running as a guest of asyncio's loop; `call` is how the screen reaches it."""

    def __init__(self) -> None:
        self._token: trio.lowlevel.TrioToken | None = None
        self._waiting: list[Callable[[], None]] = []
        self._scope: trio.CancelScope | None = None

    def call(self, job: Callable[[], None]) -> None:
        """Run a job in Trio's thread of control soon; from the screen, never from Trio itself."""
        if self._token is None:
            self._waiting.append(job)
        else:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(job)

    def cancel(self) -> None:
        """End what runs in Trio."""
        self.call(self._cancel)

    def _cancel(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    async def run(self, main: Main) -> int:
        """The Trio side: `main`, until it returns or is cancelled."""
        with trio.CancelScope() as self._scope:
            self._token = trio.lowlevel.current_trio_token()
            for job in self._waiting:
                job()
            return await main()
        return FAILED


class _Run:
    """One run of an application with its guest."""

    def __init__(self, app: Application[None], guest: Guest) -> None:
        self._app = app
        self._guest = guest
        self._failure: BaseException | None = None
        self._signum: int | None = None

    async def both(self, main: Main) -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._host_failed)
        for signum in SIGNALS:
            loop.add_signal_handler(signum, self._signalled, signum)
        for signum in _CONTINUES:
            loop.add_signal_handler(signum, take_back, self._app)
        trio_done: asyncio.Future[Outcome[int]] = loop.create_future()
        trio.lowlevel.start_guest_run(
            self._guest.run,
            main,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=trio_done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        screen = asyncio.ensure_future(self._screen())
        either: set[asyncio.Future[Any]] = {screen, trio_done}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        self._guest.cancel()
        ended = await trio_done
        self._close_screen()
        await screen
        return self._result(ended)

    async def _screen(self) -> None:
        try:
            await self._app.run_async(handle_sigint=False, set_exception_handler=False)
        except _GONE:
            return
        except BaseException as error:
            self._failure = self._failure or error

    def _close_screen(self) -> None:
        if self._app.is_running and self._app.future and not self._app.future.done():
            self._app.exit()

    def _signalled(self, signum: int) -> None:
        self._signum = self._signum or signum
        self._guest.cancel()

    def _host_failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A failure in a key or while drawing: neither printed over the screen nor lost."""
        error = context.get("exception")
        if isinstance(error, _GONE):
            self._guest.cancel()
            return
        self._failure = self._failure or error or AssertionError(str(context.get("message")))
        self._guest.cancel()

    def _result(self, ended: "Outcome[int]") -> int:
        if self._signum is not None:
            raise Interrupted(self._signum)
        if self._failure is not None:
            raise self._failure
        if isinstance(ended, Error):
            raise ended.error
        return ended.unwrap()


def run_guest(app: Application[None], guest: Guest, main: Main) -> int:
    """Show `app` while `main` runs in Trio; returns what `main` returned.

    If the screen ends first, `main` is cancelled. Raises what failed on either side, and
    `Interrupted` after a signal; the terminal is restored before.
    """
    before = {signum: signal.getsignal(signum) for signum in (*SIGNALS, *_CONTINUES)}
    try:
        return asyncio.run(_Run(app, guest).both(main))
    finally:
        # asyncio leaves the system's own handlers behind, and those would end us without a word.
        for signum, handler in before.items():
            signal.signal(signum, handler)
