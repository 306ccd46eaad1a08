"""A seat's session: bytes in; events, bytes to store and bytes to send out. No input or output.

Everything that needs no person is said by itself as soon as the ladders ask for it. The owner of
a session stores an Output's batch before it sends anything of it.
"""

from collections.abc import Callable, Iterable, Mapping

from engine.hand import check_claim
from engine.moves import Move
from engine.strategy.view import SeatView, make_view
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session.course import Course
from p2p.session.leaving.following import Step
from p2p.session.listening import Listening
from p2p.session.output import Batch, Output
from p2p.session.state.errors import Fault
from p2p.session.state.events import SessionEvent
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase
from p2p.session.state.table import Table
from p2p.session.steps import call, claim, shuffle, turn
from p2p.wire.envelope import (
    MATCH_LADDER,
    Body,
    Message,
    Place,
    open_envelope,
    seal,
)
from p2p.wire.messages import ClaimBody
from p2p.wire.out import Out
from p2p.wire.shape import Shape
from p2p.wire.talk import Saying, Word, make_word


class Session(Listening):
    """One seat at one table: it hears as everybody who listens, and speaks."""

    def __init__(
        self, table: Table, identity: IdentityKey, rng: RandomBytes, at: Course | None = None
    ) -> None:
        """`at`: where it stands already; at the beginning, with nothing stored, if it is left
        out."""
        self.seat = table.seat_of(identity.public)
        self._secrets = SeatSecrets(self.seat, rng)
        super().__init__(table, at, self._secrets)
        self._identity = identity
        # What it had seen before it came back; whether it does not know yet what others have of it,
        # or they have something with its signature that it never said.
        self.past: tuple[SessionEvent, ...] = ()
        self.returning = self.outdone = self._left = False
        self._said: set[bytes] = set()

    @property
    def mute(self) -> bool:
        """Whether this seat signs nothing now: it has just come back, it has left, or somebody else
        has its key, as a copy of this folder on another machine."""
        return self.returning or self.outdone or self._left

    def start(self) -> Output:
        """Say what can be said at once."""
        return self._go_on()

    def _take_in(self, message: Message) -> None:
        if message.seat == self.seat:
            self.outdone |= message.id not in self._said
        else:
            super()._take_in(message)

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

    def leave(self) -> None:
        """Sign nothing more. Others who hear of it may go on without what would still be due."""
        self._left = True

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

    def ahead(self) -> Callable[[], None] | None:
        """What can be made before it is this seat's turn for it; it is kept in memory alone."""
        works = not self.mute and not self.finished and self.state.prepares()
        return shuffle.ahead(self._secrets, self.state) if works else None

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
        if self.referee.phase is not phase or self.finished or self.mute:
            return False
        silent = not self.course.known.versions(self._place(MATCH_LADDER))
        return silent and self.seat in self.referee.missing(MATCH_LADDER)

    def _elsewhere(self, number: int, step: int, *beside: Message) -> Step | None:
        """As who hears alone; but where this seat has gone on itself, votes must lead it back."""
        ladder = self.referee.ladders.get(number)
        later = range(0) if ladder is None else range(step + 1, ladder.step + 1)
        spoke = ladder is not None and any(ladder.said(at, self.seat) for at in later)
        return None if spoke else super()._elsewhere(number, step, *beside)

    def _moves(self) -> bool:
        """Say what is due, too."""
        return super()._moves() or self._speak()

    def _let_go(self) -> list[Message]:
        gone = super()._let_go()
        self._said.difference_update(message.id for message in gone)
        return gone

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
        super()._learn()

    def _batch(self) -> Batch:
        fresh = {number: self._secrets.deals[number].to_bytes() for number in self._secrets.fresh}
        forget = self._forget_secrets()
        self._secrets.fresh.clear()
        return super()._batch().then(Batch(secrets=fresh, forget=forget))

    def _forget_secrets(self) -> tuple[int, ...]:
        """Drop the secrets of deals that were opened or are dead, and of all when all is over."""
        over = [one for one in self._secrets.deals if self.finished or self.state.is_over(one)]
        self._secrets.forget(over)
        return tuple(over)
