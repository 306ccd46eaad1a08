"""The page: one file that names no other host, with a script and a style that were made here.

Whatever a name holds stays text: what is shown goes into a block of JSON in which no character can
end it, and into the words for readers without scripts, escaped. The page's own policy lets nothing
run or load but the script and the style whose hashes it names.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Final

from cli.page.steps import Values, page_steps
from cli.telling.looking.advice import Advised
from cli.telling.looking.transcript import told
from cli.telling.pages import rules_lines
from cli.telling.phrases import game_title
from engine.rules import Rules
from p2p.session.state.events import MatchBegan, SessionEvent

_PIECES: Final = ("page.html", "page.css", "page.js")
# The name of a tile; browsers end lines behind its hyphen.
_TILE: Final = re.compile(r"\b[0-6]-[0-6]\b")
_UNBROKEN: Final = r'<span class="name">\g<0></span>'
# In a script element nothing but these can be taken for anything else than text.
_SPELLED: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Shown:
    """What the page is made of: the events from the beginning of the match on, the advice by the
    place of the event, and lines on what was proven, and by whom, with the verdict;
    `leaver`: whose record it is, if that seat left and the others could play on."""

    events: Sequence[SessionEvent]
    advice: Mapping[int, Advised] | None
    verdict: Sequence[str]
    proofs: Sequence[str]
    leaver: int | None = None


def make_page(shown: Shown) -> str:
    """The whole page. Raises ValueError for events in which no match begins."""
    markup, style, script = (_piece(name) for name in _PIECES)
    began = next((one for one in shown.events if isinstance(one, MatchBegan)), None)
    if began is None:
        raise ValueError("no match begins in these events")
    rules = Rules.read(began.rules, len(began.players))
    values = _values(shown, began, rules)
    words = told(shown.events, shown.advice, shown.leaver)
    return Template(markup).substitute(
        policy=_policy(script, style),
        title=html.escape(f"{values['title']}: {', '.join(values['names'])}"),
        style=style,
        script=script,
        match=json.dumps(values, separators=(",", ":")).translate(_SPELLED),
        words=_list_of(words),
        verdict=_list_of(shown.verdict),
        proofs=_list_of(shown.proofs),
        rules=_list_of(rules_lines(rules)),
    )


def _values(shown: Shown, began: MatchBegan, rules: Rules) -> Values:
    before, hands, steps = page_steps(shown.events, shown.advice)
    return {
        "title": game_title(rules),
        "names": [player.name for player in began.players],
        "sides": [rules.side(player.seat)[0] for player in began.players],
        "draws": rules.draws != "none",
        "before": before,
        "hands": hands,
        "steps": steps,
    }


def _piece(name: str) -> str:
    return (files("cli.page") / name).read_text("utf-8")


def _policy(script: str, style: str) -> str:
    """Nothing from anywhere, but what has these hashes (Content Security Policy 3, 2.3.1)."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _list_of(lines: Sequence[str]) -> str:
    """Items, in which no line ends within a tile."""
    return "".join(f"<li>{_TILE.sub(_UNBROKEN, html.escape(line))}</li>\n" for line in lines)
