"""What a seat knows of its table, followed from the notices: the same at the screen and in lines.

Here alone stand the room, the wishes for a pause, the links and the offer of another match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cli.table.port import Filled, Notice, Opened, Told
from cli.telling import links
from cli.telling.room import Room
from cli.telling.scene import Scene
from cli.telling.words import pause_text, say
from engine.events import HandEnded
from p2p.session.sitting import owner
from p2p.session.state.events import HandBegan, InHand, Participant, SessionEvent

LEFT: Final = "left"
OUTDONE: Final = (
    "Somebody has played on here with your key: another machine, or this one before its data were "
    "put back. Nothing more is signed here; go on where the newer data are, or leave."
)
BACK: Final = "You are back at the table. What happened in this hand:"


@dataclass
class Known:
    """`room` is the last one, `opened` the own table while it fills, `players` those of the match
    that is about to begin, or has; `wanting` are the seats that want a pause, `away` says by seat
    how it is with who is not there. `offered`: the match is over and another one may be asked for.
    `clock`: the seconds for a turn, if there is a limit. `hands` are the hands that have ended,
    `muted` the keys of those whose chat is not shown."""

    scene: Scene = field(default_factory=Scene)
    room: Room | None = None
    opened: Opened | None = None
    players: tuple[Participant, ...] = ()
    wanting: frozenset[int] = frozenset()
    paused: bool = False
    away: dict[int, str] = field(default_factory=dict)
    offered: bool = False
    clock: int | None = None
    _minutes: dict[int, int] = field(default_factory=dict)
    hands: tuple[HandEnded, ...] = ()
    muted: frozenset[bytes] = frozenset()

    def take(self, notice: Notice) -> list[str]:
        """Take a notice into account; the lines that tell it to a person."""
        match notice:
            case Told(text=line) | owner.Refused(sentence=line):
                return [line]
            case Opened(lines=lines):
                self.opened = notice
                return list(lines)
            case owner.Happened(event=event):
                return self._happened(event)
            case owner.Resumed(events=events):
                return self._again(events)
            case owner.Began(table=table, me=me):
                clock, muted = table.rules.turn_seconds, self.muted
                anew = Known(Scene(me), self.room, players=table.players, clock=clock, muted=muted)
                vars(self).update(vars(anew))
            case Filled(room=room):
                self.room = room
            case owner.Outdone():
                return [OUTDONE]
            case owner.Chatted(seat=seat, words=words) if not self.is_muted(seat):
                return [f"{self.name(seat)}: {words}"]
            case owner.Pausing(wanting=wanting, on=on):
                self.wanting, self.paused = wanting, on
                return [pause_text(notice, self._named)]
            case owner.Offered(possible=possible, why=why):
                self.offered = possible
                return [why] if why else []
            case owner.AgainWanted(seat=seat):
                return [f"{self.name(seat)} asks for another match."]
            case _:
                return self._there(notice)
        return []

    def _there(self, notice: Notice) -> list[str]:
        """Who is there, and who is not."""
        match notice:
            case owner.Hushed(seat=seat, lines=count):
                return [links.hushed(self.name(seat), count)]
            case owner.Unlinked(seat=seat, why=why):
                return [links.lost_link(self.name(seat), why)]
            case owner.Slept(seconds=seconds):
                return [links.slept(seconds)]
            case owner.Alone():
                return [links.ALONE]
            case owner.Away():
                return self._away(notice)
            case owner.Back(seat=seat):
                return self._back(seat)
            case owner.Left(seat=seat):
                self.away = self.away | {seat: LEFT}
            case owner.Waiting(seats=seats, since=since):
                names = [self.name(seat) for seat in seats]
                return [links.waited_for(names, since, self.clock)]
        return []

    def _again(self, events: Sequence[SessionEvent]) -> list[str]:
        """All that happened before, of which the lines of the last hand are told."""
        lines: list[str] = []
        for event in events:
            told = self._happened(event)
            lines = told if isinstance(event, HandBegan) else lines + told
        return [BACK, *lines]

    def _away(self, notice: owner.Away) -> list[str]:
        """How long somebody is away, beside the name; told when it begins and at full minutes."""
        seat, minute = notice.seat, int(notice.since // links.MINUTE)
        self.away = self.away | {seat: links.absence(notice.since, notice.left, notice.late)}
        fresh = self._minutes.get(seat) != minute
        self._minutes[seat] = minute
        return [f"{self.name(seat)} is {self.away[seat]}."] if fresh else []

    def _happened(self, event: SessionEvent) -> list[str]:
        self.scene.apply(event)
        if isinstance(event, InHand) and isinstance(event.event, HandEnded):
            self.hands = (*self.hands, event.event)
        return say(event, self._named)

    @property
    def muted_seats(self) -> frozenset[int]:
        """Those whose chat is not shown."""
        return frozenset(one.seat for one in self.players if one.key in self.muted)

    def is_muted(self, seat: int) -> bool:
        """Whether what the seat writes is not shown."""
        return self.players[seat].key in self.muted

    def mute(self, seat: int) -> str:
        """Show nothing more of what the seat writes, or show it again; says so."""
        self.muted ^= {self.players[seat].key}
        name = self.name(seat)
        if self.is_muted(seat):
            return f"What {name} writes is not shown to you any more."
        return f"What {name} writes is shown to you again."

    def _back(self, seat: int) -> list[str]:
        was_away = seat in self.away
        self._minutes.pop(seat, None)
        self.away = {other: how for other, how in self.away.items() if other != seat}
        return [f"{self.name(seat)} is back."] if was_away else []

    def name(self, seat: int) -> str:
        """What to call a seat: "You" for one's own."""
        return self._named.name(seat)

    @property
    def _named(self) -> Scene:
        """The scene for words: a peer may ask for a pause, or break the protocol, before the match
        has begun."""
        return self.scene if self.scene.players else Scene(self.scene.me, players=self.players)

    @property
    def wants_pause(self) -> bool:
        """Whether the own seat wants a pause."""
        return self.scene.me in self.wanting

    @property
    def hosted(self) -> Room | None:
        """The room, for its host and while the table fills."""
        filling = self.room if not self.players else None
        return filling if filling is not None and filling.hosts else None
