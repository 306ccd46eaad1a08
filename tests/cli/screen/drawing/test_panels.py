"""The page at the end of a hand: what is said of each player's tiles is what was counted."""

import pytest
from support.engine.matches import play_match
from support.session.told import bare

from cli.screen.drawing.panels import hand_end_panel
from cli.telling.scene import Scene
from engine.events import HandEnded
from engine.rules import Rules


def lines_of(preset: str) -> list[str]:
    """The line of every player with tiles left, of all hands of a match of three."""
    scene = Scene(0)
    said: list[str] = []
    for event in play_match(7, 3, Rules.make(preset, 3, {"starter": "lot"})):
        scene.apply(event)
        (made,) = bare([event])
        if isinstance(made, HandEnded) and made.reason in ("domino", "block"):
            lines = hand_end_panel(made, scene).lines[2:]
            said += [line for line in lines if "pip" in line]
    assert said
    return said


@pytest.mark.parametrize("preset", ["classic", "online"])
def test_where_each_hand_is_rounded_it_is_told(preset: str) -> None:
    assert all(", rounded " in line for line in lines_of(preset))


@pytest.mark.parametrize("preset", ["pagat", "draw", "block"])
def test_where_no_single_hand_is_rounded_nothing_is_told_of_it(preset: str) -> None:
    assert not any("rounded" in line for line in lines_of(preset))
