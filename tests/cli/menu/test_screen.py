"""The menu at the screen, by keys and without a terminal."""

from pathlib import Path

from cli.command_line import allfives
from cli.files.home import Home
from cli.menu.pages import House
from cli.menu.screen import MenuScreen
from cli.menu.walk import Walk
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.line.look import Look


class Screen:
    """Somebody at the screen of a new home."""

    def __init__(self, folder: Path) -> None:
        self.house = House(Home(folder / "home"), allfives, lambda: None)
        self.walk = Walk(self.house.front)
        self.done = 0
        self.live = 0
        self.menu = MenuScreen(self.walk, self._done, self._live)

    def _done(self) -> None:
        self.done += 1

    def _live(self) -> None:
        self.live += 1

    def press(self, *keys: str) -> str:
        """What stands on the smallest screen then."""
        for key in keys:
            self.menu.key(key)
        frame = render(self.menu.view(), *SMALLEST, Look(False))
        return "\n".join("".join(text for _, text in row) for row in frame.rows)

    def chosen(self) -> str:
        """The entry that Enter chooses."""
        rows = [row for row in self.press().split("\n") if row.startswith("  > ")]
        assert len(rows) == 1
        return rows[0][6:].split()[0]


def test_entries_are_chosen_with_arrows_numbers_and_letters(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    assert screen.chosen() == "play"
    screen.press("down", "down")
    assert screen.chosen() == "join"
    screen.press("up", "up", "up")
    assert screen.chosen() == "quit"
    screen.press("r")
    assert screen.chosen() == "records"
    screen.press("r")
    assert screen.chosen() == "rules"
    screen.press("enter")
    assert "== Rules ==" in screen.press()
    screen.press("escape")
    assert "== Welcome ==" in screen.press()
    screen.press("1", "enter")
    assert screen.walk.run is not None
    assert screen.walk.run.arguments[2] == "play"
    assert screen.done == 1


def test_a_choice_stays_where_it_was_when_a_line_is_changed(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.press("1", "l")
    assert "normal bots" in screen.press()
    assert "hard bots" in screen.press("enter")
    assert screen.chosen() == "level"


def test_a_question_is_answered_or_dropped(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.walk.asked = screen.house.ask_name()
    screen.menu.show()
    assert "Your name, as others shall see it?" in screen.press(*"Bot A")
    assert "> Bot A_" in screen.press()
    assert "bots are told by such names" in screen.press("enter")
    assert "Ana is your name from now on." in screen.press(*["backspace"] * 9, *"Ana", "enter")
    screen.press("s", "enter", "n", "enter")
    assert "name" in screen.press()
    screen.press("q", "u", "escape")
    assert screen.walk.asked is None
    assert not screen.walk.over


def test_ctrl_c_drops_a_question_then_a_page_and_ends_the_program_behind_the_first(
    tmp_path: Path,
) -> None:
    screen = Screen(tmp_path)
    screen.press("s", "enter", "n", "enter", *"Be")
    assert screen.walk.asked is not None
    assert screen.menu.interrupt()
    assert "> Be_" not in screen.press()
    assert screen.walk.page.title == "Settings"
    assert screen.menu.interrupt()
    assert screen.walk.page.title == "Welcome"
    assert not screen.menu.interrupt()
    assert not screen.house.is_named


def test_a_letter_or_a_word_of_the_menu_is_a_name_only_when_it_is_typed_twice(
    tmp_path: Path,
) -> None:
    screen = Screen(tmp_path)
    screen.walk.asked = screen.house.ask_name()
    screen.menu.show()
    assert "Shall x be your name? Type it once more" in screen.press("x", "enter")
    assert "Your name, as others shall see it?" in screen.press("enter")
    assert "Shall help be your name?" in screen.press(*"help", "enter")
    assert "Your name, as others shall see it?" in screen.press("x", "enter")
    assert not screen.house.is_named
    assert "x is your name from now on." in screen.press("x", "enter", "x", "enter")
    screen.walk.asked = screen.house.ask_name()
    screen.menu.show()
    screen.press("q", "enter")
    assert (screen.walk.over, screen.house.home.identity().name) == (True, "x")


def test_a_page_that_changes_by_itself_keeps_what_is_being_typed(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.press("3")
    assert screen.live == 1
    screen.press("i", "enter", *"guitar")
    screen.walk.again()
    screen.menu.show()
    assert "> guitar_" in screen.press()
    screen.press("enter")
    assert screen.walk.run is not None
    assert screen.walk.run.arguments[2:] == ("join", "--", "guitar")


def test_tab_writes_on_a_code_and_nothing_else(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.press("3", "i", "enter", *"guit")
    assert "> guitar _" in screen.press("tab")
    assert "> guitar lunar _" in screen.press(*"lunar", "tab")
    screen.press("escape", "escape", "s", "enter", "n", "enter", *"Guit")
    assert "> Guit_" in screen.press("tab")


def test_an_invite_of_any_length_is_pasted_whole(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.press("3", "i", "enter")
    screen.menu.paste("allfives:" + "\n".join(["x" * 60] * 30))
    screen.press("enter")
    assert screen.walk.run is not None
    assert screen.walk.run.arguments[-1] == "allfives:" + "x" * 1800


def test_leaving(tmp_path: Path) -> None:
    for keys in (("q",), ("up", "enter")):
        screen = Screen(tmp_path)
        assert "  q quit" in screen.press()
        screen.press(*keys)
        assert (screen.walk.over, screen.done) == (True, 1)


def test_nothing_is_behind_the_first_page(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    assert "Esc" not in screen.press()
    for key in ("escape", "backspace", "left"):
        assert "Nothing is behind this page; q leaves." in screen.press(key)
        assert (screen.walk.over, screen.done) == (False, 0)
        assert "Nothing is behind" not in screen.press("down")
    assert "Esc back" in screen.press("s", "enter")


def test_it_says_that_it_looks_before_it_says_that_there_is_nothing(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    assert "Looking for tables on this network ..." in screen.press("3")
    screen.house.found = ()
    screen.walk.again()
    screen.menu.show()
    assert "No table is to be seen on this network now." in screen.press()


def test_every_page_can_be_read_on_the_smallest_screen(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    for at in range(len(screen.walk.page.entries) - 1):
        screen.press(str(at + 1))
        if screen.walk.run is not None:
            screen.walk.again()
            continue
        seen = set[str]()
        for _ in screen.walk.page.entries:
            seen.add(screen.chosen())
            screen.press("down")
        assert seen == {one.word.split()[0] for one in screen.walk.page.entries}
        screen.press("escape")
        assert screen.walk.page.title == "Welcome"
