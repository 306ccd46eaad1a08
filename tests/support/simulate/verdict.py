"""What must hold of a simulated match when it is at rest."""

import re
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from support.simulate.coming_back import Played
from support.simulate.machine import Machine
from support.simulate.plan import CHEAT, TWO_SIDES
from support.simulate.watchers import Seen, Watcher
from support.simulate.world import NOTICE_SECONDS, World

from p2p.records.comparing import Parting, compare
from p2p.session.record import Recording, decode
from p2p.session.sitting.parting import ROUND_SECONDS
from p2p.session.verify import Report, verify_record
from p2p.wire.envelope import Message, open_envelope

_BLAME = re.compile(r"broke the protocol|it sent|signed two|flood|two different|has left|have left")
# "Ben is out and Ana broke the protocol"; "Ana has left and Ben and Cem are not there";
# "Ben has left; the match goes on as soon as Ana is heard".
_CLAUSES = re.compile(
    r" and (?=\w+ (?:is|has|broke|was) |(?:\w+, )*\w+ and \w+ are )|; (?=the match goes on )"
)
# From the proof until those who stay have voted; a pause, in which nobody votes, is over by then.
OUT_SECONDS = 15.0
PAUSE_SECONDS = 45.0
VOTE_WAYS = 4
_LEFT = re.compile(r"has left|have left|left before")


@lru_cache(maxsize=8)
def _verified(record: bytes) -> Report:
    """What a record shows: all who have the same ask once."""
    return verify_record(record)


def failures(world: World) -> Iterator[str]:
    """One line for each thing that does not hold."""
    yield from _crashes(world)
    yield from _wrongs(world)
    yield from _second_signatures(world)
    if any(machine.broken or machine.wrongs for machine in world.machines):
        return
    yield from _blame(world)
    yield from _ends(world)
    yield from _chat(world)
    yield from _slow(world)
    yield from _watchers(world)
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


def _wrongs(world: World) -> Iterator[str]:
    for place in _honest(world):
        for wrong in world.machines[place].wrongs:
            yield f"seat {place}: {wrong}"


def _second_signatures(world: World) -> Iterator[str]:
    """No disk and nothing that an honest seat stored has two messages of it for a place."""
    for machine in world.machines:
        own = [] if machine.place in world.plan.cheats else [machine.signed]
        for kept in (*own, machine.disk.kept):
            for (table, place), messages in kept.items():
                if len(messages) > 1 and machine.keys[table][place.seat] not in _cheats(world):
                    yield f"two signatures: {place}"


def _blame(world: World) -> Iterator[str]:
    """No line that an honest seat reads blames one that did nothing of the kind."""
    people, innocent = world.table.people, _honest(world)
    went = {one.key.public for one in world.machines if one.went}
    for place in _honest(world):
        for line in world.machines[place].lines:
            for other in innocent:
                name = world.table.players[other].name
                owners = {people[other].key, people[other].owner}
                gone = owners & went and _LEFT.search(line)
                blamed = any(name in one and _BLAME.search(one) for one in _CLAUSES.split(line))
                if blamed and not gone:
                    yield f"innocent named: seat {place} reads {line!r}"


def _ends(world: World) -> Iterator[str]:
    """All who are there have ended, with one T and one record, unless two sides parted."""
    honest = [world.machines[place] for place in _honest(world)]
    there, waits = [machine for machine in honest if machine.alive or machine.over], set[int]()
    for machine in there:
        if not machine.finished:
            waiting = machine.sitting.session.referee.waiting()
            if machine.over and _is_not_answered(world):
                world.excused["excused rematch"] += 1
            elif not machine.over and _may_wait(world, machine):
                world.excused["excused stall"] += 1
                waits.add(machine.place)
            else:
                yield f"stall: seat {machine.place} waits for {waiting} at {world.now:.0f} s"
            if not machine.over and _is_alone(world, machine) and not machine.told_alone:
                yield f"untold: seat {machine.place} waits, and never reads that nobody is there"
    most = max((len(machine.played) for machine in there), default=0)
    # Who may wait for good, or whose program ended before it had opened the last match, is one
    # behind: no match after that takes place without it.
    may_lack = {machine.place for machine in there if _ended_before(machine)} | waits
    matches = {len(one.played) for one in there if one.place not in may_lack}
    behind = {len(one.played) for one in there if one.place in may_lack} - {most - 1}
    if len(matches | behind) > 1 and not _parted(world, most):
        yield f"divergence: seats played {sorted(matches | behind)} matches"
    for number in range(most):
        played = [one.played[number] for one in there if len(one.played) > number]
        yield from _one_match(world, number + 1, played)


def _ended_before(machine: Machine) -> bool:
    """Whether its program ended when the others might sit down at the next table: all knew its part
    in that one, and its disk nothing of it."""
    return machine.gone and bool(machine.played) and machine.played[-1].table.id in machine.shown


def _two_sides(world: World) -> bool:
    return world.table.rules.partners or world.plan.players == TWO_SIDES


def _is_not_answered(world: World) -> bool:
    """Whether another match, which takes all who sat there, waits for the word of a cheat that is
    at the first one still: whoever waits may leave."""
    cheats = [world.machines[place] for place in world.plan.cheats]
    return any(one.alive and not one.over for one in cheats)


def _may_wait(world: World, machine: Machine) -> bool:
    """Whether a match may wait for good, as a machine knows it.

    Between two sides nobody votes, so it waits for a cheat of which nothing can be proven. Else it
    goes on wherever more than half of the voices are honest and there: of those that were in at the
    last final root, less those who have left, or are proven at fault, since. With no more, nobody
    is put out without the vote of a cheat, which may keep it back.
    """
    session, people = machine.sitting.session, machine.table.people
    waiting = {people[seat].key for seat in session.referee.waiting().seats}
    if session.referee.two_sides and waiting <= _cheats(world):
        return True
    if _is_left_unrested(world, machine):
        return True
    known, state = session.course.known, session.state
    final = state.final or machine.table.seats
    voices = {people[seat].owner or people[seat].key for seat in final}
    faulty = {seat for seat in final if known.faults(seat, state.root)}
    counted = voices - {people[seat].key for seat in {*faulty, *known.leaves}}
    inside = {people[seat].key for seat in state.seats}
    playing = {one.key.public for one in world.machines if one.alive and not one.over}
    return 2 * len((playing & inside & counted) - _cheats(world)) <= len(counted)


def _is_left_unrested(world: World, machine: Machine) -> bool:
    """Whether all others went before a machine that had slept was linked for long enough: then it
    counts nothing and votes for nothing any more, as it may be the one that is cut off. Whoever
    sits there ends the match, and has read that."""
    rested = machine.sitting.playing.presence.rested(machine.clock())
    return _is_alone(world, machine) and machine.told_alone and not rested


def _is_alone(world: World, machine: Machine) -> bool:
    return not any(one.alive for one in world.machines if one is not machine)


def _parted(world: World, number: int) -> bool:
    """Whether a leave, a fault or an absence may end the match at different steps, since nobody
    votes: between two sides, or where somebody who is there may hear too few."""
    people = world.table.people
    gone = {place for place in world.table.seats if world.may_be_out(place, number)}
    voices = {one.owner or one.key for one in people}
    heard = [
        {people[one].key for one in world.heard_by(place, number)} & voices
        for place in world.table.seats
        if place not in gone
    ]
    too_few = any(2 * len(one) <= len(voices) for one in heard) or not heard
    return bool(gone) and (_two_sides(world) or too_few)


def _one_match(world: World, number: int, played: list[Played]) -> Iterator[str]:
    """Of those who are there; an honest one is out only if it may have been away for its grace."""
    by_record = {one.record: one for one in played}
    if not _parted(world, number):
        # A bot that hears one of two persons alone gives up by itself; the others go on without it.
        stay = [one for one in played if not _gave_up_apart(world, one, number)]
        ends = list({one.record: one for one in stay}.values())
        parted = len(ends) > 1 or len({one.top for one in ends}) > 1
        shown = _signed_twice_at_the_end(world, ends) or _unsigned_at_the_end(world, ends)
        if parted and not shown:
            yield f"divergence: match {number} has several records"
        faultless = not world.plan.cheats and not any(one.left for one in world.machines)
        for one in stay:
            unsigned = _unsigned_at_the_end(world, [one])
            if not one.closed and (faultless or not one.decided) and not unsigned:
                yield f"match {number} ends undecided or not closed: {one.outcome}"
    for one in played:
        for seat in one.out:
            place = _place(world, one, seat)
            if not world.may_be_out(place, number) and not _gave_up(world, place):
                yield f"put out: seat {seat} of match {number}, which was there"
    for record, one in by_record.items():
        try:
            report = _verified(record)
        except Exception:
            yield f"verify: match {number}\n{traceback.format_exc()}"
            continue
        if report.problem is not None:
            yield f"record: match {number}: {report.problem}"
        named = None if report.fault is None else one.table.people[report.fault.seat].key
        if report.fault is not None and named not in _cheats(world):
            yield f"innocent named: the record of match {number} names {report.fault.name}"


def _place(world: World, one: Played, seat: int) -> int:
    """Seats change from match to match, places do not."""
    keys = [machine.key.public for machine in world.machines]
    return keys.index(one.table.people[seat].key)


def _gave_up_apart(world: World, one: Played, number: int) -> bool:
    bot = one.table.people[one.seat].owner
    apart = bot and one.outcome.kind == "broken"
    return bool(apart) and world.may_be_out(_place(world, one, one.seat), number)


def _signed_twice_at_the_end(world: World, ends: list[Played]) -> bool:
    """Whether records that are all closed part only where a cheat signed the last step twice. No
    step behind it can show that in time; who compares the records sees who did it."""
    pairs = combinations(ends, 2)
    twice = all(_twice_at_the_end(world, one, other.record) for one, other in pairs)
    return twice and all(one.closed for one in ends)


def _twice_at_the_end(world: World, one: Played, other: bytes) -> bool:
    first = decode(one.record)
    found = compare(first, decode(other), one.table)
    cheats = {one.table.people[seat].key for seat in found.both_signed} & _cheats(world)
    results = {Parting(said.ladder, said.step) for said in _results(first)}
    return 0 < len(cheats) == len(found.both_signed) and found.first in results


def _unsigned_at_the_end(world: World, ends: list[Played]) -> bool:
    """Whether one of these is decided, and lacks only keys or results of who may have been away for
    so long that the others no longer waited for it: it may have signed since, and have all."""
    gone = {
        world.machines[place].key.public for place in world.table.seats if world.may_be_out(place)
    }
    lacking = [one for one in ends if not one.closed]
    for one in lacking:
        if not one.decided or not {one.table.people[seat].key for seat in one.waits} <= gone:
            return False
    return bool(lacking) and all(_lacks_only(one, other.record) for one in ends for other in ends)


def _lacks_only(one: Played, record: bytes) -> bool:
    """Whether a record has, beside results, nothing more than one that somebody ended a match with
    but what that waited for."""
    more = _before_the_end(record) - _before_the_end(one.record)
    return {open_envelope(said).seat for said in more} <= {*one.waits}


def _before_the_end(record: bytes) -> frozenset[bytes]:
    """The messages of a match that are no results."""
    opened = map(open_envelope, decode(record).messages)
    return frozenset(said.data for said in opened if said.kind != "result")


def _results(record: Recording) -> Iterator[Message]:
    return (one for one in map(open_envelope, record.messages) if one.kind == "result")


def _gave_up(world: World, place: int) -> bool:
    """Whether one has ended the match by itself, as too few were there for as long as they may be
    away: others may have heard them again before they did so."""
    played = world.machines[place].played
    others = (other for other in world.table.seats if other != place)
    return any(map(world.may_be_out, others)) and any(
        one.outcome.kind == "broken" for one in played
    )


def _watchers(world: World) -> Iterator[str]:
    """Who looks on has the records of those who play, and blames nobody else either."""
    honest = [world.machines[place] for place in _honest(world)]
    records = {(one.table.id, one.record) for machine in honest for one in machine.played}
    for watcher in world.watchers.values():
        if watcher.broken is not None:
            yield f"crash: who looks on at place {watcher.place} raised\n{watcher.broken}"
        if watcher.linked in _honest(world):
            told = world.machines[watcher.linked].played
            missed = {one.table.id for one in told if one.closed} - {
                one.table for one in watcher.seen if _saw_the_end(one)
            }
            if told and told[-1].table.id in missed and not _came_later(world, watcher):
                yield f"lost: who looks on at place {watcher.place} stayed, and misses the end"
        for seen in watcher.seen:
            report = _verified(seen.record)
            known = (seen.table, seen.record) in records
            # By a link to a cheat alone one sees what it shows, which not all others have signed.
            by_cheat = watcher.linked in world.plan.cheats and bool(report.unsigned)
            other = by_cheat or _saw_other(world, seen)
            if seen.outcome == "finished" and not known and not other:
                yield f"divergence: who looks on at place {watcher.place} has another record"
            people = world.table.people
            keys = {one.key for one in people} - _cheats(world)
            named = None if report.fault is None else report.fault.name
            innocent = {one.name for one in people if one.key in keys}
            if report.problem is not None or named in innocent:
                yield f"who looks on: {report.problem or named}"


def _saw_the_end(seen: Seen) -> bool:
    """Whether who looks on saw a match to its end. Between two sides a proven fault is one: what a
    cheat signs twice after the match was closed counts for nobody who has it closed by then."""
    proven = seen.outcome == "fault" and _verified(seen.record).fault is not None
    return proven or seen.outcome == "finished"


def _saw_other(world: World, seen: Seen) -> bool:
    """Whether who looks on was shown another result than the players by a cheat that signed two, or
    one that it kept from them: no step behind it can show that in time. Where a match ends without
    the results of all, each has the proofs of a fault that came to it, and some may have left
    before the others had the last key."""
    ends = [
        one
        for place in _honest(world)
        for one in world.machines[place].played
        if one.table.id == seen.table
    ]
    end = _before_the_end(seen.record)
    kept_back = any(
        _unsigned_at_the_end(world, [one])
        and _lacks_only(one, seen.record)
        and _before_the_end(one.record) <= end
        for one in ends
    )
    return kept_back or any(
        _twice_at_the_end(world, one, seen.record) for one in ends if one.closed
    )


def _came_later(world: World, watcher: Watcher) -> bool:
    """Whether somebody looks on at a match that goes on still, and never saw the one before."""
    assert watcher.linked is not None
    machine, session = world.machines[watcher.linked], watcher.life.session
    at_it = session is not None and session.table.id == machine.table.id
    before = machine.played[-1].table.id
    seen = {one.table for one in watcher.seen}
    return at_it and machine.table.id != before and before not in seen


def _chat(world: World) -> Iterator[str]:
    """What an honest seat said is read once by every other that played to the end."""
    for place in _honest(world):
        machine = world.machines[place]
        twice = [line for line, count in Counter(machine.heard_lines).items() if count > 1]
        if twice:
            yield f"seat {place} reads {twice} more than once"
        # What somebody said last before it left may have gone with its links.
        stay = [world.machines[other] for other in _honest(world)]
        others = (one for one in stay if one is not machine and not one.went)
        said = {line for other in others for line in other.said}
        lost = said - set(machine.heard_lines) - machine.before
        # Who has gone reads nothing that is said after it.
        if machine.played and machine.played[-1].closed and lost and not machine.went:
            yield f"lost line: seat {place} never reads {lost}"


def _slow(world: World) -> Iterator[str]:
    """Nobody sits there for long whose fault is proven: a pause, slow lines, on which votes for
    several steps cross, and other faults may delay it. Of three versions the others may hold
    different pairs: until the third has come no vote counts, and who goes on meanwhile, as it
    may, spoils the first round."""
    pauses = sum(one.pause for one in world.plan.wanted)
    thrice = any(one.kind == "three versions" for one in world.plan.faults)
    others = [one for one in world.plan.faults if one.kind not in CHEAT]
    limit = OUT_SECONDS + PAUSE_SECONDS * pauses + VOTE_WAYS * world.plan.delays[1]
    limit += sum(one.seconds + NOTICE_SECONDS + ROUND_SECONDS for one in others)
    limit += ROUND_SECONDS * thrice
    for place in _honest(world):
        longest = max(world.machines[place].waited, default=0.0)
        if longest > limit:
            yield f"slow: seat {place} waits {longest:.0f} s until somebody proven is out"


def _faults(world: World) -> Iterator[str]:
    """The seed had a fault, and two hands unless its faults ended the match."""
    if not sum(world.made.values()) and world.plan.faults:
        yield "no fault was made"
    there = [machine for machine in world.machines if machine.alive]
    hands = min((sum(one.hands for one in machine.played) for machine in there), default=0)
    gone = any(machine.gone for machine in world.machines)
    if hands < 2 and not gone and not any(map(world.may_be_out, world.table.seats)):
        yield f"only {hands} hands were played"
