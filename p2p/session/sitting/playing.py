"""One match from its first message to its outcome: who is late, paused, lost, or done."""

import hashlib
import math
from typing import assert_never

from engine.errors import IllegalMove
from engine.strategy.view import SeatView
from engine.wording import listed, sentence
from p2p.session.output import Output
from p2p.session.session import Session
from p2p.session.sitting.chat import Chats
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.knowledge import Others
from p2p.session.sitting.owner import Chatted, Chosen, Happened, Outcome, Pausing, Refused, Resumed
from p2p.session.sitting.pausing import Pauses
from p2p.wire.talk import Chat, Done, Paused, Said, Stopped, encode_talk

# Messages that need no person are due within this while their sender is connected.
DUE_SECONDS = 30.0
# How long a peer that has everything waits for those who do not yet.
FAREWELL_SECONDS = 10.0


class Playing:
    """A session among its peers; what comes of each input goes to `out`.

    `outcome`: how the match ended, once it has. Times are seconds on the caller's clock.
    """

    def __init__(self, session: Session, out: Collected) -> None:
        self.session = session
        self.outcome: Outcome | None = None
        self.peers = Others(seat for seat in session.table.seats if seat != session.seat)
        self._out = out
        self._chats = Chats(session)
        self._pauses = Pauses(session.table.seats)
        self._held: Chosen | None = None
        self._farewell = False
        self._due_at = math.inf

    @property
    def deadline(self) -> float:
        """When somebody's time is over."""
        return math.inf if self.outcome is not None else self._due_at

    def question(self) -> SeatView | None:
        """What the owner sees, if it is to decide now and has not done so."""
        if self.outcome is not None or self._held is not None:
            return None
        return self.session.view() if self.session.claim_due() else self.session.decision()

    def start(self, now: float) -> None:
        """Say what can be said at once."""
        if self.session.past:
            self._out.show(Resumed(self.session.past))
        self._give(self.session.start(), now)

    def hear(self, seat: int, talk: Said | Done | Paused | Stopped, now: float) -> None:
        """A linked seat's word. Raises Suspicion for what ends that link."""
        if isinstance(talk, Said):
            self.peers.known[seat].add(talk.data)
            self._give(self.session.receive(talk.data), now)
        elif isinstance(talk, Done):
            self.peers.done.add(seat)
        elif isinstance(talk, Paused):
            change = self._pauses.hear(seat, talk)
            if change is not None and not self.session.finished:
                self._paused(change, now)
        elif isinstance(talk, Stopped):
            self._hear_stop(seat, talk.seat)
        else:
            assert_never(talk)

    def _hear_stop(self, seat: int, lost: int) -> None:
        if not self.session.finished and not self.session.state.is_decided():
            # The one that is lost is the one to be named, not whoever stops for it.
            self._tell(encode_talk(Stopped(lost)))
            whom = "you" if lost == self.session.seat else self.name(lost)
            self._break_off(f"{self.name(seat)} has lost the link to {whom}")

    def hear_chat(self, chat: Chat, payload: bytes) -> None:
        """A line of anybody, from whomever: shown and passed on once."""
        if self._chats.hear(chat):
            self._out.show(Chatted(chat.seat, chat.words))
            self._tell(payload)

    def say(self, words: str) -> None:
        """The owner's line to everybody; refused if it cannot be sent."""
        try:
            chat = self._chats.say(words)
        except ValueError as refusal:
            self._out.show(Refused(str(refusal)))
        else:
            self._out.show(Chatted(chat.seat, chat.words))
            self._tell(encode_talk(chat))

    def pause(self, on: bool, now: float) -> None:
        """The owner wants a pause, or wants it no longer and ends it. Wanting it twice is wanting
        it once."""
        pauses, own = self._pauses, self.session.seat
        known = on and own in pauses.wanting
        if self.outcome is not None or self.session.finished or known:
            return
        if not pauses.may_say(own, on):
            self._out.show(Refused("Too much was said about pauses in this match."))
            return
        word, change = pauses.say(own, on)
        self._tell(encode_talk(word))
        self._paused(change, now)

    def _paused(self, change: Pausing, now: float) -> None:
        """Nobody's time runs while the pause is on; what was decided in it counts after it."""
        self._out.show(change)
        if change.on != change.was_on:
            self._due_at = self._due(now)
        if not change.on and self._held is not None:
            chosen, self._held = self._held, None
            self.decide(chosen, now)

    def decide(self, chosen: Chosen, now: float) -> None:
        """Make the owner's decision. What is due no more, as after a fault, is dropped."""
        session = self.session
        due = session.claim_due() if chosen.move is None else session.decision() is not None
        if self.outcome is not None or not due:
            return
        if self._pauses.on:
            self._held = chosen
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

    def lose(self, seat: int, why: str) -> None:
        """The link to a seat is gone: without one of its seats an undecided match stops."""
        self.peers.lose(seat)
        if self.outcome is not None or self.session.finished:
            return
        if self.session.state.is_decided():
            self.outcome = Outcome("finished", f"{self.name(seat)} left before signing the result.")
        else:
            self._tell(encode_talk(Stopped(seat)))
            self._break_off(f"The link to {self.name(seat)} is gone ({why})")

    def tick(self, now: float) -> None:
        """At the deadline the others have had their time: to say what is due, or to get the whole
        record."""
        if now < self.deadline:
            return
        if self.session.finished:
            self.outcome = self._final()
            return
        late = [seat for seat in self.session.waiting().seats if seat in self.peers.linked]
        # If only the own owner is waited for, it need not fear its own clock.
        self._due_at = math.inf
        if late:
            names = listed([self.name(seat) for seat in late])
            self._break_off(f"Nothing came from {names} for {DUE_SECONDS:g} seconds")

    def settle(self, now: float) -> None:
        """After each input: once the record is whole, tell everybody, and wait for the same from
        them."""
        if self.outcome is not None or not self.session.finished:
            return
        if not self._farewell:
            self._farewell = True
            self._due_at = now + FAREWELL_SECONDS
            digest = hashlib.sha256(self.session.record()).digest()
            self._tell(encode_talk(Done(digest)))
        if self.peers.all_done:
            self.outcome = self._final()

    def _give(self, output: Output, now: float) -> None:
        """Store, send and show what the session gave."""
        self._out.store(output.batch)
        for data in output.send:
            # Everyone passes on what it has, so nobody can show two seats two different things
            # unnoticed.
            for seat in self.peers.lacking(data):
                self._out.send(seat, encode_talk(Said(data)))
        for event in output.events:
            self._out.show(Happened(event))
        if output.batch.messages:
            self._due_at = self._due(now)

    def _tell(self, payload: bytes) -> None:
        for seat in self.peers.linked:
            self._out.send(seat, payload)

    def _due(self, now: float) -> float:
        finished, on = self.session.finished, self._pauses.on
        waits = finished or on or self.session.waiting().for_person
        return math.inf if waits else now + DUE_SECONDS

    def _break_off(self, what: str) -> None:
        stops = f"{what}, so the match stops here, undecided. Its record so far is kept."
        self.outcome = Outcome("broken", stops)

    def _final(self) -> Outcome:
        fault = self.session.fault
        if fault is None:
            return Outcome("finished")
        name = self.name(fault.seat)
        return Outcome("fault", f"{name} broke the protocol: {fault.what}. The record proves it.")

    def name(self, seat: int) -> str:
        """What people call a seat."""
        return self.session.table.players[seat].name
