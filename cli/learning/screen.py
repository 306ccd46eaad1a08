"""Learning at the full screen: the table and the keys of a real match."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self

import trio

from cli.learning.lesson import Lesson
from cli.learning.plain import OVER
from cli.learning.scenes import Task
from cli.process.errors import DONE
from cli.screen.app import make_app
from cli.screen.bridge import Guest, run_guest
from cli.screen.drawing.keys import KEYS, Act, key_row
from cli.screen.drawing.panels import Panel
from cli.screen.drawing.view import Cursor, Desk, Front, choices, chosen
from cli.screen.line.look import Look
from cli.screen.modes.base import Holder, Mode, Step
from cli.screen.modes.covers import Scrolling
from cli.screen.modes.playing import NOTHING_CHOSEN, Turn
from cli.screen.modes.wishes import Answer, Enter, Hint, Wish
from cli.table.port import Leave
from cli.telling.ask import try_prompt
from cli.telling.doing import Deed, Situation
from engine.strategy.view import SeatView

_KEYS_TOLD: Final = (
    "Keys: a number or left and right choose a tile, up and down or its letter an end, and Enter "
    "plays it. Below each tile stands where it fits and what it scores. q leaves.",
)

_NO_QUESTION: Final = "Nothing is asked on this page; Enter goes on."

# There is nobody else at this table.
_TAUGHT: Final = frozenset(
    {Deed.PLAY, Deed.DRAW, Deed.PASS, Deed.LOG, Deed.SHEET, Deed.RULES, Deed.TIPS}
)


@dataclass(frozen=True)
class Telling(Scrolling):
    """A page between moves; Enter goes on."""

    panel: Panel
    row = key_row(KEYS, Act.DO, Act.LEAVE, do="go on")

    def leaving(self, desk: Desk) -> str:
        """Nothing is lost by leaving."""
        return ""

    def page(self, desk: Desk) -> Panel:
        """The page."""
        return self.panel

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """On to the question, or to the next scene."""
        if act is Act.HINT:
            return Step(self, note=_NO_QUESTION)
        return Step(self, Enter("")) if act is Act.DO else super().act(act, desk, char)


@dataclass(frozen=True)
class Trying(Turn):
    """A question that a move answers."""

    row = key_row(KEYS, Act.DO, Act.HINT, Act.HELP, Act.LEAVE, Act.TILE, Act.END)

    @classmethod
    def begun(cls, seen: SeatView, ahead: Cursor = NOTHING_CHOSEN) -> Self:
        """With nothing chosen: that is what is asked."""
        return cls(seen)

    def leaving(self, desk: Desk) -> str:
        """Nothing is lost by leaving."""
        return ""

    def front(self, desk: Desk) -> Front:
        """How to answer; the question stands above."""
        cursor = self.cursor
        prompt = try_prompt(self.seen, cursor.tile, chosen(self.seen, cursor))
        return replace(super().front(desk), prompt=prompt)

    def at(self, cursor: Cursor) -> Step:
        """Another tile comes without an end, where it fits on several."""
        several = len(choices(self.seen, cursor.tile)) > 1 if cursor.tile is not None else False
        anew = several and cursor.tile != self.cursor.tile
        return super().at(Cursor(cursor.tile) if anew else cursor)


class LessonScreen(Holder):
    """The lesson as the screen shows it; `leave` is called when the person leaves or is done."""

    def __init__(self, lesson: Lesson, leave: Callable[[], None]) -> None:
        self.lesson = lesson
        self._leave = leave
        self._note = ""
        self._over = False
        self.mode: Mode = self._telling()

    @property
    def desk(self) -> Desk:
        """The table of the scene."""
        position = self.lesson.position
        rules, asked = position.scene.rules, self.mode.ground.asked
        moment = Situation(position.scene, rules=rules, others=True, asked=asked).moment()
        moment = replace(moment, deeds=moment.deeds & _TAUGHT)
        desk = Desk(position.scene, log=tuple(position.log), note=self._note, moment=moment)
        return replace(desk, scroll=self.scroll)

    def front(self) -> Front:
        """What is asked now."""
        return self.mode.front(self.desk)

    def note(self, text: str) -> None:
        """A short word to the person."""
        asked = "" if isinstance(self.mode, Telling) else self._question
        self._note = f"{text} {asked}".strip()

    @property
    def _question(self) -> str:
        task = self.lesson.position.task
        return "" if task is None else task.question

    def send(self, wish: Wish) -> None:
        """Answers are judged; Enter on a page goes on."""
        match wish:
            case Leave():
                self._leave()
            case Answer(given) if not isinstance(given, int):
                asked = self.lesson.position.task
                self._follow(self.lesson.position.answer(given), asked)
            case Hint():
                # What the scene is about is all that helps: the answer is for the person to find.
                self.mode, self._note = self._telling(), ""
            case Enter():
                self._go_on()

    def _follow(self, told: list[str], asked: Task | None) -> None:
        """After a move: what was `asked` again, the next question, or what came of it."""
        position = self.lesson.position
        if position.task is None:
            lines = (*told, "", "That is it.")
            self.mode = Telling(Panel(self.lesson.title, lines, "Enter goes on."))
            self._note = ""
            return
        self.mode = Trying.begun(position.view)
        self._note = told[-1] if position.task is asked else self._question

    def _go_on(self) -> None:
        if self._over:
            self._leave()
        elif self.lesson.position.task is not None:
            self.mode = Trying.begun(self.lesson.position.view)
            self._note = self._question
        elif self.lesson.next():
            self.mode = self._telling()
        else:
            self._over = True
            self.mode = Telling(Panel("The whole game", (OVER,), "Enter ends it."))

    def _telling(self) -> Telling:
        position = self.lesson.position
        asked = (*position.part.told, "", self._question, "", *_KEYS_TOLD)
        return Telling(Panel(self.lesson.title, asked, "Enter shows the table."))


def learn_at_screen(lesson: Lesson, look: Look, mouse: bool) -> int:
    """All scenes, until the person has answered them or leaves; the exit code."""
    guest, left = Guest(), trio.Event()
    screen = LessonScreen(lesson, lambda: guest.call(left.set))
    screen.look = look
    app = make_app(screen, os.environ, mouse=mouse)

    async def main() -> int:
        await left.wait()
        return DONE

    return run_guest(app, guest, main)
