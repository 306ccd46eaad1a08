"""What bots of a killed program have left goes with the next start, and nothing else does."""

from pathlib import Path

import pytest

from cli.files.home import Home
from cli.table.bots import clear_bots


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.make()
    return made


def left_behind(home: Home, name: str = "allfives-bots-17-abc") -> tuple[Home, Home]:
    """The homes of two bots whose program was killed."""
    bots = Home(home.folder / name / "bot-ada"), Home(home.folder / name / "bot-bea")
    for bot in bots:
        with bot.locked():
            bot.identity()
    return bots


def test_what_was_left_goes(home: Home) -> None:
    left_behind(home)
    (home.folder / "allfives-bots-18-none").mkdir()
    home.config.touch()
    clear_bots(home)
    assert list(home.folder.iterdir()) == [home.config]


def test_a_bot_that_has_not_ended_keeps_its_folder(home: Home) -> None:
    ada, bea = left_behind(home)
    with bea.locked():
        clear_bots(home)
        assert ada.identity_path.exists()
        assert bea.identity_path.exists()
    clear_bots(home)
    assert list(home.folder.iterdir()) == []


def test_what_somebody_else_put_there_stays(home: Home, tmp_path: Path) -> None:
    elsewhere = Home(tmp_path / "elsewhere")
    left_behind(elsewhere)
    (home.folder / "allfives-bots-1-link").symlink_to(elsewhere.folder / "allfives-bots-17-abc")
    (home.folder / "allfives-bots-2-file").touch()
    mixed, _ = left_behind(home, "allfives-bots-3-mixed")
    (mixed.folder.parent / "notes").mkdir()
    before = sorted(tmp_path.rglob("*"))
    clear_bots(home)
    assert sorted(tmp_path.rglob("*")) == before
    assert mixed.identity_path.exists()
