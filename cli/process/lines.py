"""Lines from standard input, from a terminal or a pipe, without stalling anything.

They are read with os.read in a worker thread: a thread inside sys.stdin.readline() would abort the
interpreter at exit, one inside os.read is just left behind.
"""

import os
from collections.abc import AsyncIterator
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
