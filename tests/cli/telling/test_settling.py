"""The end of a hand in lines: what is said of tiles, sums and points is what was counted."""

import re

import pytest
from support.engine.matches import play_match, players
from support.session.told import bare

from cli.telling.phrases import NOT_COUNTED, who_went
from cli.telling.scene import Scene
from cli.telling.settling import hand_end_lines, how_hand_ended
from engine.events import HandEnded
from engine.rules import Rules
from engine.tiles import tile
from p2p.session.state.events import MatchBegan, SeatOut

BEN_HOLDS = (tile(5, 5), tile(4, 3))


def scene_of(preset: str = "classic", count: int = 2, me: int | None = 0, **options: str) -> Scene:
    """A match has begun."""
    rules = Rules.make(preset, count, dict(options))
    scene = Scene(me)
    scene.apply(MatchBegan(b"\x01" * 32, rules.spell(), players(count)))
    return scene


@pytest.mark.parametrize(
    ("reason", "seat", "how"),
    [
        ("domino", 0, "you go out"),
        ("domino", 1, "Ben goes out"),
        ("block", 1, "nobody can play, and Ben holds the least"),
        ("block", None, "nobody can play"),
    ],
)
def test_a_hand_ends_with_everybody_s_tiles_sums_and_scores(
    reason: str, seat: int | None, how: str
) -> None:
    event = HandEnded(reason, seat, ((), BEN_HOLDS), (0, -15), (35, -10))
    scene = scene_of()
    scene.scores = event.scores
    assert hand_end_lines(event, scene) == [
        f"Hand 0 ends: {how}.",
        "Ana: no tile left.",
        "Ben: 5-5 4-3 = 17 pips, rounded 15.",
        "Ben loses 15.",
        "Scores: Ana 35, Ben -10.",
    ]


@pytest.mark.parametrize(
    ("reason", "how"),
    [
        ("target", f"the target is reached; {NOT_COUNTED}"),
        ("left", "a player has left"),
        ("fault", "somebody broke the protocol"),
    ],
)
def test_a_hand_that_is_not_counted_brings_nothing(reason: str, how: str) -> None:
    event = HandEnded(reason, None, (None, BEN_HOLDS), (0, 0), (5, 0))
    scene = scene_of()
    scene.scores = event.scores
    assert hand_end_lines(event, scene) == [
        f"Hand 0 ends: {how}.",
        "Ben: 5-5 4-3 = 17 pips.",
        "Scores: Ana 5, Ben 0.",
    ]


def test_behind_the_line_about_who_went_it_is_not_told_again() -> None:
    scene = scene_of(count=3)
    scene.out[1] = SeatOut(0, 1, "left", (0, 2))
    event = HandEnded("left", None, (None, None, None), (0, 0, 0), (0, 0, 0))
    assert hand_end_lines(event, scene)[0] == f"Hand 0 ends: Ben has left; {NOT_COUNTED}."
    assert hand_end_lines(event, scene, why=False)[0] == f"Hand 0 ends; {NOT_COUNTED}."


ANA_HOLDS, CEM_HOLDS = (tile(6, 6),), (tile(4, 3), tile(2, 0))


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("online", "Ben collects 10 + 10 = 20: +20."),
        ("pagat", "Ben collects 12 + 9 = 21 pips, rounded 20: +20."),
        ("draw", "Ben collects 12 + 9 = 21 pips: +21."),
        ("classic", "You lose 10."),
    ],
)
def test_the_sum_and_its_rounding_are_told(preset: str, said: str) -> None:
    points = {"classic": (-10, 0, -10), "draw": (0, 21, 0)}.get(preset, (0, 20, 0))
    event = HandEnded("domino", 1, (ANA_HOLDS, (), CEM_HOLDS), points, points)
    lines = hand_end_lines(event, scene_of(preset, 3))
    assert said in lines
    rounds = "rounded" in lines[1]
    assert rounds == (preset in ("online", "classic"))


def test_the_sum_of_a_side_is_the_side_s() -> None:
    left = ((tile(3, 3),), (tile(6, 2),), (tile(4, 0),), ())
    event = HandEnded("domino", 3, left, (-10, -10, -10, -10), (40, 15, 40, 15))
    scene = scene_of("classic", 4, partners="yes")
    scene.scores = event.scores
    ana, ben, cleo, dan = (one.name for one in scene.players)
    assert hand_end_lines(event, scene)[1:] == [
        f"{ana}: 3-3 = 6 pips, rounded 5.",
        f"{ben}: 6-2 = 8 pips, rounded 10.",
        f"{cleo}: 4-0 = 4 pips, rounded 5.",
        f"{dan}: no tile left.",
        f"You and {cleo} lose 5 + 5 = 10.",
        f"{ben} and {dan} lose 10.",
        f"Scores: {ana} and {cleo} 40, {ben} and {dan} 15.",
    ]
    block = HandEnded("block", 1, left, (0, 10, 0, 10), (0, 10, 0, 10))
    lines = hand_end_lines(block, scene_of("pagat", 4, partners="yes"))
    assert lines[0].endswith(f"nobody can play, and {ben} and {dan} hold the least.")
    assert f"{ben} and {dan} collect 6 + 4 = 10 pips, rounded 10: +10." in lines


def test_who_is_level_scores_nothing() -> None:
    event = HandEnded("block", None, (ANA_HOLDS, ANA_HOLDS), (0, 0), (0, 0))
    assert "The fewest pips are tied, so nobody scores." in hand_end_lines(event, scene_of("pagat"))


@pytest.mark.parametrize("preset", ["classic", "online", "pagat", "draw", "block"])
@pytest.mark.parametrize("partners", [False, True])
def test_every_sum_that_is_told_is_what_was_scored(preset: str, partners: bool) -> None:
    count = 4 if partners else 3
    options = {"starter": "lot", "target": "60"} | ({"partners": "yes"} if partners else {})
    scene = Scene(None)
    ends = 0
    for event in play_match(7, count, Rules.make(preset, count, options)):
        scene.apply(event)
        (made,) = bare([event])
        if isinstance(made, HandEnded) and made.reason in ("domino", "block"):
            ends += 1
            lines = hand_end_lines(made, scene)
            for side in scene.sides():
                points = made.points[side[0]]
                name = " and ".join(scene.players[seat].name for seat in side)
                told = [one for one in lines if re.match(rf"{name} (loses?|collects?) ", one)]
                number = -points if preset == "classic" else points
                assert bool(told) == bool(number), lines
                for one in told:
                    assert re.search(rf"(?:^| |\+){number}\.$", one), lines
    assert ends


@pytest.mark.parametrize(
    ("reason", "seat", "me", "why"),
    [
        ("left", 1, 0, "Ben has left"),
        ("absent", 1, 0, "Ben is out"),
        ("idle", 1, 0, "Ben is out"),
        ("fault", 1, None, "Ben broke the protocol"),
        ("absent", 1, 1, "you are out"),
        ("left", 1, 1, "you have left"),
    ],
)
def test_a_hand_ends_since_somebody_went(reason: str, seat: int, me: int | None, why: str) -> None:
    scene = scene_of(count=3, me=me)
    scene.apply(SeatOut(0, seat, reason, (0, 2)))
    ended = HandEnded(
        "fault" if reason == "fault" else "left", None, (None, (), None), (0,) * 3, (0,) * 3
    )
    assert (
        how_hand_ended(ended, scene)
        == f"Hand 0 ends: {why}; the tiles still in the hands are not counted."
    )


@pytest.mark.parametrize("reason", ["left", "fault"])
def test_a_hand_ends_for_what_an_owner_did_and_not_its_bot(reason: str) -> None:
    scene = scene_of(count=3)
    scene.apply(SeatOut(0, 1, reason, (0,), owner=2))
    assert who_went(scene, 0) == "Ben is out"


def test_of_who_is_out_no_hand_is_listed() -> None:
    scene = scene_of(count=3)
    scene.apply(SeatOut(0, 0, "left", (1, 2)))
    ended = HandEnded("domino", 1, ((), (), (tile(6, 4),)), (0, 0, -10), (0, 0, 0))
    lines = hand_end_lines(ended, scene)
    assert not any(line.startswith("Ana") for line in lines)
    assert "Ben: no tile left." in lines


def test_who_reached_the_target_with_the_last_tile_has_none_left() -> None:
    scene = scene_of("classic", 2)
    event = HandEnded("target", 0, ((), (tile(6, 2),)), (0, 0), (250, 10))
    ana, ben = (one.name for one in scene.players)
    lines = hand_end_lines(event, scene)
    assert lines[1:3] == [f"{ana}: no tile left.", f"{ben}: 6-2 = 8 pips."]
    unopened = HandEnded("target", 0, ((), None), (0, 0), (250, 10))
    assert hand_end_lines(unopened, scene)[1:-1] == [f"{ana}: no tile left."]
