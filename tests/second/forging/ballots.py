"""Votes with what they rest on, right ones and wrong ones."""

import random
from dataclasses import dataclass, field, replace

from second.forging.cheats import two_for_a_place, wrong_body
from second.match.order import complete_frames, step_frames
from second.match.state import Step
from second.match.voting import Ground, close
from second.play.local import LocalMatch
from second.play.player import Player
from second.record.blocks import items_of
from second.refusing import RefusedError
from second.wire.messages import Message, Word, read_word, write_word
from second.wire.values import Value


@dataclass
class Plan:
    """Who is out, why, and what is held; the evidence, and what is shown as such and is none."""

    out: dict[int, list[Value]] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    leaves: list[Word] = field(default_factory=list)
    evidence: list[Message] = field(default_factory=list)
    innocent: list[Message] = field(default_factory=list)


def said_now(player: Player) -> Message | None:
    """What a seat would say at the open step of ladder 0."""
    said = player.state.said.get(player.seat)
    return said.message if said else player.say()


def planned(match: LocalMatch, rng: random.Random) -> Plan:
    """Some seats out, each for some reason, and some of what could be held."""
    state, plan = match.match.state, Plan()
    first = rng.choice(state.seats)
    seats = {first} | ({rng.choice(state.seats)} if rng.random() < 0.15 else set())
    for seat in sorted(seats):
        plan.out[seat] = _reason(match, plan, seat, rng)
    for seat in state.seats:
        owner = match.table.owner_of(seat)
        if owner in plan.out and owner is not None:
            plan.out[seat] = plan.out[owner]
    pool = [said_now(player) for player in match.players]
    staying = [seat for seat in state.seats if seat not in plan.out]
    for one in pool:
        if one is None:
            continue
        must = one.seat in state.said or (state.phase == "open" and one.seat in staying)
        idle = plan.out.get(one.seat, [""])[0] == "idle"
        if must or (not idle and rng.random() < 0.4):
            plan.messages.append(one)
    return plan


def _reason(match: LocalMatch, plan: Plan, seat: int, rng: random.Random) -> list[Value]:
    player = match.players[seat]
    reasons = ["left", "absent", "fault", "fault", "idle"]
    if match.match.state.winners:
        reasons = ["fault", "fault", "fault", "left", "idle"]
    due = seat in match.match.state.speakers() and match.match.state.phase in ("turn", "claim")
    reason = rng.choice(reasons if due else reasons[:-1])
    if reason == "left":
        data = write_word(match.table, player.private, seat, 0, ("leave", []))
        plan.leaves.append(read_word(match.table, data))
        return [reason, [plan.leaves[-1].id]]
    if reason == "fault":
        return [reason, _evidence(match, plan, player, rng)]
    return [reason, []]


def right_vote(player: Player, rng: random.Random) -> Message:
    """A vote as a seat may give it at any step: to go on without somebody who is away."""
    other = rng.choice([seat for seat in player.state.seats if seat != player.seat] or [0])
    body: list[Value] = [rng.choice([1, 1, 2]), [[other, "absent", []]], [], 0]
    place = player.here()
    if rng.random() < 0.5:
        place = rng.choice([one.place for one in player.match.known.values()] or [place])
    return player.sign(replace(place, ladder=0), "vote", body)


def _evidence(match: LocalMatch, plan: Plan, player: Player, rng: random.Random) -> list[Value]:
    if rng.random() < 0.1:
        # No fault, whatever the votes say.
        due = player.speak() if rng.random() < 0.5 else None
        plan.innocent.append(due or right_vote(player, rng))
        return [plan.innocent[-1].id]
    if rng.random() < 0.5 and match.match.known:
        for _ in range(20):
            pair, _ = two_for_a_place(match, rng)
            if pair[0].seat == player.seat:
                plan.evidence += pair
                return [one.id for one in pair]
    plan.evidence.append(wrong_body(player, rng))
    return [plan.evidence[-1].id]


def ballots(match: LocalMatch, plan: Plan, rng: random.Random) -> list[Message]:
    """One vote of each that stays."""
    state, votes = match.match.state, []
    round_ = rng.choice([1, 1, 2, 16])
    staying = [seat for seat in state.seats if seat not in plan.out]
    ids = sorted(one.id for one in plan.messages)
    for number, seat in enumerate(staying):
        held = ids if number == 0 or rng.random() < 0.5 else _own(plan, seat, state.phase)
        reach = rng.choice([0, state.step - 1, state.step])
        out = [[one, *plan.out[one]] for one in sorted(plan.out)]
        votes.append(_vote(match, seat, [round_, out, held, reach]))
    return votes


def _own(plan: Plan, seat: int, phase: str) -> list[bytes]:
    return [one.id for one in plan.messages if one.seat == seat and phase == "open"]


def _vote(match: LocalMatch, seat: int, body: list[Value]) -> Message:
    player = match.players[seat]
    return player.sign(player.here(), "vote", body)


def spoiled(match: LocalMatch, votes: list[Message], rng: random.Random) -> list[Message]:
    """The votes with something wrong, or at least unusual, in one."""
    at = rng.randrange(len(votes))
    one = votes[at]
    round_, out, held, reach = one.body
    bodies = [
        [round_ + rng.choice([-1, 1]), out, held, reach],
        [round_, out[:-1], held, reach],
        [round_, [[seat, "absent", proof] for seat, _, proof in out], held, reach],
        [round_, [[seat, reason, []] for seat, reason, _ in out], held, reach],
        [round_, [[seat, "idle", []] for seat, _, _ in out], held, reach],
        [round_, [*out, [3, "absent", []]], held, reach],
        [round_, out, [*held, b"\xff" * 32], reach],
        [round_, out, held[:-1], reach],
        [round_, out, held, match.match.state.step + 1],
        [round_, out, held],
    ]
    if rng.random() < 0.15:
        return [*votes[:at], *votes[at + 1 :]]
    other = _vote(match, one.seat, rng.choice(bodies))
    return [*votes[:at], other, *votes[at + 1 :]]


@dataclass(frozen=True)
class Polled:
    """Whether votes closed the step; the frames of a record with them if not; who cheated."""

    closed: bool
    frames: list[bytes]
    guilty: frozenset[int]


def vote(match: LocalMatch, rng: random.Random) -> Polled:
    """Have all that stay vote, and whoever goes do what it is said to go for."""
    state = match.match.state
    plan = planned(match, rng)
    guilty = frozenset(one.seat for one in plan.evidence)
    votes = ballots(match, plan, rng)
    if votes and rng.random() < 0.3:
        votes = spoiled(match, votes, rng)
    if not votes:
        return Polled(False, complete_frames(state), guilty)
    evidence = plan.evidence + plan.innocent
    step = Step(plan.messages, state.phase, state.next_deal, plan.leaves, evidence, votes)
    frames = complete_frames(state) + step_frames(state, step)
    if not all(item.readable for item in items_of(match.table, frames)):
        # A vote that says nothing by its shape is none: no peer has it in a record.
        return Polled(False, frames, guilty)
    ground = Ground(plan.messages, plan.leaves, evidence)
    try:
        close(match.match, ground, votes)
    except RefusedError:
        return Polled(False, frames, guilty)
    return Polled(True, frames, guilty)
