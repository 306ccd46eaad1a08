"""The golden screens: tests/golden/NAME.txt has a scene in three sizes, in ASCII and Unicode.

`python tests/golden_screens.py` writes them anew, for a person to look at the difference.
"""

import re
from pathlib import Path
from typing import Final

from screen_scenes import SCENES, SIZES, scene

from cli.render import render
from cli.screen.canvas import Look

FOLDER: Final = Path(__file__).parent / "golden"
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


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for scene_name in SCENES:
        (FOLDER / f"{scene_name}.txt").write_text(golden_text(scene_name), "utf-8")
