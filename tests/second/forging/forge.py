"""Records in which somebody with a right key says something wrong, or is put out."""

import random

from second.forging.ballots import vote
from second.forging.cheats import another_for_the_place, cheat
from second.forging.descriptions import odd_table
from second.forging.tables import any_match
from second.match.match import FaultError
from second.match.order import (
    complete_frames,
    ladder_frames,
    record_frames,
    said_at_ladder,
    said_at_match,
)
from second.play.local import LocalMatch
from second.play.player import Player
from second.record.file import written
from second.wire.messages import Message


def begun(rng: random.Random, count: int) -> LocalMatch:
    """A match that went on for a while."""
    match = any_match(rng, count)
    match.play(most=rng.choice([rng.randrange(20), rng.randrange(80), 400]))
    return match


def in_a_phase(rng: random.Random, count: int) -> LocalMatch:
    """A match that goes on, in a phase by lot; no partners."""
    phases = ["agree", "deal", "turn", "open", "open", "result"]
    wanted = rng.choice([*phases, "claim", "reveal", "reveal", "call", "rank", "share"])
    match = any_match(rng, count)
    while match.match.state.sides or not _has(match, wanted):
        match = any_match(rng, count)
    match.play(wanted, most=150)
    match.play(most=rng.choice([0, 0, 1, 2]))
    return match


def _has(match: LocalMatch, phase: str) -> bool:
    """Whether the options have such a phase, and the target lets the match come to it."""
    rules = match.table.rules
    if phase in ("claim", "reveal"):
        return rules.claims
    if phase in ("call", "rank"):
        return rules.has("starter", "highest-double")
    return phase != "share" or rules.has("draws", "until-fit")


def all_frames(match: LocalMatch) -> list[bytes]:
    """All that was said, open steps too, in the order of a cut record."""
    state = match.match.state
    ladder = state.next_ladder()
    return [
        *complete_frames(state),
        *ladder_frames(ladder),
        *said_at_ladder(ladder),
        *said_at_match(state),
    ]


def wrong_word(rng: random.Random) -> bytes:
    """Somebody cheats, the message among the others."""
    match = begun(rng, rng.randrange(2, 5))
    frames = [*all_frames(match), b"m" + cheat(match, rng).envelope]
    return written(match.table.description, frames)


def wrong_word_shown(rng: random.Random) -> bytes:
    """Somebody cheats, the message as evidence."""
    match = begun(rng, rng.randrange(2, 5))
    message = cheat(match, rng)
    if rng.random() < 0.7:
        return match.record([message])
    frames = [*all_frames(match), b"e" + message.envelope]
    return written(match.table.description, frames)


def two_for_one_place(rng: random.Random) -> bytes:
    """Somebody says two things, shown at the end."""
    match = begun(rng, rng.randrange(2, 5))
    if not match.match.known:
        return match.record()
    pair = another_for_the_place(match, rng)
    if rng.random() < 0.2:
        pair.reverse()
    return match.record(pair)


def stopped(rng: random.Random) -> bytes:
    """A match that ended somewhere, with or without its open steps, or cut there."""
    match = begun(rng, rng.randrange(2, 5))
    frames = record_frames(match.match.state, [])
    if rng.random() < 0.5:
        frames = all_frames(match)
    data = written(match.table.description, frames)
    if rng.random() < 0.5:
        whole = written(match.table.description, [*frames, b"m" + bytes(rng.randrange(1, 99))])
        data = whole[: len(data) + rng.randrange(5)]
    return data


def put_out(rng: random.Random) -> bytes:
    """Votes, once or twice, and what comes after."""
    match = in_a_phase(rng, rng.choice([3, 3, 4]))
    for _ in range(rng.choice([1, 1, 2])):
        state = match.match.state
        pointless = state.sides or state.phase in ("closed", "abandoned")
        if pointless and rng.random() < 0.7:
            break
        closed, frames = vote(match, rng)
        if not closed:
            return written(match.table.description, frames)
        match.play(most=rng.choice([0, 2, rng.randrange(40), 400]))
    if rng.random() < 0.15:
        return match.record([cheat(match, rng)])
    return match.record()


def denied(rng: random.Random) -> bytes:
    """Some say no to each call, and prove it as they can."""
    match = any_match(rng, rng.randrange(2, 4))
    match.play("call", most=60)
    liars = [player for player in match.players if rng.random() < 0.6]
    while match.match.state.phase in ("call", "rank"):
        message = _lie(match, liars, rng) or match.next_message()
        if message is None:
            break
        try:
            match.match.accept(message)
        except FaultError:
            frames = [*all_frames(match), b"m" + message.envelope]
            return written(match.table.description, frames)
    frames = all_frames(match)
    opened = [match.players[seat].speak() for seat in match.match.state.speakers()]
    frames += [b"m" + one.envelope for one in opened if one is not None and one.kind == "open"]
    return written(match.table.description, frames)


def _lie(match: LocalMatch, liars: list[Player], rng: random.Random) -> Message | None:
    state = match.match.state
    for player in liars:
        if player.seat in state.speakers() and player.seat not in state.said:
            if state.phase == "call":
                return player.sign(player.here(), "call", [])
            hand = state.playing()
            tiles = player.tiles(hand)
            slots = [slot for slot in hand.ranked(player.seat) if tiles[slot] in hand.below()]
            if rng.random() < 0.5:
                slots = hand.ranked(player.seat)
                candidates = sorted({*hand.below(), *(tiles[slot] for slot in slots)})
            else:
                candidates = hand.below()
            proof = player.unplayable(hand, "rank", slots, candidates)
            return player.sign(player.here(), "rank", [proof])
    return None


KINDS = (
    wrong_word,
    odd_table,
    wrong_word_shown,
    two_for_one_place,
    stopped,
    put_out,
    odd_table,
    put_out,
    denied,
)


def forged(count: int, seed: int) -> list[tuple[str, bytes]]:
    """So many records with the name of each kind; keys are fresh, the rest is by the seed."""
    made = []
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        kind = KINDS[number % len(KINDS)]
        made.append((kind.__name__, kind(rng)))
    return made
