"""What may lie over another mode: a question, a line that is being written, a page to be read."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from cli.process.lines import LONGEST_LINE
from cli.screen.drawing.keys import ANSWER_KEYS, KEYS, Act, key_row
from cli.screen.drawing.panels import (
    GOES_ON,
    Panel,
    fairness_panel,
    help_panel,
    log_panel,
    replay_help_panel,
    rules_panel,
    scores_panel,
    tips_panel,
)
from cli.screen.drawing.view import Desk, Front
from cli.screen.modes.base import Cover, Mode, Step
from cli.screen.modes.wishes import Bell, Enter, Recolour, Wish
from cli.table.port import Leave
from cli.telling.ask import NO_HINT, leave_match
from cli.telling.coding import written_on
from cli.telling.phrases import plural
from p2p.session.sitting.owner import Say
from p2p.wire.chat import CHAT_CHARACTERS

_ERASE: Final = "backspace"
_ROWS: Final = {Act.NEXT_END: 4, Act.PREVIOUS_END: -4, Act.WHEEL_DOWN: 3, Act.WHEEL_UP: -3}
_PAGES: Final = {Act.PAGE_DOWN: 1, Act.PAGE_UP: -1}
# Behind every row: the end of a page, wherever that is when it is drawn.
_END: Final = 1_000_000
_LONGEST: Final = f"A line has at most {CHAT_CHARACTERS} characters; what is more is left out."
_NEARLY_FULL: Final = 40
# So long before the end of one's clock a page says what comes: time to read that, and to choose.
_FEW_SECONDS: Final = 15
# The pages that a key opens, and closes again.
LIVE: Final[dict[Act, Callable[[Desk], Panel]]] = {
    Act.FAIRNESS: lambda desk: fairness_panel(desk.scene, desk.proofs),
    Act.HELP: lambda desk: help_panel(desk.moment),
    Act.RULES: lambda desk: rules_panel(desk.moment.rules),
    Act.SCORES: lambda desk: scores_panel(desk.hands, desk.scene),
    Act.TIPS: lambda desk: tips_panel(desk.moment.rules),
}
# And that of a replay's own keys.
_PAGES_OF: Final = LIVE | {Act.KEYS: lambda desk: replay_help_panel()}
LOG: Final = Act.PAGE_UP
LOG_TOPS: Final = {LOG: _END, Act.WHEEL_UP: _END, Act.FIRST: 0}


@dataclass(frozen=True)
class Question(Cover):
    """`yes` is what the person wants who says yes."""

    text: str
    yes: Wish
    keys = ANSWER_KEYS
    row = key_row(ANSWER_KEYS)

    @property
    def means(self) -> object:
        """Each question is another one."""
        return self.text

    def front(self, desk: Desk) -> Front:
        """The question, above what it is about."""
        below = self.over.front(desk)
        asks = replace(below, prompt=self.text, row=self.row, tells=frozenset())
        return replace(asks, urgent=True, typed=None)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """The answer."""
        if act not in (Act.YES, Act.NO):
            return Step(self, note=None)
        return Step(self.over, self.yes if act is Act.YES else None, note=None)


@dataclass(frozen=True)
class Text(Mode):
    """A mode in which letters are letters of `text`; Enter sends it, Esc drops it."""

    text: str = field(default="", kw_only=True)
    row = key_row(KEYS, Act.DO, Act.BACK, do="send")

    def key(self, name: str, desk: Desk) -> Step:
        """A letter of the text, or a key."""
        if name == _ERASE:
            return Step(replace(self, text=self.text[:-1]), note=None)
        return self.paste(name) if len(name) == 1 else super().key(name, desk)

    def is_hasty(self, name: str) -> bool:
        """Letters are no keys, and who has written knows what Enter sends."""
        return name == "enter" and not self.text

    def paste(self, text: str) -> Step:
        """More of the text; control characters never come into it, and a line break, as any white
        space, is a space."""
        spaced = "".join(" " if char.isspace() else char for char in text)
        kept = "".join(char for char in spaced if char.isprintable())
        whole = self.text + kept
        note = None if len(whole) <= CHAT_CHARACTERS else _LONGEST
        return Step(replace(self, text=whole[:CHAT_CHARACTERS]), note=note)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Enter and Esc alone."""
        if act is Act.DO:
            return self.sent(self.text.strip(), desk)
        return self.dropped() if act is Act.BACK else Step(self, note=None)

    @abstractmethod
    def sent(self, text: str, desk: Desk) -> Step:
        """Enter."""

    def dropped(self) -> Step:
        """Esc: what was written is gone."""
        return Step(replace(self, text=""))


@dataclass(frozen=True)
class Writing(Cover, Text):
    """A line of chat."""

    def front(self, desk: Desk) -> Front:
        """The line, below what is seen meanwhile."""
        left = CHAT_CHARACTERS - len(self.text)
        room = f" {plural(left, 'character')} left." if left < _NEARLY_FULL else ""
        prompt = f"Write to the others; Enter sends it, Esc drops it.{room}"
        below = replace(self.over.front(desk), tells=frozenset())
        return replace(below, prompt=prompt, row=self.row, typed=self.text)

    def sent(self, text: str, desk: Desk) -> Step:
        """To the others, unless it is empty."""
        return Step(self.over, Say(text) if text else None)

    def dropped(self) -> Step:
        """Back to what was there before."""
        return Step(self.over)


@dataclass(frozen=True)
class Entering(Cover, Text):
    """The line that is asked for before a match; what was told last is the question. An invite with
    many addresses is longer than any chat."""

    def paste(self, text: str) -> Step:
        """More of the line, without what a line cannot have."""
        kept = "".join(char for char in text if char.isprintable())
        return Step(replace(self, text=(self.text + kept)[:LONGEST_LINE]), note=None)

    def key(self, name: str, desk: Desk) -> Step:
        """A letter, or Tab, which writes a word of a code on."""
        if name == "tab":
            text, told = written_on(self.text)
            return Step(replace(self, text=text), note=told)
        return super().key(name, desk)

    def front(self, desk: Desk) -> Front:
        """The line, below the page with the question."""
        prompt = "Type your answer; Enter sends it, Esc drops it, Ctrl-C leaves."
        return replace(self.over.front(desk), prompt=prompt, row=self.row, typed=self.text)

    def sent(self, text: str, desk: Desk) -> Step:
        """The answer."""
        return Step(self.over, Enter(text))


@dataclass(frozen=True)
class Reading(Mode):
    """Where letters are keys."""

    def leaving(self, desk: Desk) -> str:
        """What leaving the match means."""
        return leave_match(desk.parting)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """The keys that do the same in each of them."""
        match act:
            case Act.HINT:
                return Step(self, note=NO_HINT)
            case act if act in LIVE:
                return Step(with_page(self, act))
            case Act.BELL:
                return Step(self, Bell())
            case Act.THEME:
                return Step(self, Recolour())
            case Act.LEAVE if question := self.leaving(desk):
                return Step(Question(self, question, Leave()))
            case Act.LEAVE:
                return Step(self, Leave())
        return super().act(act, desk, char)


@dataclass(frozen=True)
class Scrolling(Reading):
    """Where a page covers the table, shown from its row `top` on."""

    top: int = field(default=0, kw_only=True)

    @abstractmethod
    def page(self, desk: Desk) -> Panel:
        """The page."""

    def front(self, desk: Desk) -> Front:
        """The page, and what can be done about it."""
        page = self.page(desk)
        return Front(page.prompt, self.row, panel=page, top=self.top)

    def key(self, name: str, desk: Desk) -> Step:
        """A key; Space goes through a page that is longer than the screen."""
        scrolls = name == " " and desk.scroll.last > 0
        return self.act(Act.PAGE_DOWN, desk) if scrolls else super().key(name, desk)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Other rows."""
        scroll = desk.scroll
        if act in (Act.FIRST, Act.LAST):
            return Step(replace(self, top=0 if act is Act.FIRST else _END))
        by = _ROWS.get(act, _PAGES.get(act, 0) * max(1, scroll.rows - 1))
        if by:
            top = min(self.top, scroll.last) + by
            return Step(replace(self, top=max(0, min(top, scroll.last))))
        return super().act(act, desk, char)


@dataclass(frozen=True)
class Page(Scrolling, Cover):
    """A page to be read and closed; what is not about it means what it means below. It is `about`
    what has ended, or is the one that this key opens, as things are now."""

    about: Panel | Act
    row = key_row(KEYS, Act.DO, Act.LEAVE, do="back")
    _row_on = key_row(KEYS, Act.DO, Act.LEAVE, do="go on")

    @property
    def means(self) -> object:
        """Another page is another thing to close."""
        return self.about.title if isinstance(self.about, Panel) else self.about

    def page(self, desk: Desk) -> Panel:
        """The page."""
        if isinstance(self.about, Panel):
            return self.about
        return log_panel(desk.log) if self.about is LOG else _PAGES_OF[self.about](desk)

    def front(self, desk: Desk) -> Front:
        """Who reads it is told that all wait for a move."""
        front, urgent = super().front(desk), self.over.front(desk).urgent
        turn = f"It is your turn{_in_time(desk.clock)}. " if urgent else ""
        row = self._row_on if front.prompt == GOES_ON else self.row
        return replace(front, prompt=f"{turn}{front.prompt}", urgent=urgent, row=row)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Enter or Esc closes it."""
        match act:
            case Act.DO | Act.BACK:
                return Step(self.over)
            case act if act is self.about and act is not LOG:
                return Step(self.over)
            case Act.HELP if self.about is Act.KEYS:
                return Step(self.over)
            case Act.HINT | Act.CHAT | Act.PAUSE | Act.LEAVE | Act.MUTE | Act.OUT:
                step = self.over.act(act, desk, char)
                above = step.mode
                mode = replace(above, over=self) if isinstance(above, Cover) else self
                return replace(step, mode=mode)
        return super().act(act, desk, char)


def _in_time(clock: int | None) -> str:
    """What follows if a page is read on for the seconds of the `clock`, once those are few."""
    if clock is None or clock > _FEW_SECONDS:
        return ""
    return f": in {plural(clock, 'second')} it is decided for you"


def with_page(mode: Mode, about: Panel | Act, top: int = 0) -> Mode:
    """The mode with that page over its ground, instead of the one that is there; whatever lies
    over the page stays."""
    if isinstance(mode, Page):
        return replace(mode, about=about, top=top)
    if isinstance(mode, Cover):
        return replace(mode, over=with_page(mode.over, about, top))
    return Page(mode, about, top=top)


def given_way(mode: Mode) -> Mode:
    """What lies below the page of the end of a hand, else the same mode."""
    if isinstance(mode, Page) and isinstance(mode.about, Panel) and mode.about.ended:
        return mode.over
    return mode


def log_step(mode: Mode, act: Act) -> Step:
    """The log over the table, at its end or its beginning, as one of the keys of `LOG_TOPS` has
    it."""
    return Step(with_page(mode, LOG, LOG_TOPS[act]))
