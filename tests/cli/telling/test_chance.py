"""Means and variances against all cases, counts against a match that was played."""

import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from statistics import fmean, pvariance

import pytest
from support.session.tables import Game, rules_for

from cli.telling.chance import BOTS, Chances, Count, dealt
from engine.rules import Rules
from engine.tiles import ALL_TILES
from p2p.session.state.events import HandBegan, InHand, MatchBegan, SessionEvent, TakenBack
from p2p.session.verify import replay_record


@cache
def draw_match() -> tuple[SessionEvent, ...]:
    """A match of Draw, with lots of draws."""
    game = Game.make(rules_for(2, "draw", target="15"), "chance").play()
    return tuple(replay_record(game.sessions[0].record()))


@pytest.mark.parametrize("value", ["is_double", "pips"])
def test_mean_and_variance_are_those_of_all_hands(value: str) -> None:
    def worth(tile: object) -> int:
        return int(getattr(tile, value))

    hands = [dealt(pair, worth) for pair in combinations(ALL_TILES, 2)]
    assert {(one.mean, one.variance, one.cases) for one in hands} == {
        (hands[0].mean, hands[0].variance, 2)
    }
    seen = [one.seen for one in hands]
    assert fmean(seen) == pytest.approx(hands[0].mean)
    assert pvariance(seen) == pytest.approx(hands[0].variance)


def test_honest_hands_are_as_chance_has_them_and_chosen_ones_are_not() -> None:
    rng = random.Random(7)
    honest = chosen = Count()
    for _ in range(60):
        hand = rng.sample(ALL_TILES, 9)
        honest += dealt(hand, lambda tile: int(tile.is_double))
        two = [rng.sample(ALL_TILES, 9) for _ in range(2)]
        best = max(two, key=lambda tiles: sum(tile.is_double for tile in tiles))
        chosen += dealt(best, lambda tile: int(tile.is_double))
    assert honest.likely > 0.05
    assert chosen.likely < 0.001
    assert Count().likely == Count(3, 3, 3.0, 0.0).likely == 1.0
    assert (
        Count(9, 20, 10, 5).likely == Count(11, 20, 10, 5).likely == pytest.approx(0.823, abs=0.001)
    )


def test_few_cases_are_told_exactly() -> None:
    """A normal distribution would say 72 and 33 of 100."""
    third = Count(1, 1, 1 / 3, 2 / 9, (2 / 3, 1 / 3))
    assert third.likely == pytest.approx(1 / 3)
    missed = replace(third, seen=0)
    # As far off as none of three, where one is to be expected: two, or all.
    assert (missed + missed + missed).likely == pytest.approx((8 + 6 + 1) / 27)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_chances_of_a_hand_are_those_of_all_hands(size: int) -> None:
    hands = list(combinations(ALL_TILES, size))
    sums = [sum(tile.pips for tile in hand) for hand in hands]
    chances = dealt(hands[0], lambda tile: tile.pips).chances
    assert chances == pytest.approx([sums.count(n) / len(sums) for n in range(max(sums) + 1)])


def test_the_counts_of_a_match_are_those_of_its_events() -> None:
    chances = Chances()
    assert chances.add(draw_match())
    hands = [one for one in draw_match() if isinstance(one, HandBegan)]
    assert chances.hands == len(hands) > 1
    people = list(chances.people.values())
    for seat, person in enumerate(people):
        tiles = [tile for hand in hands for tile in hand.hands[seat] or ()]
        counts = person.counts
        assert counts["doubles"].seen == sum(tile.is_double for tile in tiles)
        assert counts["pips"].seen == sum(tile.pips for tile in tiles)
        assert counts["pips"].mean == pytest.approx(6 * len(tiles))
        assert counts["leads"].cases == 0, "in Draw no lead scores"
    assert sum(one.counts["starts"].seen for one in people) == people[0].counts["starts"].cases
    assert people[0].counts["starts"].cases >= 1


def test_a_drawn_tile_is_held_against_all_that_could_have_come() -> None:
    chances = Chances()
    chances.add(draw_match())
    draws = [one for one in draw_match() if isinstance(one, InHand) and one.tile is not None]
    counted = [person.counts["draws"] for person in chances.people.values()]
    assert sum(one.cases for one in counted) == len(draws) > 0
    for one in counted:
        assert 0 <= one.seen <= one.cases
        assert 0 < one.mean < one.cases
        # The last draw of a turn fits, unless the boneyard is empty; those before it do not.
        assert one.variance <= one.cases / 4


def test_leads_that_score_are_counted_where_they_do() -> None:
    game = Game.make(rules_for(2, target="10"), "chance").play()
    events = replay_record(game.sessions[0].record())
    chances = Chances()
    chances.add(events)
    first = next(one for one in events if isinstance(one, HandBegan))
    scoring = {"5-0", "4-1", "3-2", "5-5", "6-4"}
    for seat, person in enumerate(chances.people.values()):
        dealt_first = sum(str(tile) in scoring for tile in first.hands[seat] or ())
        assert person.counts["leads"].seen >= dealt_first
        assert person.counts["leads"].mean == pytest.approx(person.counts["leads"].cases * 5 / 28)


def test_a_match_counts_once_and_bots_are_counted_together() -> None:
    chances = Chances()
    bots = tuple(
        replace(one, players=tuple(replace(player, bot=True) for player in one.players))
        if isinstance(one, MatchBegan)
        else one
        for one in draw_match()
    )
    assert chances.add(bots)
    assert not chances.add(draw_match())
    assert not chances.add([])
    assert [person.name for person in chances.people.values()] == [BOTS]
    hands = [one for one in draw_match() if isinstance(one, HandBegan)]
    assert chances.people[b""].counts["doubles"].cases == 14 * len(hands)


def test_what_was_taken_back_does_not_count() -> None:
    began = next(one for one in draw_match() if isinstance(one, MatchBegan))
    chances = Chances()
    assert chances.add([*draw_match(), TakenBack(draw_match())])
    again = Chances()
    again.add(draw_match())
    assert chances.people == again.people
    empty = Chances()
    empty.add([*draw_match(), TakenBack((began,))])
    assert empty.hands == 0


def test_who_went_out_starts_by_the_rules_and_not_by_chance() -> None:
    assert Rules.make("draw", 2).next_starter in ("out", "starter")
    out = Rules.make("classic", 2, {"next-starter": "out", "target": "60"})
    game = Game.make(out, "chance").play()
    chances = Chances()
    chances.add(replay_record(game.sessions[0].record()))
    cases = next(iter(chances.people.values())).counts["starts"].cases
    assert 1 <= cases < chances.hands


def test_a_hand_whose_tiles_were_never_opened_is_told_as_not_counted() -> None:
    whole, closed = Chances(), Chances()
    whole.add(draw_match())
    closed.add(
        [
            replace(one, hands=(None, *one.hands[1:])) if isinstance(one, HandBegan) else one
            for one in draw_match()
        ]
    )
    assert (whole.closed, closed.closed) == (0, whole.hands)
