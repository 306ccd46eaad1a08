"""Running Trio so that signals and failures come out as one plain exception."""

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import trio

from cli.process.errors import Stop, usage
from cli.process.signals import SIGNALS, Interrupted
from p2p.net.errors import BadInput, NetError
from p2p.store import StoreError

Runner = Callable[[Callable[[], Awaitable[int]]], int]


def run(main: Callable[[], Awaitable[int]]) -> int:
    """`trio.run(main)`. A signal cancels it, lets it clean up, and then raises `Interrupted`.

    What links, joining and the store report becomes a Stop with its exit code.
    """
    arrived: list[int] = []

    async def watched() -> int:
        async with trio.open_nursery() as nursery:
            await nursery.start(_watch, arrived, nursery.cancel_scope)
            code = await main()
            nursery.cancel_scope.cancel()
            return code
        return 0

    with _noted(arrived):
        try:
            code = trio.run(watched)
        except BaseExceptionGroup as group:
            raise plain(group) from group
    if arrived:
        raise Interrupted(arrived[0])
    return code


async def _watch(
    arrived: list[int],
    scope: trio.CancelScope,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    with trio.open_signal_receiver(*SIGNALS) as signals:
        task_status.started()
        async for signum in signals:
            arrived.append(signum)
            scope.cancel()


@contextmanager
def _noted(arrived: list[int]) -> Iterator[None]:
    """While Trio starts and ends a signal is only noted: an exception would break its own code."""
    before = {
        signum: signal.signal(signum, lambda number, _frame: arrived.append(number))
        for signum in SIGNALS
    }
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


def plain(error: BaseException) -> BaseException:
    """The one failure in a group of groups: one meant for the person before any other."""
    found = list(_leaves(error))
    told = [one for one in found if isinstance(one, Stop | NetError | StoreError)]
    return as_stop((told or found)[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _leaves(one)
    else:
        yield error


def as_stop(error: BaseException) -> BaseException:
    """A failure with its exit code, if it is one that is told to the person."""
    if isinstance(error, BadInput | StoreError):
        return usage(str(error))
    return Stop(str(error)) if isinstance(error, NetError) else error


class Interruptible(Protocol):
    """A stay that a signal may end: how it runs, and a clause about what is left of it."""

    @property
    def run(self) -> Runner: ...

    def last_words(self) -> str: ...


def run_visit(visit: Interruptible, main: Callable[[], Awaitable[int]]) -> int:
    """Run Trio for a visit; a signal's sentence also says where the record is."""
    try:
        return visit.run(main)
    except Interrupted as interrupted:
        raise Interrupted(interrupted.signum, visit.last_words()) from None
