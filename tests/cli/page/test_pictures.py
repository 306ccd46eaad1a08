"""The pictures of the README are those of the program as it is, and small."""

import re

import pytest
from support.page.pictures import DOCS, SCREENS, screen_svg
from support.places import ROOT

MOST_BYTES = 100_000


@pytest.mark.parametrize("name", SCREENS)
def test_a_picture_of_the_screen_is_what_is_drawn_now(name: str) -> None:
    """`python -m support.page.pictures` in tests/ makes them anew."""
    assert (DOCS / name).read_text("utf-8") == screen_svg(SCREENS[name])


def test_the_readme_shows_each_picture_that_is_there() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((docs/[^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(shown) == sorted(f"docs/{one.name}" for one in DOCS.iterdir())
    assert all((ROOT / one).stat().st_size < MOST_BYTES for one in shown)
