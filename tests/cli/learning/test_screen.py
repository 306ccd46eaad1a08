"""Learning at the screen, by keys and without a terminal."""

from cli.learning.lesson import Lesson
from cli.learning.screen import LessonScreen
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.line.look import Look


class Screen:
    """Somebody who learns at the smallest screen."""

    def __init__(self, first: int = 0) -> None:
        self.left = 0
        self.lesson = LessonScreen(Lesson("Ana", first), self._leave)

    def _leave(self) -> None:
        self.left += 1

    def press(self, *keys: str) -> str:
        for key in keys:
            self.lesson.key(key)
        frame = render(self.lesson.view(), *SMALLEST, Look(False))
        return "\n".join("".join(text for _, text in row) for row in frame.rows)


def test_a_scene_is_told_asked_judged_and_followed_by_the_next() -> None:
    screen = Screen(1)
    assert "== Scene 2 of 5: Counting ==" in screen.press()
    asked = screen.press("enter")
    assert "Make the move that brings the most points." in asked
    wrong = screen.press("2", "enter")
    assert "That fits, but brings nothing" in wrong
    assert "4 tiles" in wrong
    told = screen.press("1", "enter")
    assert "You play 5-5 on L: 10 + 0 = 10, +10." in told
    assert "== Scene 3 of 5: The spinner ==" in screen.press("enter")


def test_a_hint_is_the_question_and_help_can_be_read() -> None:
    screen = Screen()
    screen.press("enter")
    assert "Add a tile that matches an end." in screen.press("h")
    assert "Help" in screen.press("?")
    screen.press("escape", "q")
    assert screen.left == 1


def test_the_last_scene_leads_out() -> None:
    screen = Screen(4)
    screen.press("enter")
    assert "you go out" in screen.press("enter")
    assert "== The whole game ==" in screen.press("enter")
    screen.press("enter")
    assert screen.left == 1


def test_leaving_a_page() -> None:
    screen = Screen()
    screen.press("q")
    assert screen.left == 1
