"""What a person can do at a table now: the one source for the help at the screen, the words of
plain lines, and what is said to who types anything else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from cli.telling.links import Absence
from cli.telling.room import Room
from cli.telling.scene import Scene
from cli.telling.words import LOOKS_ON
from engine.moves import Draw, Pass, Play
from engine.rules import Rules
from engine.strategy.view import SeatView


class Deed(Enum):
    """Something that may be done, by a key or a word, or both."""

    PLAY = auto()
    DRAW = auto()
    PASS = auto()
    CLAIM = auto()
    AHEAD = auto()
    HINT = auto()
    HAND = auto()
    LINE = auto()
    SCORES = auto()
    SHEET = auto()
    LOG = auto()
    RULES = auto()
    TIPS = auto()
    FAIR = auto()
    WHO = auto()
    SAY = auto()
    MUTE = auto()
    PAUSE = auto()
    GO_ON = auto()
    OUT = auto()
    COPY = auto()
    REFUSE = auto()
    ADMIT = auto()
    PARTNER = auto()
    AGAIN = auto()
    BELL = auto()


@dataclass(frozen=True, slots=True)
class Moment:
    """How it stands, in a sentence, and what can be done; `rules` are those of the table, None
    while they are not known; `at_table`: a match is played. `names` says of somebody whom a deed
    may be done to, `leaving` what it means to leave."""

    state: str
    deeds: frozenset[Deed]
    rules: Rules | None = None
    at_table: bool = True
    names: Mapping[Deed, str] = field(default_factory=dict)
    leaving: str = "leave"


NOTHING: Final = Moment("", frozenset())


@dataclass(frozen=True, slots=True)
class Situation:
    """How it stands at a table for one person. `asked`: for a move or a claim; `others`: there is
    somebody else in the match; `invite`: it is one's own table that fills; `waited`: somebody is
    waited for so long that the match may go on without them; `over`: the match has its result,
    `stopped`: it broke off; `offered`: another one."""

    scene: Scene = field(default_factory=Scene)
    room: Room | None = None
    rules: Rules | None = None
    others: bool = False
    asked: SeatView | None = None
    invite: bool = False
    paused: bool = False
    wants_pause: bool = False
    waited: bool = False
    over: bool = False
    stopped: bool = False
    offered: bool = False

    @property
    def plays(self) -> bool:
        """Whether it is for this person to play."""
        me, done = self.scene.me, self.over or self.stopped
        return me is not None and me not in self.scene.out and not done

    def moment(self) -> Moment:
        """What can be done."""
        common = {Deed.RULES, Deed.TIPS} if self.rules is not None else set()
        if self.others:
            deeds = self._playing() if self.plays else set()
            deeds |= {Deed.FAIR, Deed.WHO, Deed.LOG} | self._told()
            deeds |= set() if self.stopped else {Deed.SAY, Deed.MUTE}
        else:
            deeds = self._filling()
        deeds |= {Deed.AGAIN} if self.offered else set()
        at_table = self.others and not (self.over or self.stopped)
        moment = Moment(self._state(), frozenset(deeds | common), self.rules, at_table)
        return replace(moment, names=self._names(), leaving=self._leaving())

    def _names(self) -> dict[Deed, str]:
        """Somebody to whom it may be done, for each deed that is done to somebody."""
        scene, room = self.scene, self.room
        whom = {Deed.MUTE: [one.name for one in scene.players if one.seat != scene.me]}
        if room is not None:
            whom[Deed.REFUSE] = [one.name for one in room.others if room.may_refuse(one)]
            whom[Deed.ADMIT] = [one.name for one in room.waiting]
            whom[Deed.PARTNER] = [one.name for one in room.others]
        return {deed: names[0] for deed, names in whom.items() if names}

    def _leaving(self) -> str:
        """What it means to leave; in a match it asks first."""
        if not self.scene.players or self.offered:
            asks = not self.offered and self.room is not None and self.room.people_left
            return "leave; asks first" if asks else "leave"
        return f"{'stop for today' if self.paused and self.plays else 'leave'}; asks first"

    def _told(self) -> set[Deed]:
        """What there is to be read of a match."""
        scene = self.scene
        held = scene.hands[scene.me] if scene.me is not None and scene.dealt else None
        deeds = {Deed.SCORES, Deed.SHEET} if scene.rules is not None else set()
        deeds |= {Deed.LINE} if scene.line is not None else set()
        return deeds | ({Deed.HAND} if held else set())

    def _playing(self) -> set[Deed]:
        deeds = {Deed.BELL, Deed.GO_ON if self.wants_pause else Deed.PAUSE}
        deeds |= {Deed.OUT} if self.waited else set()
        if self.paused:
            return deeds
        if self.asked is None:
            waits = self.scene.dealt and self.scene.turn is not None
            return deeds | ({Deed.AHEAD} if waits and not self.scene.unsettled else set())
        if self.asked.awaiting is not None:
            return deeds | {Deed.CLAIM}
        deeds |= {Deed.HINT}
        kinds = {Play: Deed.PLAY, Draw: Deed.DRAW, Pass: Deed.PASS}
        return deeds | {kinds[type(move)] for move in self.asked.legal}

    def _filling(self) -> set[Deed]:
        """While a table fills, or before one is found."""
        room = self.room
        if room is None:
            return set()
        deeds = {Deed.WHO, Deed.BELL} | ({Deed.SAY} if room.others else set())
        deeds |= {Deed.COPY} if self.invite and room.guests else set()
        if any(room.may_refuse(one) for one in room.others):
            deeds |= {Deed.REFUSE}
        deeds |= {Deed.ADMIT} if room.waiting else set()
        return deeds | ({Deed.PARTNER} if room.hosts and room.partners and room.others else set())

    def _state(self) -> str:
        if not self.others:
            none = "You are at no table yet."
            return none if self.room is None else "The match begins when the table is full."
        if self.over or self.stopped:
            return "The match is over." if self.over else "The match has stopped."
        if self.paused:
            return "The match is paused."
        if self.asked is not None:
            claims = self.asked.awaiting is not None
            return "You are asked what you claim." if claims else "It is your turn."
        return waits_for(self.scene)


def held_up(scene: Scene, away: Mapping[int, Absence]) -> list[int]:
    """The seats of those who are `away` that the match cannot go on without now: for a decision of
    somebody else's it needs nobody but who is to say what needs no person."""
    all_play = not scene.dealt or scene.unsettled or scene.turn in (None, scene.me)
    return [seat for seat, how in away.items() if all_play or how.late or seat == scene.turn]


def waits_for(scene: Scene, looks: str = "You are looking on. ") -> str:
    """What happens in a match, to who has nothing to decide; `looks` is told first to who looks
    on."""
    if scene.me in scene.out:
        return LOOKS_ON
    looks = "" if scene.me is not None else looks
    if not scene.dealt or scene.turn is None:
        return f"{looks}The tiles are being shuffled by all who play."
    if scene.unsettled:
        return f"{looks}All who play say what they claim for the placement."
    if scene.turn == scene.me:
        return "You are to move as soon as the others' programs have answered."
    return f"{looks}{scene.name(scene.turn)} is to move."
