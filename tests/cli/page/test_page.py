"""The page as a file: no other host, nothing that runs but what was made here, names as text."""

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from support.engine.matches import play_match
from support.places import ROOT

from cli.page.page import Shown, make_page
from cli.screen.drawing.keys import REPLAY_KEYS, Act
from cli.telling.looking.advice import Advised
from engine.events import Played
from engine.rules import Rules
from engine.tiles import tile
from p2p.session.state.events import Faulted, InHand, MatchBegan, SessionEvent

HOSTILE = [
    "</script><b>",
    "<!--<script>",
    "\"'&amp;$title",
    "שלום e\u0301\u0300\u0302",
]


@cache
def events(players: int = 2) -> tuple[SessionEvent, ...]:
    """A short match."""
    return tuple(play_match(3, players, Rules.make("classic", players, {"target": "20"})))


def named(*names: str) -> tuple[SessionEvent, ...]:
    """The match of people with these names."""
    began, *rest = events(len(names))
    assert isinstance(began, MatchBegan)
    players = tuple(replace(one, name=name) for one, name in zip(began.players, names, strict=True))
    return (replace(began, players=players), *rest)


def page_of(told: tuple[SessionEvent, ...]) -> str:
    """Its page."""
    return make_page(Shown(told, None, ["Checked <by> all."], ["Deal 1: shuffled by & proven."]))


class Parsed(HTMLParser):
    """The elements of a page, and the text in its scripts and style."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "li": []}
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.inside:
            self._open.append(tag)
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open[-1]:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[self._open[-1]][-1] += data


def match_in(parsed: Parsed) -> Any:
    """What the page's script is given."""
    return json.loads(parsed.inside["script"][0])


def test_it_names_no_host_and_loads_nothing() -> None:
    text = page_of(events())
    assert set(re.findall(r"https?://[^\s\"'<]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|fetch\(|import\(|XMLHttpRequest|eval\(|innerHTML", text)
    for tag, attributes in Parsed(text).tags:
        assert not {"src", "href", "action", "style"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert tag not in ("link", "iframe", "object", "img", "base", "form")


def test_its_policy_lets_run_what_is_there_and_nothing_else() -> None:
    parsed = Parsed(page_of(events()))
    (policy,) = (
        attributes["content"]
        for tag, attributes in parsed.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    hashes = {
        name: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for name, text in (
            ("script", parsed.inside["script"][1]),
            ("style", parsed.inside["style"][0]),
        )
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes['script']}'; "
        f"style-src 'sha256-{hashes['style']}'; base-uri 'none'; form-action 'none'"
    )
    assert [tag for tag, _ in parsed.tags[:4]] == ["html", "head", "meta", "meta"]


def test_whatever_a_name_holds_is_text() -> None:
    plain, hostile = Parsed(page_of(events(4))), Parsed(page_of(named(*HOSTILE)))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert match_in(hostile)["names"] == HOSTILE
    assert hostile.inside["script"][1] == plain.inside["script"][1]
    raw = re.search(r'id="match">(.*?)</script>', page_of(named(*HOSTILE)), re.DOTALL)
    assert raw is not None
    assert not set("<>&") & set(raw[1])
    assert html.escape(f"All Fives, classic, to 20: {', '.join(HOSTILE)}") in page_of(
        named(*HOSTILE)
    )


def test_names_in_sentences_are_kept_apart_from_what_stands_beside_them() -> None:
    steps = match_in(Parsed(page_of(named("שלום", "Ben"))))["steps"]
    words = [line for step in steps for line in step["words"]]
    assert any("\u2068שלום\u2069" in line for line in words)
    assert not any(re.search("(?<!\u2068)שלום", line) for line in words)


def test_the_words_stand_there_without_scripts_too() -> None:
    parsed = Parsed(page_of(events()))
    lines = [line.strip() for line in parsed.inside["li"]]
    assert "Checked <by> all." in lines
    assert "Deal 1: shuffled by & proven." in lines
    assert any(line.startswith(("Ana leads ", "Ben leads ")) for line in lines)


def test_steps_are_those_after_the_first_deal_with_the_table_as_it_was() -> None:
    told = events()
    match = match_in(Parsed(page_of(told)))
    assert len(match["steps"]) == len(told) - 1
    assert match["before"][0].startswith("The match begins: ")
    for step, event in zip(match["steps"], told[1:], strict=True):
        if isinstance(event, InHand) and isinstance(event.event, Played):
            assert step["count"] == event.event.count
            assert step["scores"] == list(event.event.scores)
            lies = match["hands"][step["hand"]]["wide"]["tiles"][step["placed"] - 1]
            assert lies[3] + lies[4] == event.event.tile.pips
            names = [end[0] for end in step["ends"]]
            assert names == sorted(names, key="LRUD".index)


def test_advice_stands_beside_its_move() -> None:
    at = next(n for n, one in enumerate(events()) if isinstance(one, InHand))
    advice = {at: Advised(tile(6, 4), None, 10, 0, 3.0)}
    text = make_page(Shown(events(), advice, [], []))
    words = match_in(Parsed(text))["steps"][at - 1]["words"]
    assert words[1] == "  hard would have played 6-4 for 10 points: 3 points better."


def test_a_match_that_never_began_or_was_never_dealt() -> None:
    with pytest.raises(ValueError, match="no match begins"):
        page_of((Faulted(0, "x"),))
    match = match_in(Parsed(page_of(events()[:1])))
    assert [step["hand"] for step in match["steps"]] == [-1]


def test_its_pieces_are_part_of_the_package() -> None:
    packed = {one.distribution_path for one in WheelBuilder(str(ROOT)).recurse_included_files()}
    for name in ("page.html", "page.css", "page.js"):
        assert (files("cli.page") / name).is_file()
        assert f"cli/page/{name}" in packed


# As a browser names what prompt_toolkit calls otherwise, and what only a terminal has.
BROWSER_NAMES = {"space": '" "', "home": "Home", "end": "End", "enter": "Enter", "?": '"?"'}
BROWSER_NAMES |= {name: f"Arrow{name.title()}" for name in ("right", "left", "up", "down")}
TERMINAL_ALONE = {Act.LEAVE, Act.PAGE_UP, Act.WHEEL_UP, Act.THEME}


def test_its_keys_are_those_of_the_replay_at_the_terminal() -> None:
    script = (files("cli.page") / "page.js").read_text("utf-8")
    table = re.search(r"const acts = \{\n(.*?)\n  \};", script, re.DOTALL)
    assert table is not None
    acts = set(re.findall(r'^    ("."|\w+):', table[1], re.MULTILINE))
    keys = (key for key in REPLAY_KEYS if key.act not in TERMINAL_ALONE)
    assert acts == {BROWSER_NAMES.get(name, name) for key in keys for name in key.keys}
