"""A seat's session: bytes in; events, bytes to store and bytes to send out. No input or output.

Everything that needs no person is said by itself as soon as the ladders ask for it. The owner of
a session stores an Output's batch before it sends anything of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.deal import deal_slots
from engine.events import Drawn
from engine.hand import check_claim
from engine.moves import Move
from engine.strategy.view import SeatView, make_view
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session import record
from p2p.session.course import Course
from p2p.session.output import Batch, Output
from p2p.session.phases import Waits
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent, TakenBack
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.state.table import Table
from p2p.session.steps import claim, turn
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import (
    MATCH_LADDER,
    MAX_VOTE_ROUNDS,
    VOTE,
    Body,
    Message,
    Place,
    open_envelope,
    open_signed,
    place_of,
    seal,
)
from p2p.wire.messages import ClaimBody, VoteBody
from p2p.wire.out import Out
from p2p.wire.shape import Shape
from p2p.wire.talk import Saying, Talk, Word, decode_talk, make_word

# An honest seat runs ahead only until somebody else must speak: one message of the match and the
# three steps of a deal or two. More than this is somebody filling our memory.
MAX_PARKED_A_SEAT = 16
# Behind the deal that is being prepared nobody speaks but who is one deal ahead.
DEALS_AHEAD = 1


@dataclass(frozen=True)
class Awaited:
    """The seats that must speak next, and whether a person is to decide there."""

    seats: tuple[int, ...]
    for_person: bool


class Session:
    """One seat at one table; `fault` is the first that was proven: between two sides it ends it."""

    def __init__(self, table: Table, identity: IdentityKey, rng: RandomBytes) -> None:
        self.table = table
        self.seat = table.seat_of(identity.public)
        self.course = Course(table)
        self.fault: Fault | None = None
        self._identity = identity
        self._keys = tuple(person.key for person in table.people)
        self._secrets = SeatSecrets(self.seat, rng)
        # What it had seen before it came back, and whether it does not know yet what others have
        # of it; whether they have something that is signed with its key and that it never said.
        self.past: tuple[SessionEvent, ...] = ()
        self.returning = False
        self.outdone = False
        self._said: set[bytes] = set()
        self._parked: dict[Place, Message] = {}
        self._accepted: list[Message] = []
        self._evidence: tuple[Message, ...] = ()
        self._send: list[bytes] = []
        self._events: list[SessionEvent] = []
        self._named: set[int] = set()
        # All that was told, each with the open step of ladder 0 by then.
        self._told: list[tuple[int, SessionEvent]] = []

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
        """Whether this seat signs nothing now: it has just come back, or somebody else speaks with
        its key, say this same data folder on another machine or before it was copied."""
        return self.returning or self.outdone

    @property
    def finished(self) -> bool:
        """Whether the match has ended: closed, by a fault between two sides, or abandoned."""
        result = self.state.match.result
        return (
            self.closed
            or (result is not None and result.reason == "fault")
            or (self.referee.phase is Phase.ABANDONED)
        )

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
            self.outdone = self.outdone or message.id not in self._said
        elif not self.finished:
            self._hear(message)
        return self._go_on()

    def _hear(self, message: Message) -> None:
        """Take a message whose signature was checked, if it is not known. Suspicion for a vote that
        says nothing."""
        versions = self.course.known.versions(message.place)
        if any(one.id == message.id for one in versions) and message.place not in self._parked:
            return
        if versions and all(one.id != message.id for one in versions):
            self._found(two_messages(versions[0], message))
        elif message.kind == VOTE:
            self._take_vote(message)
        else:
            self._try(message)

    def _take_vote(self, message: Message) -> bool:
        try:
            known = self.course.known
            new = not known.is_ahead(message) and known.add(message)
        except DecodeError as error:
            raise Suspicion(f"a vote that says nothing: {error}") from None
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
        known, ladder = self.course.known, self.referee.ladders[MATCH_LADDER]
        at = ladder.step if step is None else step
        ground = self.course.ground(at)
        votes = known.votes(ground.root, at)
        own = max((vote.round for vote in votes if vote.seat == self.seat), default=0)
        number = max([own + 1, *(vote.round for vote in votes)])
        if number <= MAX_VOTE_ROUNDS:
            held = self.course.held(at)
            reach = known.highest.get((ground.root, self.seat), 0)
            said = VoteBody(number, out, held, reach)
            place = Place(ground.root, MATCH_LADDER, at, self.seat, number)
            data = self._sign_after(ground.previous, place, said.kind, said.value())
            message = open_envelope(data)
            self._said.add(message.id)
            taken = self._take_vote(message)
            assert taken, "an own vote that was given before"
        return self._go_on()

    def come_back(
        self, secrets: Mapping[int, DealSecret], own: Iterable[bytes], evidence: Iterable[Message]
    ) -> None:
        """After the referee has heard again what was kept: the secrets by deal, the ids of what
        this seat has signed, and what was refused. Nothing is signed until `speak_again`."""
        self.returning = True
        self._secrets.deals.update(secrets)
        self._said.update(own)
        mine = self.referee.said_last(self.seat)
        if mine is not None and mine.kind == ClaimBody.kind:
            self._secrets.claim = claim.recalled(self._secrets, self.state, mine)
        for message in evidence:
            self._hear(message)
        self._learn()
        self.past, self._events = tuple(self._events), []

    def speak_again(self) -> Output:
        """All who are linked have said what they have of this seat, and it is here."""
        self.returning = False
        return self._go_on()

    def act(self, move: Move, auto: bool = False) -> Output:
        """Make this seat's move. IllegalMove (one sentence), and no change, if it breaks a rule."""
        assert self.decision() is not None, "this seat is not to move"
        self.state.match.check(move)
        place = self._place(MATCH_LADDER)
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

    @property
    def behind(self) -> bool:
        """Whether messages are kept that rest on what this seat lacks."""
        return bool(self._parked)

    def decision(self) -> SeatView | None:
        """What this seat sees, if it is to move now."""
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

    def waiting(self) -> Awaited:
        """Who must speak for the match to go on."""
        number = self.referee.ladders_now()[0]
        for_person = self.referee.row(number).waits is Waits.PERSON
        return Awaited(self.referee.missing(number), for_person)

    @property
    def votes(self) -> tuple[Message, ...]:
        """All votes that one has."""
        return tuple(vote.message for vote in self.course.known.all_votes())

    def beside(self) -> tuple[Message, ...]:
        """What one has beside the completed steps, and others may need: proofs and votes."""
        known = self.course.known
        proofs = {id_ for seat in self.table.seats for ids in known.all_faults(seat) for id_ in ids}
        return (*(known.messages[one] for one in sorted(proofs)), *self.votes)

    def owes(self, seat: int) -> bool:
        """Whether that seat must speak for the match, or the coming deal, to go on."""
        return any(seat in self.referee.missing(one) for one in self.referee.ladders_now())

    def record(self) -> bytes:
        """The record of the match as it stands."""
        return record.encode(self.referee, self._unsettled_evidence())

    def _unsettled_evidence(self) -> tuple[Message, ...]:
        """What proves the fault of a seat that nobody has put out for it."""
        pending = self.fault is not None and self.fault.seat in self.state.seats
        return self.fault.messages if self.fault and pending and not self.closed else ()

    def _take(self, message: Message) -> bool:
        """Judge a signed message; True if it was new and is part of the match now."""
        verdict = self.course.receive(message)
        parked = self._parked.get(message.place)
        if verdict is Verdict.LATER:
            self._park(message, parked)
        elif parked is not None and parked.id == message.id:
            del self._parked[message.place]
        if verdict is not Verdict.ACCEPTED:
            return False
        self._accepted.append(message)
        self._send.append(message.data)
        return True

    def _park(self, message: Message, other: Message | None) -> None:
        """Keep a message for later; `other` is the one that is kept for its place."""
        if message.ladder > self.state.next + DEALS_AHEAD:
            return
        if other is None:
            mine = [place for place in self._parked if place.seat == message.seat]
            if len(mine) == MAX_PARKED_A_SEAT:
                # The oldest goes, not the newest: two messages for one place that somebody passes
                # on as evidence come one after the other, and must meet here.
                del self._parked[mine[0]]
            self._parked[message.place] = message
        elif other.id != message.id:
            raise two_messages(other, message)

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
        if self.referee.two_sides or fault.seat not in self._named:
            self.fault = fault if self.fault is None or self.referee.two_sides else self.fault
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
        return any(self._try(one) or self.finished for one in list(self._parked.values()))

    def _speak(self) -> bool:
        """Say one thing that is due and needs no person; True if there was one."""
        if self.mute:
            return False
        for number in self.referee.ladders_now():
            make = self.referee.row(number).make
            place = self._place(number)
            due = make is not None and self.seat in self.referee.missing(number)
            # Nobody says a second thing for a place, whatever came of the first.
            if due and make is not None and not self.course.known.versions(place):
                self._say(place, make(self._secrets, self.state, place))
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
        """Everything that is said comes by here: tests twist it to build a cheat."""
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
        self._tell()

    def _tell(self) -> None:
        """Tell what happened. Where votes took something back, say so first."""
        went, self.course.went = self.course.went, None
        decks: set[SessionEvent] = set()
        if went is not None:
            kept = [(at, event) for at, event in self._told if at <= went]
            if len(kept) < len(self._told):
                self._events.append(TakenBack(tuple(event for _, event in kept)))
            self._told = kept
            # A step of a deck that is heard again was told.
            decks = {event for _, event in kept if isinstance(event, DeckStep)}
        for at, event in self.course.take_made():
            if not isinstance(event, DeckStep) or event not in decks:
                self._told.append((at, self.own_sight(event)))
                self._events.append(self._told[-1][1])

    def own_sight(self, event: SessionEvent) -> SessionEvent:
        """An event with what only this seat sees in it."""
        sees = self._secrets.sight(self.state, self._deal_of(event))
        if isinstance(event, HandBegan) and sees is not None and event.hands[self.seat] is None:
            dealt = self.state.deals[self._deal_of(event)].ctx.seats
            slots = deal_slots(self.table.rules, dealt)[self.seat]
            own = tuple(sorted(map(sees, slots), reverse=True))
            hands = (*event.hands[: self.seat], own, *event.hands[self.seat + 1 :])
            return replace(event, hands=hands)
        match event:
            case InHand(event=Drawn(seat=self.seat, slot=slot)) if sees is not None:
                return replace(event, tile=sees(slot))
        return event

    def _deal_of(self, event: SessionEvent) -> int:
        """The number of the deal that an event of a hand is about, else 0."""
        if not isinstance(event, HandBegan | InHand):
            return 0
        return self.state.hands.get(event.hand, 0)

    def _output(self) -> Output:
        fresh = {number: self._secrets.deals[number].to_bytes() for number in self._secrets.fresh}
        forget = self._forget_secrets()
        batch = Batch(
            tuple(self._accepted),
            fresh,
            forget,
            evidence=self._evidence,
            finals=self.course.take_finals(),
        )
        output = Output(batch, tuple(self._send), tuple(self._events))
        self._secrets.fresh.clear()
        self._accepted, self._send, self._events, self._evidence = [], [], [], ()
        return output

    def _forget_secrets(self) -> tuple[int, ...]:
        """Drop the secrets of deals that were opened, and of all when the match is over."""
        opened = [
            number for number in self._secrets.deals if self.finished or self._is_over(number)
        ]
        for number in opened:
            del self._secrets.deals[number]
        return tuple(opened)

    def _is_over(self, number: int) -> bool:
        """Whether the keys of a deal were opened, or it is dead for good."""
        deal = self.state.deals.get(number)
        dead = number < self.state.first and self.referee.phase is not Phase.AGREE
        return dead or (deal is not None and bool(deal.secrets))
