"""Every option of the game, as data: one table with its values, check, default and help text.

An option reads the text that `--set NAME=VALUE` and the records spell, and spells its value again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.errors import RulesError
from engine.tiles import TILE_COUNT
from engine.wording import listed, quoted

LARGEST_TARGET: Final = 1_000_000  # keeps every score far inside what a message may carry
LONGEST_TURN: Final = 86_400  # a day

Sizes = tuple[int, int, int]
Value = Any
"""What an option's text stands for: `Rules` has the exact type of each."""


NO_DRAWS: Final = "none"


class Played(Protocol):
    """The rules that a sentence about one of them depends on."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def draws(self) -> str:
        """What who cannot play does."""

    @property
    def claims(self) -> bool:
        """Whether points must be claimed."""

    @property
    def partners(self) -> bool:
        """Whether two sides of two play."""


@dataclass(frozen=True)
class Option:
    """One option. `read(text, players)` gives its value, or raises `ValueError`.

    `allowed` says in words what may be written; `says(value, rules)` tells the rule in a sentence,
    or "" where the value adds nothing.
    """

    name: str
    default: str
    allowed: str
    help: str
    read: Callable[[str, int], Value]
    spell: Callable[[Value], str]
    says: Callable[[Value, "Played"], str]

    @property
    def attribute(self) -> str:
        """The name of the field of `Rules`."""
        return self.name.replace("-", "_")

    def parse(self, text: str, players: int) -> Value:
        """The value that `text` spells; raises `RulesError` that names what is allowed."""
        try:
            return self.read(text, players)
        except ValueError:
            raise RulesError(
                f"{self.name} cannot be {quoted(text)}: allowed is {self.allowed}"
            ) from None


def number(text: str, lowest: int, highest: int) -> int:
    """A decimal number in its one spelling, without sign or leading zero; else `ValueError`."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(highest))):
        raise ValueError(text)
    value = int(text)
    if str(value) != text or not lowest <= value <= highest:
        raise ValueError(text)
    return value


def choice(
    name: str,
    help_text: str,
    sentences: Mapping[str, str],
    further: Mapping[str, Mapping[str, str]] = {},
) -> Option:
    """An option with a few named values, the first of which is the default. `further` has the
    sentences of a table where an option is on, `claims` or `partners`, by the name of that."""

    def says(value: Value, rules: Played) -> str:
        where = (told for option, told in further.items() if getattr(rules, option))
        return next(where, sentences).get(str(value), sentences[str(value)])

    def read(text: str, _players: int) -> Value:
        if text not in sentences:
            raise ValueError(text)
        return text

    names = list(sentences)
    return Option(
        name=name,
        default=names[0],
        allowed=listed(names, "or"),
        help=help_text,
        read=read,
        spell=str,
        says=says,
    )


def flag(name: str, help_text: str, sentences: Mapping[str, str]) -> Option:
    """A `no` / `yes` option whose value is a `bool`."""
    words = choice(name, help_text, sentences)
    return Option(
        name=name,
        default=words.default,
        allowed=words.allowed,
        help=help_text,
        read=lambda text, players: words.read(text, players) == "yes",
        spell=lambda value: "yes" if value else "no",
        says=lambda value, _rules: sentences["yes" if value else "no"],
    )


def _read_sizes(text: str, _players: int) -> Sizes:
    parts = text.split("/")
    if len(parts) == 1:
        size = number(text, 1, 14)
        return (size, size, size)
    two, three, four = (number(part, 1, 14) for part in parts)
    return (two, three, four)


def _spell_sizes(value: Sizes) -> str:
    return str(value[0]) if len(set(value)) == 1 else "/".join(map(str, value))


def _say_sizes(value: Sizes, rules: Played) -> str:
    each = value[rules.players - 2]
    takes = f"With {rules.players} players each takes {each} tiles"
    if each * rules.players == TILE_COUNT:
        return f"{takes}; these are all."
    # A boneyard is what is drawn from.
    rest = "is the boneyard" if rules.draws != NO_DRAWS else "is not dealt"
    return f"{takes}; the rest {rest}."


def _read_target(text: str, players: int) -> int:
    parts = text.split("/")
    if len(parts) > 2:
        raise ValueError(text)
    values = [number(part, 1, LARGEST_TARGET) for part in parts]
    return values[0] if players == 2 else values[-1]


def _read_reserve(text: str, _players: int) -> int:
    return number(text, 0, 2)


def _say_reserve(value: int, _rules: Played) -> str:
    if value == 0:
        return "The whole boneyard may be drawn."
    return f"The last {value} of the boneyard {'is' if value == 1 else 'are'} never drawn."


def _read_seconds(text: str, _players: int) -> int | None:
    return None if text == "none" else number(text, 1, LONGEST_TURN)


def _say_seconds(value: int | None, rules: Played) -> str:
    if value is None:
        return "There is no turn clock."
    none = "passes" if rules.draws == NO_DRAWS else "draws, or passes where nothing is left to draw"
    return (
        f"A turn lasts at most {value} seconds; then the first legal move in order is made; who "
        f"has none {none}."
    )


OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        name="hand-size",
        default="9/7/5",
        allowed="a number from 1 to 14, or three as 9/7/5 (for 2, 3 and 4 players)",
        help="tiles each player takes, for 2/3/4 players or one number",
        read=_read_sizes,
        spell=_spell_sizes,
        says=_say_sizes,
    ),
    choice(
        "starter",
        "who leads the first hand",
        {
            "lot": "The first to play is drawn by lot and may lead any tile.",
            "highest-double": "The highest double in hand is the lead (if nobody has one, the "
            "heaviest tile; of equal weight the one with the larger half).",
        },
    ),
    choice(
        "next-starter",
        "who leads the hands after it",
        {
            "out": "Who went out starts the next hand with any tile; after a block the start is "
            "as in the first hand.",
            "starter": "Every later hand starts as the first one did.",
        },
    ),
    choice(
        "spinner",
        "which doubles can be played on from all four sides",
        {
            "first": "The first double of a hand is the spinner, led or not: it has arms U and D "
            "besides its two sides.",
            "none": "There is no spinner: the line has two ends, L and R.",
            "every": "Every double is a spinner with two arms of its own; those of the first are "
            "U and D, those of later ones carry their pip, as in 4U and 4D.",
        },
    ),
    choice(
        "arms",
        "when a spinner's arms open",
        {
            "after-sides": "The arms of a spinner open when both its sides are covered.",
            "at-once": "The arms of a spinner open as soon as it has a tile on one side; it still "
            "counts until both sides are covered.",
        },
    ),
    choice(
        "bare-arms",
        "what an arm counts before a tile lies on it",
        {
            "0": "A bare arm counts nothing.",
            "half": "Once both sides of a spinner are covered, each bare arm counts half its pips.",
        },
    ),
    choice(
        "play-points",
        "points for placing",
        {
            "fives": "After each placement the ends are added up; an exact multiple of five above "
            "zero scores that many points at once.",
            "none": "Placing scores nothing.",
        },
        {
            "claims": {
                "fives": "After each placement the ends are added up; an exact multiple of five "
                "above zero is what it scores, for who claims just that.",
            }
        },
    ),
    choice(
        "draws",
        "what who cannot play does",
        {
            "until-fit": "Who can play must play. Who cannot draws until a drawn tile fits and "
            "plays that tile at once, or passes when nothing is left to draw.",
            NO_DRAWS: "Who can play must play. Who cannot passes; nothing is ever drawn.",
        },
    ),
    Option(
        name="reserve",
        default="0",
        allowed="0, 1 or 2",
        help="tiles at the end of the boneyard that are never drawn",
        read=_read_reserve,
        spell=str,
        says=_say_reserve,
    ),
    choice(
        "hand-end",
        "what the tiles left at the end of a hand do",
        {
            "subtract-own": "At the end of a hand each loses the pips left in their own hand, "
            "rounded to the nearest five.",
            "collect-each": "At the end of a hand the winner gets the pips of each opponent, each "
            "hand rounded to the nearest five.",
            "collect-sum": "At the end of a hand the winner gets the pips of all opponents "
            "together, rounded once to the nearest five.",
            "collect-raw": "At the end of a hand the winner gets the pips of all opponents, not "
            "rounded.",
        },
        {
            "partners": {
                "subtract-own": "At the end of a hand each side loses the pips left in both its "
                "hands, each hand rounded to the nearest five.",
                "collect-each": "At the end of a hand the side that wins it gets the pips of both "
                "opponents, each hand rounded to the nearest five.",
                "collect-sum": "At the end of a hand the side that wins it gets the pips of both "
                "opponents together, rounded once to the nearest five.",
                "collect-raw": "At the end of a hand the side that wins it gets the pips of both "
                "opponents, not rounded.",
            }
        },
    ),
    choice(
        "block-winner",
        "who wins a blocked hand, where the winner collects",
        {
            "pips": "A blocked hand is won by the fewest pips; if tied, nobody scores.",
            "pips-tiles": "A blocked hand is won by the fewest pips, if tied by the fewer tiles; "
            "if still tied, nobody scores.",
        },
        {
            "partners": {
                "pips": "A blocked hand is won by the side with the fewest pips in its two hands "
                "together; if tied, nobody scores.",
                "pips-tiles": "A blocked hand is won by the side with the fewest pips in its two "
                "hands together, if tied by the one with fewer tiles; if still tied, nobody "
                "scores.",
            }
        },
    ),
    Option(
        name="target",
        default="250/200",
        allowed=f"a number from 1 to {LARGEST_TARGET}, or two as 250/200 (for 2, and for 3 or 4 "
        "players)",
        help="the score that wins the match",
        read=_read_target,
        spell=str,
        says=lambda value, _rules: f"The match is to {value} points.",
    ),
    choice(
        "match-end",
        "when the target counts",
        {
            "at-once": "The match ends the moment a score reaches the target; nothing more is "
            "counted then.",
            "hand": "The match ends with the hand in which a score reaches the target; the highest "
            "wins, and level at the top another hand is played.",
        },
    ),
    flag(
        "partners",
        "two sides of two",
        {
            "no": "Each plays alone.",
            "yes": "Two play against two, and partners sit across from each other: the first and "
            "the third against the second and the fourth, with one score a side.",
        },
    ),
    flag(
        "claims",
        "points must be claimed",
        {
            "no": "Points are counted for you.",
            "yes": "Points are claimed: the placer names a number with the tile, then every "
            "opponent may. The right number scores for the placer, or where the placer has not "
            "named it for one opponent, the earliest in turn after the placer who has; to a later "
            "one it brings nothing. Any other number, or one that the placer has scored already, "
            "costs as much as it says. An opponent's claim has a clock of its own, which each "
            "player sets: claim-seconds.",
        },
    ),
    Option(
        name="turn-seconds",
        default="none",
        allowed=f"none or a number from 1 to {LONGEST_TURN}",
        help="seconds a person has for a move",
        read=_read_seconds,
        spell=lambda value: "none" if value is None else str(value),
        says=_say_seconds,
    ),
)

BY_NAME: Final[dict[str, Option]] = {option.name: option for option in OPTIONS}
