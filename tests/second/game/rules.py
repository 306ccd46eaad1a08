"""Tiles, options and presets (13.1)."""

from collections.abc import Mapping
from dataclasses import dataclass

from second.refusing import demand

TILES = tuple((high, low) for high in range(7) for low in range(high + 1))
CHOICES = {
    "preset": ("classic", "online", "pagat", "muggins", "five-up", "sniff", "draw", "block"),
    "starter": ("lot", "highest-double"),
    "next-starter": ("out", "starter"),
    "spinner": ("first", "none", "every"),
    "arms": ("after-sides", "at-once"),
    "bare-arms": ("0", "half"),
    "play-points": ("fives", "none"),
    "draws": ("until-fit", "none"),
    "reserve": ("0", "1", "2"),
    "hand-end": ("subtract-own", "collect-each", "collect-sum", "collect-raw"),
    "block-winner": ("pips", "pips-tiles"),
    "match-end": ("at-once", "hand"),
    "partners": ("no", "yes"),
    "claims": ("no", "yes"),
}
OTHERS = ("hand-size", "target", "turn-seconds")


def number(high: int, low: int) -> int:
    """The number of a tile, 0 to 27."""
    return high * (high + 1) // 2 + low


def pips(tile: int) -> int:
    """Both halves together."""
    return sum(TILES[tile])


def fits(tile: int, value: int) -> bool:
    """Whether a half of the tile has the value."""
    return value in TILES[tile]


def lead_ranking() -> list[int]:
    """The order of calls (13.3): doubles falling, then by pips, then by the larger half."""

    def rank(tile: int) -> tuple[int, int, int]:
        high, low = TILES[tile]
        return (-high if high == low else 1, -(high + low), -high)

    return sorted(range(28), key=rank)


def decimal(text: str, low: int, high: int) -> int:
    """A decimal number without sign or leading zero, in bounds."""
    demand(text.isascii() and text.isdigit() and str(int(text)) == text, "no decimal number")
    demand(low <= int(text) <= high, "a number out of bounds")
    return int(text)


@dataclass(frozen=True)
class Rules:
    """The options of a table that was found well-formed."""

    options: Mapping[str, str]
    sizes: tuple[int, int, int]
    target: int
    reserve: int

    def has(self, option: str, value: str) -> bool:
        """Whether an option has a value."""
        return self.options[option] == value

    @property
    def partners(self) -> bool:
        """Whether two sides play."""
        return self.has("partners", "yes")

    @property
    def claims(self) -> bool:
        """Whether points are claimed."""
        return self.has("claims", "yes")

    def hand_size(self, seats: int) -> int:
        """Tiles dealt to each of so many seats; a lone one is dealt none."""
        return self.sizes[seats - 2] if seats >= 2 else 0

    def side(self, seat: int) -> int:
        """The number of a seat's side."""
        return seat % 2 if self.partners else seat


def rules_of(options: Mapping[str, str], seats: int) -> Rules:
    """The rules of a table of so many seats; refused where 13.1 does."""
    demand(set(options) == {*CHOICES, *OTHERS}, "other options")
    for name, choices in CHOICES.items():
        demand(options[name] in choices, f"no such {name}")
    parts = [decimal(part, 1, 14) for part in options["hand-size"].split("/")]
    demand(len(parts) in (1, 3), "no hand size")
    if len(parts) == 3:
        demand(len(set(parts)) > 1, "a hand size in a longer spelling")
    sizes = tuple(parts * 3 if len(parts) == 1 else parts)
    reserve = int(options["reserve"])
    for count in range(2, seats + 1):
        demand(count * sizes[count - 2] + reserve <= 28, "too few tiles")
    demand(options["partners"] == "no" or seats == 4, "partners are four")
    if options["play-points"] == "none":
        demand(options["hand-end"] != "subtract-own", "nothing could be won")
        demand(options["claims"] == "no", "nothing could be claimed")
    if options["turn-seconds"] != "none":
        decimal(options["turn-seconds"], 1, 86400)
    target = decimal(options["target"], 1, 1000000)
    return Rules(dict(options), (sizes[0], sizes[1], sizes[2]), target, reserve)


_CLASSIC = {
    "hand-size": "9/7/5",
    "starter": "lot",
    "next-starter": "out",
    "spinner": "first",
    "arms": "after-sides",
    "bare-arms": "0",
    "play-points": "fives",
    "draws": "until-fit",
    "reserve": "0",
    "hand-end": "subtract-own",
    "block-winner": "pips",
    "target": "250",
    "match-end": "at-once",
    "partners": "no",
    "claims": "no",
    "turn-seconds": "none",
}
_ONLINE = {
    **_CLASSIC,
    "hand-size": "7/6/5",
    "starter": "highest-double",
    "arms": "at-once",
    "hand-end": "collect-each",
    "block-winner": "pips-tiles",
    "target": "150",
    "match-end": "hand",
    "turn-seconds": "15",
}
_PAGAT = {**_CLASSIC, "hand-end": "collect-sum", "match-end": "hand"}
_DRAW = {
    **_ONLINE,
    "play-points": "none",
    "spinner": "none",
    "hand-end": "collect-raw",
    "target": "100",
}
_PRESETS = {
    "classic": _CLASSIC,
    "online": _ONLINE,
    "pagat": _PAGAT,
    "muggins": {**_PAGAT, "spinner": "none"},
    "five-up": {**_PAGAT, "spinner": "every"},
    "sniff": {**_PAGAT, "hand-size": "7/6/5", "bare-arms": "half"},
    "draw": _DRAW,
    "block": {**_DRAW, "draws": "none"},
}


def preset(name: str, seats: int) -> dict[str, str]:
    """The options of a preset for so many seats, `preset` among them."""
    options = {**_PRESETS[name], "preset": name}
    if options["target"] == "250" and seats > 2:
        options["target"] = "200"
    return options
