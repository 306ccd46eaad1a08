"""The golden screens: tests/golden/NAME.txt has a scene in three sizes, in ASCII and Unicode.

tests/golden/styles/NAME.txt has its classes of style, SHEETS.txt beside it what they look like;
tests/golden/matches/NAME.txt every line of a whole match as one of its players reads it.
`python -m support.screen.golden_screens` in tests/ writes all anew, and the pictures of the README,
for a person to
look at the difference.
"""

import re
from typing import Final

from support.engine.matches import play_match, seen_from
from support.places import GOLDEN, ROOT
from support.screen.scenes import SCENES, SIZES, scene

from cli.screen.drawing.render import render
from cli.screen.drawing.style import style_rules
from cli.screen.line.canvas import cells
from cli.screen.line.look import THEMES, Look
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.rules import Rules

FOLDER: Final = GOLDEN
STYLES: Final = FOLDER / "styles"
SHEETS: Final = "SHEETS.txt"
MATCHES: Final = FOLDER / "matches"
# By name the preset, the players and what else is agreed.
WHOLE: Final[dict[str, tuple[str, int, dict[str, str]]]] = {
    "claims": ("classic", 2, {"claims": "yes", "target": "30"}),
    "partners": ("classic", 4, {"partners": "yes", "target": "50"}),
    "draw": ("draw", 2, {"target": "60"}),
    "block": ("block", 2, {"target": "40"}),
}
README: Final = ROOT / "README.md"
STYLED_SIZE: Final = (80, 24)
PICTURE: Final = re.compile(
    r"(?P<comment><!-- tests/golden/(?P<scene>\w+)\.txt"
    r" (?P<width>\d+)x(?P<height>\d+) (?P<look>\w+) -->)\n```text\n.*?```\n",
    re.DOTALL,
)
LOOKS: Final = {"ascii": Look(False), "unicode": Look(True)}


def golden_text(name: str) -> str:
    """A scene in every size and look, each under a heading."""
    parts: list[str] = []
    for width, height in SIZES:
        for look_name, look in LOOKS.items():
            frame = render(scene(name).view, width, height, look)
            parts.append(f"@@ {width}x{height} {look_name}\n{frame.text}")
    return "".join(parts)


def golden_frames(name: str) -> dict[tuple[int, int, str], str]:
    """The screens that the file of a scene has, by size and look."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    frames: dict[tuple[int, int, str], str] = {}
    for part in text.split("@@ ")[1:]:
        heading, _, body = part.partition("\n")
        found = re.fullmatch(r"(\d+)x(\d+) (\w+)", heading)
        assert found, f"a heading that is none: {heading}"
        frames[int(found[1]), int(found[2]), found[3]] = body
    return frames


def golden_styles(name: str) -> str:
    """A scene at 80x24 as its classes of style: a row a line, each run as CLASS*COLUMNS."""
    frame = render(scene(name).view, *STYLED_SIZE, LOOKS["ascii"])
    rows = (" ".join(f"{style or '-'}*{cells(text)}" for style, text in row) for row in frame.rows)
    return "".join(f"{row}\n" for row in rows)


def golden_match(name: str) -> str:
    """A whole match in lines, as seat 0 reads it."""
    preset, players, options = WHOLE[name]
    scene, lines = Scene(0), list[str]()
    told = play_match(3, players, Rules.make(preset, players, options))
    for event in seen_from(told, 0):
        scene.apply(event)
        lines += say(event, scene)
    return "".join(f"{line}\n" for line in lines)


def golden_sheets() -> str:
    """What each class looks like: a line a class and theme."""
    return "".join(
        f"{name}: {theme}: {rule or 'plain'}\n"
        for theme in THEMES
        for name, rule in style_rules(theme).items()
    )


def pictures(readme: str) -> str:
    """The README with its pictures as the golden screens have them.

    A picture is a block of code below a comment that names scene, size and look.
    """

    def drawn(found: re.Match[str]) -> str:
        frames = golden_frames(found["scene"])
        frame = frames[int(found["width"]), int(found["height"]), found["look"]]
        return f"{found['comment']}\n```text\n{frame}```\n"

    return PICTURE.sub(drawn, readme)


if __name__ == "__main__":
    STYLES.mkdir(parents=True, exist_ok=True)
    for scene_name in SCENES:
        (FOLDER / f"{scene_name}.txt").write_text(golden_text(scene_name), "utf-8")
        (STYLES / f"{scene_name}.txt").write_text(golden_styles(scene_name), "utf-8")
    MATCHES.mkdir(exist_ok=True)
    for match_name in WHOLE:
        (MATCHES / f"{match_name}.txt").write_text(golden_match(match_name), "utf-8")
    (STYLES / SHEETS).write_text(golden_sheets(), "utf-8")
    README.write_text(pictures(README.read_text("utf-8")), "utf-8")
