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
from p2p.session.output import Batch, Output
from p2p.session.phases import Waits
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import HandBegan, InHand, SessionEvent
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.state.table import Table
from p2p.session.steps import claim, turn
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import (
    MATCH_LADDER,
    Body,
    Message,
    Place,
    open_envelope,
    open_signed,
    place_of,
    seal,
)
from p2p.wire.messages import ClaimBody
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
    """One seat at one table; `fault` is what ended it, if one did."""

    def __init__(self, table: Table, identity: IdentityKey, rng: RandomBytes) -> None:
        self.table = table
        self.seat = table.seat_of(identity.public)
        self.referee = Referee(table)
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
        """Whether the match has ended: closed, or by a fault."""
        return self.closed or self.fault is not None

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
            self._try(message)
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
            self._try(message)
        self._learn()

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
        return waits and self.seat in self.referee.missing(MATCH_LADDER)

    def waiting(self) -> Awaited:
        """Who must speak for the match to go on."""
        number = self.referee.ladders_now()[0]
        for_person = self.referee.row(number).waits is Waits.PERSON
        return Awaited(self.referee.missing(number), for_person)

    def owes(self, seat: int) -> bool:
        """Whether that seat must speak for the match, or the coming deal, to go on."""
        return any(seat in self.referee.missing(one) for one in self.referee.ladders_now())

    def record(self) -> bytes:
        """The record of the match as it stands."""
        return record.encode(self.referee, self.fault.messages if self.fault else ())

    def _take(self, message: Message) -> bool:
        """Judge a signed message; True if it was new and is part of the match now."""
        verdict = self.referee.receive(message)
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
        """The same, where a fault ends the match."""
        try:
            return self._take(message)
        except Fault as fault:
            self._end_with(fault)
            return False

    def _end_with(self, fault: Fault) -> None:
        """Pass the evidence on, so that every honest seat comes to the same end."""
        self.fault = fault
        self.referee.end_with(fault)
        self._evidence = fault.messages
        self._send.extend(message.data for message in fault.messages)

    def _go_on(self) -> Output:
        """Judge what was parked and say what is due, until neither changes anything."""
        self._learn()
        while not self.finished and (self._unpark() or self._speak()):
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
            if make is not None and self.seat in self.referee.missing(number):
                place = self._place(number)
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
        previous = self.referee.ladder(place.ladder).top
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
        made = self.referee.take_events()
        self._events.extend(self.own_sight(event, self.state.deal) for event in made)

    def own_sight(self, event: SessionEvent, number: int) -> SessionEvent:
        """An event of the deal of that number with what this seat sees in it."""
        sees = self._secrets.sight(self.state, number)
        if isinstance(event, HandBegan) and sees is not None:
            dealt = deal_slots(self.table.rules, self.state.deals[number].ctx.seats)
            own = tuple(sorted(map(sees, dealt[self.seat]), reverse=True))
            hands = (*event.hands[: self.seat], own, *event.hands[self.seat + 1 :])
            return replace(event, hands=hands)
        match event:
            case InHand(event=Drawn(seat=self.seat, slot=slot)) if sees is not None:
                return replace(event, tile=sees(slot))
        return event

    def _output(self) -> Output:
        fresh = {number: self._secrets.deals[number].to_bytes() for number in self._secrets.fresh}
        forget = self._forget_secrets()
        batch = Batch(tuple(self._accepted), fresh, forget, evidence=self._evidence)
        output = Output(batch, tuple(self._send), tuple(self._events))
        self._secrets.fresh.clear()
        self._accepted, self._send, self._events, self._evidence = [], [], [], ()
        return output

    def _forget_secrets(self) -> tuple[int, ...]:
        """Drop the secrets of deals that were opened, and of all when the match is over."""
        opened = [
            number
            for number in self._secrets.deals
            if self.finished or self.state.deals[number].secrets
        ]
        for number in opened:
            del self._secrets.deals[number]
        return tuple(opened)
