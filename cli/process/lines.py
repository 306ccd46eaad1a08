"""Lines from standard input, from a terminal or a pipe, without stalling anything.

They are read with os.read in a worker thread: a thread inside sys.stdin.readline() would abort the
interpreter at exit, one inside os.read is just left behind.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Final

import trio

STANDARD_INPUT: Final = 0
_READ_BYTES: Final = 4096
# A person types no longer line; without a bound a stream without line breaks would fill memory.
LONGEST_LINE: Final = 8192


async def read_lines(handle: int = STANDARD_INPUT) -> AsyncIterator[str]:
    """Each line without its end, as it comes; over when the other side has closed.

    Bytes that are no UTF-8 are replaced; lines longer than 8192 bytes are cut.
    """
    rest = b""
    while data := await _read(handle):
        *lines, rest = (rest + data).split(b"\n")
        rest = rest[:LONGEST_LINE]
        for line in lines:
            yield _text(line)
    if rest:
        yield _text(rest)


class SharedLines:
    """Lines that two read: `answers` are for who asks something, `rest` are all that come while
    nobody asks. A line that is on its way goes to who asks when it comes."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines
        self._one = trio.Lock()
        self._asking = False
        self._given: list[str] = []
        self.answers: Final = _Reader(self._answer)
        self.rest: Final = _Reader(self._other)

    async def _other(self) -> str:
        while True:
            async with self._one:
                line = await self._next()
                if not self._asking:
                    return line
                # The lock is fair: who asks has waited for it.
                self._given.append(line)

    async def _answer(self) -> str:
        self._asking = True
        try:
            async with self._one:
                return await self._next()
        finally:
            self._asking = False

    async def _next(self) -> str:
        return self._given.pop() if self._given else await anext(self._lines)


class _Reader(AsyncIterator[str]):
    """One of two readers; `read` raises StopAsyncIteration behind the last line."""

    def __init__(self, read: Callable[[], Awaitable[str]]) -> None:
        self._read = read

    async def __anext__(self) -> str:
        return await self._read()


async def _read(handle: int) -> bytes:
    try:
        return await trio.to_thread.run_sync(
            partial(os.read, handle, _READ_BYTES), abandon_on_cancel=True
        )
    except OSError:
        # A terminal that has gone away says EIO, not end of file.
        return b""


def _text(line: bytes) -> str:
    return line[:LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
