"""Learning in plain lines."""

from collections.abc import Callable
from typing import Final

from cli.learning.lesson import Lesson, Position
from cli.process.errors import DONE
from cli.process.output import tell
from cli.telling.phrases import tiles_text
from cli.telling.prompts import only_move, understood
from cli.telling.words import line_text
from engine.errors import EngineError
from engine.moves import Play
from engine.wording import sentence

HELP: Final = (
    "A move is a tile and an end: 6-4 R. Or: draw, pass. A tile alone will do where it fits one "
    "end only. hand and line show both again, hint tells again what the scene is about, skip goes "
    "to the next scene, quit leaves."
)
OVER: Final = (
    "That is the whole game. `allfives play` is a match against a bot, where ? or help tells more; "
    "`allfives rules` says every rule, `allfives` alone is the menu."
)

# At a table Enter makes the only move; here it is the answer.
_WRITE: Final = "Write the tile that fits, and its end."


def learn_in_lines(
    lesson: Lesson,
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = tell,
) -> int:
    """All scenes, until the person has answered them or leaves; the exit code."""
    show(HELP)
    going = True
    while going:
        show(f"\n== {lesson.title} ==")
        show("\n".join(lesson.position.part.told))
        for line in lesson.position.log:
            show(line)
        try:
            answered = _answer(lesson.position, ask, show)
        except EOFError:
            return DONE
        if answered is None:
            return DONE
        going = lesson.next()
    show(f"\n{OVER}")
    return DONE


def _answer(
    position: Position, ask: Callable[[str], str], show: Callable[[str], None]
) -> bool | None:
    """The questions of one position; False: skipped, None: the person leaves."""
    fresh = True
    while (task := position.task) is not None:
        if fresh:
            show("\n".join(table_lines(position)))
        show(task.question)
        line = ask("> ").strip()
        word, fresh = line.lower(), False
        if word in ("quit", "q"):
            return None
        if word == "skip":
            return False
        if word in ("help", "?"):
            show(HELP)
        elif word == "hint":
            show("\n".join(position.part.told))
        elif word in ("hand", "line"):
            fresh = True
        elif not line and isinstance(only_move(position.view), Play):
            show(_WRITE)
        else:
            try:
                move = understood(position.view, line)
            except EngineError as error:
                show(sentence(error))
            else:
                show("\n".join(position.answer(move)))
    return True


def table_lines(position: Position) -> list[str]:
    """The line with its ends, and the hand; the sum is for the person to make."""
    held = position.scene.hands[0]
    hand = [f"Your hand: {tiles_text(held)}"] if held is not None else []
    return [*line_text(position.scene.table_line, counted=False), *hand]
