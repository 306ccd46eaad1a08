"""Lines from a pipe: split anywhere, cut when too long, over at the end of the input."""

import itertools
import os
import subprocess
import sys
import tracemalloc

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st
from support.limits import HANG_SECONDS

from cli.process.lines import LONGEST_LINE, SharedLines, read_lines


def lines_of(*pieces: bytes) -> list[str]:
    """What is read when `pieces` are written one after another and the pipe closes."""

    async def read() -> list[str]:
        reading, writing = os.pipe()
        found: list[str] = []

        async def collect() -> None:
            async for line in read_lines(reading):
                found.append(line)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(collect)
            for piece in pieces:
                await trio.to_thread.run_sync(os.write, writing, piece)
            os.close(writing)
        os.close(reading)
        return found

    return trio.run(read)


@settings(max_examples=30)
@given(st.lists(st.text("ab \r6-4", max_size=6), max_size=5), st.lists(st.integers(0, 40)))
def test_lines_are_the_same_however_they_come(texts: list[str], cuts: list[int]) -> None:
    data = "".join(text + "\n" for text in texts).encode()
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(data)}), len(data)]
    pieces = [data[a:b] for a, b in itertools.pairwise(places)]
    assert lines_of(*pieces) == [text.rstrip("\r") for text in texts]


def test_the_last_line_needs_no_end() -> None:
    assert lines_of(b"6-4 R\ndr", b"aw") == ["6-4 R", "draw"]
    assert lines_of() == []


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert lines_of(b"\xff\xfe6-4\n") == ["\ufffd\ufffd6-4"]


def test_a_stream_without_line_ends_takes_no_memory() -> None:
    tracemalloc.start()
    (line,) = lines_of(*[b"x" * 4096] * 500)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(line) <= LONGEST_LINE
    assert most < 500_000
    long, short = lines_of(b"y" * 3 * LONGEST_LINE + b"\nshort\n")
    assert len(long) <= LONGEST_LINE
    assert short == "short"


def test_a_terminal_that_has_gone_is_the_end() -> None:
    master, slave = os.openpty()
    os.close(master)

    async def read() -> list[str]:
        return [line async for line in read_lines(slave)]

    assert trio.run(read) == []
    os.close(slave)


def test_reading_can_be_left_while_nothing_comes() -> None:
    """At exit the thread still waits for a line; the interpreter must end all the same."""
    program = (
        "import trio\n"
        "from cli.process.lines import read_lines\n"
        "async def main():\n"
        "    async with trio.open_nursery() as nursery:\n"
        "        async def read():\n"
        "            async for line in read_lines():\n"
        "                nursery.cancel_scope.cancel()\n"
        "        nursery.start_soon(read)\n"
        "trio.run(main)\n"
        "print('left')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(b"go\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"left\n"
        assert running.wait(HANG_SECONDS) == 0
        assert running.stderr.read() == b""


@pytest.mark.parametrize("text", ["Žofie", "6-4 R"])
def test_letters_split_between_reads_stay_whole(text: str) -> None:
    data = text.encode() + b"\n"
    for cut in range(1, len(data)):
        assert lines_of(data[:cut], data[cut:]) == [text]


async def test_a_line_goes_to_who_asks_and_else_to_the_other_reader() -> None:
    typing, typed = trio.open_memory_channel[str](9)
    shared, rest = SharedLines(typed), list[str]()

    async def read() -> None:
        async for line in shared.rest:
            rest.append(line)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        typing.send_nowait("one")
        await trio.testing.wait_all_tasks_blocked()
        answers = shared.answers
        nursery.start_soon(_later, typing, "two")
        assert await anext(answers) == "two"
        typing.send_nowait("three")
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(_later, typing, "four", "five")
        assert [await anext(answers)] == ["four"]
        await trio.testing.wait_all_tasks_blocked()
        assert rest == ["one", "three", "five"]
        nursery.start_soon(typing.aclose)
        assert [line async for line in answers] == []


async def _later(typing: trio.MemorySendChannel[str], *lines: str) -> None:
    await trio.testing.wait_all_tasks_blocked()
    for line in lines:
        typing.send_nowait(line)
