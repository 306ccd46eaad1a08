"""The rules of one table: a preset with some options set otherwise, checked and frozen.

A preset is a row of differences from another one; adding one is adding a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from engine.errors import RulesError, WrongSeats
from engine.options import BY_NAME, OPTIONS, Option
from engine.seats import MAX_SEATS, MIN_SEATS
from engine.tiles import TILE_COUNT
from engine.wording import allowed, quoted

__all__ = ["OPTIONS", "PRESETS", "Option", "Preset", "Rules", "describe"]

PRESET_KEY: Final = "preset"


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
    Preset(
        "pagat",
        None,
        {"hand-end": "collect-sum", "match-end": "hand"},
        "The description at pagat.com lets those who are tied for the fewest pips in a blocked "
        "hand share the points of the others; here nobody scores then.",
    ),
    Preset("muggins", "pagat", {"spinner": "none"}, _other_name("Muggins", "no spinner")),
    Preset(
        "five-up",
        "pagat",
        {"spinner": "every"},
        _other_name("Five-Up", "every double a spinner")
        + " Elsewhere five tiles each are dealt (--hand-size 5 does that).",
    ),
    Preset(
        "sniff",
        "pagat",
        {"hand-size": "7/6/5", "bare-arms": "half"},
        "There is an older form of Sniff, in which the first double may be placed in the line; "
        "here it lies across, as in the other rules.",
    ),
    Preset(
        "draw",
        "online",
        {"play-points": "none", "spinner": "none", "hand-end": "collect-raw", "target": "100"},
    ),
    Preset("block", "draw", {"draws": "none"}),
)

PRESETS: Final[dict[str, Preset]] = {row.name: row for row in _ROWS}

# Other names that people have: those of the game itself mean its default rules.
_OTHER_NAMES: Final = {
    **dict.fromkeys(("fives", "all-fives", "5s", "all-5s"), "classic"),
    "5-up": "five-up",
    "draw-game": "draw",
    "block-game": "block",
}


def preset_named(text: str) -> Preset:
    """The preset that a person means: in any case, with spaces or hyphens, or by another name of
    the game. Raises `RulesError`."""
    name = "-".join(text.casefold().replace("-", " ").replace("_", " ").split())
    known = {one: one for one in PRESETS} | _OTHER_NAMES
    joined = (one for one in known if one.replace("-", "") == name.replace("-", ""))
    found = known.get(name) or known.get(next(joined, ""))
    if found is None:
        clause = allowed(name, PRESETS, _OTHER_NAMES)
        raise RulesError(f"there are no rules {quoted(text)}: {clause}")
    return PRESETS[found]


def options_of(preset: Preset) -> dict[str, str]:
    """Every option of a preset by name, spelled."""
    if preset.base is None:
        values = {option.name: option.default for option in OPTIONS}
    else:
        values = options_of(PRESETS[preset.base])
    return values | dict(preset.differences)


@dataclass(frozen=True)
class Rules:
    """The options of a table for `players` seats, typed. Make it with `make` or `read`."""

    preset: str
    players: int
    hand_sizes: tuple[int, int, int]
    starter: str
    next_starter: str
    spinner: str
    arms: str
    bare_arms: str
    play_points: str
    draws: str
    reserve: int
    hand_end: str
    block_winner: str
    target: int
    match_end: str
    partners: bool
    claims: bool
    turn_seconds: int | None

    @classmethod
    def make(cls, preset: str, players: int, overrides: Mapping[str, str] = {}) -> "Rules":
        """The rules of `preset` with `overrides` (names and values as `--set` spells them).

        Raises `RulesError`, naming the option and what is allowed.
        """
        row = preset_named(preset)
        for name in overrides:
            if name not in BY_NAME:
                raise RulesError(f"there is no option {quoted(name)}: {allowed(name, BY_NAME)}")
        return cls._build(row.name, players, options_of(row) | dict(overrides))

    @classmethod
    def read(cls, spelled: Mapping[str, str], players: int) -> "Rules":
        """The rules that `spell` wrote; any other spelling of them raises `RulesError`."""
        expected = {PRESET_KEY, *BY_NAME}
        for name in sorted(expected - set(spelled)):
            raise RulesError(f"the rules do not say {name}")
        for name in sorted(set(spelled) - expected):
            raise RulesError(f"there is no option {quoted(name)}: allowed is {', '.join(BY_NAME)}")
        if spelled[PRESET_KEY] not in PRESETS:
            raise RulesError(f"there are no rules {quoted(spelled[PRESET_KEY])}")
        values = {name: text for name, text in spelled.items() if name != PRESET_KEY}
        rules = cls._build(spelled[PRESET_KEY], players, values)
        for name, text in rules.spell().items():
            if spelled[name] != text:
                raise RulesError(f"{name} must be spelled {text!r}, not {quoted(spelled[name])}")
        return rules

    @classmethod
    def _build(cls, preset: str, players: int, texts: Mapping[str, str]) -> "Rules":
        if not MIN_SEATS <= players <= MAX_SEATS:
            raise RulesError(f"players cannot be {players}: allowed is 2, 3 or 4")
        values: dict[str, Any] = {
            _field(option): option.parse(texts[option.name], players) for option in OPTIONS
        }
        rules = cls(preset=preset, players=players, **values)
        _check_together(rules)
        return rules

    def spell(self) -> dict[str, str]:
        """The preset's name and every option, as `--set` and the records spell them."""
        spelled = {option.name: option.spell(getattr(self, _field(option))) for option in OPTIONS}
        return {PRESET_KEY: self.preset} | spelled

    @property
    def title(self) -> str:
        """The preset's name, and what this table has otherwise but for the target, which stands
        beside the title: "classic rules", "classic rules with claims=yes".
        """
        changed = [f"{name}={text}" for name, text in self.changed.items()]
        return f"{self.preset} rules" + (f" with {', '.join(changed)}" if changed else "")

    @property
    def changed(self) -> dict[str, str]:
        """The options, spelled, that are others than the preset's, but for the target."""
        usual = Rules.make(self.preset, self.players).spell()
        return {
            name: text
            for name, text in self.spell().items()
            if text != usual[name] and name != "target"
        }

    @property
    def game(self) -> str:
        """What is played: All Fives, or where placing scores nothing one of the games of dominoes
        that are named after what is done by who cannot play."""
        if self.play_points == "fives":
            return "All Fives"
        return "the Draw game" if self.draws == "until-fit" else "the Block game"

    @cached_property
    def hand_size(self) -> int:
        """Tiles each seat takes while all seats are in."""
        return self.hand_size_for(self.players)

    def hand_size_for(self, seats: int) -> int:
        """Tiles each seat takes in a deal of 2, 3 or 4 seats (fewer once a seat has left)."""
        return self.hand_sizes[seats - MIN_SEATS]

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that share a score with `seat`, ascending, itself included."""
        return (seat % 2, seat % 2 + 2) if self.partners else (seat,)


def _field(option: Option) -> str:
    return "hand_sizes" if option.name == "hand-size" else option.attribute


def _check_together(rules: Rules) -> None:
    """Raises `RulesError` for options that are each allowed but cannot work together."""
    for seats in range(MIN_SEATS, rules.players + 1):
        need = seats * rules.hand_size_for(seats) + rules.reserve
        if need > TILE_COUNT:
            most = (TILE_COUNT - rules.reserve) // seats
            raise RulesError(
                f"hand-size {rules.hand_size_for(seats)} cannot be: {seats} players with a reserve "
                f"of {rules.reserve} would need {need} tiles of {TILE_COUNT}; allowed is at most "
                f"{most} each"
            )
    if rules.partners and rules.players != MAX_SEATS:
        raise WrongSeats(
            f"two against two (partners) is for 4 players, and not for {rules.players}",
            MAX_SEATS,
        )
    if rules.play_points == "none" and rules.hand_end == "subtract-own":
        raise RulesError(
            "play-points cannot be 'none' with hand-end 'subtract-own', as nobody could ever "
            "score: allowed is a hand-end that collects"
        )
    if rules.play_points == "none" and rules.claims:
        raise RulesError(
            "claims cannot be 'yes' with play-points 'none', as there are no points to claim: "
            "allowed is claims 'no', or play-points 'fives'"
        )


def describe(rules: Rules) -> tuple[str, ...]:
    """The rules in plain words, a line each, made from the values of the options alone."""
    remark = PRESETS[rules.preset].remark
    lines = [f"{rules.preset}: {rules.game} with the double-six set, {rules.players} players."]
    lines += [remark] if remark else []
    lines += [_line(rules, option) for option in OPTIONS if not _without_effect(rules, option.name)]
    return tuple(lines)


def _line(rules: Rules, option: Option) -> str:
    value = getattr(rules, _field(option))
    sentence = option.says(value, rules)
    return f"{sentence} [{option.name}={option.spell(value)}]"


def _without_effect(rules: Rules, name: str) -> bool:
    """Whether another option leaves nothing for this one to decide."""
    return (
        (name in ("arms", "bare-arms") and rules.spinner == "none")
        or (name == "block-winner" and rules.hand_end == "subtract-own")
        or (name == "reserve" and rules.draws == "none")
        or (name == "claims" and rules.play_points == "none")
    )
