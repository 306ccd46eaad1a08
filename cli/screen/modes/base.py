"""What a mode of the screen is, what follows a key in it, and who holds the present one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from cli.screen.drawing.keys import KEYS, Act, Key, Label, act_of
from cli.screen.drawing.view import Desk, Front, Scroll, TableView, make_view
from cli.screen.line.look import Look
from cli.screen.modes.wishes import Asked, Recolour, Wish
from engine.strategy.view import SeatView

_RECOLOURED: Final = "Colours: {0}. `allfives config theme {0}` keeps them."
HASTY: Final = frozenset({Act.DO, Act.AGAIN, Act.LEAVE})


@dataclass(frozen=True, slots=True)
class Step:
    """What follows a key: the mode from then on, what the person wants, and a short word to the
    person ("": none, None: the one that is there stays)."""

    mode: "Mode"
    wish: Wish | None = None
    note: str | None = ""


@dataclass(frozen=True)
class Mode(ABC):
    """What the screen is about. It knows its own fields and the desk it is shown, nothing else;
    `keys` are those that it may know, `row` those that its bottom row tells."""

    keys: ClassVar[tuple[Key, ...]] = KEYS
    row: ClassVar[tuple[Label, ...]] = ()

    def leaving(self, desk: Desk) -> str:
        """The question to who wants to leave ("": none)."""
        return ""

    @abstractmethod
    def front(self, desk: Desk) -> Front:
        """What it shows: its sentence and its row of keys first of all."""

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """A key of the table, or a click on its label; `char` tells the keys of one act apart."""
        return Step(self)

    def key(self, name: str, desk: Desk) -> Step:
        """A key: as prompt_toolkit names it, or the character that it writes."""
        act = act_of(self.keys, name)
        return Step(self, note=None) if act is None else self.act(act, desk, name)

    @property
    def means(self) -> object:
        """What Enter, a click, `a` and `q` are about here: who presses them when that has just
        changed has meant what was there before."""
        return type(self)

    def is_hasty(self, name: str) -> bool:
        """Whether that key does not count so soon."""
        return act_of(self.keys, name) in HASTY

    def paste(self, text: str) -> Step:
        """A text that was pasted."""
        return Step(self, note=None)

    @property
    def asked(self) -> SeatView | None:
        """What the person sees who is asked for a move or a claim here; None: nobody is."""
        return None

    def click(self, on: int | str, desk: Desk) -> Step:
        """A click on a tile of the hand, the first one being 0, or on the open end of that name."""
        return Step(self, note=None)

    @property
    def ground(self) -> "Mode":
        """What lies below all that covers it."""
        return self

    def on(self, ground: "Mode") -> "Mode":
        """The same on another ground."""
        return ground


@dataclass(frozen=True)
class Cover(Mode):
    """A mode that lies over another one and ends with it."""

    over: Mode

    @property
    def ground(self) -> Mode:
        """What lies below all that covers it."""
        return self.over.ground

    def on(self, ground: Mode) -> Self:
        """The same on another ground."""
        return replace(self, over=self.over.on(ground))


class Holder(ABC):
    """Who holds the present mode, shows it, and hands it every key and click."""

    mode: Mode
    scroll = Scroll()
    look = Look()

    @property
    @abstractmethod
    def desk(self) -> Desk:
        """What the mode is shown."""

    @abstractmethod
    def note(self, text: str) -> None:
        """A short word to the person."""

    @abstractmethod
    def send(self, wish: Asked) -> None:
        """Something that the person wants."""

    def too_soon(self) -> bool:
        """Whether what the keys of `HASTY` mean has just changed."""
        return False

    def interrupt(self) -> bool:
        """Ctrl-C, which asks first; False where there is nothing to ask."""
        return False

    def view(self) -> TableView:
        """What to show now."""
        desk = self.desk
        return make_view(desk, self.mode.front(desk))

    def key(self, name: str) -> None:
        """A key, by its name or the character that it writes."""
        if self.mode.is_hasty(name) and self.too_soon():
            return
        self._take(self.mode.key(name, self.desk))

    def act(self, act: Act) -> None:
        """A click on the label of a key, or a turn of the wheel."""
        if act in HASTY and self.too_soon():
            return
        self._take(self.mode.act(act, self.desk))

    def paste(self, text: str) -> None:
        """A text that was pasted."""
        self._take(self.mode.paste(text))

    def click(self, on: int | str) -> None:
        """A click on a tile of the hand or an open end."""
        if self.too_soon():
            return
        self._take(self.mode.click(on, self.desk))

    def _take(self, step: Step) -> None:
        # The mode first: what is wanted may come back as something to show, before this ends.
        self.mode = step.mode
        if step.note is not None:
            self.note(step.note)
        match step.wish:
            case Recolour():
                self.look = self.look.next_theme()
                self.note(_RECOLOURED.format(self.look.theme))
            case None:
                pass
            case wish:
                self.send(wish)
