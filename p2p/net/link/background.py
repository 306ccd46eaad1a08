"""Tasks that live exactly as long as a block, and leave the block's own errors alone."""

from contextlib import AsyncExitStack
from types import TracebackType

import trio


class Background:
    """`async with Background() as nursery:` cancels the nursery's tasks at the end of the block.

    Not before: whoever cancels the block cancels the tasks only by its end, so that the block may
    still say something by them. A plain nursery would also wrap what the block raises into an
    exception group; callers of this package are to meet its errors as they are. A crash of a task
    is still a group: our mistake.
    """

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._tasks: trio.Nursery | None = None

    async def __aenter__(self) -> trio.Nursery:
        around = await self._stack.enter_async_context(trio.open_nursery())
        opened = trio.Event()
        around.start_soon(self._keep, opened)
        # Where the block is cancelled already, `Nursery.start` would wait for ever: for the end of
        # a task that is shielded, and that nobody has got hold of yet.
        with trio.CancelScope(shield=True):
            await opened.wait()
        assert self._tasks is not None
        return self._tasks

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tasks is not None:
            self._tasks.cancel_scope.cancel()
        await self._stack.aclose()

    async def _keep(self, opened: trio.Event) -> None:
        """A nursery that no scope around it cancels."""
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as self._tasks:
                opened.set()
                await trio.sleep_forever()
