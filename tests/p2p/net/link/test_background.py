"""p2p.net.link.background: tasks end with the block, and its own errors come out as they are."""

import pytest
import trio
import trio.testing

from p2p.net.link.background import Background


async def until_cancelled(ended: list[str]) -> None:
    try:
        await trio.sleep_forever()
    finally:
        ended.append("task")


async def test_tasks_end_with_the_block() -> None:
    ended: list[str] = []
    async with Background() as nursery:
        nursery.start_soon(until_cancelled, ended)
        await trio.testing.wait_all_tasks_blocked()
    assert ended == ["task"]


async def test_an_error_of_the_block_is_no_group() -> None:
    ended: list[str] = []

    async def block() -> None:
        async with Background() as nursery:
            nursery.start_soon(until_cancelled, ended)
            await trio.testing.wait_all_tasks_blocked()
            raise KeyError

    with pytest.raises(KeyError):
        await block()
    assert ended == ["task"]


async def test_a_crash_of_a_task_ends_the_block_as_a_group() -> None:
    async def crash() -> None:
        raise KeyError

    with pytest.RaisesGroup(KeyError):
        async with Background() as nursery:
            nursery.start_soon(crash)
            await trio.sleep_forever()
