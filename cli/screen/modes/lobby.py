"""Before the match: what was told, who is here, and what a host may do about them."""

from dataclasses import dataclass, replace

from cli.screen.drawing.keys import KEYS, Act, key_row
from cli.screen.drawing.panels import Panel, lobby_panel, way_panel
from cli.screen.drawing.view import Desk, Front
from cli.screen.modes.base import Step
from cli.screen.modes.covers import Question, Scrolling, Writing
from cli.screen.modes.wishes import Copy
from cli.table.port import Admit, Refuse, SitWith
from cli.telling.ask import LEAVE_TABLE, NOBODY_HERE
from cli.telling.room import ONLY_HOST, Room, Sitter


@dataclass(frozen=True)
class Lobby(Scrolling):
    """Of who joins, and of a host until somebody has come; `room` is None before there is one."""

    room: Room | None
    row = key_row(KEYS, Act.CHAT, Act.RULES, Act.HELP, Act.LEAVE)
    _row_before = key_row(KEYS, Act.HELP, Act.LEAVE)

    def leaving(self, desk: Desk) -> str:
        """A table that fills ends for nobody."""
        return LEAVE_TABLE

    def page(self, desk: Desk) -> Panel:
        """The page of the table that fills."""
        if self.room is None:
            return way_panel(desk.opened, desk.told)
        return lobby_panel(self.room.lines(), desk.opened, desk.told, self.can_do)

    def front(self, desk: Desk) -> Front:
        """The page; nobody reads what is written before there is a table."""
        front = super().front(desk)
        return front if self.room is not None else replace(front, row=self._row_before)

    @property
    def can_do(self) -> str:
        """What a host may do."""
        return ""

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """People talk while they wait."""
        match act:
            case Act.CHAT if self.room is None or not self.room.others:
                return Step(self, note=NOBODY_HERE)
            case Act.CHAT:
                return Step(Writing(self))
            case Act.REFUSE | Act.PARTNER:
                partner = act is Act.PARTNER
                return Step(self, note=self.room.why_not(partner) if self.room else ONLY_HOST)
        return super().act(act, desk, char)

    def filled(self, room: Room, chosen: Sitter | None = None) -> "Lobby":
        """Who is here now. A host has more keys: for guests, and with others for these; who was
        `chosen` stays so, if here."""
        if not room.hosts:
            return Lobby(room, top=self.top)
        # Of bots there is only a partner to choose.
        about = [one for one in room.others if room.partners or room.may_refuse(one)]
        if not about:
            return (Opening if room.guests else Lobby)(room, top=self.top)
        kind = Pairing if room.partners else Hosting
        return kind(room, chosen if chosen in about else about[0], top=self.top)


@dataclass(frozen=True)
class Opening(Lobby):
    """Of a host to whom nobody has come yet."""

    room: Room
    row = key_row(KEYS, Act.COPY, Act.RULES, Act.HELP, Act.LEAVE)

    @property
    def lets(self) -> str:
        """Whom the host may let sit again."""
        return "".join(f" a lets {one.name} sit again." for one in self.room.waiting[:1])

    @property
    def can_do(self) -> str:
        """What the host may do though nobody is here."""
        return self.lets

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Copy the invite, to send it to others; let somebody sit again."""
        match act:
            case Act.COPY:
                return Step(self, Copy(), note=None)
            case Act.AGAIN if self.room.waiting:
                one = self.room.waiting[0]
                text = f"Let {one.name} sit again? y lets, n does not."
                return Step(Question(self, text, Admit(one.key)))
        return super().act(act, desk, char)


@dataclass(frozen=True)
class Hosting(Opening):
    """Of a host; its keys are about the `chosen` one."""

    chosen: Sitter
    row = key_row(KEYS, Act.REFUSE, Act.CHAT, Act.COPY, Act.RULES, Act.HELP, Act.LEAVE)

    def page(self, desk: Desk) -> Panel:
        """The page, with the chosen one marked."""
        people = self.room.lines(self.chosen.key)
        return lobby_panel(people, desk.opened, desk.told, self.can_do)

    @property
    def can_do(self) -> str:
        """What the host may do about the chosen one."""
        return f" x refuses {self.chosen.name}.{self.lets}"

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
            case Act.REFUSE if self.room.may_refuse(self.chosen):
                text = f"Send {self.chosen.name} away? y refuses, n keeps the seat."
                return Step(Question(self, text, Refuse(self.chosen.key)))
        return super().act(act, desk, char)

    def _beside(self, by: int) -> Step:
        """The next or previous one, round again."""
        others = self.room.others
        return Step(replace(self, chosen=others[(others.index(self.chosen) + by) % len(others)]))

    def _numbered(self, number: int) -> Step:
        """By the number that stands before a name."""
        one = dict(enumerate(self.room.people, 1)).get(number)
        return Step(replace(self, chosen=one) if one in self.room.others else self)


@dataclass(frozen=True)
class Pairing(Hosting):
    """Of a host where partners play."""

    row = key_row(KEYS, Act.REFUSE, Act.PARTNER, Act.CHAT, Act.COPY, Act.HELP, Act.LEAVE)
    _row_of_bots = key_row(KEYS, Act.PARTNER, Act.HELP, Act.LEAVE)

    def front(self, desk: Desk) -> Front:
        """The page; nobody is to be refused or to be invited where all are bots."""
        front = super().front(desk)
        return front if self.room.guests else replace(front, row=self._row_of_bots)

    @property
    def can_do(self) -> str:
        """What the host may do about the chosen one."""
        name = self.chosen.name
        refuse = f"x refuses {name}, " if self.room.may_refuse(self.chosen) else ""
        side = f"s takes {name} as partner" if self._other else "s leaves the sides to the lot"
        return f" {refuse}{side}.{self.lets}"

    @property
    def _other(self) -> bytes | None:
        """Whom to sit with instead."""
        return self.chosen.key if self.chosen.key != self.room.partner else None

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Sit with the chosen one; a second time by lot again."""
        if act is Act.PARTNER:
            return Step(self, SitWith(self._other))
        return super().act(act, desk, char)
