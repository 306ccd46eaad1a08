"""Who hears a match: bytes in; events, and what is new for others, out. It signs nothing.

A seat is one that also speaks (`session`), who looks on is one that does not, and a verifier hears
the same from a file: all by one referee. No input or output.
"""

from p2p.session import record
from p2p.session.course import Course
from p2p.session.leaving.following import Followers, Step
from p2p.session.leaving.known import agrees_to_votes
from p2p.session.leaving.sets import is_agreed_to
from p2p.session.output import Batch, Output
from p2p.session.parking import Parking
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import SessionEvent
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.state.table import Table
from p2p.session.story import Story
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place, open_signed, place_of
from p2p.wire.talk import Talk, Word, decode_talk

# Behind the deal that is being prepared nobody speaks but who is one deal ahead.
DEALS_AHEAD = 1


class Listening:
    """One who hears the match of a table."""

    def __init__(
        self, table: Table, at: Course | None = None, secrets: SeatSecrets | None = None
    ) -> None:
        """`at`: where it stands already; at the beginning if it is left out. `secrets`: of a seat,
        which sees its own tiles by them."""
        self.table = table
        self.course = at or Course(table)
        self._fault: Fault | None = None
        self.parked = Parking()
        self._keys = tuple(person.key for person in table.people)
        self._story = Story(self.course, secrets)
        self._accepted: list[Message] = []
        self._evidence: tuple[Message, ...] = ()
        self._send: list[bytes] = []
        self._events: list[SessionEvent] = []
        self._named: set[int] = set()

    @property
    def referee(self) -> Referee:
        """The judge of the match as it stands."""
        return self.course.referee

    @property
    def state(self) -> State:
        """The public state."""
        return self.referee.state

    @property
    def closed(self) -> bool:
        """Whether every seat has signed the result."""
        return self.referee.phase is Phase.CLOSED

    @property
    def fault(self) -> Fault | None:
        """The first that was proven of one who is in still: between two sides it has ended the
        match, else the others vote."""
        found = self._fault
        return found if found is not None and found.seat in self.state.seats else None

    @property
    def finished(self) -> bool:
        """Whether the match has ended: closed, by a fault between two sides, or abandoned."""
        return self.referee.finished

    def understand(self, payload: bytes) -> Talk:
        """What a link's payload says. DecodeError if it says nothing."""
        return decode_talk(payload, self.table.id, self._keys)

    def receive(self, data: bytes) -> Output:
        """Take a message from a link. Suspicion if nobody at this table signed it."""
        try:
            table, place = place_of(data)
            if table != self.table.id:
                raise Suspicion("a message of another table")
            known = self.referee.known(place) or self.course.let_gone(place)
            if known is not None and known.data == data:
                return self._output()
            message = open_signed(data, self._keys)
        except DecodeError as error:
            raise Suspicion(f"bytes that are no message: {error}") from None
        self._take_in(message)
        return self._go_on()

    def _take_in(self, message: Message) -> None:
        """A message whose signature was checked."""
        if not self.finished:
            self._hear(message)

    def _hear(self, message: Message) -> None:
        """Take a message whose signature was checked, if it is not known. Suspicion for a vote that
        says nothing."""
        versions = self.course.versions(message.place)
        known = any(one.id == message.id for one in versions)
        # An agreement that came before the votes was noted, and may have had no room among the
        # parked.
        if known and message.place not in self.parked and not agrees_to_votes(message):
            return
        if versions and all(one.id != message.id for one in versions):
            self._found(two_messages(versions[0], message))
            if self._is_wanted(message):
                self.course.keep(message)
        elif message.kind == VOTE:
            self._take_vote(message)
        else:
            self._try(message)

    def _take_vote(self, message: Message) -> bool:
        """Keep a vote and pass it on, if it is new."""
        new = self.course.take_vote(message)
        if new:
            self._accepted.append(message)
            self._send.append(message.data)
        return new

    def leaves(self, word: Word) -> Output:
        """A seat has said that it leaves this table."""
        self.course.known.leave(word)
        return self._go_on()

    def record(self) -> bytes:
        """The record of the match as it stands, at its end: all of it is in memory from now on, and
        needs to be stored no longer."""
        self.course.take_up()
        proofs = self.fault.messages if self.fault and not self.state.is_final() else ()
        return record.encode(self.referee, proofs)

    def _take(self, message: Message) -> bool:
        """Judge a signed message; True if it was new and is part of the match now."""
        verdict = self.course.receive(message)
        if verdict is not Verdict.LATER:
            self.parked.drop(message)
        elif message.ladder <= self.state.next + DEALS_AHEAD:
            self.parked.keep(message)
        if verdict is not Verdict.ACCEPTED:
            return False
        self._accepted.append(message)
        self._send.append(message.data)
        return True

    def _try(self, message: Message) -> bool:
        """The same, where a fault is noted."""
        try:
            return self._take(message)
        except Fault as fault:
            self._found(fault)
            return False

    def _found(self, fault: Fault) -> None:
        """Pass the evidence on, so that every honest seat comes to the same end. It ends the match
        between two sides; else the others vote."""
        if not self.course.note(fault):
            return
        self._evidence += fault.messages
        self._send.extend(message.data for message in fault.messages)
        # A second vote may spoil those by which two sides are left: then it ends nothing.
        while self.course.moves_on():
            pass
        # Whatever one signs who is out does nothing to those who play.
        if fault.seat in self.state.seats:
            self._name(fault)

    def _name(self, fault: Fault) -> None:
        if self.referee.two_sides or fault.seat not in self._named:
            if self.fault is None or self.referee.two_sides:
                self._fault = fault
            self._named.add(fault.seat)
            self.referee.find(fault)

    def _go_on(self) -> Output:
        """Go on as far as what was heard leads."""
        # Of what an input brings nothing is let go: it is not stored yet.
        self._let_go()
        self._learn()
        while not self.finished and self._moves():
            self._learn()
        self._learn()
        return self._output()

    def _let_go(self) -> list[Message]:
        """Let go of what is long over; what of it was here."""
        return self.course.let_go()

    def _unpark(self) -> bool:
        """Judge the parked messages again; True as soon as one is accepted or ends the match."""
        waiting = (*self.parked, *self._spared())
        return any(self._try(one) or self.finished for one in waiting)

    def _spared(self) -> list[Message]:
        """What the open steps may still take of seats of which they have refused something."""
        referee, known = self.referee, self.course.known
        ladders = [referee.ladder(number) for number in referee.ladders_now()]
        open_places = [
            (Place(referee.root, ladder.number, ladder.step, seat), ladder.top)
            for ladder in ladders
            for seat in referee.missing(ladder.number)
        ]
        return [one for place, top in open_places for one in known.spared(place, top)]

    def _is_wanted(self, message: Message) -> bool:
        """Whether one more version of a place is what others went on with: who is out, or looks
        on, may be shown others first."""
        if message.kind == VOTE:
            return is_agreed_to(message, self.course.known)
        if message.root != self.state.root:
            return False
        said = self._elsewhere(message.ladder, message.step, message)
        return said is not None and message in said.values()

    def _elsewhere(self, number: int, step: int, *beside: Message) -> Step | None:
        """The versions of a step with which more of those who play went on, if the ones here are
        others: of a hand that was not let go, or the deck that is not dealt yet."""
        state, ladder = self.state, self.referee.ladders.get(number)
        if ladder is None or number not in (MATCH_LADDER, state.next):
            return None
        if not max(ladder.first - 1, ladder.steps.gone) < step < ladder.step:
            return None
        open_step = self.referee.ladders[MATCH_LADDER].step
        followers = Followers(state.root, state.seats, self.course.known, self.parked)
        return followers.other(ladder, step, open_step, beside)

    def _follows(self) -> bool:
        """Go on as more of those who play do, with another version of a step; False if it is here.
        A seat that has spoken on the other way says nothing a second time."""
        root, course = self.state.root, self.course
        for number in (MATCH_LADDER, self.state.next):
            for place in course.known.doubled(root, number):
                said = self._elsewhere(number, place.step)
                if said is not None and not self._refuses(number, place.step, said):
                    course.follow(number, place.step, said)
                    self._accepted += said.values()
                    return True
        return False

    def _refuses(self, number: int, step: int, said: Step) -> bool:
        """Whether the step before refuses what is new of a step."""
        here = {one.id for one in self.referee.ladders[number].steps[step - 1].values()}
        return any(self.course.refuses(one) for one in said.values() if one.id not in here)

    def _moves(self) -> bool:
        """Take one step on; False if there is none."""
        return self.course.moves_on() or self._follows() or self._unpark()

    def _learn(self) -> None:
        """Tell what happened."""
        self._events += self._story.go_on()

    def _output(self) -> Output:
        batch = self._batch()
        output = Output(batch, tuple(self._send), tuple(self._events))
        self._accepted, self._send, self._events, self._evidence = [], [], [], ()
        return output

    def _batch(self) -> Batch:
        """What is to be kept of it."""
        finals, beside = self.course.take_finals(), self.course.take_beside()
        evidence = (*self._evidence, *beside)
        aside, self.course.aside = tuple(self.course.aside), []
        return Batch(tuple(self._accepted), evidence=evidence, finals=finals, aside=aside)
