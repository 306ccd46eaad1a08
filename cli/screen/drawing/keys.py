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


class Mode(Enum):
    """What the screen is about, which decides which keys the bottom row shows."""

    TURN = "turn"
    WAIT = "wait"
    PAGE = "page"
    TYPING = "typing"
    LOBBY = "lobby"
    HOSTING = "hosting"
    PAIRING = "pairing"
    OVER = "over"
    OFFER = "offer"
    QUESTION = "question"
    REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` as prompt_toolkit names them, `shown` for people, `does` in the help ("": told by
    another), `labels` what the bottom row calls it in which mode."""

    act: Act
    keys: tuple[str, ...]
    shown: str
    does: str
    labels: tuple[tuple[Mode, str], ...] = ()


def _in(label: str, *modes: Mode) -> tuple[tuple[Mode, str], ...]:
    return tuple((mode, label) for mode in modes)


_PLAYING: Final = (Mode.TURN, Mode.WAIT)
_ENDED: Final = (Mode.OVER, Mode.OFFER)
_HOSTING: Final = (Mode.HOSTING, Mode.PAIRING)
_LOBBY: Final = (Mode.LOBBY, *_HOSTING)
KEYS: Final[tuple[Key, ...]] = (
    Key(
        Act.DO,
        ("enter", "space"),
        "Enter",
        "play the chosen tile, draw, pass, go on",
        (
            *_in("do", Mode.TURN),
            *_in("back", Mode.PAGE),
            *_in("send", Mode.TYPING),
            *_in("end", *_ENDED),
        ),
    ),
    Key(Act.TILE, tuple("123456789"), "1-9", "choose a tile of your hand", _in("tile", Mode.TURN)),
    Key(Act.NEXT_TILE, ("right", "tab"), "arrows", "left, right: another tile; up, down: end"),
    Key(Act.PREVIOUS_TILE, ("left", "s-tab"), "", ""),
    Key(Act.NEXT_END, ("down",), "", ""),
    Key(Act.PREVIOUS_END, ("up",), "", ""),
    Key(Act.END, tuple("lrud"), "lrud", "choose an end; again: 4U, 5U ...", _in("end", Mode.TURN)),
    Key(Act.HINT, ("h",), "h", "what a bot would play", _in("hint", Mode.TURN)),
    Key(Act.CHAT, ("c",), "c", "write to the others", _in("chat", *_PLAYING, Mode.OFFER)),
    Key(Act.PAUSE, ("p",), "p", "ask for a pause, agree, go on", _in("pause", *_PLAYING)),
    Key(Act.FAIRNESS, ("f",), "f", "who shuffled, what was proven, keys", _in("fair", *_PLAYING)),
    Key(Act.BELL, ("b",), "b", "a bell on your turn: on or off"),
    Key(Act.REFUSE, ("x",), "x", "the host sends somebody away", _in("refuse", *_HOSTING)),
    Key(Act.PARTNER, ("s",), "s", "the host's partner, or by lot", _in("side", Mode.PAIRING)),
    Key(
        Act.AGAIN,
        ("a",),
        "a",
        "after a match: another with the same people",
        _in("again", Mode.OFFER),
    ),
    Key(Act.HELP, ("?",), "?", "this page", _in("help", *_PLAYING, *_LOBBY)),
    Key(Act.BACK, ("escape",), "Esc", "close a page, stop writing", _in("drop", Mode.TYPING)),
    Key(
        Act.LEAVE,
        ("q",),
        "q",
        "leave; asks first",
        _in("quit", *_PLAYING, Mode.PAGE, *_ENDED, *_LOBBY),
    ),
)
_STEPPING: Final = (Mode.REPLAY,)
REPLAY_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.STEP, ("right", "enter", "space"), "right", "one step on", _in("on", *_STEPPING)),
    Key(Act.STEP_BACK, ("left",), "left", "one step back", _in("back", *_STEPPING)),
    Key(Act.NEXT_HAND, ("down",), "down", "to the next hand", _in("hand", *_STEPPING)),
    Key(Act.PREVIOUS_HAND, ("up",), "up", "to the hand before", _in("hand", *_STEPPING)),
    Key(Act.FIRST, ("home",), "Home", "to the beginning"),
    Key(Act.LAST, ("end",), "End", "to the end"),
    Key(Act.LEAVE, ("q", "escape"), "q", "ends the replay", _in("quit", *_STEPPING)),
)
_MOUSE: Final = ("mouse", "click a tile or an end, again to play; click keys")
_ANSWERS: Final = (("y", "yes", None), ("n", "no", None))
_SHOWN_WIDTH: Final = 9


def key_row(mode: Mode) -> tuple[tuple[str, str, Act | None], ...]:
    """What the bottom row shows: keys and what they do now, those told elsewhere last."""
    if mode is Mode.QUESTION:
        return _ANSWERS
    keys = REPLAY_KEYS if mode is Mode.REPLAY else KEYS
    by_need = sorted(keys, key=lambda key: key.act in (Act.TILE, Act.END))
    return tuple(
        (key.shown, label, key.act) for key in by_need for at, label in key.labels if at is mode
    )


def help_lines() -> tuple[str, ...]:
    """The page of help."""
    told = [(key.shown, key.does) for key in KEYS if key.does]
    return tuple(f"{shown:<{_SHOWN_WIDTH}}{does}" for shown, does in [*told, _MOUSE])
