"""Where a person is in the menu: pages on top of each other, a question, what was chosen."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cli.process.errors import Stop


@dataclass(frozen=True)
class Run:
    """A command line to run; the menu comes back after it, at once if it is `silent`: who leaves it
    at the screen has seen all that it shows."""

    arguments: tuple[str, ...]
    silent: bool = False


@dataclass(frozen=True)
class Back:
    """To the page before; from the first one out of the menu."""

    note: str = ""


@dataclass(frozen=True)
class Stay:
    """The same page again, which may tell something else now; `note` for the person."""

    note: str = ""


@dataclass(frozen=True)
class Ask:
    """A question, answered by a line; what is `usual` is taken for an empty one. `code`: words of
    a code may be in the answer, which Tab writes on."""

    question: str
    then: "Callable[[str], Go]"
    usual: str = ""
    code: bool = False


@dataclass(frozen=True)
class Open:
    """A page on top of this one; it is made anew whenever it is shown."""

    make: "Callable[[], Page]"


Go = Run | Back | Stay | Ask | Open
"""What follows a choice or an answer."""


@dataclass(frozen=True)
class Entry:
    """Something to choose: the word that is typed for it, what it does, what follows; `more` about
    it, which the screen tells of the chosen one."""

    word: str
    text: str
    go: Callable[[], Go]
    more: str = ""


@dataclass(frozen=True)
class Page:
    """A page of the menu. `lines` stand above the entries. `live`: it changes by itself."""

    title: str
    entries: tuple[Entry, ...]
    lines: tuple[str, ...] = ()
    live: bool = False


WORDS_BACK: Final = ("back", "b")
# They read the page again, where none of its entries is called so.
WORDS_AGAIN: Final = ("", "list", "help", "?")
WORDS_QUIT: Final = ("quit", "q")
NOTHING_BEHIND: Final = "Nothing is behind this page; q leaves."


@dataclass
class Walk:
    """A way through the menu. `run` is the command line to run next, `over` that the person
    leaves; `asked` the question that waits for a line; `read` the pages that are known to who hears
    them in lines, each as it was told last."""

    first: Callable[[], Page]
    asked: Ask | None = None
    note: str = ""
    run: Run | None = None
    over: bool = False
    read: list[Page] = field(default_factory=list)
    _pages: list[Callable[[], Page]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pages = [self.first]
        self.page = self.first()

    def answer(self, line: str) -> None:
        """What was typed: the answer to a question, or a choice by number, word or its begin. What
        leaves or goes back does so in a question too; `allfives id` takes such a name."""
        self.note = ""
        word = " ".join(line.split()).lower()
        if word in WORDS_QUIT:
            self.over = True
        elif word in WORDS_BACK:
            if self.may_go_back:
                self.back()
            else:
                self.note = NOTHING_BEHIND
        elif self.asked is not None:
            asked, self.asked = self.asked, None
            self._try(lambda: asked.then(line.strip() or asked.usual), again=asked)
        else:
            found = self._entry(word) if word else None
            if found is not None:
                self._try(found.go)
            elif word in WORDS_AGAIN:
                self._follow(Stay())
            else:
                count = len(self.page.entries)
                numbers = "1" if count == 1 else f"a number from 1 to {count}"
                self.note = f"Type {numbers}, or the word beside it."

    def back(self) -> None:
        """Drop the question, or leave the page; what was told last is told no more."""
        self.note = ""
        if self.asked is not None:
            self.asked = None
        else:
            self._follow(Back())

    @property
    def may_go_back(self) -> bool:
        """Whether there is a question to drop, or a page below this one."""
        return self.asked is not None or not self.is_first

    @property
    def is_first(self) -> bool:
        """Whether this is the page below all others."""
        return len(self._pages) == 1

    @property
    def depth(self) -> int:
        """How many pages lie on each other."""
        return len(self._pages)

    def again(self) -> None:
        """Make the page anew, after what it tells may have changed."""
        self.run = None
        self.page = self._pages[-1]()

    def _entry(self, word: str) -> Entry | None:
        entries = self.page.entries
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(entries):
            return entries[int(word) - 1]
        begin = [one for one in entries if one.word.lower().startswith(word)]
        exact = [one for one in begin if one.word.lower() == word]
        return exact[0] if exact else begin[0] if len(begin) == 1 else None

    def _try(self, go: Callable[[], Go], again: Ask | None = None) -> None:
        """What follows; a refusal is told, and what was asked is asked again."""
        try:
            follows = go()
        except Stop as stop:
            self.note, self.asked = stop.sentence, again
        else:
            self._follow(follows)

    def _follow(self, go: Go) -> None:
        match go:
            case Run():
                self.run = go
                return
            case Ask():
                self.asked = go
                return
            case Open(make=make):
                self._pages.append(make)
            case Back(note=note):
                self.note = note
                if self.is_first:
                    self.over = True
                    return
                self._pages.pop()
            case Stay(note=note):
                self.note = note
        self.page = self._pages[-1]()
