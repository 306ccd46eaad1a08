"""A table that is being planned in the menu: rules, bots, level, partners, door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from cli.commands.own.config import USUAL
from cli.menu.walk import Ask, Back, Entry, Go, Open, Page, Run, Stay
from cli.process.answers import yes_or_no
from cli.process.errors import Stop, usage
from engine.errors import RulesError
from engine.seats import LEVELS, MAX_SEATS, MIN_SEATS, NORMAL
from engine.wording import sentence

if TYPE_CHECKING:
    from engine.options import Option

Begin = Callable[..., Run]
# Options with a flag of their own, of which a setting may be kept; and the one with its own entry.
_FLAGS: Final = ("target", "hand-size", "turn-seconds")
_PARTNERS: Final = "partners"


@dataclass
class TablePlan:
    """What was chosen so far for `play` or `host` (`command`); `options`: those of the rules that
    are otherwise than in the preset, as they are spelled."""

    command: str
    begin: Begin
    rules: str
    level: str
    players: int
    bots: int
    partners: bool
    open: bool
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, command: str, usual: Mapping[str, object], begin: Begin) -> Self:
        """With what is usual: by parameter name, of the command and of the settings."""
        bots = usual.get("bots")
        count = bots if isinstance(bots, int) else 1 if command == "play" else 0
        seats = usual.get("players")
        players = seats if isinstance(seats, int) else MIN_SEATS
        return cls(
            command,
            begin,
            str(usual.get("rules") or "classic"),
            str(usual.get("level") or NORMAL),
            count + 1 if command == "play" else players,
            count,
            usual.get("partners") is True,
            usual.get("is_open") is True,
        )

    def page(self) -> Page:
        """The choices."""
        begin = Entry("start", "begin" if self._plays else "open the table", self._start)
        changed = ", ".join(f"{name}={value}" for name, value in self.options.items())
        entries = [
            begin,
            Entry("rules", self.rules, lambda: Open(self._presets)),
            Entry("options", changed or "as the rules have them", lambda: Open(self._options)),
        ]
        if not self._plays:
            entries.append(Entry("players", f"{self.players} in all", self._next_players))
        if self._plays or self.players > MIN_SEATS or self.bots:
            entries.append(Entry("bots", str(self.bots), self._next_bots))
        if self.bots:
            entries.append(Entry("level", f"{self.level} bots", self._next_level))
        sides = "two against two" if self.partners else "everybody alone"
        entries.append(Entry("partners", sides, self._turn_partners))
        if not self._plays:
            door = "open to all on the network" if self.open else "with a code"
            entries.append(Entry("door", door, self._turn_open))
        title = "Play against bots" if self._plays else "Host a table"
        change = "Choose a line to change it."
        return Page(title, (*entries, Entry("back", "", Back)), (change,))

    @property
    def _plays(self) -> bool:
        return self.command == "play"

    def _start(self) -> Go:
        flags = ["--rules", self.rules, "--bots", str(self.bots), "--level", self.level]
        flags += [] if self._plays else ["--players", str(self.players)]
        flags += ["--partners"] if self.partners else []
        for name, value in self.options.items():
            flags += [f"--{name}", value] if name in _FLAGS else ["--set", f"{name}={value}"]
        flags += ["--open"] if self.open and not self._plays else []
        return self.begin(self.command, *flags)

    def _presets(self) -> Page:
        from engine.rules import PRESETS

        def take(name: str) -> Callable[[], Go]:
            def taken() -> Go:
                self.rules = name
                return Back(self._dropped())

            return taken

        names = [Entry(name, "", take(name)) for name in PRESETS]
        return Page("Which rules?", (*names, Entry("back", "", Back)))

    def _options(self) -> Page:
        from engine.options import OPTIONS
        from engine.rules import PRESETS, options_of

        now = options_of(PRESETS[self.rules]) | self.options
        entries = [
            Entry(one.name, now[one.name], self._change(one), one.help)
            for one in OPTIONS
            if one.name != _PARTNERS
        ]
        lines = (f"Options of the rules {self.rules}. Choose a line to change it.",)
        return Page("Options", (*entries, Entry("back", "", Back)), lines)

    def _change(self, option: "Option") -> Callable[[], Go]:
        from engine.rules import PRESETS, options_of

        def keep(text: str) -> Go:
            others = {name: one for name, one in self.options.items() if name != option.name}
            if text:
                as_preset = text.lower() == USUAL
                changed = others if as_preset else {**others, option.name: _spelled(option, text)}
                self._check(changed)
                self.options = changed
            return Stay()

        def ask() -> Ask:
            usual = options_of(PRESETS[self.rules])[option.name]
            now = self.options.get(option.name)
            again = "" if now is None else f"; {USUAL}: {usual}, as the rules have it"
            is_now = f"It is {now or usual}. Enter: it stays so{again}."
            return Ask(f"{option.name} ({option.allowed})? {is_now}", keep)

        return ask

    def _check(self, options: Mapping[str, str]) -> None:
        """Raises Stop if there are no such rules for so many."""
        from engine.rules import Rules

        sides = {_PARTNERS: "yes"} if self.partners else {}
        try:
            Rules.make(self.rules, self.players, {**options, **sides})
        except RulesError as error:
            raise usage(sentence(error)) from None

    def _dropped(self) -> str:
        """Give up the options if they do not fit any more, and say so."""
        try:
            self._check(self.options)
        except Stop as stop:
            self.options = {}
            return f"The options are as the rules have them again. {stop.sentence}"
        return ""

    def _next_players(self) -> Go:
        self.players = MIN_SEATS + (self.players - MIN_SEATS + 1) % (MAX_SEATS - MIN_SEATS + 1)
        self.bots = min(self.bots, self.players - 1)
        self.partners = self.partners and self.players == MAX_SEATS
        return Stay(self._dropped())

    def _next_bots(self) -> Go:
        if self._plays:
            self.bots = self.bots % (MAX_SEATS - 1) + 1
            self.players = self.bots + 1
        else:
            self.bots = (self.bots + 1) % self.players
        self.partners = self.partners and self.players == MAX_SEATS
        return Stay(self._dropped())

    def _next_level(self) -> Go:
        self.level = LEVELS[(LEVELS.index(self.level) + 1) % len(LEVELS)]
        return Stay()

    def _turn_partners(self) -> Go:
        self.partners = not self.partners
        if self.partners:
            self.players = MAX_SEATS
            self.bots = MAX_SEATS - 1 if self._plays else self.bots
            return Stay(f"With partners four people play. {self._dropped()}".rstrip())
        return Stay()

    def _turn_open(self) -> Go:
        self.open = not self.open
        return Stay()


def _spelled(option: "Option", text: str) -> str:
    """What was typed, a yes or no as the rules spell it."""
    said = yes_or_no(text)
    word = "yes" if said else "no"
    return text if said is None or word not in option.allowed.split() else word
