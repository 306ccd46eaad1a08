"""The keys of the screen: the one table from which bindings, key row and help are made."""

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
    PAUSE = "pause"
    FAIRNESS = "fairness"
    BELL = "bell"
    HELP = "help"
    LEAVE = "leave"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` as prompt_toolkit names them, `shown` for people, `label` in the key row ("": not
    there), `does` in the help ("": told by the key before)."""

    act: Act
    keys: tuple[str, ...]
    shown: str
    label: str
    does: str


KEYS: Final = (
    Key(Act.TILE, tuple("123456789"), "1-9", "tile", "choose that tile of your hand"),
    Key(Act.NEXT_TILE, ("right", "tab"), "arrows", "", "left, right: choose a tile"),
    Key(Act.PREVIOUS_TILE, ("left", "s-tab"), "", "", ""),
    Key(Act.NEXT_END, ("down",), "arrows", "", "up, down: choose the end for it"),
    Key(Act.PREVIOUS_END, ("up",), "", "", ""),
    Key(Act.END, tuple("lrud"), "l r u d", "end", "choose that end; again: 4U, 5U ..."),
    Key(Act.DO, ("enter", "space"), "Enter", "play", "play the chosen tile, draw, pass, go on"),
    Key(Act.HINT, ("h",), "h", "hint", "what a bot would play"),
    Key(Act.CHAT, ("c",), "c", "chat", "write to the others"),
    Key(Act.FAIRNESS, ("f",), "f", "fair?", "who shuffled, what was proven, fingerprints"),
    Key(Act.BELL, ("b",), "b", "", "a bell on your turn: on or off"),
    Key(Act.HELP, ("?",), "?", "help", "this page"),
    Key(Act.LEAVE, ("q",), "q", "quit", "leave; asks first"),
    Key(Act.BACK, ("escape",), "Esc", "", "close a page, stop writing"),
)
_MOUSE: Final = ("mouse", "click a tile, click an end; click again to play")
_SHOWN_WIDTH: Final = 9


def key_row() -> tuple[tuple[str, str], ...]:
    """What the bottom row shows: keys and what they do."""
    return tuple((key.shown, key.label) for key in KEYS if key.label)


def help_lines() -> tuple[str, ...]:
    """The page of help."""
    told = [(key.shown, key.does) for key in KEYS if key.does]
    return tuple(f"{shown:<{_SHOWN_WIDTH}}{does}" for shown, does in [*told, _MOUSE])
