"""The style sheet: what the classes of the renderer look like. Colour is never the only sign."""

from collections.abc import Mapping
from typing import Final

_COLOURED: Final = {
    "bar": "bg:ansiblue fg:ansiwhite",
    "bar.key": "bg:ansiblue fg:ansiwhite bold",
    "title": "bold",
    "faint": "fg:ansibrightblack",
    "note": "fg:ansiyellow",
    "ask": "",
    "ask.now": "bold fg:ansigreen",
    "count": "bold",
    "player": "",
    "player.turn": "bold fg:ansigreen",
    "player.away": "fg:ansired",
    "tile": "",
    "tile.last": "bold fg:ansicyan",
    "end": "fg:ansimagenta",
    "end.chosen": "reverse bold",
    "hand": "fg:ansibrightblack",
    "hand.fits": "",
    "hand.chosen": "reverse bold",
}
_PLAIN: Final = {
    "bar": "reverse",
    "bar.key": "reverse bold",
    "title": "bold",
    "ask.now": "bold",
    "count": "bold",
    "player.turn": "bold",
    "tile.last": "bold",
    "end.chosen": "reverse",
    "hand.chosen": "reverse",
}
_CLASSES: Final = tuple(_COLOURED)


def style_rules(environment: Mapping[str, str]) -> dict[str, str]:
    """By class what prompt_toolkit shall do; with NO_COLOR (not empty) no colour at all.

    Dots are dashes here: prompt_toolkit reads a dotted class as several.
    """
    chosen = _PLAIN if environment.get("NO_COLOR") else _COLOURED
    return {style_class(name): chosen.get(name, "") for name in _CLASSES}


def style_class(name: str) -> str:
    """The name of a class of the renderer in the style sheet."""
    return name.replace(".", "-")
