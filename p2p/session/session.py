"""A seat's session: bytes in; events, bytes to store and bytes to send out. No input or output.

Everything that needs no person is said by itself as soon as the ladders ask for it. The owner of
a session stores an Output's batch before it sends anything of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.events import Drawn
from engine.hand import Draw, Move, Play, check_claim
from engine.strategy.view import SeatView, make_view
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.session import record
from p2p.session.referee import TWO_MESSAGES, Referee, Verdict
from p2p.session.speaker import Body, Speaker
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import HandBegan, InHand, SessionEvent
from p2p.session.state.state import Phase, State
from p2p.session.state.table import Table
from p2p.session.talk import Chat, Talk, decode_talk, make_chat
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, Message, open_envelope, seal

# An honest seat runs ahead only until somebody else must speak: one message of the match and the
# three steps of a deal or two. More than this is somebody filling our memory.
MAX_PARKED_A_SEAT = 16


@dataclass(frozen=True)
class Batch:
    """What to store in one transaction before anything is sent.

    `messages` accepted, own ones too, in order, one for a place; `secrets` by deal number, to be
    kept; `forget` the numbers of deals whose secrets are to be deleted.
    """

    messages: tuple[Message, ...] = ()
    secrets: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    forget: tuple[int, ...] = ()


@dataclass(frozen=True)
class Output:
    """What one input gave: store `batch`, then send each of `send`, then show `events`."""

    batch: Batch
    send: tuple[bytes, ...]
    events: tuple[SessionEvent, ...]


@dataclass(frozen=True)
class Waiting:
    """The seats that must speak next, and whether a person is to decide there."""

    seats: tuple[int, ...]
    for_person: bool


class Session:
    """One seat at one table. `speaker` makes what it says; `fault` is what ended it, if one did."""

    def __init__(
        self,
        table: Table,
        identity: IdentityKey,
        rng: RandomBytes,
        speaker: Callable[[int, RandomBytes], Speaker] = Speaker,
    ) -> None:
        self.table = table
        self.seat = table.seat_of(identity.public)
        self.referee = Referee(table)
        self.fault: Fault | None = None
        self._identity = identity
        self._keys = tuple(person.key for person in table.people)
        self._speaker = speaker(self.seat, rng)
        self._parked: dict[tuple[int, int, int], Message] = {}
        self._accepted: list[Message] = []
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
    def finished(self) -> bool:
        """Whether the match has ended: closed, or by a fault."""
        return self.closed or self.fault is not None

    def start(self) -> Output:
        """Say what can be said at once."""
        self._advance()
        return self._output()

    def receive(self, data: bytes) -> Output:
        """Take a message from a link. Suspicion if nobody at this table signed it."""
        try:
            message = open_envelope(data)
        except DecodeError as error:
            raise Suspicion(f"bytes that are no message: {error}") from None
        self.referee.check_signed(message)
        if not self.finished:
            self._try(message)
            self._advance()
        return self._output()

    def act(self, move: Move, auto: bool = False) -> Output:
        """Make this seat's move. IllegalMove (one sentence), and no change, if it breaks a rule."""
        assert self.decision() is not None, "this seat is not to move"
        self.state.match.check(move)
        step = self.referee.ladder(MATCH_LADDER).step
        if isinstance(move, Play):
            self._say(MATCH_LADDER, "play", self._speaker.play(self.state, step, move, auto))
        elif isinstance(move, Draw):
            self._say(MATCH_LADDER, "draw", self._speaker.draw(self.state, step, move, auto))
        else:
            self._say(MATCH_LADDER, "pass", self._speaker.pass_(self.state, step, move, auto))
        self._advance()
        return self._output()

    def claim(self, number: int) -> Output:
        """Answer a placement with a claim (0 for none). IllegalMove if it is no such number."""
        assert self.claim_due(), "this seat has nothing to claim"
        check_claim(number)
        self._say(MATCH_LADDER, "claim", self._speaker.claim_body(self.state, number))
        self._advance()
        return self._output()

    def understand(self, payload: bytes) -> Talk:
        """What a link's payload says. DecodeError if it says nothing."""
        return decode_talk(payload, self.table.id, self._keys)

    def chat(self, number: int, words: str) -> Chat:
        """A signed line, `number` of this seat. ValueError (one sentence) for unusable words."""
        return make_chat(self._identity, self.table.id, self.seat, number, words)

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
        waits = not self.finished and self.referee.phase is phase
        return waits and self.seat in self.referee.missing(MATCH_LADDER)

    def waiting(self) -> Waiting:
        """Who must speak for the match to go on."""
        number = MATCH_LADDER
        if self.referee.phase is Phase.DEAL and not self._deck_is_ready():
            number = self.state.deal + 1
        row = self.referee.row(number)
        return Waiting(self.referee.missing(number), row.person)

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
        if other is None:
            mine = [place for place in self._parked if place[2] == message.seat]
            if len(mine) == MAX_PARKED_A_SEAT:
                # The oldest goes, not the newest: two messages for one place that somebody passes
                # on as evidence come one after the other, and must meet here.
                del self._parked[mine[0]]
            self._parked[message.place] = message
        elif other.id != message.id:
            pair = sorted((other, message), key=lambda one: one.id)
            raise Fault(message.seat, TWO_MESSAGES, tuple(pair))

    def _try(self, message: Message) -> bool:
        """The same, where a fault ends the match."""
        try:
            return self._take(message)
        except Fault as fault:
            self._end_with(fault)
            return False

    def _end_with(self, fault: Fault) -> None:
        """Pass the evidence on, so that every honest seat comes to the same end.

        It is no part of the batch: a store keeps one message for a place, and the record has it.
        """
        self.fault = fault
        self.referee.end_with(fault)
        self._send.extend(message.data for message in fault.messages)

    def _advance(self) -> None:
        """Judge what was parked and say what is due, until neither changes anything."""
        self._learn()
        while not self.finished and (self._unpark() or self._speak()):
            self._learn()
        self._learn()

    def _unpark(self) -> bool:
        """Judge the parked messages again; True as soon as one is accepted or ends the match."""
        return any(self._try(one) or self.finished for one in list(self._parked.values()))

    def _speak(self) -> bool:
        """Say one thing that is due and needs no person; True if there was one."""
        for number in self._own_ladders():
            if self.seat not in self.referee.missing(number):
                continue
            said = self._due_body(number)
            if said is not None:
                self._say(number, *said)
                return True
        return False

    def _own_ladders(self) -> list[int]:
        """The ladders on which this seat speaks: the match, and the next deal while it may come."""
        ladders = [MATCH_LADDER]
        if self.referee.phase is not Phase.AGREE and not self.state.is_decided():
            ladders.append(self.state.deal + 1)
        return ladders

    def _deck_is_ready(self) -> bool:
        return self.state.deal + 1 in self.state.deck_names

    def _due_body(self, number: int) -> tuple[str, Body] | None:
        """Kind and body of what is due on a ladder; None if a person, or a deck, is waited for."""
        speaker, state = self._speaker, self.state
        deal = self.referee.deal(number)
        if deal is not None:
            makers = {
                Phase.COMMIT: ("commit", speaker.commit),
                Phase.KEY: ("key", speaker.key),
                Phase.SHUFFLE: ("shuffle", speaker.shuffle),
            }
            kind, make = makers[deal.phase]
            return kind, make(state, deal)
        if state.phase is Phase.DEAL and not self._deck_is_ready():
            return None
        step = self.referee.ladder(number).step
        kind_of = {
            Phase.AGREE: ("agree", speaker.agree),
            Phase.DEAL: ("deal", speaker.deal),
            Phase.CALL: ("call", speaker.call),
            Phase.SHARE: ("share", speaker.share),
            Phase.REVEAL: ("reveal", speaker.reveal),
            Phase.OPEN: ("open", speaker.open),
            Phase.RESULT: ("result", speaker.result),
        }
        found = kind_of.get(state.phase)
        return None if found is None else (found[0], found[1](state, step))

    def _say(self, number: int, kind: str, body: Body) -> None:
        ladder = self.referee.ladder(number)
        place = (number, ladder.step, self.seat)
        data = seal(self._identity, self.table.id, place, ladder.top, kind, body)
        self._hear_own(open_envelope(data))

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
        if hand is not None and self.state.deal in self._speaker.secrets:
            for slot in hand.slots(self.seat):
                if slot not in hand.known and self.state.drawn != (self.seat, slot):
                    hand.learn(slot, self._speaker.tile(self.state, slot))
        self._events.extend(self._own_sight(event) for event in self.referee.take_events())

    def _own_sight(self, event: SessionEvent) -> SessionEvent:
        """An event with what only this seat sees in it."""
        if isinstance(event, HandBegan):
            tiles = sorted(
                (tile for _, tile in self._speaker.dealt_tiles(self.state)), reverse=True
            )
            hands = tuple(
                tuple(tiles) if seat == self.seat else hand for seat, hand in enumerate(event.hands)
            )
            return replace(event, hands=hands)
        match event:
            case InHand(event=Drawn(seat=self.seat, slot=slot)):
                return replace(event, tile=self._speaker.tile(self.state, slot))
        return event

    def _output(self) -> Output:
        fresh = {number: self._speaker.secrets[number].to_bytes() for number in self._speaker.fresh}
        batch = Batch(tuple(self._accepted), fresh, self._forget_secrets())
        output = Output(batch, tuple(self._send), tuple(self._events))
        self._speaker.fresh.clear()
        self._accepted, self._send, self._events = [], [], []
        return output

    def _forget_secrets(self) -> tuple[int, ...]:
        """Drop the secrets of deals that were opened, and of all when the match is over."""
        opened = [
            number
            for number in self._speaker.secrets
            if self.finished or self.state.deals[number].secrets
        ]
        for number in opened:
            del self._speaker.secrets[number]
        return tuple(opened)
