"""A dealer for tests of the engine: seeded deals, whole matches, and what can be seen of a hand."""

import random
from collections.abc import Sequence

from engine.deal import highest_lead
from engine.events import Event
from engine.hand import Hand
from engine.match import Match
from engine.rules import PRESETS, Rules, options_of
from engine.strategy import Player, make_view
from engine.tiles import ALL_TILES, Tile

Deal = dict[int, Tile]

# Each preset with and without claims, which nobody can make where placing scores nothing.
PRESETS_AND_CLAIMS = [
    (name, claims)
    for name, preset in PRESETS.items()
    for claims in ("no", "yes")
    if claims == "no" or options_of(preset)["play-points"] != "none"
]


def shuffled(rng: random.Random) -> Deal:
    """The tile of every slot."""
    tiles = list(ALL_TILES)
    rng.shuffle(tiles)
    return dict(enumerate(tiles))


def begin(match: Match, rng: random.Random) -> tuple[Hand, Deal]:
    """Deals the next hand of a match by its rule for the starter."""
    deal = shuffled(rng)
    rule = match.starter_rule()
    if rule == "highest-double":
        starter, lead = highest_lead(match.rules, match.seats, deal)
        return match.begin_hand(starter, known=deal, lead=lead), deal
    starter = match.lot_seat(rng.randrange(1 << 20)) if rule == "lot" else int(rule)
    return match.begin_hand(starter, known=deal), deal


def play_hand(match: Match, players: Sequence[Player], rng: random.Random) -> list[Event]:
    """Plays one hand to its end."""
    hand, deal = begin(match, rng)
    events: list[Event] = []
    while hand.turn is not None or match.awaiting_claims():
        asked = match.awaiting_claims()
        if asked:
            answers = {seat: players[seat].claim(make_view(match, seat)) for seat in asked}
            events += match.apply_claims(answers)
        elif hand.turn is not None:
            events += match.apply(players[hand.turn].choose(make_view(match, hand.turn)))
    return events + list(match.finish_hand(deal))


def play_match(
    rules: Rules, players: Sequence[Player], rng: random.Random, most_hands: int = 400
) -> tuple[Match, list[Event]]:
    """Plays a match to its end, or for `most_hands` hands."""
    match = Match(rules, rules.players)
    events: list[Event] = []
    while match.result is None and match.hand_number < most_hands:
        events += play_hand(match, players, rng)
    return match, events


def seen(hand: Hand) -> tuple[object, ...]:
    """All that can be seen of a hand, to compare before and after."""
    seats = hand.seats
    return (
        hand.turn,
        hand.over,
        hand.drawn,
        hand.boneyard,
        hand.drawable(),
        hand.known,
        hand.line.placements,
        hand.line.ends(),
        hand.line.count(),
        [(hand.slots(seat), hand.due_slots(seat), hand.lacks(seat)) for seat in seats],
    )
