"""What the terminal can do, found without asking it."""

import os
import sys
from collections.abc import Mapping

from cli.screen.line.look import Look, Theme, TileSize


def is_screen() -> bool:
    """Whether there is a terminal to draw on and to read keys from."""
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb


def look_for(unicode: bool | None, theme: Theme = "auto", tiles: TileSize = "auto") -> Look:
    """How to draw: as was asked for; `unicode` None: as the terminal suggests."""
    if unicode is None:
        unicode = prefers_unicode(os.environ, sys.stdout.encoding or "")
    return Look(unicode, theme, tiles)


def prefers_unicode(environment: Mapping[str, str], encoding: str) -> bool:
    """Whether box-drawing characters are safe to use unless the person says otherwise.

    They are in terminals known to draw them well; the Linux console and others are asked for ASCII.
    """
    if encoding.lower().replace("-", "") != "utf8":
        return False
    known = ("TERM_PROGRAM", "VTE_VERSION", "KITTY_WINDOW_ID", "WT_SESSION", "ALACRITTY_WINDOW_ID")
    return any(environment.get(name) for name in known)
