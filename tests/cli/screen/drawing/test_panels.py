"""Pages: their words are those of the game that is played."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from support.engine.matches import players

from cli.screen.drawing.panels import fairness_panel, hand_end_panel, help_panel
from cli.telling.doing import Deed, Moment
from cli.telling.pages import ProvenStep
from cli.telling.scene import Scene
from cli.telling.settling import hand_end_lines
from engine.events import HandEnded
from engine.rules import Rules
from p2p.session.state.events import DeckStep, HandBegan, InHand, MatchBegan, SeatOut


def begun(preset: str = "classic", count: int = 2) -> Scene:
    """A match of Ana and Ben, and others."""
    scene = Scene(0)
    scene.apply(MatchBegan(b"\x01" * 32, Rules.make(preset, count).spell(), players(count)))
    return scene


def test_the_end_of_a_hand_is_told_as_in_the_log() -> None:
    event = HandEnded("domino", 0, ((), ()), (0, 0), (0, 0))
    *told, scores = hand_end_lines(event, begun())
    assert hand_end_panel([event], begun()).lines == (*told, "In play: Ana 0, Ben 0.", scores)
    last = HandEnded("domino", 0, ((), ()), (20, 0), (45, 15))
    first = HandEnded("domino", 0, ((), ()), (0, 0), (10, 0))
    assert "In play: Ana +15, Ben +15." in hand_end_panel([first, last], begun()).lines
    block = begun("block")
    assert list(hand_end_panel([event], block).lines) == hand_end_lines(event, block)


def test_who_left_in_a_hand_made_points_in_it_and_none_in_the_next() -> None:
    scene = dealt(begun(count=3))
    scene.apply(SeatOut(1, 2, "left", (0, 1)))
    ended = HandEnded("left", None, (None, None, None), (0,) * 3, (0, 0, 5))
    scene.apply(InHand(1, ended))
    assert "In play: Ana 0, Ben 0, Cleo +5." in hand_end_panel([ended], scene).lines
    dealt(scene, 2)
    then = HandEnded("domino", 0, ((), (), None), (0,) * 3, (0, 10, 5))
    scene.apply(InHand(2, then))
    assert "In play: Ana 0, Ben +10." in hand_end_panel([ended, then], scene).lines


def _moment(preset: str, options: Mapping[str, str] = MappingProxyType({})) -> Moment:
    return Moment("", frozenset(Deed), Rules.make(preset, 2, options))


@pytest.mark.parametrize(
    ("preset", "fives", "arms", "later"),
    [
        ("classic", True, True, False),
        ("five-up", True, True, True),
        ("muggins", True, False, False),
        ("draw", False, False, False),
        ("block", False, False, False),
    ],
)
def test_help_tells_of_points_and_arms_only_where_there_are(
    preset: str, fives: bool, arms: bool, later: bool
) -> None:
    text = "\n".join(help_panel(_moment(preset)).lines)
    assert ("multiple of five" in text) == fives
    assert ("U or D" in text) == arms == ("lrud" in text)
    assert ("4U" in text) == later
    assert "claim" not in text
    claims = help_panel(_moment("classic", {"claims": "yes"})).lines
    assert any("claimed" in line for line in claims)


def proven(scene: Scene, *shuffles: tuple[int, int, int]) -> tuple[str, ...]:
    """The page after these: of which deal, by whom, how many parts of it were there of six."""
    steps = [DeckStep(deal, seat, "shuffle", done, 6) for deal, seat, done in shuffles]
    seconds = [0.4, *[0.01] * len(steps)]
    return fairness_panel(scene, map(ProvenStep, steps, seconds)).lines


def dealt(scene: Scene, hand: int = 1) -> Scene:
    """The same with a hand that runs."""
    count = len(scene.players)
    counts = tuple(0 if seat in scene.out else 9 for seat in range(count))
    starter = next(seat for seat in range(count) if counts[seat])
    scene.apply(HandBegan(hand, starter, (None,) * count, counts, None))
    return scene


WHOLE = ((1, 0, 5), (1, 1, 6))


def test_the_fairness_page_says_first_what_was_proven_and_why_there_is_a_deal_to_come() -> None:
    lines = proven(begun(), *WHOLE, (2, 1, 5))
    assert lines[1:3] == (
        "Deal 1, for the hand to come: proven and checked.",
        "Deal 2, made ready for the hand after it: so far by Ben, proven and checked.",
    )
    assert "Deal 1: Ana shuffled, proven and checked (0.4 s)" in lines
    assert "Deal 1: Ben shuffled, proven and checked" in lines
    lines = proven(dealt(begun()), *WHOLE, (2, 0, 5), (2, 1, 6))
    assert lines[1:4] == (
        "Deal 1, of this hand: proven and checked.",
        "Deal 2, made ready for the next hand while this one is played: proven and checked.",
        "",
    )


def test_a_deck_that_was_given_up_with_a_seat_counts_for_no_hand() -> None:
    scene = dealt(begun(count=3))
    scene.apply(SeatOut(1, 2, "left", (0, 1)))
    dead = HandEnded("left", None, (None, None, None), (0,) * 3, (0,) * 3)
    scene.apply(InHand(1, dead))
    shuffles = (*WHOLE, (2, 0, 5), (3, 0, 5), (3, 1, 6))
    assert proven(scene, *shuffles)[1:3] == (
        "Deal 3, for the hand to come: proven and checked.",
        "",
    )
    lines = proven(dealt(scene, 2), *shuffles, (4, 0, 5))
    assert lines[1:3] == (
        "Deal 3, of this hand: proven and checked.",
        "Deal 4, made ready for the next hand while this one is played: so far by Ana, proven and "
        "checked.",
    )
