"""A table that is being planned in the menu: rules, bots, level, partners, door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from cli.menu.walk import Back, Entry, Go, Open, Page, Run, Stay
from engine.seats import LEVELS, MAX_SEATS, MIN_SEATS, NORMAL

Begin = Callable[..., Run]


@dataclass
class TablePlan:
    """What was chosen so far for `play` or `host` (`command`)."""

    command: str
    begin: Begin
    rules: str
    level: str
    players: int
    bots: int
    partners: bool
    open: bool

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
        entries = [begin, Entry("rules", self.rules, lambda: Open(self._presets))]
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
        flags += ["--open"] if self.open and not self._plays else []
        return self.begin(self.command, *flags)

    def _presets(self) -> Page:
        from engine.rules import PRESETS

        def take(name: str) -> Callable[[], Go]:
            def taken() -> Go:
                self.rules = name
                return Back()

            return taken

        names = [Entry(name, "", take(name)) for name in PRESETS]
        return Page("Which rules?", (*names, Entry("back", "", Back)))

    def _next_players(self) -> Go:
        self.players = MIN_SEATS + (self.players - MIN_SEATS + 1) % (MAX_SEATS - MIN_SEATS + 1)
        self.bots = min(self.bots, self.players - 1)
        self.partners = self.partners and self.players == MAX_SEATS
        return Stay()

    def _next_bots(self) -> Go:
        if self._plays:
            self.bots = self.bots % (MAX_SEATS - 1) + 1
            self.players = self.bots + 1
        else:
            self.bots = (self.bots + 1) % self.players
        self.partners = self.partners and self.players == MAX_SEATS
        return Stay()

    def _next_level(self) -> Go:
        self.level = LEVELS[(LEVELS.index(self.level) + 1) % len(LEVELS)]
        return Stay()

    def _turn_partners(self) -> Go:
        self.partners = not self.partners
        if self.partners:
            self.players = MAX_SEATS
            self.bots = MAX_SEATS - 1 if self._plays else self.bots
            return Stay("Partners are four players.")
        return Stay()

    def _turn_open(self) -> Go:
        self.open = not self.open
        return Stay()
