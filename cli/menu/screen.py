"""The menu at the full screen: the same pages, chosen with arrows, numbers or first letters."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

import trio

from cli.menu.walk import WORDS_QUIT, Entry, Page, Walk
from cli.process.errors import DONE
from cli.screen.app import make_app
from cli.screen.bridge import Guest, run_guest
from cli.screen.drawing.keys import KEYS, Act, Key, key_row
from cli.screen.drawing.panels import Panel
from cli.screen.drawing.render import SMALLEST
from cli.screen.drawing.view import Desk, Front, TableView, make_view
from cli.screen.line.canvas import wrapped
from cli.screen.line.look import Look
from cli.screen.modes.base import Holder, Mode, Step
from cli.screen.modes.covers import Entering
from cli.screen.modes.wishes import Enter, Wish
from cli.table.port import Leave
from cli.telling.scene import Scene

MENU_KEYS: Final = (
    Key(Act.DO, ("enter", "space", "right"), "Enter", "", "choose"),
    Key(Act.NEXT_END, ("down", "tab"), "arrows", "", "move"),
    Key(Act.PREVIOUS_END, ("up", "s-tab"), ""),
    Key(Act.TILE, tuple("123456789"), "1-9", "", "choose"),
    Key(Act.BACK, ("escape", "left", "backspace", "c-d"), "Esc", "", "back"),
    Key(Act.LEAVE, ("q",), "q", "", "quit"),
)
# Rows of the screen that are no rows of the page: title, its own, what can be done, keys.
_AROUND: Final = 8
_MARGIN: Final = 4


@dataclass(frozen=True)
class Choosing(Mode):
    """A page of the menu, its entry `at` chosen; `first`: nothing is behind it."""

    page: Page
    note: str = ""
    at: int = 0
    first: bool = False
    keys = MENU_KEYS
    row = key_row(MENU_KEYS, Act.DO, Act.NEXT_END, Act.TILE, Act.BACK, Act.LEAVE, back="back")

    def front(self, desk: Desk) -> Front:
        """The page, with the chosen entry marked."""
        entries = self.page.entries
        width = max(len(one.word) for one in entries)
        rows = [
            f"{'>' if at == self.at else ' '} {_key_of(at, one):>2} {one.word:{width}}  {one.text}"
            for at, one in enumerate(entries)
        ]
        above = [*self.page.lines, *([""] if self.page.lines else [])]
        chosen = entries[self.at]
        prompt = self.note or f"Enter: {chosen.word}. {chosen.more}".rstrip()
        panel = Panel(self.page.title, (*above, *rows), prompt)
        row = tuple(one for one in self.row if not (self.first and one.act is Act.BACK))
        return Front(prompt, row, urgent=bool(self.note), panel=panel)

    def scrolled(self, front: Front, width: int, height: int) -> Front:
        """The same on a terminal of that size, the chosen entry in view."""
        assert front.panel is not None, "a page of the menu"
        after = len(self.page.entries) - self.at - 1
        until = front.panel.lines[: len(front.panel.lines) - after]
        rows = sum(len(wrapped(line, width - _MARGIN)) for line in until)
        return replace(front, top=max(0, rows - (height - _AROUND)))

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Another entry, or what the chosen one does."""
        count = len(self.page.entries)
        match act:
            case Act.DO:
                return Step(self, Enter(str(self.at + 1)))
            case Act.NEXT_END | Act.PREVIOUS_END:
                by = 1 if act is Act.NEXT_END else -1
                return Step(replace(self, at=(self.at + by) % count, note=""))
            case Act.TILE if int(char) <= count:
                return Step(replace(self, at=int(char) - 1), Enter(char))
            case Act.BACK:
                return Step(self, Enter("back"))
            case Act.LEAVE:
                return Step(self, Leave())
        return Step(self)

    def key(self, name: str, desk: Desk) -> Step:
        """A key, or the first letter of an entry, which chooses it."""
        step = super().key(name, desk)
        if step.mode is not self or step.wish is not None or len(name) != 1:
            return step
        words = [one.word.lower() for one in self.page.entries]
        begins = [at for at, word in enumerate(words) if word.startswith(name.lower())]
        later = [at for at in begins if at > self.at]
        return Step(replace(self, at=(later or begins)[0], note="")) if begins else step


def _key_of(at: int, entry: Entry) -> str:
    """The key that does at once what an entry does: there is none for a tenth one."""
    if entry.word in WORDS_QUIT:
        return "q"
    return str(at + 1) if at < 9 else ""


@dataclass(frozen=True)
class Asking(Entering):
    """A question of the menu; `code` as `Ask` has it."""

    question: str
    code: bool = False
    row = key_row(KEYS, Act.DO, Act.BACK, do="send", back="back")

    def key(self, name: str, desk: Desk) -> Step:
        """Tab is about words of a code alone."""
        return Step(self) if name == "tab" and not self.code else super().key(name, desk)

    def front(self, desk: Desk) -> Front:
        """The question and what is typed, below the page."""
        below = self.over.front(desk)
        note = f"{below.prompt} " if below.urgent else ""
        prompt = f"{note}{self.question}"
        return replace(below, prompt=prompt, row=self.row, urgent=True, typed=self.text)

    def dropped(self) -> Step:
        """No answer."""
        return Step(self.over, Enter("back"))


class MenuScreen(Holder):
    """The menu as the screen shows it; `done` is called when there is something to run, `live` when
    a page is shown that changes by itself."""

    def __init__(
        self,
        walk: Walk,
        done: Callable[[], None],
        live: Callable[[], None],
        size: Callable[[], tuple[int, int]] = lambda: SMALLEST,
    ) -> None:
        self.walk = walk
        self._size = size
        self._done, self._live = done, live
        self._desk = Desk(Scene())
        self.mode = self._mode(Choosing(walk.page, walk.note, first=walk.is_first))

    @property
    def desk(self) -> Desk:
        """There is no table."""
        return self._desk

    def view(self) -> TableView:
        """What to show now, on a terminal of this size."""
        front, ground = self.mode.front(self._desk), self.mode.ground
        assert isinstance(ground, Choosing), "the ground is a page"
        return make_view(self._desk, ground.scrolled(front, *self._size()))

    def note(self, text: str) -> None:
        """Notes are those of the walk."""

    def interrupt(self) -> bool:
        """Ctrl-C goes back; where nothing is behind, it ends the program."""
        if not self.walk.may_go_back:
            return False
        self.key("escape")
        return True

    def send(self, wish: Wish) -> None:
        """An answer or a choice; who leaves leaves the menu."""
        match wish:
            case Leave():
                self.walk.over = True
            case Enter(line):
                self.walk.answer(line)
        if self.walk.over or self.walk.run is not None:
            self._done()
            return
        if self.walk.page.live:
            self._live()
        self.show()

    def show(self) -> None:
        """Show where the walk is, the same entry chosen if the page is the same one."""
        walk, ground = self.walk, self.mode.ground
        at = 0
        if isinstance(ground, Choosing) and ground.page.title == walk.page.title:
            word = ground.page.entries[ground.at].word
            words = [one.word for one in walk.page.entries]
            at = words.index(word) if word in words else 0
        choosing = Choosing(walk.page, walk.note, at, walk.is_first)
        written = self.mode.text if isinstance(self.mode, Asking) else ""
        same = isinstance(self.mode, Asking) and walk.asked is not None
        mode = self._mode(choosing)
        self.mode = replace(mode, text=written) if isinstance(mode, Asking) and same else mode

    def _mode(self, choosing: Choosing) -> Mode:
        asked = self.walk.asked
        return choosing if asked is None else Asking(choosing, asked.question, asked.code)


def stroll(walk: Walk, look: Look, find: Callable[[], Awaitable[None]], mouse: bool = True) -> None:
    """Show the menu until there is something to run or the person leaves. `find` finds once more
    what a live page shows; it is called again and again from when one has been opened."""
    guest, done, live = Guest(), trio.Event(), trio.Event()

    def size() -> tuple[int, int]:
        now = app.output.get_size()
        return now.columns, now.rows

    screen = MenuScreen(walk, lambda: guest.call(done.set), lambda: guest.call(live.set), size)
    screen.look = look
    app = make_app(screen, os.environ, mouse=mouse)

    async def finding() -> None:
        await live.wait()
        while True:
            await find()
            if walk.page.live and walk.run is None:
                walk.again()
                screen.show()
                app.invalidate()

    async def main() -> int:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(finding)
            await done.wait()
            nursery.cancel_scope.cancel()
        return DONE

    run_guest(app, guest, main)
