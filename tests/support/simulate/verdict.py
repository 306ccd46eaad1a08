"""What must hold of a simulated match when it is at rest."""

import re
from collections import Counter
from collections.abc import Iterator

from support.simulate.machine import Played
from support.simulate.world import World

from p2p.session.verify import verify_record

_BLAME = re.compile(r"broke the protocol|it sent|signed two|flood|has left|have left")


def failures(world: World) -> Iterator[str]:
    """One line for each thing that does not hold."""
    yield from _crashes(world)
    yield from _unsaved(world)
    yield from _second_signatures(world)
    yield from _blame(world)
    yield from _ends(world)
    yield from _chat(world)
    yield from _faults(world)


def _honest(world: World) -> list[int]:
    return [place for place in range(world.plan.players) if place not in world.plan.cheats]


def _cheats(world: World) -> set[bytes]:
    """The keys of the cheats: seats change from match to match."""
    return {world.machines[place].key.public for place in world.plan.cheats}


def _crashes(world: World) -> Iterator[str]:
    for machine in world.machines:
        if machine.broken is not None:
            yield f"crash: the program of seat {machine.place} raised\n{machine.broken}"


def _unsaved(world: World) -> Iterator[str]:
    for machine in world.machines:
        for message in machine.unsaved:
            yield f"unsaved: seat {machine.place} sent {message.place} before it was stored"


def _second_signatures(world: World) -> Iterator[str]:
    """No disk and nothing that an honest seat stored has two messages of it for a place."""
    for machine in world.machines:
        own = [] if machine.place in world.plan.cheats else [machine.signed]
        for kept in (*own, machine.disk.kept):
            for (table, place), messages in kept.items():
                if len(messages) > 1 and machine.keys[table][place.seat] not in _cheats(world):
                    yield f"two signatures: {place}"


def _blame(world: World) -> Iterator[str]:
    """No line that an honest seat reads blames an honest one."""
    honest = _honest(world)
    for place in honest:
        machine = world.machines[place]
        for line in machine.lines:
            for other in honest:
                name = world.table.players[other].name
                if name in line and _BLAME.search(line):
                    yield f"innocent named: seat {place} reads {line!r}"


def _ends(world: World) -> Iterator[str]:
    """All honest seats have ended, with one T and one record."""
    honest = [world.machines[place] for place in _honest(world)]
    for machine in honest:
        if machine.alive and not machine.finished:
            waiting = machine.sitting.session.waiting()
            people = machine.sitting.session.table.people
            if {people[seat].key for seat in waiting.seats} <= _cheats(world):
                continue
            yield f"stall: seat {machine.place} waits for {waiting} at {world.now:.0f} s"
    matches = {len(machine.played) for machine in honest}
    if len(matches) > 1:
        yield f"divergence: seats played {sorted(matches)} matches"
    for number in range(min(matches)):
        yield from _one_match(world, number + 1, [machine.played[number] for machine in honest])


def _one_match(world: World, number: int, played: list[Played]) -> Iterator[str]:
    """What a fault ended may end at different steps; the evidence is in each record."""
    by_record = {one.record: one for one in played}
    tops = {one.top for one in played}
    faulty = world.plan.cheats and any(one.outcome.kind == "fault" for one in played)
    if not faulty and (len(by_record) > 1 or len(tops) > 1):
        yield f"divergence: match {number} has several records"
    for record in by_record:
        report = verify_record(record)
        if report.problem is not None:
            yield f"record: match {number}: {report.problem}"
        table = by_record[record].table
        named = None if report.fault is None else table.people[report.fault.seat].key
        if report.fault is not None and named not in _cheats(world):
            yield f"innocent named: the record of match {number} names {report.fault.name}"


def _chat(world: World) -> Iterator[str]:
    """What an honest seat said is read once by every other that played to the end."""
    for place in _honest(world):
        machine = world.machines[place]
        twice = [line for line, count in Counter(machine.heard_lines).items() if count > 1]
        if twice:
            yield f"seat {place} reads {twice} more than once"
        said = {line for other in _honest(world) for line in world.machines[other].said}
        lost = said - set(machine.heard_lines) - machine.before
        if machine.played and machine.played[-1].closed and lost:
            yield f"lost line: seat {place} never reads {lost}"


def _faults(world: World) -> Iterator[str]:
    """The seed had a fault, and two hands unless its faults ended the match."""
    if not sum(world.made.values()):
        yield "no fault was made"
    hands = min(sum(one.hands for one in machine.played) for machine in world.machines)
    if hands < 2 and not world.plan.cheats:
        yield f"only {hands} hands were played"
