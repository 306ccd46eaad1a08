"""Guesses of hidden tiles: what is shown is kept, what is likely is heeded, the rest is even."""

import random
from collections import Counter
from itertools import pairwise
from statistics import median

import pytest
from support.engine.dealing import begin

from engine.match import Match
from engine.moves import Draw, Play
from engine.notation import parse_tile
from engine.rules import Rules
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.guesses import Guesses, impossible_tiles, matched
from engine.strategy.habits import Choice, Habits, habits_of
from engine.tiles import ALL_TILES, LEAD_RANKING, WHOLE_SET, Tile


def views(
    rules: Rules, seed: int, level: str
) -> list[tuple[SeatView, dict[int, Tile], list[list[int]]]]:
    """What each seat to move sees in a hand, the deal, and the slots then held by seat."""
    rng = random.Random(seed)
    match = Match(rules, rules.players)
    hand, deal = begin(match, rng)
    player = make_player(level, rng)
    seen = []
    while hand.turn is not None:
        view = make_view(match, hand.turn)
        held = [list(hand.slots(seat)) for seat in range(rules.players)]
        seen.append((view, deal, held))
        match.apply(player.choose(view))
    return seen


@pytest.mark.parametrize(
    ("preset", "players"), [("online", 2), ("classic", 3), ("pagat", 4), ("block", 2)]
)
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_a_guess_could_be_the_truth(preset: str, players: int, level: str) -> None:
    for seed in range(6):
        for view, _, _ in views(Rules.make(preset, players), seed, level):
            guesses = Guesses(view, random.Random(seed))
            for _ in range(4):
                dealt = guesses.deal()
                assert sorted(dealt) == list(range(28))
                view.hand.copy().check_opening(
                    {slot: ALL_TILES[index] for slot, index in enumerate(dealt)}
                )


def test_what_is_true_is_never_impossible() -> None:
    for seed in range(12):
        for view, deal, _ in views(Rules.make("online", 3), seed, "easy"):
            excluded = impossible_tiles(view)
            assert not any(excluded[slot] >> deal[slot].index & 1 for slot in range(28))


def test_tiles_above_the_lead_were_not_dealt() -> None:
    match = Match(Rules.make("online", 2), 2)
    hand, _ = begin(match, random.Random(8))
    assert hand.turn is not None
    lead = hand.lead
    assert lead is not None
    above = {tile.index for tile in LEAD_RANKING[: LEAD_RANKING.index(lead)]}
    assert above
    guesses = Guesses(make_view(match, hand.turn), random.Random(1))
    for _ in range(50):
        assert not above & set(guesses.deal()[:14])


def test_where_nothing_is_known_every_deal_is_as_likely() -> None:
    match = Match(Rules.make("classic", 2), 2)
    hand, _ = begin(match, random.Random(1))
    assert hand.turn == 0
    guesses = Guesses(make_view(match, 0), random.Random(2))
    deals = 3800
    held = Counter(index for _ in range(deals) for index in guesses.deal()[9:18])
    assert len(held) == 19
    assert all(abs(times - deals * 9 / 19) < 5 * 31 for times in held.values())  # 31: deviation


def test_where_luck_does_not_help_tiles_move_on() -> None:
    # Slots 0 to 4 may hold tiles s and s + 1, slot 5 only tile 0: one deal, found in any order.
    order = [(slot, 3 << slot) for slot in range(5)] + [(5, 1)]
    for seed in range(20):
        tiles = random.Random(seed).sample(range(6), 6)
        assert matched([-1] * 6, order, tiles) == [1, 2, 3, 4, 5, 0]
    with pytest.raises(AssertionError, match=r"^what was shown allows no deal"):
        matched([-1, -1], [(0, 1), (1, 1)], [0, 1])


def test_every_way_of_guessing_keeps_what_is_shown() -> None:
    for view, _, _ in views(Rules.make("classic", 4), 3, "easy"):
        guesses = Guesses(view, random.Random(1))
        dealt = matched(guesses._at, guesses._sure, guesses._hidden)
        view.hand.copy().check_opening({slot: ALL_TILES[at] for slot, at in enumerate(dealt)})


def test_who_plays_like_normal_is_seen_through() -> None:
    excluded = 0
    for seed in range(12):
        for view, deal, _ in views(Rules.make("online", 2), seed, "normal"):
            habits = habits_of(view)
            assert set(habits.choices) == {1 - view.seat}
            for choice in habits.choices[1 - view.seat]:
                assert not any(choice.better >> deal[slot].index & 1 for slot in choice.slots)
                excluded += choice.better.bit_count()
    assert excluded > 500


def after(rules: Rules, hands: str, *plays: str) -> SeatView:
    """What seat 0 sees after plays as "1 6-4 L"; `hands` has the tiles of seat 0, then of 1."""
    dealt = [parse_tile(text) for text in hands.split()]
    rest = [tile for tile in ALL_TILES if tile not in dealt]
    match = Match(rules, 2)
    tiles = dealt + rest
    match.begin_hand(int(plays[0][0]), known=dict(enumerate(tiles)))
    for play in plays:
        seat, name, *end = play.split()
        tile = parse_tile(name)
        match.apply(Play(int(seat), tiles.index(tile), tile, end[0] if end else None))
    return make_view(match, 0)


THREE = Rules.make("classic", 2, {"hand-size": "3"})


def names(bits: int) -> set[str]:
    return {str(tile) for tile in ALL_TILES if bits >> tile.index & 1}


def held_by_other(view: SeatView, times: int, seed: int = 4) -> Counter[str]:
    """How often each tile is guessed to be held by seat 1."""
    guesses = Guesses(view, random.Random(seed))
    slots = view.hand.slots(1)
    return Counter(
        str(ALL_TILES[dealt[slot]])
        for _ in range(times)
        for dealt in [guesses.deal()]
        for slot in slots
    )


def test_a_lead_without_points_speaks_against_tiles_with_points() -> None:
    view = after(THREE, "6-6 5-1 1-0 4-2 3-0 2-0", "1 4-2")
    (choice,) = habits_of(view).choices[1]
    assert choice.slots == (3, 4, 5)
    better = names(choice.better)
    assert {"5-5", "6-4", "5-0", "4-1", "3-2"} <= better
    assert {"6-5", "5-4"} <= better  # no points, but heavier
    assert not {"3-3", "2-1", "0-0"} & better
    held = held_by_other(view, 1500)
    assert 0 < max(held["5-5"], held["6-5"]) < min(held["3-3"], held["2-1"], held["2-2"]) / 2


def test_who_kept_a_heavier_tile_is_only_taken_to_want_points() -> None:
    view = after(THREE, "2-1 5-1 1-0 4-2 6-1 2-0", "1 4-2", "0 2-1 R", "1 6-1 R")
    habits = habits_of(view)
    assert names(habits.choices[1][0].better) >= {"6-1", "6-3"}
    held = held_by_other(view, 3000)
    assert 0 < max(held["5-5"], held["5-0"]) < held["6-3"]


def test_who_took_the_worse_end_does_not_play_like_normal() -> None:
    hands, before = "4-1 1-0 0-0 5-4 5-1 2-0", ("1 5-4", "0 4-1 R")  # 5 on L, 1 on R
    better, worse = (
        habits_of(after(THREE, hands, *before, f"1 5-1 {end}")).choices[1][-1] for end in "RL"
    )
    assert "5-1" not in names(better.better)  # 5 + 5 = 10
    assert "5-1" in names(worse.better)  # 1 + 1


def test_guesses_come_as_often_as_they_are_likely() -> None:
    """Beside all deals, each with its weight."""
    compared = 0
    for view, _, _ in views(Rules.make("pagat", 2, {"hand-size": "12"}), 1, "normal"):
        every = Guesses(view, random.Random(3)).every(1000)
        if not every or len(every) < 60:
            continue
        whole = sum(guess.weight for guess in every)
        likely: dict[str, float] = {}
        for guess in every:
            for slot in view.hand.slots(1):
                name = str(ALL_TILES[guess.tiles[slot]])
                likely[name] = likely.get(name, 0) + guess.weight / whole
        if view.seat == 0 and habits_of(view).choices[1]:
            held = held_by_other(view, 800)
            assert all(abs(likely[name] - held[name] / 800) < 0.1 for name in likely)
            assert max(likely.values()) > min(likely.values()) + 0.2  # it tells something
            compared += 1
    assert compared


def test_what_is_drawn_and_placed_was_no_choice() -> None:
    rules = Rules.make("online", 2)
    drawn = 0
    for seed in range(6):
        for view, _, _ in views(rules, seed, "normal"):
            moves = [move for move in view.moves if move.seat != view.seat]
            after_draws = sum(
                isinstance(move, Play) and isinstance(before, Draw)
                for before, move in pairwise(moves)
            )
            forced = bool(moves) and isinstance(moves[0], Play) and moves[0].end is None
            plays = sum(isinstance(move, Play) for move in moves)
            assert len(habits_of(view).choices[1 - view.seat]) == plays - after_draws - forced
            drawn += after_draws
    assert drawn


def test_who_plays_anything_tells_little() -> None:
    """Six plays at random outweigh what is supposed of everybody at first."""
    tiles = [index % 28 for index in range(28)]
    silly = Choice((0, 1), 0.05, [1.0] * 28, [1] * 28, better=WHOLE_SET)
    once, often = (Habits({1: [silly] * times}).likelihood(tiles) for times in (1, 12))
    assert once == pytest.approx(0.8 * 0.01 + 0.15 * 0.025 + 0.05 * 0.5)
    assert often == pytest.approx(0.05 * 0.5**12, rel=0.01)


@pytest.mark.parametrize(
    ("preset", "players", "size"),
    [("classic", 4, "7"), ("classic", 4, "6"), ("pagat", 3, "9"), ("online", 2, "12")],
)
def test_every_deal_is_one_that_guessing_finds(preset: str, players: int, size: str) -> None:
    rules = Rules.make(preset, players, {"hand-size": size, "starter": "lot"})
    compared = 0
    for seed in range(12):
        for view, _, _ in views(rules, seed, "easy"):
            guesses = Guesses(view, random.Random(seed))
            every = guesses.every(40)
            if every is None or len(every) < 2:
                continue
            for guess in every:
                view.hand.copy().check_opening(
                    {slot: ALL_TILES[index] for slot, index in enumerate(guess.tiles)}
                )
            assert len({tuple(guess.tiles) for guess in every}) == len(every)
            kinds = {by_holder(view, guess.tiles) for guess in every}
            guessed = {by_holder(view, guesses.deal()) for _ in range(60)}
            assert guessed <= kinds
            compared += 1
    assert compared > 5


def by_holder(view: SeatView, dealt: list[int]) -> tuple[object, ...]:
    """A deal as far as it matters: who holds what, and what will be drawn in which order."""
    first = 28 - view.boneyard_count
    hands = [frozenset(dealt[slot] for slot in lacks) for lacks in view.lacks]
    return (*hands, *dealt[first : first + view.drawable])


def test_too_many_deals_are_not_gone_through() -> None:
    match = Match(Rules.make("online", 2), 2)
    begin(match, random.Random(2))
    assert Guesses(make_view(match, 0), random.Random(1)).every(1000) is None
    rules = Rules.make("classic", 4, {"hand-size": "7"})
    late = [view for view, _, _ in views(rules, 1, "easy") if 6 <= sum(view.tile_counts) <= 9]
    for view in late:
        guesses = Guesses(view, random.Random(1))
        deals = guesses.every(10**6)
        assert deals is not None
        assert guesses.every(len(deals)) == deals
        assert guesses.every(len(deals) - 1) is None
    assert late


def test_where_no_tile_is_hidden_there_is_one_deal() -> None:
    match = Match(Rules.make("pagat", 2, {"hand-size": "14"}), 2)
    _, deal = begin(match, random.Random(2))
    (guess,) = Guesses(make_view(match, 0), random.Random(1)).every(5) or []
    assert sorted(guess.tiles[14:]) == sorted(deal[slot].index for slot in range(14, 28))
    assert guess.weight == 1.0


def test_who_is_taken_for_normal_is_told_by_its_choices() -> None:
    """In the tiles that a seat really holds: after some choices of `normal`, or of none."""
    rules = Rules.make("online", 2)
    found: dict[str, list[float]] = {"normal": [], "easy": []}
    for level, chances in found.items():
        for seed in range(4):
            view, deal, _ = views(rules, seed, level)[-1]
            explained = habits_of(view).explained(
                1 - view.seat, [deal[slot].index for slot in range(28)]
            )
            chances.append(explained[0] / sum(explained))
    assert min(found["normal"]) > 0.9
    assert median(found["easy"]) < 0.1


def test_whom_a_guess_takes_for_normal() -> None:
    view, _, _ = views(Rules.make("online", 3), 2, "normal")[0]
    guesses = Guesses(view, random.Random(1))
    guesses.deal()
    often = [guesses.plain() for _ in range(200)]
    assert not any(plain[view.seat] for plain in often)  # it knows how it plays itself
    for seat in set(view.seats) - {view.seat}:
        assert 130 < sum(plain[seat] for plain in often) < 190  # nothing has been seen of it
