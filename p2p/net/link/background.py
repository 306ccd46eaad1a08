"""Tasks that live exactly as long as a block, and leave the block's own errors alone."""

from contextlib import AsyncExitStack
from types import TracebackType

import trio


class Background:
    """`async with Background() as nursery:` cancels the nursery's tasks at the end of the block.

    A plain nursery would wrap what the block raises into an exception group; callers of this
    package are to meet its errors as they are. A crash of a task is still a group: our mistake.
    """

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._nursery: trio.Nursery | None = None

    async def __aenter__(self) -> trio.Nursery:
        self._nursery = await self._stack.enter_async_context(trio.open_nursery())
        return self._nursery

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()
        await self._stack.aclose()
