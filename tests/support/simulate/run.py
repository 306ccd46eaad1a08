"""One seed, from its plan to what failed."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from support.simulate.plan import Plan, kill_plan, make_plan
from support.simulate.trace import Trace
from support.simulate.verdict import failures
from support.simulate.world import World


@dataclass(frozen=True)
class Result:
    """What became of a seed. `made`: its faults, and how often a stall was excused; `digest` names
    all that happened; `lines` tell it, if asked for."""

    failures: tuple[str, ...]
    digest: str
    made: Counter[str]
    hands: int
    lines: tuple[str, ...]


def run(seed: int, folder: Path, kinds: Collection[str], keep: bool = False) -> Result:
    """Play a seed; its disks lie in `folder` meanwhile."""
    return play(make_plan(seed, kinds), folder, keep)


def kill_everywhere(players: int, folder: Path) -> Iterator[tuple[int, int, Result]]:
    """Kill each seat at each time it stores messages, from the first to the end of a hand or more:
    place, number and what became of it."""
    for place in range(players):
        for number in count(1):
            result = play(kill_plan(players, place, number), folder)
            if not result.made["kill"]:
                break
            yield place, number, result


def play(plan: Plan, folder: Path, keep: bool = False) -> Result:
    """Play a plan."""
    place = Path(tempfile.mkdtemp(dir=folder))
    trace = Trace(keep)
    world = World(plan, place, trace)
    world.run()
    found = tuple(dict.fromkeys(failures(world)))
    hands = max(sum(one.hands for one in machine.played) for machine in world.machines)
    shutil.rmtree(place)
    return Result(found, trace.digest, world.made + world.excused, hands, tuple(trace.lines))
