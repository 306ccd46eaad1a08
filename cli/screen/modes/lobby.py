"""The screen before the match: what was told, who is here, and whom a host has chosen."""

from cli.screen.drawing.keys import Mode
from cli.screen.drawing.panels import Panel, lobby_panel
from cli.telling.room import Room, Sitter


class Lobby:
    """`told` are the lines that were told, the latest last; `room` is None before there is one."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.room: Room | None = None
        self._chosen: bytes | None = None

    def fill(self, room: Room) -> None:
        """Who is at the table now."""
        self.room = room

    @property
    def _choices(self) -> tuple[Sitter, ...]:
        """Whom the host may choose: nobody for those who are no hosts."""
        return self.room.others if self.room is not None and self.room.powers is not None else ()

    @property
    def chosen(self) -> Sitter | None:
        """Whom the host's keys are about: the chosen one, else the first."""
        found = [one for one in self._choices if one.key == self._chosen]
        return next(iter([*found, *self._choices]), None)

    def step(self, by: int) -> None:
        """Choose the next or previous one, round again."""
        if self.chosen is not None:
            at = self._choices.index(self.chosen) + by
            self._chosen = self._choices[at % len(self._choices)].key

    def choose(self, number: int) -> None:
        """Choose by the number that stands before a name."""
        people = self.room.people if self.room is not None else ()
        if 1 <= number <= len(people) and people[number - 1] in self._choices:
            self._chosen = people[number - 1].key

    def sit_with_chosen(self) -> None:
        """The host plays with the chosen one; a second time by lot again."""
        one, room = self.chosen, self.room
        if one is not None and room is not None and room.powers is not None and room.partners:
            room.powers.sit_with(None if room.partner == one.key else one.key)

    def refuse(self, one: Sitter) -> None:
        """Send somebody away."""
        if self.room is not None and self.room.powers is not None:
            self.room.powers.refuse(one.key)

    @property
    def mode(self) -> Mode:
        """Which keys do something."""
        if self.room is None or self.chosen is None:
            return Mode.LOBBY
        return Mode.PAIRING if self.room.partners else Mode.HOSTING

    def panel(self) -> Panel:
        """The page."""
        one = self.chosen
        if self.room is None:
            return lobby_panel((), self.told)
        return lobby_panel(self.room.lines(one.key if one else None), self.told, self._can_do())

    def _can_do(self) -> str:
        if self.chosen is None or self.room is None:
            return ""
        name, sides = self.chosen.name, ""
        if self.room.partners:
            fixed = self.chosen.key == self.room.partner
            sides = ", s leaves the sides to the lot" if fixed else f", s takes {name} as partner"
        return f" x refuses {name}{sides}."
