"""Learning at the screen, by keys and without a terminal."""

import pytest

from cli.learning.lesson import Lesson
from cli.learning.screen import LessonScreen, Telling
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.line.look import Look
from engine.moves import Play


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
    assert "Make the move that brings the most points." not in told
    assert "== Scene 3 of 5: The spinner ==" in screen.press("enter")


@pytest.mark.parametrize("first", range(5))
def test_enter_alone_answers_nothing_that_can_be_chosen(first: int) -> None:
    screen = Screen(first)
    shown = screen.press("enter")
    while not isinstance(screen.lesson.mode, Telling):
        position = screen.lesson.lesson.position
        if not all(isinstance(move, Play) for move in position.view.legal):
            shown = screen.press("enter")
            continue
        task = position.task
        assert task is not None
        assert "Choose a tile" in " ".join(shown.split())
        assert task.question in " ".join(screen.press("enter", "enter").split())
        assert screen.lesson.lesson.position.task is task
        right = next(
            move
            for move in position.view.legal
            if isinstance(move, Play) and not task.judge(position.view, move)
        )
        plays = [move for move in position.view.legal if isinstance(move, Play)]
        ends = [move.end for move in plays if move.tile == right.tile]
        place = [one.tile for one in screen.lesson.view().hand or ()].index(right.tile) + 1
        shown = screen.press(str(place))
        if len(ends) > 1:
            assert f"{right.tile} fits on {' and '.join(map(str, ends))}" in shown
            screen.press("enter")
            assert screen.lesson.lesson.position.task is task, "the end is chosen too"
            screen.press((right.end or "").lower())
        shown = screen.press("enter")


def test_the_next_question_of_a_scene_is_asked() -> None:
    screen = Screen(3)
    asked = screen.press("enter")
    assert asked.count("Draw until something does.") == 1
    assert "Your turn, and nothing you hold fits" not in asked
    assert "Enter draws until a tile fits (22 tiles left)." in asked
    assert "Now something fits: play it." in screen.press("enter")


@pytest.mark.parametrize("first", range(5))
def test_a_hint_tells_again_what_the_scene_is_about(first: int) -> None:
    screen = Screen(first)
    told = screen.press()
    page = screen.press("h")
    assert "Nothing is asked on this page; Enter goes on." in page
    asked = screen.press("enter")
    assert screen.press("h") == told
    assert screen.press("enter") == asked


def test_enter_with_no_tile_or_no_end_says_what_is_missing() -> None:
    screen = Screen()
    screen.press("enter")
    missing = "Choose a tile first, with its number or left and right."
    assert missing in " ".join(screen.press("enter").split())
    screen = Screen(4)
    screen.press("enter", "1")
    assert "Choose an end first" in screen.press("enter")
    assert "Choose an end first" not in screen.press("r")


def test_help_can_be_read_at_a_question() -> None:
    screen = Screen()
    screen.press("enter")
    assert "Help" in screen.press("?")
    screen.press("escape", "q")
    assert screen.left == 1


def test_the_last_scene_leads_out() -> None:
    screen = Screen(4)
    screen.press("enter")
    assert "you go out" in screen.press("1", "r", "enter")
    assert "== The whole game ==" in screen.press("enter")
    screen.press("enter")
    assert screen.left == 1


def test_leaving_a_page() -> None:
    screen = Screen()
    screen.press("q")
    assert screen.left == 1
