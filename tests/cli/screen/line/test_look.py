"""How a person wants the screen to look: the themes in a round, and what a key makes of them."""

import pytest
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import ColorDepth, DummyOutput

from cli.screen.app import make_app
from cli.screen.control import Control
from cli.screen.line.look import THEMES, Look


def test_the_themes_follow_each_other_in_a_round() -> None:
    look, seen = Look(unicode=True, tiles="large"), []
    for _ in THEMES:
        seen.append(look.theme)
        look = look.next_theme()
    assert look == Look(unicode=True, tiles="large")
    assert tuple(seen) == THEMES


def test_a_key_changes_the_colours_at_once_and_says_how_they_are_kept() -> None:
    control = Control(lambda wish: None, lambda: 0.0)
    app = make_app(control, {}, DummyInput(), DummyOutput())
    assert app.style is not None
    before = app.style.get_attrs_for_style_str("class:bar")
    control.key("v")
    after = app.style.get_attrs_for_style_str("class:bar")
    assert (before.bgcolor, after.bgcolor) == ("ansiblue", "1f4e8c")
    assert control.desk.note == "Colours: light. `allfives config theme light` keeps them."


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "vt100"}])
def test_without_colours_there_are_none_in_any_theme(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.screen.painting._colours", {"vt100": -1}.get)
    control = Control(lambda wish: None, lambda: 0.0)
    app = make_app(control, environment, DummyInput(), DummyOutput())
    assert app.color_depth is ColorDepth.DEPTH_1_BIT
    assert app.style is not None
    for _ in THEMES:
        attrs = app.style.get_attrs_for_style_str("class:bar")
        assert (attrs.color, attrs.bgcolor, attrs.reverse) == ("", "", True)
        control.key("v")
