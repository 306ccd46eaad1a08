"""Who follows the events alone has, of every hand, all that can be seen of it."""

import random

import pytest
from support.engine.dealing import PRESETS_AND_CLAIMS, begin, seen

from engine.errors import IllegalMove
from engine.events import Event, Passed, Played
from engine.match import FollowedMatch, Match
from engine.rules import Rules
from engine.strategy import Player, make_player, make_view
from engine.tiles import tile


def move_on(match: Match, onlooker: FollowedMatch, players: list[Player]) -> tuple[Event, ...]:
    """One move, or the answers to one; what happened."""
    asked = match.awaiting_claims()
    assert match.hand is not None
    if asked:
        answers = {seat: players[seat].claim(make_view(match, seat)) for seat in asked}
        made = match.apply_claims(answers)
        assert onlooker.apply_claims(answers) == made
        return made
    assert match.hand.turn is not None
    return match.apply(players[match.hand.turn].choose(make_view(match, match.hand.turn)))


def state(match: Match) -> tuple[object, ...]:
    """What can be seen of a match."""
    hand = None if match.hand is None else seen(match.hand.seen_by(None))
    claims = (match.claimed_play, match.awaiting_claims())
    return hand, claims, match.moves, match.hand_number, tuple(match.scores), match.result


def follow(rules: Rules, seed: int, hands: int = 4) -> Match:
    """Play some hands, compare at every event; the match."""
    match, onlooker = Match(rules, rules.players), FollowedMatch(rules, rules.players)
    follow_on(match, onlooker, random.Random(seed), hands)
    return match


def follow_on(match: Match, onlooker: FollowedMatch, rng: random.Random, hands: int) -> None:
    """Play on up to so many hands, compare at every event."""
    players = [make_player("easy", rng) for _ in range(match.rules.players)]
    while match.result is None and match.hand_number < hands:
        hand, deal = begin(match, rng)
        assert hand.turn is not None
        onlooker.begin(hand.turn)
        while hand.turn is not None or match.awaiting_claims():
            for event in move_on(match, onlooker, players):
                onlooker.follow(event)
            assert state(onlooker) == state(match)
            assert onlooker.hand is not None
            placed = {one.tile for one in hand.line.placements}
            assert set(onlooker.hand.known.values()) == placed
        for event in match.finish_hand(deal):
            onlooker.follow(event)
        assert state(onlooker) == state(match)


@pytest.mark.parametrize("starter", ["lot", "highest-double"])
@pytest.mark.parametrize(("preset", "claims"), PRESETS_AND_CLAIMS)
def test_an_onlooker_has_all_that_can_be_seen(preset: str, claims: str, starter: str) -> None:
    for count in (2, 3, 4):
        follow(Rules.make(preset, count, {"claims": claims, "starter": starter}), count, hands=2)


@pytest.mark.parametrize("match_end", ["at-once", "hand"])
def test_an_onlooker_sees_how_a_match_ends(match_end: str) -> None:
    options = {"target": "30", "partners": "yes", "match-end": match_end}
    match = follow(Rules.make("classic", 4, options), 3, hands=40)
    assert match.result is not None
    assert match.result.reason == "target"


@pytest.mark.parametrize("match_end", ["at-once", "hand"])
def test_a_match_goes_on_that_one_had_won_who_is_out_now(match_end: str) -> None:
    rules = Rules.make("classic", 3, {"target": "30", "match-end": match_end})
    match, onlooker, rng = Match(rules, 3), FollowedMatch(rules, 3), random.Random(3)
    follow_on(match, onlooker, rng, 40)
    assert match.result is not None
    (winner,) = match.result.winners
    assert match.retire([winner], "fault") == ()
    onlooker.put_out(winner)
    assert match.result is None
    assert state(onlooker) == state(match)
    follow_on(match, onlooker, rng, 40)
    assert match.result is not None
    assert winner not in match.result.winners


def test_nothing_can_be_followed_that_breaks_a_rule() -> None:
    onlooker = FollowedMatch(Rules.make("classic", 2), 2)
    onlooker.begin(0)
    before = state(onlooker)
    lead = Played(1, 9, tile(6, 4), None, 10, 10, (0, 10), None)
    for event, why in ((lead, "it is the turn of seat 0"), (Passed(0), "the table is empty")):
        with pytest.raises(IllegalMove, match=why):
            onlooker.follow(event)
    assert state(onlooker) == before


def test_a_fault_ends_the_match_for_an_onlooker_too() -> None:
    rules = Rules.make("classic", 2, {"claims": "yes"})
    match, onlooker = Match(rules, 2), FollowedMatch(rules, 2)
    hand, _ = begin(match, random.Random(1))
    assert hand.turn is not None
    onlooker.begin(hand.turn)
    players = [make_player("easy", random.Random(1)) for _ in range(2)]
    for event in (*move_on(match, onlooker, players), *match.fault(1)):
        onlooker.follow(event)
    assert state(onlooker) == state(match)
    assert onlooker.claimed_play is None
