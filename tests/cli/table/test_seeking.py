"""Who is back alone looks for the others, and is told what can be done. With real programs:
end_to_end/test_pause."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing
from support.net.world import neighbour, peer, people

from cli.table.seeking import ALONE_SECONDS, BACK_SECONDS, GONE_SECONDS, Seeking, what_to_do
from engine.rules import Rules
from p2p.net.find import returning
from p2p.net.link.listen import Listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.roster import Seated
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.table import Table

WHERE = ("10.0.0.1:5532",)
OTHERS = "The others come back with `allfives resume`, in any order."
FOUND = "On this network you find each other at whatever address and port."
TAKEN = "From elsewhere you are looked for at port 5528, which was taken when you came back"


class Match:
    """Three people and a bot of the last of them; what is said, and when others are looked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("Ana", "Ben", "Cem", "Bot 1")
        owner = neighbour(3, "Cem").key
        roster = tuple(
            neighbour(seat, name, owner=owner if seat == 4 else b"")
            for seat, name in enumerate(names, 1)
        )
        table = Table(Rules.make("classic", 4), people(roster))
        self.mesh = SimpleNamespace(missing=(1, 2, 3), dial_at=lambda key, places: None)
        self.playing = [0, 1, 2, 3]
        state = SimpleNamespace(match=SimpleNamespace(seats=self.playing))
        session = SimpleNamespace(table=table, state=state)
        sitting = SimpleNamespace(session=session, waits=True)
        own = peer(1, Listeners((), 5532, WHERE))
        seated = Seated(table, bytes(32), roster)
        self.seeking = Seeking(cast(Mesh, self.mesh), seated, own, cast(Sitting, sitting))
        self.looks: list[tuple[float, float]] = []
        self.said: list[str] = []

        async def look_out(*_: Any) -> None:
            began = trio.current_time()
            try:
                await trio.sleep_forever()
            finally:
                self.looks.append((began, trio.current_time()))

        monkeypatch.setattr(returning, "look_out", look_out)

    async def run(self, seconds: float, before: int = 5528, lan: bool = True) -> None:
        with trio.move_on_after(seconds):
            await self.seeking.run(before, lan, self.said.append)


async def test_who_is_back_looks_for_the_others_until_all_people_are_linked(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(monkeypatch)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.run, 100)
        await trio.sleep(10)
        match.mesh.missing = (2, 3)
        await trio.sleep(10)
        # The bot of one who is linked is heard through that one.
        match.mesh.missing = (3,)
    (look,) = match.looks
    assert BACK_SECONDS <= look[0] - began <= BACK_SECONDS + 1
    assert 20 <= look[1] - began <= 21
    assert match.said == []


async def test_who_is_out_of_the_match_is_not_looked_for(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(monkeypatch)
    match.mesh.missing, match.playing[:] = (1,), [0, 2, 3]
    await match.run(100)
    assert match.looks == []


async def test_in_a_match_that_goes_on_one_waits_longer_and_is_told_nothing(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(monkeypatch)
    began = trio.current_time()
    await match.run(100, before=0)
    ((first, _),) = match.looks
    assert GONE_SECONDS <= first - began <= GONE_SECONDS + 1
    assert match.said == []


async def test_a_table_that_is_told_to_no_network_is_looked_for_on_none(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(monkeypatch)
    await match.run(2 * ALONE_SECONDS, lan=False)
    assert match.looks == []
    alone = "Nobody else of this match is here yet. Your program can be reached at: 10.0.0.1:5532"
    assert match.said == [alone, *what_to_do(5532, 5528, lan=False, waits=True)]


def test_what_can_be_done_is_what_helps() -> None:
    assert what_to_do(5528, 5528, lan=False, waits=True) == [OTHERS]
    assert what_to_do(5528, 5528, lan=True, waits=True) == [OTHERS, FOUND]
    assert what_to_do(5532, 5528, lan=True, waits=False) == [OTHERS, FOUND, f"{TAKEN}."]
    # Who stops where the match is not paused leaves it.
    assert what_to_do(5532, 5528, lan=False, waits=True) == [
        OTHERS,
        f"{TAKEN}; once it is free, stop here (the match waits) and `allfives resume --port 5528` "
        "takes it again.",
    ]
