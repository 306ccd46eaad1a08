"""Looking back at choices: from what the seat could know, the same each time, in words."""

from functools import cache

import pytest
from support.engine.matches import play_match, seen_from

from cli.telling.looking.advice import Advised, Choice, advise_all, best_of, choices
from engine.events import Played
from engine.moves import Play
from engine.rules import Rules
from engine.tiles import tile
from p2p.session.state.events import InHand, SessionEvent


@cache
def played(preset: str, claims: str = "no", seats: int = 2) -> list[SessionEvent]:
    """A short match."""
    return play_match(4, seats, Rules.make(preset, seats, {"target": "20", "claims": claims}))


def plays(events: list[SessionEvent]) -> dict[int, Played]:
    """The placements by their place."""
    inner = {at: one.event for at, one in enumerate(events) if isinstance(one, InHand)}
    return {at: one for at, one in inner.items() if isinstance(one, Played)}


@pytest.mark.parametrize(
    ("preset", "claims", "seats"), [("classic", "no", 2), ("pagat", "yes", 3), ("online", "no", 4)]
)
def test_each_placement_is_looked_at_with_the_seat_s_own_tiles_alone(
    preset: str, claims: str, seats: int
) -> None:
    events = played(preset, claims, seats)
    found = list(choices(events))
    made = plays(events)
    assert [one.at for one in found] == list(made)
    for choice in found:
        event = made[choice.at]
        assert choice.view.seat == event.seat
        assert (choice.made.tile, choice.made.end) == (event.tile, event.end)
        assert choice.made in choice.view.legal
        own = {one for _, one in choice.view.tiles}
        lying = {one.tile for one in choice.view.line.placements}
        assert set(choice.view.hand.known.values()) == own | lying


def test_hands_that_nobody_opened_have_no_advice() -> None:
    events = seen_from(played("classic"), 0)
    assert {one.view.seat for one in choices(events)} == {0}


def test_the_same_match_has_the_same_advice_each_time() -> None:
    events = played("classic")[:9]
    heard = list[tuple[int, int]]()
    alone = advise_all(events, worlds=4, jobs=1, done=lambda *now: heard.append(now))
    assert heard == [(at, len(alone)) for at in range(1, len(alone) + 1)]
    assert list(alone) == list(plays(events))
    assert advise_all(events, worlds=4, jobs=1) == alone
    assert all(one.better >= 0 for one in alone.values())


def test_the_only_move_is_its_own_advice() -> None:
    only = next(one for one in choices(played("classic")) if len(one.view.legal) == 1)
    advice = best_of(only)
    assert (advice.tile, advice.end, advice.better) == (only.made.tile, only.made.end, 0.0)
    assert advice.points == only.view.points_for(only.made)


def test_the_best_move_of_a_choice_is_legal_and_scores_what_it_says() -> None:
    choice = next(one for one in choices(played("classic")) if len(one.view.legal) > 3)
    advice = best_of(choice, worlds=8)
    other = Choice(choice.at, choice.view, choice.made, "another seed")
    assert best_of(choice, worlds=8) == advice
    assert best_of(other, worlds=8).tile in {one for _, one in choice.view.tiles}
    assert (advice.tile, advice.end) in {
        (move.tile, move.end) for move in choice.view.legal if isinstance(move, Play)
    }


def test_words() -> None:
    made = Played(0, 0, tile(6, 4), "R", 20, 20, (20, 0), None)
    assert Advised(tile(6, 4), "R", 20, 0, 0.0).words(made) == "hard would have played the same."
    assert Advised(tile(5, 5), None, 1, 0, 1.0).words(made) == (
        "hard would have played 5-5 for 1 point: 1 point better."
    )
    assert Advised(tile(5, 5), "U", 10, 15, 2.5).words(made) == (
        "hard would have played 5-5 on U for 10 points, leaving 15 at most: 2.5 points better."
    )
    assert Advised(tile(5, 5), "L", 0, 0, 0.0, (0.62, 0.584)).words(made) == (
        "hard would have played 5-5 on L: it wins the match 62 times in 100, the one made 58."
    )
    assert Advised(tile(5, 5), "L", 0, 0, 3.0, (0.62, 0.62)).words(made) == (
        "hard would have played 5-5 on L; it is worth as much."
    )
    assert Advised(tile(5, 5), "L", 0, 0, 0.0).words(made) == (
        "hard would have played 5-5 on L; it is worth as much."
    )
    assert Advised(tile(5, 5), "L", 10, 0, 0.0, (1.0, 1.0), wins=True).words(made) == (
        "hard would have played 5-5 on L for 10 points, which wins the match."
    )


@pytest.mark.parametrize("preset", ["classic", "online"])
def test_whoever_wins_the_match_at_once_did_the_best_that_could_be_done(preset: str) -> None:
    found = list(choices(played(preset)))
    ended = [one for one in found if one.view.wins_with(one.made)]
    assert len(ended) == (preset == "classic")
    for choice in found:
        advised = best_of(choice, worlds=4)
        could = [move for move in choice.view.legal if choice.view.wins_with(move)]
        assert advised.wins == (bool(could) and choice not in ended)
    for choice in ended:
        assert best_of(choice).fields()["tile"] == str(choice.made.tile)


def test_near_the_target_it_is_told_how_likely_the_match_is_won_and_json_has_its_fields() -> None:
    near = [one for one in choices(played("classic")) if len(one.view.legal) > 1][:2]
    assert near
    for choice in near:
        advised = best_of(choice, worlds=4)
        assert advised.chances is not None
        assert all(0 <= one <= 1 for one in advised.chances)
        assert list(advised.fields()) == ["tile", "end", "points", "leaves", "better"]
    far = play_match(4, 2, Rules.make("classic", 2, {"target": "5000"}), {9: (1, "left")})
    choice = next(one for one in choices(far) if len(one.view.legal) > 1)
    assert best_of(choice, worlds=4).chances is None
