"""One match from its first message to its outcome: what is said, passed on and told again, and how
it ends. A lost link ends nothing: the match waits, and goes on when the seat is heard again."""

import hashlib
import math
from collections.abc import Iterable, Mapping

from engine.errors import IllegalMove
from engine.strategy.view import SeatView
from engine.wording import sentence
from p2p.session.audience.remarks import Remarks
from p2p.session.output import Batch, Output
from p2p.session.session import Session
from p2p.session.sitting.attendance import Attendance
from p2p.session.sitting.chat import Chats
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.grace import TICK_SECONDS, Grace
from p2p.session.sitting.owner import (
    Chatted,
    Chosen,
    Happened,
    Hushed,
    Left,
    Outcome,
    Outdone,
    Pausing,
    Refused,
    Remarked,
    Resumed,
    Slept,
    unbegun,
)
from p2p.session.sitting.parting import Parting
from p2p.session.sitting.pausing import Held, Pauses
from p2p.session.sitting.presence import Presence
from p2p.session.sitting.talking import Talking
from p2p.wire.chat import Remark
from p2p.wire.talk import (
    Chat,
    Done,
    Here,
    Hold,
    Leave,
    Paused,
    Said,
    Talk,
    Wished,
    Word,
    make_line,
)

# How long a peer that has everything waits for those who do not yet.
FAREWELL_SECONDS = 10.0
_TOO_FAST = "That was too much at once; wait a moment."
_OUT = "You are out of this match: those who play decide about a pause."


class Playing:
    """A session among its peers; what comes of each input goes to `out`.

    `outcome`: how the match ended, once it has. `words`: what all have said beside it. Times are
    seconds on the caller's clock. `within`: as Attendance has it."""

    def __init__(self, session: Session, out: Collected, within: float | None = None) -> None:
        self.session = session
        self.outcome: Outcome | None = None
        self._out = out
        self.talking = Talking(session, out)
        self.others, self.words = self.talking.others, self.talking.words
        self.presence = Presence(self.others.known)
        grace = Grace(session.table.terms.grace, {})
        self.attendance = Attendance(session, self.presence, grace, out, within)
        self._parting = Parting(session, self.presence, self.attendance, self.talking)
        self._chats, self._remarks = Chats(session.table.seats), Remarks(session.table)
        self.pauses, self._held = Pauses(session.table.seats), Held(session)
        self._outdone = False
        self._farewell_at = self._tick_at = math.inf

    # What is known of it

    @property
    def deadline(self) -> float:
        """When there is something to do though nothing comes."""
        return min(self._tick_at, self._farewell_at)

    @property
    def left(self) -> list[int]:
        """The other seats that have said that they leave."""
        return [seat for seat in self.others.known if self.words.newest(seat, Leave)]

    def gone(self, since: float, now: float) -> list[int]:
        """The seats that have left, or that nobody waits for any longer when nothing is played
        since then: who was cut off in the match may come back at its end."""
        return sorted({*self.left, *self.attendance.gone(since, now)})

    def question(self) -> SeatView | None:
        """What the owner sees, if it is to decide now and has not done so."""
        if self.outcome is not None or self._held.chosen is not None:
            return None
        return self.session.view() if self.session.claim_due() else self.session.decision()

    def put_out(self, seat: int, now: float) -> None:
        """The owner would go on without a person who is waited for."""
        self._out.show(self._parting.put_out(seat, now))

    def recall(self, words: Iterable[Word], grace: Mapping[int, float]) -> None:
        """What was said, and how long each was away, before this program ended."""
        for word in words:
            self.words.keep(word)
        self.attendance.grace.used.update(grace)

    # The links

    def start(self, now: float) -> None:
        """Say what can be said at once."""
        if self.session.past:
            self._out.show(Resumed(self.session.past))
        newest = ((seat, self.words.newest(seat, Paused)) for seat in self.session.state.seats)
        if (pausing := self.pauses.recall(newest, self.attendance.heard(now))) is not None:
            self._out.show(pausing)
        for seat in sorted({*self.left}.intersection(self.session.state.seats)):
            self._out.show(Left(seat))
        self._tick_at = now + TICK_SECONDS
        self.attendance.begin(now)
        self.attendance.expect(now, self.pauses.on)
        self._give(self.session.start(), now)
        self.talking.say_here(now, self.presence.heard(now))

    def link(self, seat: int, now: float, first: Iterable[bytes] = ()) -> None:
        """A link to a seat, a new one if there was one before; these payloads go over it first."""
        self.talking.link(seat, now, first)
        self.presence.link(seat, now)
        if self._tick_at < math.inf:  # Those to whom there is no link yet wait for it, too.
            self.talking.say_here(now, self.presence.heard(now))

    def lose(self, seat: int, now: float) -> None:
        """The link to a seat is gone. It may be heard through others, and come back."""
        self.talking.lose(seat)
        self.presence.lose(seat, now)

    # What is heard

    def hear(self, seat: int, talk: Talk, payload: bytes, now: float) -> None:
        """A payload of a linked seat. Raises Suspicion for what ends that link."""
        if isinstance(talk, Hold):
            self.talking.hear_hold(seat, talk, now)
            return
        self.others.known[seat].add(payload)
        new = False
        if isinstance(talk, Said):
            if self.outcome is None or self.session.finished:
                new = self._give(self.session.receive(talk.data), now)
        elif isinstance(talk, Remark):
            new = self.hear_remark(talk, payload, now)
        elif new := self.words.take(talk, now):
            self.talking.spread(talk, payload)
            self._hear_word(talk, now)
        if not new:
            self.talking.useless(seat, now)

    def hear_remark(self, remark: Remark, payload: bytes, now: float) -> bool:
        """A line of who looks on; whether it is new. DecodeError for one of nobody there."""
        if new := self._remarks.take(remark, now):
            self.talking.pass_on(payload)
            self._out.show(Remarked(remark.name, remark.words))
        return new

    def _hear_word(self, word: Word, now: float) -> None:
        said, seat = word.said, word.seat
        if isinstance(said, Chat):
            if self._chats.shows(seat, now):
                self._out.show(Chatted(seat, said.words))
        elif isinstance(said, Here) and seat != self.session.seat:
            self.presence.here(seat, now)
        elif isinstance(said, Leave):
            self._hear_leave(word, now)
        elif isinstance(said, Paused) and seat in self.session.state.seats:
            self._out.store(Batch(words=(word,)))
            if (change := self.pauses.hear(seat, said)) and not self.session.finished:
                self._paused(change, now)
        elif isinstance(said, Wished) and (wished := self._parting.wished(seat)):
            self._out.show(wished)

    def _hear_leave(self, word: Word, now: float) -> None:
        session, seat = self.session, word.seat
        if self.outcome is not None or session.finished:
            return
        if seat in session.state.seats and seat not in session.course.known.leaves:
            self._out.show(Left(seat))
            if self.attendance.begins:
                self.outcome = unbegun([session.table.name(seat)], "has left")
                return
        self._give(session.leaves(word), now)
        ends = session.referee.two_sides and not (session.finished or session.state.is_decided())
        if seat in session.state.seats and ends:
            self._break_off(f"{session.table.name(seat)} has left the match")

    # What is said

    def say(self, words: str, now: float) -> None:
        """The owner's line to everybody; refused if it cannot be sent."""
        try:
            line = make_line(words)
        except ValueError as refusal:
            self._out.show(Refused(str(refusal)))
            return
        if not self.words.may_say(now):
            self._out.show(Refused(_TOO_FAST))
            return
        self.talking.tell(line)
        self._out.show(Chatted(self.session.seat, words))

    def leave(self) -> None:
        """The owner leaves: said once, and nothing after it."""
        if self.words.newest(self.session.seat, Leave) is None:
            self.talking.tell(Leave())
            self.session.leave()

    def pause(self, on: bool, now: float) -> None:
        """The owner wants a pause, or no longer, which ends it; twice is once."""
        pauses, own = self.pauses, self.session.seat
        known = on and own in pauses.wanting
        if self.outcome is not None or self.session.finished or known:
            return
        if own not in self.session.state.seats:
            self._out.show(Refused(_OUT))
            return
        if not self.words.may_say(now):
            self._out.show(Refused(_TOO_FAST))
            return
        word = Paused(pauses.round, on)
        self.talking.tell(word)
        if (change := pauses.hear(own, word)) is not None:
            self._paused(change, now)

    def _paused(self, change: Pausing, now: float) -> None:
        """Nobody's time runs while the pause is on; what was decided in it counts after it."""
        self._out.show(change)
        if change.on != change.was_on:
            self.attendance.expect(now, change.on)

    def _release(self, now: float) -> None:
        """Make the decision that waits, if nothing holds it any longer."""
        if not (self.pauses.on or self._parting.holds(now)) and (chosen := self._held.take()):
            self.decide(chosen, now)

    def decide(self, chosen: Chosen, now: float) -> None:
        """Make the owner's decision. What is due no more, as after a fault, is dropped."""
        session = self.session
        due = session.claim_due() if chosen.move is None else session.decision() is not None
        if self.outcome is not None or not due:
            return
        if self.pauses.on or self._parting.holds(now):
            self._held.keep(chosen)
            return
        try:
            if chosen.move is None:
                output = session.claim(chosen.claim)
            else:
                output = session.act(chosen.move, chosen.auto)
        except IllegalMove as refusal:
            self._out.show(Refused(sentence(refusal)))
        else:
            self._give(output, now)

    # Time

    def wake(self, seconds: float, now: float) -> None:
        """This machine was asleep for so long."""
        self._out.show(Slept(seconds))
        self.attendance.wake(seconds, now, self.pauses.on)

    def tick(self, now: float) -> None:
        """Each second: say what is said by itself, and see who is away."""
        if now < self._tick_at:
            return
        self._tick_at = now + TICK_SECONDS
        self.talking.say_here(now, self.presence.heard(now))
        self.talking.answer(now)
        self.talking.ask(now)
        for seat, lines in self._chats.hushed(now):
            self._out.show(Hushed(seat, lines))
        if self.outcome is None and not self.session.finished:
            self.attendance.tick(now, self.pauses.on)
            if self.attendance.begins:
                missing = [self.session.table.name(seat) for seat in self.attendance.not_come(now)]
                self.outcome = unbegun(missing, "did not come") if missing else None
                return
            if output := self._parting.tick(now, self.pauses.on):
                self._give(output, now)
            if not self.pauses.on and (given_up := self._parting.given_up(now)):
                self._break_off(given_up)

    def settle(self, now: float) -> None:
        """After each input: a pause is of those who play and are heard; a whole record is told."""
        if self.outcome is not None:
            return
        self._come_back(now)
        self.attendance.tell_back(now)
        if self.session.finished:
            self._take_leave(now)
            return
        if unsigned := self._parting.unsigned(now):
            self.outcome = Outcome("finished", unsigned)
            return
        self.attendance.tell_alone(now, self.pauses.on)
        heard = self.attendance.heard(now)
        if heard - self.pauses.heard:
            self.attendance.expect(now, self.pauses.on)  # Who is back has its time again.
        if change := self.pauses.hears(heard, self.session.state.seats):
            self._paused(change, now)
        self._release(now)

    def _come_back(self, now: float) -> None:
        """Sign again what is due, once the others have shown what they have of this seat."""
        if self.session.returning and self.talking.all_have_shown(now):
            self._give(self.session.speak_again(), now)
        if self.session.outdone and not self._outdone:
            self._outdone = True
            self._out.show(Outdone())

    def _take_leave(self, now: float) -> None:
        if self._farewell_at == math.inf:
            self._farewell_at = now + FAREWELL_SECONDS
            if not any(self.words.newest(self.session.seat, kind) for kind in (Done, Leave)):
                self.talking.tell(Done(hashlib.sha256(self.session.record()).digest()))
        stay = set(self.others.known).intersection(self.session.state.seats).difference(self.left)
        # Who looks on and came late is told the rest, in the time that players have.
        done = all(self.words.newest(seat, Done) for seat in stay) and not self.talking.is_seen(now)
        if done or now >= self._farewell_at:
            self._farewell_at = math.inf
            self.outcome = Outcome.of(self.session)

    # Sending

    def _give(self, output: Output, now: float) -> bool:
        """Store, send and show what the session gave; whether it is anything new."""
        self._out.store(output.batch)
        self.talking.say_all(output.send)
        for event in output.events:
            self._out.show(Happened(event))
        if output.batch.messages:
            self.attendance.expect(now, self.pauses.on)
        return bool(output.batch.messages or output.batch.evidence)

    def _break_off(self, what: str) -> None:
        stops = f"{what}, so the match stops here, undecided. Its record so far is kept."
        self.outcome = Outcome("broken", stops)
