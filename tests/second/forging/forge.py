"""Records in which somebody with a right key says something wrong, or is put out."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from second.forging.alter import ALTERATIONS, altered, unproven
from second.forging.ballots import right_vote, vote
from second.forging.cheats import caught, cheat, two_for_a_place
from second.forging.descriptions import odd_table
from second.forging.made import NOBODY, Made, Seats, Source, source_of
from second.forging.resign import Resigned, spelled_otherwise
from second.forging.tables import any_match
from second.match.match import FaultError, spot_of
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


def source_of_match(match: LocalMatch, guilty: Seats = NOBODY) -> Source:
    """The record of a match as it stands."""
    state = match.match.state
    return source_of(match.record(), guilty, state.phase == "closed")


def said_behind(match: LocalMatch, message: Message | bytes) -> bytes:
    """A record of all that was said, and a message behind it."""
    envelope = message if isinstance(message, bytes) else message.envelope
    return written(match.table.description, [*all_frames(match), b"m" + envelope])


def pair_shown(match: LocalMatch, pair: Sequence[Message], rng: random.Random) -> bytes:
    """Two messages at the end of the match, or of nothing: they need nothing before them."""
    if rng.random() < 0.5:
        return match.record(list(pair))
    return written(match.table.description, [b"e" + one.envelope for one in pair])


def fault(match: LocalMatch, rng: random.Random) -> Made | None:
    """Somebody says what is certainly a fault, among the others or shown as evidence."""
    message = caught(match, rng)
    if message is None:
        return None
    shown = rng.random() < 0.5
    data = match.record([message]) if shown else said_behind(match, message)
    kind = "fault_shown" if shown else "fault"
    return Made(kind, data, guilty=frozenset({message.seat}), named=message.seat)


def two_for_one_place(match: LocalMatch, rng: random.Random) -> Made | None:
    """Somebody says two things for one place, shown at the end, or both among the others."""
    if not match.match.known:
        return None
    pair, certain = two_for_a_place(match, rng)
    seat = pair[0].seat
    if rng.random() < 0.1:
        return Made("two_in_wrong_order", match.record(pair[::-1]), (), frozenset({seat}))
    data = pair_shown(match, pair, rng) if certain else match.record(pair)
    known = [one for one in pair if match.match.known.get(spot_of(one)) != one]
    if rng.random() < 0.3 and len(known) == 1 and len(match.match.state.eras) == 1:
        data = said_behind(match, known[0])
    return Made("two_for_one_place", data, (), frozenset({seat}), seat if certain else None)


def doubtful(match: LocalMatch, rng: random.Random) -> Made | None:
    """Somebody says what may be no fault, or one that nobody can judge there."""
    message = cheat(match, rng)
    due = match.players[message.seat].speak()
    if due is not None and due.id == message.id:
        return None
    data = said_behind(match, message)
    if rng.random() < 0.5:
        data = match.record([message])
    elif rng.random() < 0.3:
        data = written(match.table.description, [*all_frames(match), b"e" + message.envelope])
    return Made("doubtful", data, guilty=frozenset({message.seat}))


def spelled(match: LocalMatch, rng: random.Random) -> Made | None:
    """Somebody spells what is due otherwise: no message, and nobody can be named."""
    due = match.next_message()
    if due is None:
        return None
    envelope = spelled_otherwise(match.privates[due.seat], due, rng)
    if rng.random() < 0.5:
        return Made("spelled_otherwise", said_behind(match, envelope))
    frames = record_frames(match.match.state, [])
    return Made("spelled_otherwise", written(match.table.description, [*frames, b"e" + envelope]))


def vote_shown(match: LocalMatch, rng: random.Random) -> Made | None:
    """Votes of a seat shown as evidence, or among what was said: nobody's fault, but where they are
    two of one round."""
    if not match.match.known:
        return None
    player = rng.choice(match.players)
    one = right_vote(player, rng)
    way = rng.randrange(3)
    if way == 0:
        return Made("vote_shown", said_behind(match, one))
    if way == 1:
        return Made("vote_shown", match.record([one]))
    rounds = [one.body[0], one.body[0] + rng.choice([0, 1])]
    other = player.sign(one.place, "vote", [rounds[1], *one.body[1:3], 1])
    pair = sorted((one, other), key=lambda message: message.id)
    twice = rounds[0] == rounds[1]
    certain = twice and player.seat in match.match.state.seats and not match.match.state.over
    guilty = frozenset({player.seat}) if twice else NOBODY
    data = pair_shown(match, pair, rng) if certain else match.record(pair)
    return Made("votes_shown", data, (), guilty, player.seat if certain else None)


def stopped(match: LocalMatch, rng: random.Random) -> Made:
    """The match so far, with or without its open steps, or cut there."""
    source = source_of_match(match)
    frames = list(source.frames) if rng.random() < 0.5 else all_frames(match)
    data = written(match.table.description, frames)
    if rng.random() < 0.5:
        whole = written(match.table.description, [*frames, b"m" + bytes(rng.randrange(1, 99))])
        data = whole[: len(data) + rng.randrange(5)]
    return Made("stopped", data, (source,))


def put_out(rng: random.Random) -> Iterator[Made]:
    """Votes, once or twice, and what comes after: the record where they are no set; else that of
    the match, and some in which somebody cheats behind them."""
    match = in_a_phase(rng, rng.choice([3, 3, 4]))
    guilty: Seats = NOBODY
    for _ in range(rng.choice([1, 1, 2])):
        state = match.match.state
        pointless = state.sides or state.phase in ("closed", "abandoned")
        if pointless and rng.random() < 0.5:
            break
        polled = vote(match, rng)
        guilty |= polled.guilty
        if not polled.closed:
            data = written(match.table.description, polled.frames)
            yield Made("put_out", data, (source_of_match(match),), guilty)
            return
        match.play(most=rng.choice([0, 2, rng.randrange(40), 400]))
    source = source_of_match(match, guilty)
    yield Made("put_out", source.data, (source,), guilty)
    for alteration in rng.sample(ALTERATIONS, 3):
        yield altered([source], ALTERATIONS.index(alteration), rng)
    yield altered([source], ALTERATIONS.index(unproven), rng)
    for cheating in (fault, two_for_one_place, fault):
        made = cheating(match, rng)
        if made:
            yield replace(made, kind=made.kind + "_behind_votes", guilty=made.guilty | guilty)


def denied(rng: random.Random) -> Iterator[Made]:
    """Some say no to each call, and prove it as they can: whoever cannot must be named."""
    match = any_match(rng, rng.randrange(2, 4), {"starter": "highest-double"})
    match.play("call", most=60)
    liars = [player for player in match.players if rng.random() < 0.6]
    guilty = frozenset(player.seat for player in liars)
    while match.match.state.phase in ("call", "rank"):
        message = _lie(match, liars, rng) or match.next_message()
        if message is None:
            break
        lies = message.kind == "rank" and not _could(match.players[message.seat])
        try:
            match.match.accept(message)
        except FaultError:
            data = said_behind(match, message)
            yield Made("denied", data, (), guilty, message.seat if lies else None)
            return
    frames = all_frames(match)
    opened = [match.players[seat].speak() for seat in match.match.state.speakers()]
    frames += [b"m" + one.envelope for one in opened if one is not None and one.kind == "open"]
    yield Made("denied", written(match.table.description, frames), (), guilty)


def _could(player: Player) -> bool:
    """Whether all that it was dealt ranks below the lead."""
    hand = player.state.playing()
    tiles = player.tiles(hand)
    return all(tiles[slot] in hand.below() for slot in hand.ranked(player.seat))


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


AT_A_MOMENT = (
    fault,
    fault,
    fault,
    fault,
    two_for_one_place,
    doubtful,
    spelled,
    vote_shown,
    stopped,
)


def played(match: LocalMatch, rng: random.Random, chance: float) -> Iterator[Made]:
    """Play to the end, or for a while; at some moments somebody does something on the way."""
    for _ in range(rng.choice([150, 150, 150, rng.randrange(20, 80)])):
        if rng.random() < chance:
            made = rng.choice(AT_A_MOMENT)(match, rng)
            if made:
                yield made
        message = match.next_message()
        if message is None:
            return
        match.match.accept(message)


def both_ways(before: LocalMatch, ways: Sequence[LocalMatch], rng: random.Random) -> Iterator[Made]:
    """Of one table two ways: whoever signed both is shown by what it said for one place."""
    one, other = (way.match.known for way in ways)
    pairs = [(one[spot], other[spot]) for spot in one if spot in other]
    pairs = [(first, second) for first, second in pairs if first.id != second.id]
    for pair in rng.sample(pairs, min(2, len(pairs))):
        seat = pair[0].seat
        data = pair_shown(before, sorted(pair, key=lambda message: message.id), rng)
        yield Made("both_ways", data, (), frozenset({seat}), seat)


def of_one_match(rng: random.Random, others: Sequence[Source]) -> Iterator[Made]:
    """What is made of one match of some people, of another way that it might have gone, and of
    another match of the same people; `others` are records of other people."""
    count = rng.choice([2, 2, 2, 2, 3, 3, 4])
    one = any_match(rng, count)
    yield from played(one, rng, 0.6 / count)
    parts = rng.randrange(max(1, len(one.match.known)))
    way = one.parted(parts, rng.randrange(2**32))
    yield from played(way, rng, 0.3 / count)
    again = any_match(rng, count, privates=one.privates)
    yield from played(again, rng, 0.6 / count)
    yield from both_ways(one.parted(parts, 0), (one, way), rng)
    matches = (one, way, again)
    sources = [source_of_match(match) for match in matches]
    for match, source in zip(matches, sources, strict=True):
        if source.closed:
            yield from Resigned(match, source, rng).all_ways()
    start = rng.randrange(len(ALTERATIONS))
    for number in range(start, start + 32):
        yield altered([*sources, *others], number, rng)


def forged(seed: int, others: Sequence[Source] = ()) -> Iterator[Made]:
    """Records without end, with the name of each kind; keys are fresh, the rest is by the seed."""
    for number in itertools.count():
        rng = random.Random(f"{seed} {number}")
        yield from of_one_match(rng, rng.sample(others, min(1, len(others))))
        yield from put_out(rng)
        yield from put_out(rng)
        if number % 2:
            yield from denied(rng)
        yield Made("odd_table", odd_table(rng))
