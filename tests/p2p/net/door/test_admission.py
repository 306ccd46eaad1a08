"""p2p.net.door.admission: one run on the code at a time, slowed; invites are neither."""

import random
from collections.abc import Callable

import pytest
import trio
import trio.testing
from support.net.world import CODE, MemoryNetwork, key, peer

from engine.rules import Rules
from p2p.net.door.admission import (
    QUEUE_MOST,
    Admission,
    Turned,
    code_password,
    invite_password,
)
from p2p.net.door.joiner import Ticket, prove
from p2p.net.door.offer import TableOffer
from p2p.net.door.spake import Exchange, Tags
from p2p.net.errors import TableBusy, WrongCode
from p2p.net.link.addresses import Address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import JoinOpening, Way
from p2p.net.link.message import read, whole
from p2p.net.link.reception import Reception, Stranger

HOST = key(1)
SECRET = bytes(range(16))
# The first message of an honest joiner; any 33 bytes of a point do.
POINT = b"A" + b"\x58" + b"\x66" * 31


class Door:
    """A host that only admits, over memory streams; `admitted` counts who has proven the code."""

    def __init__(self) -> None:
        self.network = MemoryNetwork()
        self.listeners = self.network.listen()
        offer = TableOffer("den", Rules.make("classic", 2), CODE, SECRET)
        self.admission = Admission(peer(1, self.listeners), offer)
        self.reception = Reception(HOST, random.Random(1).randbytes, self._greet)
        self.admitted = 0

    async def _greet(self, stranger: Stranger) -> None:
        opening = read(stranger.opening, JoinOpening)
        try:
            await self.admission.prove(stranger, opening)
            self.admitted += 1
        except Turned as turned:
            await stranger.link.tell("no", turned.word)

    async def reach(self) -> Dialled:
        place = Address("192.0.2.1", self.listeners.port)
        return await dial([place], HOST.public, self.network.connect)

    async def join(self, seed: int, password: bytes, way: Way = "code") -> None:
        reached = await self.reach()
        try:
            await prove(reached, peer(seed), Ticket(way, password))
        finally:
            await reached.link.aclose()

    async def go_silent(self, seed: int) -> Dialled:
        """Ask for a run of the code and never confirm it."""
        reached = await self.reach()
        opening = JoinOpening.make(key(seed), reached.key, reached.nonce, "code", "", POINT)
        await reached.link.tell(*whole(opening))
        return reached


async def inline(job: Callable[..., Exchange | Tags], *arguments: bytes) -> Exchange | Tags:
    """SPAKE2 here and now: a clock that jumps must not overtake a worker thread."""
    await trio.lowlevel.checkpoint()
    return job(*arguments)


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio.to_thread, "run_sync", inline)


async def test_after_five_wrong_tries_two_seconds_pass(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        for seed in range(10, 15):
            with pytest.raises(WrongCode):
                await door.join(seed, code_password("wrong"))
        assert trio.current_time() == 0
        await door.join(20, invite_password(SECRET), "invite")
        assert trio.current_time() == 0
        await door.join(21, code_password(CODE))
        assert trio.current_time() == 2
        assert door.admitted == 2
        nursery.cancel_scope.cancel()


async def test_runs_on_the_code_wait_for_each_other_and_a_broken_off_one_counts(
    autojump_clock: trio.testing.MockClock,
) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = await door.go_silent(30)
        assert await silent.link.hear()
        # Its run is open; the next one begins when its deadline of 5 s has passed.
        await door.join(31, code_password(CODE))
        assert trio.current_time() == 5
        for seed in range(10, 14):
            with pytest.raises(WrongCode):
                await door.join(seed, code_password("wrong"))
        await door.join(32, code_password(CODE))
        assert trio.current_time() == 7
        await silent.link.aclose()
        nursery.cancel_scope.cancel()


async def test_the_queue_is_short(autojump_clock: trio.testing.MockClock) -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.reception.run, door.listeners)
        silent = [await door.go_silent(40)]
        assert await silent[0].link.hear()
        silent += [await door.go_silent(41 + n) for n in range(QUEUE_MOST)]
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(TableBusy) as caught:
            await door.join(60, code_password(CODE))
        assert str(caught.value) == (
            "Too many people are trying this table's code. Try again in a minute."
        )
        await door.join(61, invite_password(SECRET), "invite")
        assert trio.current_time() == 0
        for reached in silent:
            await reached.link.aclose()
        nursery.cancel_scope.cancel()
