"""What a seat knows of its table, followed from the notices: the same at the screen and in lines.

Here alone stand the room, the wishes for a pause, the links and the offer of another match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cli.table.port import Filled, Notice, Opened, Spoke, Told
from cli.table.seating import parting, plays_on
from cli.telling import links
from cli.telling.ask import Parting
from cli.telling.doing import Moment, Situation
from cli.telling.phrases import LEFT, gone, scores_text
from cli.telling.room import Room, called
from cli.telling.scene import Scene
from cli.telling.series import Series
from cli.telling.settling import ended_hand
from cli.telling.words import pause_text, say
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from engine.strategy.view import SeatView
from p2p.net.link.live import OTHER_LEFT
from p2p.session.sitting import owner
from p2p.session.state.events import (
    DeckStep,
    HandBegan,
    MatchBegan,
    Participant,
    SeatOut,
    SessionEvent,
    TakenBack,
)


@dataclass
class Known:
    """`room` is the last one, `opened` the own table while it fills, `players` those of the match
    that is about to begin, or has; `wanting` are the seats that want a pause, `away` says by seat
    how it is with who is not there, `left` who has said that it leaves, `told` of whom that was
    told, `down` which links are, `waited` whom the match waits for so long that it may go on
    without them some time, `awaited` whether that is oneself. `watched`: others may look on.
    `standing` are the lines told last, of who is away by seat, of a pause by None.
    `offered`: the match is over and another one may be asked for. `clock`: the seconds for a turn,
    if there is a limit. `hands` are the hands that have ended, `muted` the keys of those whose
    chat is not shown, `owners` by seat who brought it. `rules` are those of the table, None before
    one is found. `over`: the match has its result, `stopped`: it broke off. `before` are the lines
    of all that happened before one was here, `proofs` is of the decks, `series` of the matches."""

    scene: Scene = field(default_factory=Scene)
    room: Room | None = None
    opened: Opened | None = None
    players: tuple[Participant, ...] = ()
    wanting: frozenset[int] = frozenset()
    paused: bool = False
    away: dict[int, links.Absence] = field(default_factory=dict)
    left: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    down: frozenset[int] = frozenset()
    waited: frozenset[int] = frozenset()
    awaited: bool = False
    offered: bool = False
    clock: int | None = None
    _minutes: dict[int, int] = field(default_factory=dict)
    standing: dict[int | None, str] = field(default_factory=dict)
    hands: tuple[HandEnded, ...] = ()
    muted: frozenset[bytes] = frozenset()
    owners: tuple[int, ...] = ()
    rules: Rules | None = None
    over: bool = False
    stopped: bool = False
    before: tuple[str, ...] = ()
    proofs: list[DeckStep] = field(default_factory=list)
    series: Series = field(default_factory=Series)
    onlookers: links.Onlookers = field(default_factory=links.Onlookers)
    watched: bool = False

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
                anew = Known(Scene(me), self.room, players=table.players, owners=table.owners)
                anew.clock, anew.muted = table.rules.turn_seconds, self.muted
                anew.rules, anew.onlookers = table.rules, self.onlookers
                anew.watched = table.terms.watch and any(one != me for one in table.owners)
                anew.series = self.series.going_on([one.key for one in table.people])
                vars(self).update(vars(anew))
                return [links.LOOKING_FIRST] if me is None else []
            case Filled(room=room):
                self._fill(room)
            case Spoke(key=key, words=words):
                return [f"{called(self.room, key)}: {words}"] if key not in self.muted else []
            case owner.Outdone():
                return [links.OUTDONE]
            case owner.Chatted(seat=seat, words=words) if seat not in self.muted_seats:
                return [f"{self.name(seat)}: {words}"]
            case owner.Pausing(wanting=wanting, on=on):
                self.wanting, self.paused = wanting, on
                self.standing[None] = pause_text(notice, self._named)
                return [self.standing[None]]
            case owner.Offered(possible=possible, why=why):
                self.offered = possible
                return [why] if why else []
            case owner.AgainWanted(seat=seat):
                return [f"{self.name(seat)} asks for another match."]
            case _:
                return self._there(notice)
        return []

    def _fill(self, room: Room) -> None:
        """The table fills, perhaps once more, since its match never began."""
        anew = Known(room=room, opened=self.opened, muted=self.muted, rules=room.rules)
        vars(self).update(vars(anew))

    def _there(self, notice: Notice) -> list[str]:
        """Who is there, and who is not."""
        match notice:
            case owner.Hushed(seat=seat, lines=count):
                return [links.hushed(self.name(seat), count)]
            case owner.Remarked(name=name, words=words):
                return [f"{links.looking(name)}: {words}"]
            case owner.Onlooker(name=name, count=count, why=why):
                return self.onlookers.take(name, count, why, why == OTHER_LEFT)
            case owner.Linked(seat=seat) if self.looks_on:
                # One link is all there is.
                lines = [links.looks_again(self.name(seat))] if self.down else []
                self.down = frozenset()
                return lines
            case owner.Unlinked(seat=seat, why=why) if seat not in self.scene.out:
                return self._lost(seat, why)
            case owner.Linked(seat=seat) if seat in self.down:
                self.down -= {seat}
                # Who was away is told as back.
                return [] if seat in self.away else [links.link_again(self.name(seat))]
            case owner.Slept(seconds=seconds):
                return [links.slept(seconds)]
            case owner.Alone():
                return [links.ALONE]
            case owner.Away():
                return self._away(notice)
            case owner.Back(seat=seat):
                return self._back(seat)
            case owner.Left(seat=seat):
                self._end_absence(seat)
                self.left |= {seat}
                self.waited -= self.left
                tells = self.leaving and self._is_person(seat)
                self.told |= {seat} if tells else set()
                return [self.leaving] if tells else []
            case owner.Waiting():
                return self._waiting(notice)
            case owner.OutWished(seat=seat, out=out):
                return [links.out_wished(self.name(seat), [self._inside(one) for one in out])]
        return []

    def _lost(self, seat: int, why: str) -> list[str]:
        """A link is gone: who goes in a pause stops for today; of who has left that was told."""
        if seat in self.left:
            self.down |= {seat} if self.looks_on else set()
            return []
        self.down |= {seat}
        if not (self.paused and why == OTHER_LEFT):
            return [links.lost_link(self.name(seat), why, why != OTHER_LEFT)]
        self._minutes[seat] = 0
        self.standing[seat] = links.stopped(self.name(seat))
        return [self.standing[seat]]

    def _again(self, events: Sequence[SessionEvent]) -> list[str]:
        """All that happened before, of which the lines of the last hand are told."""
        lines, begun, past, moved = list[str](), list[str](), list[str](), False
        for event in events:
            told = self._happened(event)
            past += told
            if isinstance(event, MatchBegan):
                begun = told
            elif isinstance(event, HandBegan):
                before = [f"Scores before it: {scores_text(self.scene)}."]
                # Of who comes back the hand is read as it is now.
                dealt = told if self.looks_on else told[:1]
                lines = [*(before if self.looks_on and event.hand > 1 else []), *dealt]
                moved = False
            else:
                lines += told
                moved = moved or bool(told)
        self.before = tuple(past)
        if self.looks_on:
            return [*begun, *([links.LOOKING] if moved else []), *lines]
        return [links.BACK if moved else links.RETURNED, *lines]

    def _away(self, notice: owner.Away) -> list[str]:
        """How long somebody is away, beside the name; told when it begins and at full minutes."""
        seat, minute = notice.seat, int(notice.since // links.MINUTE)
        if seat in self.scene.out or seat in self.left:
            return []
        now = links.Absence(notice.since, notice.left, notice.late)
        self.away = self.away | {seat: now}
        # In a pause no time is counted, and it may last for days.
        fresh = self._minutes.get(seat) != minute and not (self.paused and seat in self._minutes)
        self._minutes[seat] = minute
        how = links.AWAY_IN_PAUSE if self.paused else now.told
        line = f"{self.name(seat)} is {how}."
        if fresh or not self.paused:
            self.standing[seat] = line
        return [line] if fresh else []

    def _waiting(self, notice: owner.Waiting) -> list[str]:
        stay = [seat for seat in notice.seats if seat not in self.left]
        others = [seat for seat in stay if seat != self.scene.me]
        self.waited = frozenset(() if notice.left is None else others)
        names, left = [self.name(seat) for seat in others], notice.left
        told = [links.waited_for(names, notice.since, self.clock, left)] if others else []
        self.awaited = left is not None and self.scene.me in stay
        return [*told, links.awaited(left)] if self.awaited and left is not None else told

    def _end_absence(self, seat: int) -> None:
        """A seat is waited for no more."""
        self._minutes.pop(seat, None)
        self.standing.pop(seat, None)
        self.away = {other: how for other, how in self.away.items() if other != seat}

    def _happened(self, event: SessionEvent) -> list[str]:
        self.scene.apply(event)
        self.waited, self.awaited = frozenset(), False
        self.over = isinstance(event, MatchEnded)
        # Who is out is waited for no more.
        for seat in self.scene.out:
            self._end_absence(seat)
        if isinstance(event, TakenBack):
            self.hands = tuple(ended for one in event.told for ended in ended_hand(one))
        if isinstance(event, DeckStep):
            self.proofs.append(event)
        self.hands = (*self.hands, *ended_hand(event))
        lines = say(event, self._named)
        if isinstance(event, SeatOut) and event.reason == "left" and event.seat in self.told:
            lines = [links.goes_on(self.name(event.seat))]
        return [*lines, *self.series.hear(event, self.scene)]

    def moment(self, asked: SeatView | None = None) -> Moment:
        """What can be done now by this person, who is `asked` for a move or a claim, or not."""
        return Situation(
            scene=self.scene.asked_about(asked),
            room=self.room,
            rules=self.rules,
            others=bool(self.players),
            asked=asked,
            invite=self.opened is not None,
            paused=self.paused,
            wants_pause=self.wants_pause,
            waited=bool(self.waited),
            over=self.over,
            stopped=self.stopped,
            offered=self.offered,
        ).moment()

    @property
    def looks_on(self) -> bool:
        """Whether this is a table that one has no seat at."""
        return bool(self.players) and self.scene.me is None

    def who(self) -> tuple[str, ...]:
        """Who is at the table, a line each: the players of a match, and how it is with them."""
        if not self.players:
            lines = ("You are at no table yet.",) if self.room is None else self.room.lines()
            return tuple(line.strip() for line in lines)
        lines = links.people(self.players, self.scene.me, self.beside)
        return (*lines, *self.onlookers.lines(), *((links.WHO_HEARS,) if self.watched else ()))

    @property
    def beside(self) -> dict[int, str]:
        """What stands beside the names of those who are not there."""
        away = {seat: absence.beside for seat, absence in self.away.items()}
        out = {seat: gone(out.reason) for seat, out in self.scene.out.items()}
        return away | dict.fromkeys(self.left, LEFT) | out

    @property
    def leaving(self) -> str:
        """Who has left and is not out yet, and whom that waits for; "" where it ends the match."""
        scene = self.scene
        left = [seat for seat in scene.seats_in if seat in self.left] if scene.rules else []
        who = [scene.name(seat) for seat in left if self._is_person(seat)]
        stays = scene.rules and plays_on(scene.rules, scene.seats_in, self.owners, *left)
        if not (who and stays) or self.over:
            return ""
        return links.leaving(who, [self.name(seat) for seat in sorted(self.away)])

    def _is_person(self, seat: int) -> bool:
        """Whether nobody else brought it."""
        return not self.owners or self.owners[seat] == seat

    @property
    def muted_seats(self) -> frozenset[int]:
        """Those whose chat is not shown."""
        return frozenset(one.seat for one in self.players if one.key in self.muted)

    def mute(self, seat: int) -> str:
        """Show nothing more of what the seat writes, or show it again; says so."""
        self.muted ^= {self.players[seat].key}
        return links.muted(self.name(seat), seat in self.muted_seats)

    def _back(self, seat: int) -> list[str]:
        was_away = seat in self.away
        self._end_absence(seat)
        return [f"{self.name(seat)} is back."] if was_away else []

    def _inside(self, seat: int) -> str:
        """The same inside a sentence."""
        return "you" if seat == self.scene.me else self.name(seat)

    def name(self, seat: int) -> str:
        """What to call a seat: "You" for one's own."""
        return self._named.name(seat)

    @property
    def _named(self) -> Scene:
        """The scene for words: a peer may ask for a pause, or break the protocol, before the match
        has begun."""
        return self.scene if self.scene.players else Scene(self.scene.me, players=self.players)

    @property
    def parting(self) -> Parting:
        """What it would mean if one left the match now."""
        return "looking" if self.looks_on else parting(self.scene, self.owners, self.paused)

    @property
    def plays(self) -> bool:
        """Whether the own seat plays: it has one, and has not gone out of the match."""
        return self.scene.me is not None and self.scene.me not in self.scene.out

    @property
    def wants_pause(self) -> bool:
        """Whether the own seat wants a pause."""
        return self.scene.me in self.wanting

    @property
    def hosted(self) -> Room | None:
        """The room, for its host and while the table fills."""
        filling = self.room if not self.players else None
        return filling if filling is not None and filling.hosts else None
