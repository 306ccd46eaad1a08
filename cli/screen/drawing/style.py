"""The style sheets: what the classes of the renderer look like. Colour is never the only sign.

What is less important is dim, never bright black: that is the background in some palettes. The
themes with colours of their own leave the terminal's background alone.
"""

from dataclasses import dataclass
from typing import Final

from cli.screen.line.look import THEMES, Theme


@dataclass(frozen=True, slots=True)
class _Palette:
    """Colours as prompt_toolkit has them, what is `faint` as a style; `bar` is the background of
    the bars, `ink` what is written on it."""

    bar: str
    ink: str
    faint: str
    note: str
    turn: str
    away: str
    last: str
    end: str


_PALETTES: Final[dict[Theme, _Palette]] = {
    "auto": _Palette(
        "ansiblue", "ansiwhite", "dim", "ansiyellow", "ansigreen", "ansired", "ansicyan",
        "ansimagenta",
    ),
    "light": _Palette(
        "#1f4e8c", "#ffffff", "fg:#5f5f5f", "#7a4b00", "#1b6e1b", "#b00020", "#00616e", "#8a1c7c"
    ),
    "dark": _Palette(
        "#2f5f9f", "#ffffff", "fg:#a8a8a8", "#ffd75f", "#87d787", "#ff8787", "#5fd7ff", "#ff9fe5"
    ),
    # Ethan Schoonover's Solarized: its accents stand on both of its backgrounds, its base0 and
    # base00 between them; bright black is one of the backgrounds.
    "solarized": _Palette(
        "#268bd2", "#fdf6e3", "fg:#839496", "#b58900", "#859900", "#dc322f", "#2aa198", "#d33682"
    ),
    # Okabe and Ito, Color Universal Design (2008): eight colours that people with any kind of
    # colour vision tell apart.
    "colour-blind": _Palette(
        "#0072b2", "#ffffff", "dim", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7"
    ),
}  # fmt: skip
_PLAIN: Final = {
    "bar": "reverse",
    "bar.key": "reverse bold",
    "title": "bold",
    "faint": "",
    "note": "",
    "ask": "",
    "ask.now": "bold",
    "count": "bold",
    "player": "",
    "player.turn": "bold",
    "player.away": "",
    "tile": "",
    "tile.last": "bold",
    "end": "",
    "end.chosen": "reverse",
    "hand": "",
    "hand.fits": "",
    "hand.chosen": "reverse",
}


def _coloured(palette: _Palette) -> dict[str, str]:
    bar = f"bg:{palette.bar} fg:{palette.ink}"
    return _PLAIN | {
        "bar": bar,
        "bar.key": f"{bar} bold",
        "faint": palette.faint,
        "note": f"fg:{palette.note}",
        "ask.now": f"bold fg:{palette.turn}",
        "player.turn": f"bold fg:{palette.turn}",
        "player.away": f"fg:{palette.away}",
        "tile.last": f"bold fg:{palette.last}",
        "end": f"fg:{palette.end}",
        "end.chosen": "reverse bold",
        "hand": palette.faint,
        "hand.chosen": "reverse bold",
    }


_SHEETS: Final[dict[Theme, dict[str, str]]] = {
    theme: _coloured(_PALETTES[theme]) if theme in _PALETTES else _PLAIN for theme in THEMES
}


def style_rules(theme: Theme = "auto") -> dict[str, str]:
    """By class what prompt_toolkit shall do.

    Dots are dashes here: prompt_toolkit reads a dotted class as several.
    """
    return {style_class(name): rule for name, rule in _SHEETS[theme].items()}


def style_class(name: str) -> str:
    """The name of a class of the renderer in the style sheet."""
    return name.replace(".", "-")
