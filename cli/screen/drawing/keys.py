"""The keys of the screen: the one table from which bindings, key row and help are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from cli.telling.doing import Deed, Moment


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
    RULES = "rules"
    SCORES = "scores"
    TIPS = "tips"
    MUTE = "mute"
    OUT = "out"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    WHEEL_UP = "wheel up"
    WHEEL_DOWN = "wheel down"
    BELL = "bell"
    THEME = "theme"
    HELP = "help"
    LEAVE = "leave"
    BACK = "back"
    STEP = "step"
    STEP_BACK = "step back"
    NEXT_HAND = "next hand"
    PREVIOUS_HAND = "previous hand"
    RUN = "run"
    JUMP = "jump"
    KEYS = "keys"
    FIRST = "first"
    LAST = "last"
    AGAIN = "again"
    PAUSE = "pause"
    REFUSE = "refuse"
    PARTNER = "partner"
    COPY = "copy"
    YES = "yes"
    NO = "no"
    REDRAW = "redraw"
    SUSPEND = "suspend"
    INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` as prompt_toolkit names them, `shown` for people, `does` in the help ("": told by
    another), `label` in the bottom row ("": never there); `deeds`: it is told in the help only
    where one of these can be done (none: always)."""

    act: Act
    keys: tuple[str, ...]
    shown: str
    does: str = ""
    label: str = ""
    deeds: frozenset[Deed] = frozenset()


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


_MOVES: Final = frozenset({Deed.PLAY, Deed.DRAW, Deed.PASS})
_CHOICES: Final = frozenset({Deed.PLAY, Deed.AHEAD})
_MORE: Final = frozenset({Deed.AGAIN, Deed.ADMIT})
_GUESTS: Final = frozenset({Deed.REFUSE, Deed.PARTNER})
_PAUSES: Final = frozenset({Deed.PAUSE, Deed.GO_ON})


def _one(deed: Deed) -> frozenset[Deed]:
    return frozenset({deed})


KEYS: Final[tuple[Key, ...]] = (
    Key(
        Act.DO, ("enter", "space"), "Enter", "play the chosen tile, draw, pass, go on", "do", _MOVES
    ),
    Key(
        Act.TILE,
        tuple("1234567890"),
        "1-9",
        "choose a tile; 0: the tenth; 1 again: 11 ...",
        "tile",
        _CHOICES,
    ),
    Key(
        Act.NEXT_TILE,
        ("right", "tab"),
        "arrows",
        "left, right: another tile; up, down: end",
        deeds=_CHOICES,
    ),
    Key(Act.PREVIOUS_TILE, ("left", "s-tab"), ""),
    Key(Act.NEXT_END, ("down",), ""),
    Key(Act.PREVIOUS_END, ("up",), ""),
    Key(Act.END, tuple("lrud"), "lrud", "choose an end", "end", _CHOICES),
    Key(Act.HINT, ("h",), "h", "what a bot would play", "hint", _one(Deed.HINT)),
    Key(Act.CHAT, ("c",), "c", "write to the others", "chat", _one(Deed.SAY)),
    Key(Act.PAUSE, ("p",), "p", "ask for a pause, agree, go on", "pause", _PAUSES),
    Key(Act.FAIRNESS, ("f",), "f", "who shuffled, what was proven, keys", "fair", _one(Deed.FAIR)),
    Key(Act.RULES, ("g",), "g", "the rules of this table", "rules", _one(Deed.RULES)),
    Key(Act.SCORES, ("t",), "t", "the score sheet of the hands so far", deeds=_one(Deed.SHEET)),
    Key(Act.TIPS, ("i",), "i", "tips", deeds=_one(Deed.TIPS)),
    Key(Act.PAGE_UP, ("pageup",), "PgUp", "the log; PgUp, PgDn, Home, End, the wheel scroll it"),
    Key(Act.PAGE_DOWN, ("pagedown",), ""),
    Key(Act.FIRST, ("home",), ""),
    Key(Act.LAST, ("end",), ""),
    Key(Act.WHEEL_UP, ("<scroll-up>",), ""),
    Key(Act.WHEEL_DOWN, ("<scroll-down>",), ""),
    Key(
        Act.MUTE,
        ("m",),
        "m",
        "what somebody writes is not shown, or is again",
        deeds=_one(Deed.MUTE),
    ),
    Key(
        Act.OUT,
        ("o",),
        "o",
        "go on without who is waited for too long; asks",
        deeds=_one(Deed.OUT),
    ),
    Key(Act.BELL, ("b",), "b", "a bell on your turn: on or off", deeds=_one(Deed.BELL)),
    Key(Act.THEME, ("v",), "v", "other colours"),
    Key(Act.REFUSE, ("x",), "x", "send away who is chosen; asks", "refuse", _one(Deed.REFUSE)),
    Key(Act.PARTNER, ("s",), "s", "play with who is chosen, or by lot", "side", _one(Deed.PARTNER)),
    Key(Act.COPY, ("y",), "y", "copy the invite", "copy invite", _one(Deed.COPY)),
    Key(Act.AGAIN, ("a",), "a", "another match; before it: let somebody sit again", "again", _MORE),
    Key(Act.HELP, ("?",), "?", "this page", "help"),
    Key(Act.BACK, ("escape", "c-d"), "Esc", "close a page, stop writing", "drop"),
    Key(Act.LEAVE, ("q",), "q", "leave; asks first", "quit"),
)
REPLAY_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.RUN, ("space",), "space", "plays and stops", "play"),
    Key(Act.STEP, ("right", "enter"), "right", "one step on; Enter too", "on"),
    Key(Act.STEP_BACK, ("left",), "left", "one step back", "back"),
    Key(Act.NEXT_HAND, ("down",), "down", "to the next hand"),
    Key(Act.PREVIOUS_HAND, ("up",), "up", "to the hand before"),
    Key(Act.JUMP, ("g",), "g", "jumps to a hand, or to a step: 3, s40", "jump"),
    Key(Act.FIRST, ("home",), "Home", "to the beginning"),
    Key(Act.LAST, ("end",), "End", "to the end"),
    Key(Act.PAGE_UP, ("pageup",), "PgUp", "the log; PgUp, PgDn, Home, End, the wheel scroll it"),
    Key(Act.WHEEL_UP, ("<scroll-up>",), ""),
    Key(Act.KEYS, ("?",), "?", "this page", "help"),
    Key(Act.THEME, ("v",), "v", "other colours"),
    Key(Act.LEAVE, ("q", "escape"), "q", "ends the replay", "quit"),
)
ANSWER_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.YES, ("y", "Y"), "y", label="yes"),
    Key(Act.NO, ("n", "N", "escape", "c-d"), "n", label="no"),
)
TERMINAL_KEYS: Final[tuple[Key, ...]] = (
    Key(Act.REDRAW, ("c-l",), "Ctrl-L", "draws all anew"),
    Key(Act.SUSPEND, ("c-z",), "Ctrl-Z", "back to the shell for a while; fg comes back"),
    Key(Act.INTERRUPT, ("c-c",), "Ctrl-C", "asks whether to leave; again: ends the program"),
)
"""What the application does by itself, whatever is shown."""

ALL_KEYS: Final = (*KEYS, *REPLAY_KEYS, *ANSWER_KEYS)
_MOUSE: Final = ("mouse", "click a tile or an end, again to play; click keys")
_SOMEBODY: Final = ("arrows", "left, right, 1-9: choose somebody")
_PAGE: Final = ("PgUp", "PgUp, PgDn, Home, End, the wheel scroll this page")
_SHOWN_WIDTH: Final = 9


def act_of(keys: Sequence[Key], name: str) -> Act | None:
    """What a key does, by its name or the character that it writes; None: nothing."""
    wanted = "space" if name == " " else name
    return next((key.act for key in keys if wanted in key.keys), None)


def key_row(
    keys: Sequence[Key],
    *acts: Act,
    do: str = "do",
    back: str = "drop",
    pause: str = "pause",
    leave: str = "quit",
) -> tuple[Label, ...]:
    """A bottom row: the keys of those acts in that order, else all; `do` is what Enter does,
    `back` what Esc, `pause` what p, `leave` what q."""
    by_act = {key.act: key for key in keys if key.label}
    chosen = [by_act[act] for act in acts or by_act]
    now = {Act.DO: do, Act.BACK: back, Act.PAUSE: pause, Act.LEAVE: leave}
    texts = (now.get(key.act, key.label) for key in chosen)
    return tuple(Label(key.shown, text, key.act) for key, text in zip(chosen, texts, strict=True))


def help_lines(moment: Moment) -> tuple[str, ...]:
    """What the keys do that do something now."""
    deeds = moment.deeds
    able = [key for key in KEYS if key.does and (not key.deeds or key.deeds & deeds)]
    told = [_SOMEBODY] if deeds & _GUESTS else []
    told += [_key_told(key, moment) for key in able]
    told += [(key.shown, key.does) for key in TERMINAL_KEYS]
    return _told([*told, *([_MOUSE] if deeds & _CHOICES else [])])


def _key_told(key: Key, moment: Moment) -> tuple[str, str]:
    """A key, and what it does at that moment: some rules leave ends out, and where there is no
    table to be seen the pages scroll."""
    match key.act:
        case Act.END:
            spinners = "every" if moment.rules is None else moment.rules.spinner
            shown = "lr" if spinners == "none" else key.shown
            return shown, f"{key.does}; again: 4U, 5U ..." if spinners == "every" else key.does
        case Act.PAGE_UP if not moment.at_table:
            return _PAGE
    return key.shown, key.does


def replay_help_lines() -> tuple[str, ...]:
    """The same of a replay."""
    told = [(key.shown, key.does) for key in (*REPLAY_KEYS, *TERMINAL_KEYS[:-1]) if key.does]
    return _told([*told, (TERMINAL_KEYS[-1].shown, "ends the program")])


def _told(keys: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{shown:<{_SHOWN_WIDTH}}{does}" for shown, does in keys)
