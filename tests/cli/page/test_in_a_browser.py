"""The page in a real browser: every step of a match of every preset, keys, sizes, nothing loaded.

One browser for all. Its timers are replaced by one that ticks when it is told to.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from support.engine.matches import play_match
from support.page.browser import CHROMIUM, NO_BROWSER, Browser, browser

from cli.page.page import Shown, make_page
from cli.telling.looking.transcript import json_lines
from engine.rules import PRESETS, Rules
from p2p.session.state.events import SessionEvent

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NO_BROWSER)

TICKING = """
window.ticks = [];
window.setInterval = (job, pace) => { window.ticks = [job]; window.pace = pace; return 1; };
window.clearInterval = () => { window.ticks = []; };
window.tall = (one) => one.offsetHeight;
window.tick = () => window.ticks.forEach((job) => job());
"""
KEY = """
(key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
"""
SHOWN = """
() => ({
  where: document.getElementById("where").textContent,
  count: document.getElementById("counted").dataset.count ?? null,
  tiles: document.querySelectorAll("#line .tile").length,
  ends: [...document.querySelectorAll("#line .end text")].map((one) => one.textContent),
  log: [...document.querySelectorAll("#log .now")].map((one) => one.textContent),
})
"""
# Tiles on two lines, and those that might come to be.
BROKEN_TILES = """
(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (parent.closest("script, style, noscript")) continue;
    const wraps = getComputedStyle(parent).whiteSpace !== "nowrap";
    const [tile] = texts.currentNode.textContent.match(/[0-6]-[0-6]/) ?? [];
    if (tile && (wraps || parent.getClientRects().length > 1)) broken.push(tile);
  }
  return broken;
})()
"""
EVERY_STEP = f"""
(() => {{
  const seen = [({SHOWN})()];
  const last = Number(document.getElementById("slide").max);
  for (let step = 0; step < last; step += 1) {{
    ({KEY})("ArrowRight");
    seen.push(({SHOWN})());
  }}
  return seen;
}})()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser."""
    with browser(tmp_path_factory.mktemp("browser")) as made:
        made.ask("Page.addScriptToEvaluateOnNewDocument", source=TICKING)
        yield made


def match_of(preset: str, claims: str = "no") -> list[SessionEvent]:
    """A short match by those rules."""
    return play_match(6, 2, Rules.make(preset, 2, {"target": "20", "claims": claims}))


def open_page(page: Browser, folder: Path, events: list[SessionEvent]) -> None:
    """Load the page of a match."""
    file = folder / "match.html"
    file.write_text(make_page(Shown(events, None, ["Signed by all."], [])), "utf-8")
    page.open(file)


def shown(page: Browser) -> Any:
    """What is seen at this step."""
    return page.run(f"({SHOWN})()")


@pytest.mark.parametrize(
    ("preset", "claims"), [*((name, "no") for name in PRESETS), ("pagat", "yes")]
)
def test_every_step_shows_the_count_that_replay_tells(
    preset: str, claims: str, page: Browser, tmp_path: Path
) -> None:
    events = match_of(preset, claims)
    open_page(page, tmp_path, events)
    steps = cast(list[dict[str, Any]], page.run(EVERY_STEP))
    told = [json.loads(line) for line in json_lines(events)]
    counted = Rules.make(preset, 2).play_points == "fives"
    plays = [one for one in told if one["event"] == "play"]
    placed = [step for before, step in pairwise(steps) if step["tiles"] == before["tiles"] + 1]
    if claims == "no":
        counts = [one["count"] if counted else None for one in plays]
        assert [None if s["count"] is None else int(s["count"]) for s in placed] == counts
    else:  # what the ends count is told when all have claimed
        assert {step["count"] for step in placed} == {None}
        settled = [
            int(step["count"])
            for before, step in pairwise(steps)
            if step["count"] is not None and before["count"] is None and step["tiles"]
        ]
        assert settled == [one["count"] for one in plays]
    assert len(steps) == len(events) - 1
    assert [step["where"].split(",")[0] for step in steps] == [
        f"Step {at} of {len(steps) - 1}" for at in range(len(steps))
    ]
    assert steps[-1]["log"][0].startswith(("\u2068Ana", "\u2068Ben"))
    assert troubles(page) == []


def troubles(page: Browser) -> list[dict[str, Any]]:
    """What failed in the page, what its policy refused, and what it asked for but itself."""
    bad = ("Log.entryAdded", "Runtime.exceptionThrown")
    loaded = "Network.requestWillBeSent"
    return [
        one
        for one in page.seen
        if one.get("method") in bad
        or (one.get("method") == loaded and not _is_itself(one["params"]["request"]["url"]))
    ]


def _is_itself(url: str) -> bool:
    return url.startswith("file:") and url.endswith("/match.html")


def test_the_keys_of_the_keyboard(page: Browser, tmp_path: Path) -> None:
    events = play_match(11, 2, Rules.make("classic", 2, {"target": "60"}))
    open_page(page, tmp_path, events)

    def where() -> str:
        return cast(str, shown(page)["where"])

    last = len(events) - 2
    begin, end = where(), f"Step {last} of {last}"
    assert begin.startswith(f"Step 0 of {last}, hand 1 of ")
    page.press("ArrowRight")
    page.press("Enter")
    assert where().startswith("Step 2 ")
    page.press("ArrowLeft")
    assert where().startswith("Step 1 ")
    page.press("ArrowDown")
    second = where()
    assert ", hand 2 of " in second
    page.press("ArrowRight")
    page.press("ArrowUp")
    assert where() == second
    page.press("End")
    assert where().startswith(end)
    page.press("ArrowRight")
    assert where().startswith(end)
    page.press("Home")
    assert where() == begin
    page.press("g", "g")
    page.press("2", "2")
    page.press("Enter")
    assert where() == second
    page.press(" ")
    page.run("tick(), tick()")
    assert where().startswith(f"Step {int(second.split()[1]) + 2} ")
    assert page.run("pace") == 1000
    page.press(" ")
    assert page.run("ticks.length") == 0
    page.press("End")
    page.press(" ")
    assert where() == begin
    page.press("ArrowRight")
    assert page.run("ticks.length") == 0
    page.press("?", "?")
    assert page.run("document.getElementById('help').open") is True
    assert page.run("document.getElementById('log').getAttribute('aria-live')") == "polite"
    assert "on L" in page.run("document.getElementById('line').getAttribute('aria-label')")


@pytest.mark.parametrize(("width", "height", "dark"), [(1280, 900, False), (390, 844, True)])
def test_pictures_at_the_sizes_of_a_desk_and_a_phone(
    width: int, height: int, dark: bool, page: Browser, tmp_path: Path
) -> None:
    page.size(width, height, dark)
    open_page(page, tmp_path, match_of("five-up"))
    page.press("End")
    page.press("ArrowUp")
    page.press("ArrowLeft")
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run(BROKEN_TILES) == []
    picture = page.picture()
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")) == (
        width,
        height,
    )
    assert page.run("Math.min(...[...document.querySelectorAll('button')].map(tall))") >= 44
    ground = page.run("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 23, 28)" if dark else "rgb(244, 241, 234)")


def test_names_are_text_there(page: Browser, tmp_path: Path) -> None:
    events = match_of("classic")
    began: Any = events[0]
    names = ["</script><b>x", "<img src=x onerror=y>"]
    players = tuple(
        type(one)(one.seat, name, one.key) for one, name in zip(began.players, names, strict=True)
    )
    told = [type(began)(began.table, began.rules, players), *events[1:]]
    open_page(page, tmp_path, told)
    assert page.run("[...document.querySelectorAll('bdi')].map((one) => one.textContent)") == names
    assert page.run("document.querySelectorAll('img, b').length") == 0
    assert troubles(page) == []
