"""p2p.net.door.admission: runs on the code one at a time and slowed; few on the invite at once."""

import random
from collections.abc import Callable

import pytest
import trio
import trio.testing
from support.net.world import CODE, MemoryNetwork, key, peer

from engine.rules import Rules
from p2p.net.door.admission import (
    INVITES_A_SOURCE,
    Admission,
    Turned,
    code_password,
    invite_password,
)
from p2p.net.door.joiner import Ticket, prove
from p2p.net.door.line import LINE_MOST
from p2p.net.door.offer import TableOffer
from p2p.net.door.spake import Exchange, Tags
from p2p.net.errors import LinkBroken, TableBusy, WrongCode
from p2p.net.link.addresses import Address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import JoinOpening, WatchOpening, Way, opening_word
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.message import read, whole
from p2p.net.link.reception import Reception, Stranger

HOST = key(1)
SECRET = bytes(range(16))
# The first message of an honest joiner; any 33 bytes of a point do.
POINT = b"A" + b"\x58" + b"\x66" * 31


class Door:
    """A host that only admits, over memory streams; `admitted` counts who has proven the code.

    Who dials comes from `source`; `trouble` is what the host was told. `slow`: those who are turned
    away take no answer.
    """

    def __init__(self) -> None:
        self.network = MemoryNetwork()
        self.listeners = self.network.listen()
        offer = TableOffer("den", Rules.make("classic", 2), CODE, SECRET)
        self.trouble: list[str] = []
        self.source = "192.0.2.7"
        self.admission = Admission(peer(1, self.listeners), offer, self.trouble.append)
        self.reception = Reception(
            HOST, random.Random(1).randbytes, self._greet, lambda stream: self.source
        )
        self.slow = False
        self.admitted = 0

    async def _greet(self, stranger: Stranger) -> None:
        looks_on = opening_word(stranger.opening) == WatchOpening.kind
        opening = read(stranger.opening, WatchOpening if looks_on else JoinOpening)
        try:
            await self.admission.prove(stranger, opening)
            self.admitted += 1
        except Turned as turned:
            if self.slow:
                await trio.sleep_forever()
            await stranger.link.tell("no", turned.word)

    async def reach(self) -> Dialled:
        place = Address("192.0.2.1", self.listeners.port)
        return await dial([place], HOST.public, self.network.connect)

    async def join(
        self,
        seed: int,
        password: bytes,
        way: Way = "code",
        opening: type[JoinOpening] = JoinOpening,
    ) -> None:
        reached = await self.reach()
        try:
            await prove(reached, peer(seed), Ticket(way, password), opening)
        finally:
            await reached.link.aclose()

    async def go_silent(self, seed: int, way: Way = "code") -> Dialled:
        """Ask for a run and never confirm it."""
        reached = await self.reach()
        opening = JoinOpening.make(key(seed), reached.key, reached.nonce, way, "", POINT)
        await reached.link.tell(*whole(opening))
        return reached


async def _listen(reached: Dialled, told: list[object]) -> None:
    told.append(await reached.link.hear())


async def inline(job: Callable[..., Exchange | Tags], *arguments: bytes) -> Exchange | Tags:
    """SPAKE2 here and now: a clock that jumps must not overtake a worker thread."""
    await trio.lowlevel.checkpoint()
    return job(*arguments)


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio.to_thread, "run_sync", inline)


async def test_wrong_tries_slow_their_source_and_five_of_them_everybody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        for seed in range(10, 14):
            door.source = f"192.0.2.{seed}"
            with pytest.raises(WrongCode):
                await door.join(seed, code_password("wrong"))
        await door.join(20, code_password(CODE))
        assert trio.current_time() == 2
        door.source = "192.0.2.20"
        with pytest.raises(WrongCode):
            await door.join(21, code_password("wrong"))
        assert trio.current_time() == 2
        await door.join(22, invite_password(SECRET), "invite")
        assert trio.current_time() == 2
        door.source = "192.0.2.21"
        await door.join(23, code_password(CODE))
        assert trio.current_time() == 4
        assert door.admitted == 3
        assert door.trouble == [
            "A wrong code was tried from 192.0.2.10: somebody has mistyped it, or means another "
            "table."
        ]
        nursery.cancel_scope.cancel()


async def test_of_who_comes_to_look_on_with_a_wrong_code_only_what_may_be_guesses_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        for seed in range(10, 13):
            with pytest.raises(WrongCode):
                await door.join(seed, code_password("wrong"), opening=WatchOpening)
        assert door.trouble == [], "a match is on, and it helps nobody"
        with pytest.raises(WrongCode):
            await door.join(13, code_password("wrong"), opening=WatchOpening)
        assert [line[:44] for line in door.trouble] == [
            "A wrong code was tried 4 times from 192.0.2."
        ]
        nursery.cancel_scope.cancel()


async def test_a_run_without_a_tag_ends_after_a_second_and_was_a_wrong_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = await door.go_silent(30)
        assert await silent.link.hear()
        door.source = "192.0.2.8"
        await door.join(31, code_password(CODE))
        assert trio.current_time() == 1
        # It is told to come again: a slow machine may have meant well.
        assert await silent.link.hear() == ["no", "busy"]
        door.source = "192.0.2.7"
        await door.join(32, code_password(CODE))
        assert trio.current_time() == 3
        await silent.link.aclose()
        nursery.cancel_scope.cancel()


async def test_nine_who_stay_silent_keep_no_friend_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = [await door.go_silent(40 + n) for n in range(9)]
        await trio.testing.wait_all_tasks_blocked()
        door.source = "192.0.2.8"
        await door.join(60, code_password(CODE))
        assert trio.current_time() <= 4
        for reached in silent:
            await reached.link.aclose()
        nursery.cancel_scope.cancel()


async def test_who_loses_its_place_is_told_to_come_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = [await door.go_silent(40)]
        assert await silent[0].link.hear()
        for number in range(LINE_MOST + 1):
            door.source = f"198.51.100.{number}"
            silent.append(await door.go_silent(41 + number))
            await trio.testing.wait_all_tasks_blocked(0.1)
        assert door.trouble == [
            "More people try this table's code than may wait for it. "
            "Friends still get in by the invite."
        ]
        await door.join(61, invite_password(SECRET), "invite")
        told: list[object] = []
        async with trio.open_nursery() as listening:
            for reached in silent[1:]:
                listening.start_soon(_listen, reached, told)
            await trio.testing.wait_all_tasks_blocked(0.1)
            assert told == [["no", "busy"]]
            listening.cancel_scope.cancel()
        for reached in silent:
            await reached.link.aclose()
        nursery.cancel_scope.cancel()


async def test_who_is_out_of_the_line_is_one_of_many_strangers_again(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.net.link.reception.STRANGERS_MOST", 1)
    door = Door()
    door.slow = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = await door.go_silent(40)
        assert await silent.link.hear()
        await trio.sleep(2)
        newcomer = await door.reach()
        with pytest.raises(LinkBroken):
            await silent.link.hear()
        assert trio.current_time() == 2
        await silent.link.aclose()
        await newcomer.link.aclose()
        nursery.cancel_scope.cancel()


async def test_four_runs_on_the_invite_at_once_from_one_source(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = [await door.go_silent(40 + n, "invite") for n in range(INVITES_A_SOURCE)]
        for reached in silent:
            assert await reached.link.hear()
        with pytest.raises(TableBusy):
            await door.join(60, invite_password(SECRET), "invite")
        door.source = "192.0.2.8"
        await door.join(61, invite_password(SECRET), "invite")
        door.source = "192.0.2.7"
        await trio.sleep(STAGE_SECONDS)
        await door.join(62, invite_password(SECRET), "invite")
        for reached in silent:
            await reached.link.aclose()
        nursery.cancel_scope.cancel()
