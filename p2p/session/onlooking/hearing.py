"""One match as somebody hears it who looks on: judged from its beginning, and told from where it
stood when they came."""

from collections.abc import Sequence
from typing import Final

from engine.events import MatchEnded
from p2p.session.audience.remarks import Remarks
from p2p.session.course import Course
from p2p.session.holding import hold_of, is_ahead
from p2p.session.listening import Listening
from p2p.session.onlooking.silence import Silence
from p2p.session.output import Output
from p2p.session.sitting import owner
from p2p.session.sitting.chat import Chats
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.owner import Notice, Outcome, Pausing
from p2p.session.sitting.pausing import Pauses
from p2p.session.sitting.words import Words
from p2p.session.state.events import SessionEvent
from p2p.session.state.table import Table
from p2p.wire.chat import Remark
from p2p.wire.envelope import Place
from p2p.wire.talk import Chat, Here, Hold, Leave, Paused, Said, Talk, Word

_KEPT: Final = "Its record so far is kept."
_UNSIGNED: Final = "All have left before the result was signed by everybody."


class Hearing:
    """What comes of it goes to `out`; `outcome`: how the match ended, once it has."""

    def __init__(self, table: Table, out: Collected) -> None:
        # What a seat has in its store: who looks on writes nothing before the record.
        self._said: dict[Place, bytes] = {}
        self.session = Listening(table, Course(table, self._read))
        self.outcome: Outcome | None = None
        self.told = False
        self._out = out
        self._words = Words(self.session)
        self._chats, self._remarks = Chats(table.seats), Remarks(table)
        self._pauses = Pauses(table.seats)
        self._silence = Silence()
        # What the seat of the own link has.
        self._theirs: Hold | None = None
        # Until all is heard that was there before, or happened while there was no link.
        self._behind = False
        self._past: list[SessionEvent] = []
        self._beside: list[Notice] = []

    @property
    def hold(self) -> Hold:
        """What is held of it."""
        return hold_of(self.session.referee, self.session.course.votes)

    @property
    def left(self) -> frozenset[int]:
        """Those who play still, and have said that they leave."""
        seats = self.session.state.seats
        return frozenset(seat for seat in seats if self._words.newest(seat, Leave))

    def hear(self, talk: Talk, now: float) -> bool:
        """What a seat says; whether it says that there is more. Raises Suspicion, DecodeError."""
        more = False
        if isinstance(talk, Hold):
            self._theirs = talk
            more = self._is_behind()
            if not more or self.told:
                self.tell()
        elif isinstance(talk, Said):
            self._give(self.session.receive(talk.data))
        elif isinstance(talk, Remark):
            if self._remarks.take(talk, now):
                self._show(owner.Remarked(talk.name, talk.words))
        elif self._words.take(talk, now):
            self._hear_word(talk, now)
        self._settle()
        return more

    def tick(self, now: float, linked: int | None) -> None:
        """Time has gone on; `linked` is the seat of the own link, None: there is none."""
        for seat, lines in self._chats.hushed(now):
            self._show(owner.Hushed(seat, lines))
        if linked is not None and self.told:
            play = [seat for seat in self.session.state.seats if seat not in self.left]
            for notice in self._silence.tick(play, linked, now):
                self._show(notice)
        self._agree()

    def tell(self) -> None:
        """All is heard that was there: begin to tell it."""
        if self.told:
            self._catch_up()
            return
        self.told = True
        self._out.show(owner.Began(self.session.table, None))
        ended = [at for at, one in enumerate(self._past) if isinstance(one, MatchEnded)]
        until = ended[0] if ended else len(self._past)
        if until:
            self._out.show(owner.Resumed(tuple(self._past[:until])))
        for event in self._past[until:]:
            self._out.show(owner.Happened(event))
        for notice in self._beside:
            self._out.show(notice)
        self._past, self._beside = [], []

    def link_again(self) -> None:
        """There is a link again, and the seat tells what happened meanwhile: first the messages,
        then what was said beside them, before them perhaps."""
        self._behind = self.told

    def _catch_up(self) -> None:
        """Tell what happened while there was no link. A pause that is over ended before it."""
        pauses = [one for one in self._beside if isinstance(one, Pausing)]
        others = [one for one in self._beside if not isinstance(one, Pausing)]
        told = list[Notice](map(owner.Happened, self._past))
        told = [*told, *pauses] if self._pauses.on else [*pauses, *told]
        for notice in (*told, *others):
            self._out.show(notice)
        self._behind, self._past, self._beside = False, [], []

    def _show(self, notice: Notice) -> None:
        if self.told and not self._behind:
            self._out.show(notice)
        else:
            self._beside.append(notice)

    def _read(self, places: Sequence[Place]) -> list[bytes]:
        return [self._said[place] for place in places]

    def _give(self, output: Output) -> None:
        self._said.update((one.place, one.data) for one in output.batch.messages)
        for message in output.batch.messages:
            self._silence.heard(message.place.seat)
        for event in output.events:
            if self.told and not self._behind:
                self._out.show(owner.Happened(event))
            else:
                self._past.append(event)

    def _hear_word(self, word: Word, now: float) -> None:
        said, seat = word.said, word.seat
        self._silence.heard(seat)
        if isinstance(said, Here):
            self._silence.here(seat, now)
        elif isinstance(said, Chat):
            if self._chats.shows(seat, now):
                self._show(owner.Chatted(seat, said.words))
        elif isinstance(said, Leave):
            told = self.session.finished or seat in self.session.course.known.leaves
            if seat in self.session.state.seats and not told:
                self._show(owner.Left(seat))
            self._give(self.session.leaves(word))
        elif isinstance(said, Paused) and seat in self.session.state.seats:
            change = self._pauses.hear(seat, said)
            if change is not None and not self.session.finished:
                self._show(change)

    def _agree(self) -> None:
        """A pause is of those who play and are heard, as it seems from here."""
        seats = frozenset(self.session.state.seats)
        heard = seats - self.left - self._silence.away
        if not heard or self.session.finished:
            return
        if change := self._pauses.hears(heard, seats):
            self._show(change)

    def _settle(self) -> None:
        """What a pause depends on; whether the match has ended: by a result, or as they leave. They
        may have left behind what is still to come of it."""
        self._agree()
        if self.outcome is None:
            self.outcome = self._ended()
        if self.outcome is not None:
            self.tell()

    def _is_behind(self) -> bool:
        """Whether the seat of the own link has steps that are not here."""
        return self._theirs is None or is_ahead(self._theirs, self.session.referee)

    def _ended(self) -> Outcome | None:
        session, left = self.session, self.left
        decided = session.state.is_decided()
        if session.finished:
            return Outcome.of(session)
        if self._is_behind():
            return None
        if left and left == set(session.state.seats):
            stops = f"All have left, so the match stops here, undecided. {_KEPT}"
            return Outcome("finished", _UNSIGNED) if decided else Outcome("broken", stops)
        if left and session.referee.two_sides and not decided:
            name = session.table.players[min(left)].name
            stops = f"{name} has left the match, so it stops here, undecided. {_KEPT}"
            return Outcome("broken", stops)
        return None

    def break_off(self, why: str) -> None:
        """Nothing more of it can be heard; `why` is a sentence."""
        self.tell()
        if self.outcome is None:
            self.outcome = Outcome("broken", f"{why} {_KEPT}")
