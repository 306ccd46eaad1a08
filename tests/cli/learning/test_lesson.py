"""Learning: every question has moves that answer it and, where one may err, moves that do not."""

import pytest

from cli.learning.lesson import Lesson, Position
from cli.learning.plain import HELP, OVER, learn_in_lines
from cli.learning.scenes import SCENES, Part
from engine.moves import Move, Play
from engine.notation import format_move

PARTS = [part for scene in SCENES for part in scene.parts]


def answers(position: Position) -> tuple[list[Move], list[Move]]:
    """The legal moves that answer the question of a position, and those that do not."""
    assert position.task is not None
    legal = position.view.legal
    right = [move for move in legal if not position.task.judge(position.view, move)]
    return right, [move for move in legal if move not in right]


@pytest.mark.parametrize("part", PARTS, ids=[part.moves for part in PARTS])
def test_every_position_can_be_answered_to_its_end(part: Part) -> None:
    position = Position(part, "Ana")
    moves = 0
    while position.task is not None:
        right, wrong = answers(position)
        for move in wrong:
            before = position.view.legal
            assert "again" in "".join(position.answer(move)) or "one" in position.answer(move)[0]
            assert position.view.legal == before
        assert position.answer(right[0])
        moves += 1
    assert moves >= len(part.tasks)


def points(position: Position, moves: list[Move]) -> set[int]:
    return {position.view.points_for(move) for move in moves if isinstance(move, Play)}


def test_counting_wants_the_most_points_that_the_engine_finds() -> None:
    position = Position(SCENES[1].parts[0], "Ana")
    right, wrong = answers(position)
    assert points(position, right) == {10}
    assert points(position, wrong) == {0, 5}
    told = position.answer(wrong[0])[0]
    assert "another move brings 10" in told


def test_the_spinner_wants_an_arm_and_points() -> None:
    position = Position(SCENES[2].parts[0], "Ana")
    right, wrong = answers(position)
    assert [format_move(move) for move in right] == ["6-2 U"]
    assert wrong
    assert position.answer(right[0]) == ["You play 6-2 on U: 3 + 5 + 2 = 10, +10."]


def test_drawing_goes_on_until_a_tile_fits() -> None:
    position = Position(SCENES[3].parts[0], "Ana")
    task = position.task
    draw = position.view.legal[0]
    assert position.answer(draw) == [
        "You draw 5-4, 21 tiles left to draw.",
        "You draw 6-3, 20 tiles left to draw.",
    ]
    assert position.task is not task
    assert all(isinstance(move, Play) for move in position.view.legal)


def test_a_blocked_hand_and_going_out_end_a_hand() -> None:
    blocked = Position(SCENES[3].parts[1], "Ana")
    told = blocked.answer(blocked.view.legal[0])
    assert told[:3] == ["You pass.", "Ben passes.", "Hand 1 ends: nobody can play."]
    ended = Position(SCENES[4].parts[0], "Ana")
    told = ended.answer(answers(ended)[0][0])
    assert "Hand 1 ends: you go out." in told
    assert told[-1] == "Scores: Ana 10, Ben -10."


class Terminal:
    """Somebody who types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def ask(self, _: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def learn(self, first: int = 0) -> str:
        """All that was printed."""
        assert learn_in_lines(Lesson("Ana", first), self.ask, self.shown.append) == 0
        return "\n".join(self.shown)


def test_all_scenes_in_lines() -> None:
    right = ["6-1", "5-5", "6-2 U", "draw", "6-3", "pass", "5-2 R"]
    shown = Terminal(*right).learn()
    for number, scene in enumerate(SCENES, 1):
        title = f"== Scene {number} of 5: {scene.title}"
        parts = [f"{title}, part {part} of 2 ==" for part in (1, 2)]
        assert all(one in shown for one in (parts if scene.parts[1:] else [f"{title} =="]))
    assert shown.endswith(OVER)


def test_wrong_lines_lose_nothing() -> None:
    shown = Terminal("6-7", "4-2 L", "help", "hand", "skip", "5-3", "quit").learn()
    assert "'6-7' is no tile" in shown
    assert "4-2 does not match an open end" in shown
    assert shown.count(HELP) == 2
    assert shown.count("Your hand: 6-1 5-3 4-2 2-0") == 2
    assert shown.endswith("Make the move that brings the most points.")
    assert "Scene 5 of 5" in Terminal().learn(4)


def test_of_what_is_told_early_it_is_said_which_scene_explains_it() -> None:
    for part, later, title in (
        (SCENES[0].parts[0], 2, "Counting"),
        (SCENES[3].parts[1], 5, "Ending"),
    ):
        assert f"scene {later} is about" in part.told[-1]
        assert SCENES[later - 1].title == title


def test_what_wins_the_match_is_told_at_the_end() -> None:
    assert "has 250 points, or 200 where three or four play" in SCENES[-1].parts[-1].told[-1]


def test_of_two_bare_arms_the_name_is_said_to_who_types_the_other() -> None:
    shown = Terminal("6-2 D", "quit").learn(2)
    assert "\nD is the same as U while both are bare: say U.\n" in shown
