"""How a person wants the screen to look. Nothing here imports more than the standard library."""

from dataclasses import dataclass, replace
from typing import Final, Literal, Self

Theme = Literal["auto", "light", "dark", "solarized", "colour-blind", "mono"]
TileSize = Literal["auto", "small", "large"]

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark", "solarized", "colour-blind", "mono")
TILE_SIZES: Final[tuple[TileSize, ...]] = ("auto", "small", "large")


@dataclass(frozen=True, slots=True)
class Look:
    """How to draw: with box-drawing characters, or in ASCII alone; in which colours; how large
    the tiles shall be where there is room."""

    unicode: bool = False
    theme: Theme = "auto"
    tiles: TileSize = "auto"

    def next_theme(self) -> Self:
        """The same in the colours that follow, the first ones after the last."""
        at = THEMES.index(self.theme)
        return replace(self, theme=THEMES[(at + 1) % len(THEMES)])
