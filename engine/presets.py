"""The presets: each a row of differences from another one. Adding a preset is adding a row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.options import OPTIONS


@dataclass(frozen=True)
class Preset:
    """A named set of options: those of `base` (None: the defaults) with `differences`."""

    name: str
    base: str | None
    differences: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""


def _other_name(name: str, difference: str) -> str:
    return (
        f'Many people use "{name}" as another name of All Fives itself; here it is the pagat '
        f"rules with {difference}."
    )


_ROWS: Final = (
    Preset("classic", None),
    Preset(
        "online",
        None,
        {
            "hand-size": "7/6/5",
            "starter": "highest-double",
            "arms": "at-once",
            "hand-end": "collect-each",
            "block-winner": "pips-tiles",
            "target": "150",
            "match-end": "hand",
            "turn-seconds": "15",
        },
    ),
    Preset("pagat", None, {"hand-end": "collect-sum", "match-end": "hand"}),
    Preset("muggins", "pagat", {"spinner": "none"}, _other_name("Muggins", "no spinner")),
    Preset(
        "five-up", "pagat", {"spinner": "every"}, _other_name("Five-Up", "every double a spinner")
    ),
    Preset("sniff", "pagat", {"hand-size": "7/6/5", "bare-arms": "half"}),
    Preset(
        "draw",
        "online",
        {"play-points": "none", "spinner": "none", "hand-end": "collect-raw", "target": "100"},
    ),
    Preset("block", "draw", {"draws": "none"}),
)

PRESETS: Final[dict[str, Preset]] = {row.name: row for row in _ROWS}


def options_of(preset: Preset) -> dict[str, str]:
    """Every option of a preset by name, spelled."""
    if preset.base is None:
        values = {option.name: option.default for option in OPTIONS}
    else:
        values = options_of(PRESETS[preset.base])
    return values | dict(preset.differences)
