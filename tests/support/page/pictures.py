"""The pictures of the README: `python -m support.page.pictures` in tests/ makes them anew.

docs/table.svg and docs/look_back.svg are golden screens with their colours; docs/replay.png is the
page of `replay --html` in a browser.
"""

import tempfile
from html import escape
from pathlib import Path
from typing import Final

from support.engine.matches import play_match
from support.page.browser import CHROMIUM, NO_BROWSER, browser
from support.places import ROOT
from support.screen.scenes import scene

from cli.page.page import Shown, make_page
from cli.screen.drawing.render import render
from cli.screen.drawing.style import style_class, style_rules
from cli.screen.line.canvas import Frame, cells
from cli.screen.line.look import Look
from engine.rules import Rules

DOCS: Final = ROOT / "docs"
SCREENS: Final = {"table.svg": "four_arms", "look_back.svg": "replay"}
SIZE: Final = (80, 24)
_CELL: Final = (8, 17)
_GROUND, _INK = "#1d2229", "#d8dee6"
_DIM: Final = "#8a94a3"


def screen_svg(name: str) -> str:
    """A golden scene as a terminal shows it."""
    return frame_svg(render(scene(name).view, *SIZE, Look(unicode=True)))


def frame_svg(frame: Frame) -> str:
    """A frame, each run of a style as a text as wide as its cells."""
    wide, tall = _CELL
    width, height = frame.width * wide, frame.height * tall
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 16} {height + 16}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">\n'
        f'<rect width="100%" height="100%" rx="6" fill="{_GROUND}"/>\n'
    ]
    rules = style_rules("dark")
    for row, spans in enumerate(frame.rows):
        x = 8
        for style, text in spans:
            span = cells(text) * wide
            parts.append(_run(rules.get(style_class(style), ""), text, x, row * tall + 8, span))
            x += span
    return "".join(parts) + "</svg>\n"


def _run(rule: str, text: str, x: int, y: int, width: int) -> str:
    words = rule.split()
    named = dict(word.split(":") for word in words if ":" in word)
    ink, ground = named.get("fg", _DIM if "dim" in words else _INK), named.get("bg", "")
    if "reverse" in words:
        ink, ground = _GROUND, ink
    tall = _CELL[1]
    box = f'<rect x="{x}" y="{y}" width="{width}" height="{tall}" fill="{ground}"/>\n'
    bold = ' font-weight="bold"' if "bold" in words else ""
    # Spaces at the ends would be taken away, and the rest be stretched.
    inner = text.strip()
    if not inner:
        return box if ground else ""
    left = x + (len(text) - len(text.lstrip())) * _CELL[0]
    span = cells(inner) * _CELL[0]
    return (box if ground else "") + (
        f'<text x="{left}" y="{y + 13}" textLength="{span}" fill="{ink}"{bold} '
        f'xml:space="preserve">{escape(inner)}</text>\n'
    )


def page_png() -> bytes:
    """The page of a match, some steps before the end of its second hand."""
    events = play_match(11, 2, Rules.make("classic", 2, {"target": "60"}))
    verdict = "The match is decided, without fault, and its result signed by all."
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.html"
        file.write_text(make_page(Shown(events, None, [verdict], [])), "utf-8")
        with browser(Path(folder) / "own") as page:
            page.size(920, 600)
            page.open(file)
            page.press("ArrowDown")
            for _ in range(3):
                page.press("ArrowLeft")
            return page.picture()


if __name__ == "__main__":
    DOCS.mkdir(exist_ok=True)
    for file_name, scene_name in SCREENS.items():
        (DOCS / file_name).write_text(screen_svg(scene_name), "utf-8")
    assert CHROMIUM is not None, NO_BROWSER
    (DOCS / "replay.png").write_bytes(page_png())
