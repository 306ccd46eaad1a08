"""Before the match: what was told, who is here, and what a host may do about them."""

from dataclasses import dataclass, replace

from cli.screen.drawing.keys import KEYS, Act, key_row
from cli.screen.drawing.panels import Panel, lobby_panel
from cli.screen.drawing.view import Desk
from cli.screen.modes.base import Step
from cli.screen.modes.covers import Question, Scrolling
from cli.table.port import Refuse, SitWith
from cli.telling.ask import LEAVE_TABLE
from cli.telling.room import Room, Sitter


@dataclass(frozen=True)
class Lobby(Scrolling):
    """Of who joins, and of a host until somebody has come; `room` is None before there is one."""

    room: Room | None
    leaving = LEAVE_TABLE
    row = key_row(KEYS, Act.HELP, Act.LEAVE)

    def page(self, desk: Desk) -> Panel:
        """The page of the table that fills."""
        return lobby_panel(() if self.room is None else self.room.lines(), desk.told)

    def filled(self, room: Room, chosen: Sitter | None = None) -> "Lobby":
        """Who is here now. With others a host has more keys; who was `chosen` stays so, if here."""
        if not room.hosts or not room.others:
            return Lobby(room, top=self.top)
        kind = Pairing if room.partners else Hosting
        return kind(room, chosen if chosen in room.others else room.others[0], top=self.top)


@dataclass(frozen=True)
class Hosting(Lobby):
    """Of a host; its keys are about the `chosen` one."""

    room: Room
    chosen: Sitter
    row = key_row(KEYS, Act.REFUSE, Act.HELP, Act.LEAVE)

    def page(self, desk: Desk) -> Panel:
        """The page, with the chosen one marked."""
        return lobby_panel(self.room.lines(self.chosen.key), desk.told, self.can_do)

    @property
    def can_do(self) -> str:
        """What the host may do about the chosen one."""
        return f" x refuses {self.chosen.name}."

    def filled(self, room: Room, chosen: Sitter | None = None) -> Lobby:
        """Who is here now."""
        return super().filled(room, chosen or self.chosen)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Choose somebody of those who came, and send them away, if the host is sure."""
        match act:
            case Act.NEXT_TILE:
                return self._beside(1)
            case Act.PREVIOUS_TILE:
                return self._beside(-1)
            case Act.TILE:
                return self._numbered(int(char))
            case Act.REFUSE:
                text = f"Send {self.chosen.name} away? y refuses, n keeps the seat."
                return Step(Question(self, text, Refuse(self.chosen.key)))
        return super().act(act, desk, char)

    def _beside(self, by: int) -> Step:
        """The next or previous one, round again."""
        others = self.room.others
        return Step(replace(self, chosen=others[(others.index(self.chosen) + by) % len(others)]))

    def _numbered(self, number: int) -> Step:
        """By the number that stands before a name."""
        one = self.room.people[number - 1] if number <= len(self.room.people) else None
        return Step(replace(self, chosen=one) if one in self.room.others else self)


@dataclass(frozen=True)
class Pairing(Hosting):
    """Of a host where partners play."""

    row = key_row(KEYS, Act.REFUSE, Act.PARTNER, Act.HELP, Act.LEAVE)

    @property
    def can_do(self) -> str:
        """What the host may do about the chosen one."""
        name = self.chosen.name
        side = f"s takes {name} as partner" if self._other else "s leaves the sides to the lot"
        return f" x refuses {name}, {side}."

    @property
    def _other(self) -> bytes | None:
        """Whom to sit with instead."""
        return self.chosen.key if self.chosen.key != self.room.partner else None

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Sit with the chosen one; a second time by lot again."""
        if act is Act.PARTNER:
            return Step(self, SitWith(self._other))
        return super().act(act, desk, char)
