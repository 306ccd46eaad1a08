"""The screen before the match: what was told, who is here, and whom a host has chosen."""

from cli.screen.drawing.keys import Mode
from cli.screen.drawing.panels import Panel, lobby_panel
from cli.table.known import Known
from cli.table.port import Refuse, SitWith, Wants
from cli.telling.room import Room, Sitter


class Lobby:
    """`told` are the lines that were told, the latest last."""

    def __init__(self, known: Known, wants: Wants) -> None:
        self.told: list[str] = []
        self._known = known
        self._wants = wants
        self._chosen: bytes | None = None

    @property
    def _room(self) -> Room | None:
        """Who is at the table; nobody is shown any more when the match is about to begin."""
        return None if self._known.players else self._known.room

    @property
    def _choices(self) -> tuple[Sitter, ...]:
        """Whom the host may choose: nobody for those who are no hosts."""
        return self._known.hosted.others if self._known.hosted is not None else ()

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
        people = self._room.people if self._room is not None else ()
        if 1 <= number <= len(people) and people[number - 1] in self._choices:
            self._chosen = people[number - 1].key

    def sit_with_chosen(self) -> None:
        """The host plays with the chosen one; a second time by lot again."""
        one, room = self.chosen, self._room
        if one is not None and room is not None and room.partners:
            self._wants(SitWith(None if room.partner == one.key else one.key))

    def refuse(self, one: Sitter) -> None:
        """Send somebody away."""
        self._wants(Refuse(one.key))

    @property
    def mode(self) -> Mode:
        """Which keys do something."""
        if self._room is None or self.chosen is None:
            return Mode.LOBBY
        return Mode.PAIRING if self._room.partners else Mode.HOSTING

    def panel(self) -> Panel:
        """The page."""
        one = self.chosen
        if self._room is None:
            return lobby_panel((), self.told)
        return lobby_panel(self._room.lines(one.key if one else None), self.told, self._can_do())

    def _can_do(self) -> str:
        if self.chosen is None or self._room is None:
            return ""
        name, sides = self.chosen.name, ""
        if self._room.partners:
            fixed = self.chosen.key == self._room.partner
            sides = ", s leaves the sides to the lot" if fixed else f", s takes {name} as partner"
        return f" x refuses {name}{sides}."
