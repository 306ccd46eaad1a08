"""Whole matches of real programs on machines of their own, whose links and people fail.

    ALLFIVES_FULL=1 pytest tests/namespaces

As root on Linux: each machine is a network namespace. Without ALLFIVES_FULL only the shortest.
"""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.limits import FULL
from support.namespaces import switch as switches
from support.namespaces.players import Table, seconds
from support.namespaces.switch import Switch, refusal

REFUSAL = refusal()
pytestmark = pytest.mark.skipif(REFUSAL is not None, reason=str(REFUSAL))
long = pytest.mark.skipif(not FULL, reason="ALLFIVES_FULL=1 for the long ones")

MakeTable = Callable[[int], Table]
# People think, so that a match lasts until all has happened.
PACE = 1.5
LONG = ("--target", "60")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MakeTable]:
    """A table of so many, each on a machine of its own."""
    made: list[Switch] = []

    def make(players: int) -> Table:
        switch = switches.Switch(players)
        made.append(switch.__enter__())
        return Table(switch, tmp_path, players)

    yield make
    for switch in made:
        switch.__exit__(None, None, None)


def test_two_who_never_reach_each_other_play_with_a_third(table: MakeTable) -> None:
    with table(3) as three:
        three.switch.cut = three.switch.between((1, 2))
        three.sit("--target", "5")
        three.finish()


@long
def test_one_peer_that_can_be_reached_is_enough(table: MakeTable) -> None:
    with table(4) as four:
        four.switch.closed = (1, 2, 3)
        four.sit("--target", "20")
        four.finish()


@long
def test_links_are_cut_delayed_and_lose_packets(table: MakeTable) -> None:
    with table(4) as four:
        switch = four.switch
        switch.delay, switch.loss = (0.01, 0.08), 0.02
        ana, ben, cem, dot = four.sit(*LONG, pace=PACE)
        ana.moves()
        switch.cut = switch.between((1, 2))
        seconds(12)
        ana.moves()
        switch.cut = switch.around(dot.number)
        seconds(12)
        switch.cut = ()
        dot.moves()
        switch.plug(ben.number, up=False)
        seconds(12)
        switch.plug(ben.number, up=True)
        four.finish(away={dot.name, ben.name, ana.name, cem.name})


@long
def test_one_machine_stands_still_for_twenty_seconds(table: MakeTable) -> None:
    with table(4) as four:
        _, ben, _, dot = four.sit(*LONG, pace=PACE)
        dot.moves()
        ben.running.process.send_signal(signal.SIGSTOP)
        dot.wait("Ben is away")
        seconds(20)
        ben.running.process.send_signal(signal.SIGCONT)
        ben.wait("This machine was asleep for")
        dot.wait("Ben is back")
        four.finish(away={ben.name, *(one.name for one in four.people)})


@long
def test_one_is_killed_and_comes_back(table: MakeTable) -> None:
    with table(4) as four:
        _, _, cem, dot = four.sit(*LONG, pace=PACE)
        dot.moves()
        cem.kill()
        dot.wait("Cem is away")
        four.resume(cem)
        cem.wait("You are back at the table")
        dot.wait("Cem is back")
        four.finish(away={cem.name, *(one.name for one in four.people)})


@long
def test_one_changes_its_address(table: MakeTable) -> None:
    with table(4) as four:
        ana, ben, _, _ = four.sit(*LONG, pace=PACE)
        ana.moves()
        four.switch.move(ben.number, 2)
        ana.moves(8)
        four.finish(away={ben.name, *(one.name for one in four.people)})


@long
def test_who_opened_the_table_is_gone_for_good(table: MakeTable) -> None:
    with table(4) as four:
        ana, ben, *_ = four.sit(*LONG, "--grace", "5", pace=PACE)
        ben.moves()
        ana.kill()
        ben.wait("Ana was absent according to")
        four.finish(gone={ana.name})
