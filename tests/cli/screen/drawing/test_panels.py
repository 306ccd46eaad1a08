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
from p2p.session.state.events import DeckStep, MatchBegan


def begun(preset: str = "classic") -> Scene:
    """A match of Ana and Ben."""
    scene = Scene(0)
    scene.apply(MatchBegan(b"\x01" * 32, Rules.make(preset, 2).spell(), players(2)))
    return scene


def test_the_end_of_a_hand_is_told_as_in_the_log() -> None:
    event = HandEnded("domino", 0, ((), ()), (0, 0), (0, 0))
    assert list(hand_end_panel(event, begun()).lines) == hand_end_lines(event, begun())


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


def test_the_fairness_page_says_first_what_was_proven_and_why_there_is_a_deal_to_come() -> None:
    steps = [
        ProvenStep(DeckStep(deal, seat, "shuffle", 5 + seat, 6), seconds)
        for deal, seat, seconds in ((1, 0, 0.4), (1, 1, 0.01), (2, 1, 0.2))
    ]
    lines = fairness_panel(begun(), steps).lines
    assert lines[1:3] == (
        "Deal 1, of this hand: proven and checked.",
        "Deal 2, of this hand: so far by Ben, proven and checked.",
    )
    assert "Deal 1: Ana shuffled, proven and checked (0.4 s)" in lines
    assert "Deal 1: Ben shuffled, proven and checked" in lines
