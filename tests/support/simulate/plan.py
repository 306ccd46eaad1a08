"""What a seed stands for: a table, its rules, and the faults that will be made, each with its time.

Time is progress: a fault comes when so many messages have been stored at the table, so that it
meets a match and not the quiet after it.
"""

import random
from collections.abc import Collection
from dataclasses import dataclass

# What may go wrong. Kinds of a cheat make their seat dishonest; of these a seed has one at most.
NETWORK = ("lag", "cut", "silence", "unplug")
MACHINE = ("kill", "sleep", "full disk")
IDLE = ("idle",)
PEOPLE = ("leave", *IDLE)
# Of who votes. Somebody else is away meanwhile, for longer than its grace.
VOTER = ("kept agree", "two votes")
# A disk that was put back makes its owner look like a cheat.
CHEAT = (
    "two versions",
    "three versions",
    "wrong message",
    "withhold",
    "selective relay",
    "flood",
    "old copy",
    *VOTER,
)
KINDS = (*NETWORK, *MACHINE, *PEOPLE, *CHEAT)
# What may have no effect: a disk may have room, and of what is kept back there may be nothing.
UNSURE = ("full disk", "selective relay", "withhold", "old copy", *VOTER)
# For longer nobody is away in one piece.
LONGEST_AWAY = 60
# What ends a program, which is started again.
ENDING = ("kill", "full disk")
# The first fault comes before so many messages are stored.
EARLY = 25
VOTER_EARLY = 90
TWO_SIDES = 2
# An idle person decides nothing for so much longer than other faults last, at most.
IDLE_TIMES, IDLE_MOST = 12, 480.0


@dataclass(frozen=True)
class Fault:
    """At progress `at`, to the machine in `place` (and its link to `other`), for `seconds`.

    `choice` is a number below 2^32 for whatever else there is to choose.
    """

    kind: str
    at: int
    place: int
    other: int
    seconds: float
    choice: int

    @property
    def between(self) -> bool:
        """Whether it waits for the time between two matches, which may not come: so it is never
        the first of a seed."""
        return self.kind in ENDING and self.at > EARLY and self.choice % 5 < 2


@dataclass(frozen=True)
class Wanted:
    """At progress `at` the owner in `place` says a line of chat, or wants a pause for `seconds`."""

    at: int
    place: int
    pause: bool
    seconds: float


@dataclass(frozen=True)
class Plan:
    """The table of a seed.

    `grace`: seconds for which each may be away. `bots`: by number of the key, which of them belong
    to the first. `delays`: the least and the most seconds that a payload takes. `kill`: a place and
    which of the times that it stores messages is the last thing it does before it comes back.
    """

    seed: int
    players: int
    options: dict[str, str]
    grace: int
    bots: tuple[int, ...]
    delays: tuple[float, float]
    faults: tuple[Fault, ...]
    wanted: tuple[Wanted, ...] = ()
    kill: tuple[int, int] | None = None

    @property
    def cheats(self) -> frozenset[int]:
        """The places whose machines are not honest."""
        return frozenset(one.place for one in self.faults if one.kind in CHEAT)


def make_plan(seed: int, kinds: Collection[str] = KINDS) -> Plan:
    """The plan of a seed, from faults of these kinds alone; the first comes early."""
    rng = random.Random(f"plan {seed}")
    players = rng.choice((2, 3, 3, 4))
    options = _options(rng, players)
    delays = rng.choice(((0.001, 0.01), (0.005, 0.2), (0.02, 1.5)))
    sides = players == TWO_SIDES or options.get("partners") == "yes"
    chosen = _kinds(rng, [one for one in KINDS if one in kinds and not (sides and one in VOTER)])
    # Where somebody is to be put out for being away, it is soon.
    grace = rng.choice((5, 20) if {*chosen} & {*VOTER} else (5, 20, 60, 300))
    faults = [
        _fault(rng, kind, players, 60 * players if number else EARLY, grace)
        for number, kind in enumerate(chosen)
    ]
    wanted = [
        Wanted(rng.randint(1, 60 * players), rng.randrange(players), not number, rng.uniform(1, 40))
        for number in range(rng.choice((0, 1, 3)))
    ]
    faults.sort(key=lambda one: one.at)
    wanted.sort(key=lambda one: one.at)
    bots = tuple(rng.choice(((), (), (1,)))) if players > 2 else ()
    return Plan(seed, players, options, grace, bots, delays, tuple(faults), tuple(wanted))


def _kinds(rng: random.Random, allowed: list[str]) -> list[str]:
    """The kinds of a seed's faults: of one cheat at most, and one person who is idle for minutes.
    The first has an effect."""
    chosen: list[str] = []
    for number in range(rng.choice((1, 2, 2, 3, 4, 6)) if allowed else 0):
        possible = [kind for kind in allowed if number or kind not in UNSURE]
        chosen.append(rng.choice(possible or allowed))
        once = CHEAT if chosen[-1] in CHEAT else IDLE
        if chosen[-1] in once:
            allowed = [kind for kind in allowed if kind not in once] or ["lag"]
    return chosen


def _options(rng: random.Random, players: int) -> dict[str, str]:
    options = {"hand-size": str(rng.choice((2, 3, 3, 4, 5))), "target": str(rng.choice((15, 25)))}
    options["match-end"] = rng.choice(("hand", "at-once"))
    options["starter"] = rng.choice(("lot", "lot", "highest-double"))
    options["claims"] = rng.choice(("no", "no", "no", "yes"))
    options["spinner"] = rng.choice(("first", "every", "none"))
    options["hand-end"] = rng.choice(("collect-each", "collect-sum"))
    if players == 4:
        options["partners"] = rng.choice(("no", "no", "yes"))
    return options


def _fault(rng: random.Random, kind: str, players: int, latest: int, grace: int) -> Fault:
    place, other = rng.sample(range(players), 2)
    # Who comes back just when its grace is used up meets the votes.
    near = max(grace + rng.uniform(-2, 12), 1.0) if grace <= LONGEST_AWAY else rng.uniform(3, 40)
    seconds = rng.choice((rng.uniform(0.1, 3), rng.uniform(3, 40), near))
    if kind in VOTER:
        # Long enough for the votes of all others, and early enough for some play behind them.
        seconds, latest = grace + rng.uniform(12, 40), min(latest, VOTER_EARLY)
    return Fault(kind, rng.randint(1, latest), place, other, seconds, rng.getrandbits(32))


def kill_plan(players: int, place: int, number: int) -> Plan:
    """One seat is killed when it has stored messages for the `number`th time, before it sends or
    in the middle of it; nothing else goes wrong."""
    options = {"hand-size": "3", "target": "15", "hand-end": "collect-sum"}
    return Plan(number, players, options, 300, (), (0.001, 0.02), (), kill=(place, number))
