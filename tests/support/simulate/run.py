"""One seed, from its plan to what failed."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from support.simulate.plan import make_plan
from support.simulate.trace import Trace
from support.simulate.verdict import failures
from support.simulate.world import World


@dataclass(frozen=True)
class Result:
    """What became of a seed. `digest` names all that happened; `lines` tell it, if asked for."""

    failures: tuple[str, ...]
    digest: str
    made: Counter[str]
    hands: int
    lines: tuple[str, ...]


def run(seed: int, folder: Path, kinds: Collection[str], keep: bool = False) -> Result:
    """Play a seed; its disks lie in `folder` meanwhile."""
    place = Path(tempfile.mkdtemp(dir=folder))
    trace = Trace(keep)
    world = World(make_plan(seed, kinds), place, trace)
    world.run()
    found = tuple(failures(world))
    hands = max(sum(one.hands for one in machine.played) for machine in world.machines)
    shutil.rmtree(place)
    return Result(found, trace.digest, world.made, hands, tuple(trace.lines))
