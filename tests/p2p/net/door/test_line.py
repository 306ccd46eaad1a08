"""p2p.net.door.line: one at a time, two places a source, and nobody holds a place for long."""

import random

import pytest
import trio
import trio.testing

from p2p.net.door.line import LINE_MOST, Line, OutOfLine
from p2p.net.door.watch import Watch


class Code(Exception):
    """It was the wrong one."""


class Door:
    """A line with what came of each who stood in it."""

    def __init__(self, nursery: trio.Nursery, seed: int = 1) -> None:
        self.told: list[str] = []
        self.line = Line(random.Random(seed).randbytes, Watch(self.told.append))
        self.nursery = nursery
        self.tried: list[tuple[str, float]] = []
        self.lost: list[str] = []

    async def come(self, name: str, source: str, seconds: float = 0.0, right: bool = True) -> None:
        """Get in line, and try for so many seconds when it is one's turn."""
        self.nursery.start_soon(self._stand, name, source, seconds, right)
        await trio.testing.wait_all_tasks_blocked()

    async def _stand(self, name: str, source: str, seconds: float, right: bool) -> None:
        try:
            async with self.line.turn(source):
                self.tried.append((name, trio.current_time()))
                await trio.sleep(seconds)
                if not right:
                    raise Code
        except OutOfLine:
            self.lost.append(name)
        except Code:
            return

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.tried]


Clock = trio.testing.MockClock


async def test_one_at_a_time(autojump_clock: Clock) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        await door.come("Ana", "192.0.2.1", 3)
        await door.come("Ben", "192.0.2.2", 3)
        await door.come("Cem", "192.0.2.3", 3)
        assert door.names == ["Ana"]
    assert sorted(door.names) == ["Ana", "Ben", "Cem"]
    assert [when for _, when in door.tried] == [0, 3, 6]
    assert door.told == []


async def test_the_third_of_a_source_takes_the_place_of_one_of_its_own(
    autojump_clock: Clock,
) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        await door.come("first", "192.0.2.1", 1)
        await door.come("second", "192.0.2.1")
        await door.come("friend", "192.0.2.2")
        await door.come("third", "192.0.2.1")
        assert door.lost == ["second"]
    assert sorted(door.names) == ["first", "friend", "third"]


async def test_of_two_waiting_ones_of_a_source_either_may_go(autojump_clock: Clock) -> None:
    gone = set()
    for seed in range(20):
        async with trio.open_nursery() as nursery:
            door = Door(nursery, seed)
            await door.come("at it", "192.0.2.9", 1)
            for name in ("first", "second", "third"):
                await door.come(name, "192.0.2.1")
        gone |= set(door.lost)
        assert len(door.lost) == 1
    assert gone == {"first", "second"}


async def test_in_a_full_line_one_by_lot_loses_its_place_to_the_newcomer(
    autojump_clock: Clock,
) -> None:
    gone = set()
    for seed in range(60):
        async with trio.open_nursery() as nursery:
            door = Door(nursery, seed)
            await door.come("at it", "192.0.2.99", 1)
            for number in range(LINE_MOST):
                await door.come(str(number), f"192.0.2.{number}")
            assert (door.lost, door.told) == ([], [])
            await door.come("new", "198.51.100.1")
            assert door.told == [
                "More people try this table's code than may wait for it. "
                "Friends still get in by the invite."
            ]
        assert len(door.lost) == 1
        assert len(door.tried) == LINE_MOST + 1
        gone |= set(door.lost)
    assert gone == {str(number) for number in range(LINE_MOST)}


async def test_who_tries_keeps_its_turn_when_others_come(autojump_clock: Clock) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        for number in range(5):
            await door.come(str(number), "192.0.2.1", 1)
    assert door.names == ["0", "4"]


async def test_the_next_is_drawn_by_lot(autojump_clock: Clock) -> None:
    second = set()
    for seed in range(40):
        async with trio.open_nursery() as nursery:
            door = Door(nursery, seed)
            await door.come("at it", "192.0.2.9", 1)
            for name in ("a", "b", "c"):
                await door.come(name, f"192.0.2.{ord(name)}")
        second.add(door.names[1])
    assert second == {"a", "b", "c"}


async def test_a_source_that_tried_in_vain_waits_while_others_go_on(
    autojump_clock: Clock,
) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        await door.come("wrong", "192.0.2.1", right=False)
        await door.come("again", "192.0.2.1")
        await door.come("friend", "192.0.2.2")
    assert door.tried == [("wrong", 0), ("friend", 0), ("again", 2)]
    assert door.told == [
        "A wrong code was tried from 192.0.2.1: somebody has mistyped it, or means another table."
    ]


async def test_sources_that_never_failed_go_first(autojump_clock: Clock) -> None:
    """So whoever comes anew waits for the pace of all, and for nobody who guesses."""
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        for number in range(25):
            await door.come("guess", f"192.0.2.{number % 5}", right=False)
            await trio.sleep(100)
        began = trio.current_time()
        await door.come("last", "192.0.2.0", right=False)
        for number in range(1, 5):
            await door.come("guess", f"192.0.2.{number}", right=False)
        await door.come("friend", "198.51.100.1")
    assert [(name, when - began) for name, when in door.tried[25:27]] == [
        ("last", 0),
        ("friend", 16),
    ]


async def test_from_many_sources_the_code_is_tried_no_faster_than_from_one(
    autojump_clock: Clock,
) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        for number in range(8):
            await door.come("guess", f"192.0.2.{number}", right=False)
        await trio.sleep(100)
    assert [when for _, when in door.tried] == [0, 0, 0, 0, 0, 2, 4, 6]


async def test_a_try_that_is_broken_off_is_a_wrong_one(autojump_clock: Clock) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        with trio.move_on_after(1):
            async with door.line.turn("192.0.2.1"):
                await trio.sleep_forever()
        await door.come("again", "192.0.2.1")
    assert door.tried == [("again", 3)]


async def test_who_goes_away_while_it_waits_has_tried_nothing(autojump_clock: Clock) -> None:
    async with trio.open_nursery() as nursery:
        door = Door(nursery)
        await door.come("at it", "192.0.2.9", 5)
        with trio.move_on_after(1):
            async with door.line.turn("192.0.2.1"):
                pytest.fail("it was its turn")
        await door.come("again", "192.0.2.1")
    assert door.tried[1:] == [("again", 5)]
    assert (door.told, door.lost) == ([], [])
