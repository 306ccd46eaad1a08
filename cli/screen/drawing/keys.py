"""The keys of the screen: the one table from which bindings, key row and help are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Act(Enum):
    """What a key does."""

    TILE = "tile"
    NEXT_TILE = "next tile"
    PREVIOUS_TILE = "previous tile"
    NEXT_END = "next end"
    PREVIOUS_END = "previous end"
    END = "end"
    DO = "do"
    HINT = "hint"
    CHAT = "chat"
    FAIRNESS = "fairness"
    BELL = "bell"
    HELP = "help"
    LEAVE = "leave"
    BACK = "back"
    STEP = "step"
    STEP_BACK = "step back"
    NEXT_HAND = "next hand"
    PREVIOUS_HAND = "previous hand"
    FIRST = "first"
    LAST = "last"
    AGAIN = "again"
    PAUSE = "pause"
    REFUSE = "refuse"
    PARTNER = "partner"
    COPY = "copy"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` as prompt_toolkit names them, `shown` for people, `does` in the help ("": told by
    another), `label` in the bottom row ("": never there)."""

    act: Act
    keys: tuple[str, ...]
    shown: str
    does: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Keys in the bottom row, and what they do now; one that stands for a single key can be
    clicked."""

    shown: str
    text: str
    act: Act

    @property
    def clicked(self) -> bool:
        """Whether a click on it is that key."""
        return self.act not in (Act.TILE, Act.END)


KEYS: Final[tuple[Key, ...]] = (
    Key(Act.DO, ("enter", "space"), "Enter", "play the chosen tile, draw, pass, go on", "do"),
    Key(Act.TILE, tuple("123456789"), "1-9", "choose a tile of your hand", "tile"),
    Key(Act.NEXT_TILE, ("right", "tab"), "arrows", "left, right: another tile; up, down: end"),
    Key(Act.PREVIOUS_TILE, ("left", "s-tab"), ""),
    Key(Act.NEXT_END, ("down",), ""),
    Key(Act.PREVIOUS_END, ("up",), ""),
    Key(Act.END, tuple("lrud"), "lrud", "choose an end; again: 4U, 5U ...", "end"),
    Key(Act.HINT, ("h",), "h", "what a bot would play", "hint"),
    Key(Act.CHAT, ("c",), "c", "write to the others", "chat"),
    Key(Act.PAUSE, ("p",), "p", "ask for a pause, agree, go on", "pause"),
    Key(Act.FAIRNESS, ("f",), "f", "who shuffled, what was proven, keys", "fair"),
    Key(Act.BELL, ("b",), "b", "a bell on your turn: on or off"),
    Key(Act.REFUSE, ("x",), "x", "the host sends somebody away", "refuse"),
    Key(Act.PARTNER, ("s",), "s", "the host's partner, or by lot", "side"),
    Key(Act.COPY, ("y",), "y", "the host copies the invite", "copy invite"),
    Key(Act.AGAIN, ("a",), "a", "after a match: another with the same people", "again"),
    Key(Act.HELP, ("?",), "?", "this page", "help"),
    Key(Act.BACK, ("escape",), "Esc", "close a page, stop writing", "drop"),
    Key(Act.LEAVE, ("q",), "q", "leave; asks first", "quit"),
)
REPLAY_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.STEP, ("right", "enter", "space"), "right", "one step on", "on"),
    Key(Act.STEP_BACK, ("left",), "left", "one step back", "back"),
    Key(Act.NEXT_HAND, ("down",), "down", "to the next hand", "hand"),
    Key(Act.PREVIOUS_HAND, ("up",), "up", "to the hand before", "hand"),
    Key(Act.FIRST, ("home",), "Home", "to the beginning"),
    Key(Act.LAST, ("end",), "End", "to the end"),
    Key(Act.LEAVE, ("q", "escape"), "q", "ends the replay", "quit"),
)
ANSWER_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.YES, ("y", "Y"), "y", label="yes"),
    Key(Act.NO, ("n", "N", "escape"), "n", label="no"),
)
ALL_KEYS: Final = (*KEYS, *REPLAY_KEYS, *ANSWER_KEYS)
_MOUSE: Final = ("mouse", "click a tile or an end, again to play; click keys")
_SHOWN_WIDTH: Final = 9


def act_of(keys: Sequence[Key], name: str) -> Act | None:
    """What a key does, by its name or the character that it writes; None: nothing."""
    wanted = "space" if name == " " else name
    return next((key.act for key in keys if wanted in key.keys), None)


def key_row(keys: Sequence[Key], *acts: Act, do: str = "do") -> tuple[Label, ...]:
    """A bottom row: the keys of those acts in that order, else all; `do` is what Enter does."""
    by_act = {key.act: key for key in keys if key.label}
    chosen = [by_act[act] for act in acts or by_act]
    texts = (do if key.act is Act.DO else key.label for key in chosen)
    return tuple(Label(key.shown, text, key.act) for key, text in zip(chosen, texts, strict=True))


def help_lines() -> tuple[str, ...]:
    """The page of help."""
    told = [(key.shown, key.does) for key in KEYS if key.does]
    return tuple(f"{shown:<{_SHOWN_WIDTH}}{does}" for shown, does in [*told, _MOUSE])
