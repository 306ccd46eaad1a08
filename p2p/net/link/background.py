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
        tasks: trio.Nursery = await around.start(_keep)
        self._tasks = tasks
        return tasks

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tasks is not None:
            self._tasks.cancel_scope.cancel()
        await self._stack.aclose()


async def _keep(task_status: trio.TaskStatus[trio.Nursery]) -> None:
    """A nursery that no scope around it cancels."""
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as tasks:
            task_status.started(tasks)
            await trio.sleep_forever()
