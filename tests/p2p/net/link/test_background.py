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

    with pytest.RaisesGroup(KeyError, flatten_subgroups=True):
        async with Background() as nursery:
            nursery.start_soon(crash)
            await trio.sleep_forever()


async def test_whoever_cancels_the_block_leaves_its_tasks_to_the_end_of_it() -> None:
    """So a block that is cancelled may still say something by them."""
    said: list[str] = []
    with trio.CancelScope() as scope:
        async with Background() as nursery:
            send, hear = trio.open_memory_channel[str](0)

            async def speak() -> None:
                said.append(await hear.receive())

            nursery.start_soon(speak)
            scope.cancel()
            try:
                await trio.sleep_forever()
            finally:
                with trio.CancelScope(shield=True):
                    await send.send("farewell")
    assert said == ["farewell"]


async def test_a_block_that_is_cancelled_before_it_begins_ends_too() -> None:
    ended: list[str] = []
    with trio.CancelScope() as scope:
        scope.cancel()
        async with Background() as nursery:
            nursery.start_soon(until_cancelled, ended)
            await trio.lowlevel.checkpoint()
            ended.append("never")
    assert scope.cancelled_caught
    assert ended == ["task"]
