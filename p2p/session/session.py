"""A seat's session: bytes in; events, bytes to store and bytes to send out. No input or output.

Everything that needs no person is said by itself as soon as the ladders ask for it. The owner of
a session stores an Output's batch before it sends anything of it.
"""

from collections.abc import Iterable, Mapping

from engine.hand import check_claim
from engine.moves import Move
from engine.strategy.view import SeatView, make_view
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session import record
from p2p.session.course import Course
from p2p.session.output import Batch, Output
from p2p.session.parking import Parking
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import SessionEvent
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.state.table import Table
from p2p.session.steps import call, claim, turn
from p2p.session.story import Story
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import (
    MATCH_LADDER,
    VOTE,
    Body,
    Message,
    Place,
    open_envelope,
    open_signed,
    place_of,
    seal,
)
from p2p.wire.messages import ClaimBody
from p2p.wire.out import Out
from p2p.wire.shape import Shape
from p2p.wire.talk import Saying, Talk, Word, decode_talk, make_word

# Behind the deal that is being prepared nobody speaks but who is one deal ahead.
DEALS_AHEAD = 1


class Session:
    """One seat at one table; `fault` is the first that was proven: between two sides it ends it."""

    def __init__(
        self, table: Table, identity: IdentityKey, rng: RandomBytes, at: Course | None = None
    ) -> None:
        """`at`: where it stands already; at the beginning if it is left out."""
        self.table = table
        self.seat = table.seat_of(identity.public)
        self.course = at or Course(table)
        self.fault: Fault | None = None
        self._identity = identity
        self._keys = tuple(person.key for person in table.people)
        self._secrets = SeatSecrets(self.seat, rng)
        # What it had seen before it came back; whether it does not know yet what others have of it,
        # or they have something with its signature that it never said.
        self.past: tuple[SessionEvent, ...] = ()
        self.returning = self.outdone = False
        self._said: set[bytes] = set()
        self._story = Story(self.course, self._secrets)
        self.parked = Parking()
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
    def mute(self) -> bool:
        """Whether this seat signs nothing now: it has just come back, or somebody else has its key,
        as a copy of this folder on another machine."""
        return self.returning or self.outdone

    @property
    def finished(self) -> bool:
        """Whether the match has ended: closed, by a fault between two sides, or abandoned."""
        return self.referee.finished

    def start(self) -> Output:
        """Say what can be said at once."""
        return self._go_on()

    def receive(self, data: bytes) -> Output:
        """Take a message from a link. Suspicion if nobody at this table signed it."""
        try:
            table, place = place_of(data)
            if table != self.table.id:
                raise Suspicion("a message of another table")
            known = self.referee.known(place)
            if known is not None and known.data == data:
                return self._output()
            message = open_signed(data, self._keys)
        except DecodeError as error:
            raise Suspicion(f"bytes that are no message: {error}") from None
        if message.seat == self.seat:
            self.outdone |= message.id not in self._said
        elif not self.finished:
            self._hear(message)
        return self._go_on()

    def _hear(self, message: Message) -> None:
        """Take a message whose signature was checked, if it is not known. Suspicion for a vote that
        says nothing."""
        versions = self.course.known.versions(message.place)
        if any(one.id == message.id for one in versions) and message.place not in self.parked:
            return
        if versions and all(one.id != message.id for one in versions):
            self._found(two_messages(versions[0], message))
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

    def vote(self, out: tuple[Out, ...], step: int | None = None) -> Output:
        """Vote to go on without these seats from that step of the own way, which is the open one
        unless it is said. Nothing is said where no round is left."""
        ballot = self.course.ballot(self.seat, out, step)
        if ballot is not None:
            place, previous, said = ballot
            message = open_envelope(self._sign_after(previous, place, said.kind, said.value()))
            self._said.add(message.id)
            taken = self._take_vote(message)
            assert taken, "an own vote that was given before"
        return self._go_on()

    def come_back(
        self, secrets: Mapping[int, DealSecret], own: Iterable[bytes], faults: Iterable[Fault]
    ) -> None:
        """After the referee has heard again what was kept: the secrets by deal, the ids of what was
        signed here, and the faults that are proven. Nothing is signed until `speak_again`."""
        self.returning = True
        self._secrets.deals.update(secrets)
        self._said.update(own)
        mine = self.referee.said_last(self.seat)
        if mine is not None and mine.kind == ClaimBody.kind:
            self._secrets.claim = claim.recalled(self._secrets, self.state, mine)
        for fault in faults:
            if fault.seat in self.state.seats:
                self._name(fault)
        self._learn()
        self.past, self._events = tuple(self._events), []

    def speak_again(self) -> Output:
        """All who are linked have said what they have of this seat, and it is here."""
        self.returning = False
        return self._go_on()

    def act(self, move: Move, auto: bool = False) -> Output:
        """Make this seat's move. IllegalMove (one sentence), and no change, if it breaks a rule."""
        assert self.decision() is not None, "this seat is not to move"
        place = self._place(MATCH_LADDER)
        if self.referee.phase is Phase.CALL:
            self._say(place, call.make_decided(self._secrets, self.state, place, move))
        else:
            self._say(place, turn.make(self._secrets, self.state, place, move, auto))
        return self._go_on()

    def claim(self, number: int) -> Output:
        """Answer a placement with a claim (0 for none). IllegalMove if it is no such number."""
        assert self.claim_due(), "this seat has nothing to claim"
        check_claim(number)
        said = claim.make_claim(self._secrets, self.state, number)
        self._say(self._place(MATCH_LADDER), said)
        return self._go_on()

    def understand(self, payload: bytes) -> Talk:
        """What a link's payload says. DecodeError if it says nothing."""
        return decode_talk(payload, self.table.id, self._keys)

    def word(self, number: int, said: Saying) -> Word:
        """A signed word of this seat, `number` of its kind."""
        return make_word(self._identity, self.table.id, self.seat, number, said)

    def decision(self) -> SeatView | None:
        """What this seat sees, if it is to move now, or to claim for a lead that is called for."""
        if self._due(Phase.CALL):
            return call.view(self._secrets, self.state)
        return self.view() if self._due(Phase.TURN) else None

    def claim_due(self) -> bool:
        """Whether this seat has to answer a placement with a claim now."""
        return self._due(Phase.CLAIM)

    def view(self) -> SeatView:
        """What this seat may see of the hand that is being played."""
        return make_view(self.state.match, self.seat)

    def _due(self, phase: Phase) -> bool:
        waits = not self.finished and not self.mute and self.referee.phase is phase
        silent = not self.course.known.versions(self._place(MATCH_LADDER))
        return waits and silent and self.seat in self.referee.missing(MATCH_LADDER)

    def record(self) -> bytes:
        """The record of the match as it stands."""
        pending = self.fault is not None and self.fault.seat in self.state.seats
        proofs = self.fault.messages if self.fault and pending and not self.referee.final else ()
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
        # Whatever one signs who is out does nothing to those who play.
        if fault.seat in self.state.seats:
            self._name(fault)

    def _name(self, fault: Fault) -> None:
        if self.referee.two_sides or fault.seat not in self._named:
            gone = self.fault is None or self.fault.seat not in self.state.seats
            self.fault = fault if gone or self.referee.two_sides else self.fault
            self._named.add(fault.seat)
            self.referee.find(fault)

    def _go_on(self) -> Output:
        """Judge what was parked and say what is due, until neither changes anything."""
        self._learn()
        while not self.finished and (self.course.moves_on() or self._unpark() or self._speak()):
            self._learn()
        self._learn()
        return self._output()

    def _unpark(self) -> bool:
        """Judge the parked messages again; True as soon as one is accepted or ends the match."""
        return any(self._try(one) or self.finished for one in self.parked)

    def _speak(self) -> bool:
        """Say one thing that is due and needs no person; True if there was one."""
        if self.mute:
            return False
        for number in self.referee.ladders_now():
            place, make = self._place(number), self.referee.row(number).make
            # Nobody says a second thing for a place, whatever came of the first.
            silent = not self.course.known.versions(place)
            if make is not None and silent and self.seat in self.referee.missing(number):
                said = make(self._secrets, self.state, place)
                if said is not None:
                    self._say(place, said)
                    return True
        return False

    def _place(self, number: int) -> Place:
        """This seat's place in the open step of a ladder."""
        return Place(self.referee.root, number, self.referee.ladder(number).step, self.seat)

    def _say(self, place: Place, said: Shape) -> None:
        message = open_envelope(self._sign(place, said.kind, said.value()))
        self._said.add(message.id)
        self._hear_own(message)

    def _sign(self, place: Place, kind: str, body: Body) -> bytes:
        """All but votes is said by here: tests twist it to build a cheat."""
        return self._sign_after(self.referee.ladder(place.ladder).top, place, kind, body)

    def _sign_after(self, previous: bytes, place: Place, kind: str, body: Body) -> bytes:
        return seal(self._identity, self.table.id, place, previous, kind, body)

    def _hear_own(self, message: Message) -> None:
        """Judge an own message as any other before it leaves: our mistakes stay here."""
        try:
            taken = self._take(message)
        except Fault as fault:
            raise AssertionError(
                f"this seat was about to break the protocol: {fault.what}"
            ) from None
        assert taken, "an own message that is not for the open step"

    def _learn(self) -> None:
        """See the own tiles that others' shares opened, and tell what happened."""
        hand = self.state.match.hand
        if hand is not None and self.state.deal in self._secrets.deals:
            for slot in hand.slots(self.seat):
                if slot not in hand.known and self.state.drawn != (self.seat, slot):
                    hand.learn(slot, self._secrets.tile(self.state, slot))
        self._events += self._story.go_on()

    def _output(self) -> Output:
        fresh = {number: self._secrets.deals[number].to_bytes() for number in self._secrets.fresh}
        forget, finals = self._forget_secrets(), self.course.take_finals()
        self._evidence += self.course.take_beside()
        batch = Batch(tuple(self._accepted), fresh, forget, evidence=self._evidence, finals=finals)
        output = Output(batch, tuple(self._send), tuple(self._events))
        self._secrets.fresh.clear()
        self._accepted, self._send, self._events, self._evidence = [], [], [], ()
        return output

    def _forget_secrets(self) -> tuple[int, ...]:
        """Drop the secrets of deals that were opened or are dead, and of all when all is over."""
        over = [one for one in self._secrets.deals if self.finished or self.state.is_over(one)]
        for number in over:
            del self._secrets.deals[number]
        return tuple(over)
