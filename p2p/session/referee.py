"""The referee: takes signed messages, refuses what breaks the protocol, and keeps the ladders.

Every peer runs one, and so does whoever verifies a record: the same code on the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from engine.errors import IllegalMove
from engine.match import Match
from p2p.crypto.errors import ProofError
from p2p.deck.checks import Checks
from p2p.deck.errors import DeckFault
from p2p.session.leaving.ground import SEATS_TO_VOTE, Ground, Grounds, by_seat
from p2p.session.leaving.retired import Retired
from p2p.session.phases import PHASES, Row, Waits
from p2p.session.state.errors import Fault, NotYet, Suspicion
from p2p.session.state.events import Faulted, SessionEvent
from p2p.session.state.ladder import Ladder
from p2p.session.state.past import Archive
from p2p.session.state.state import DealState, Phase, State
from p2p.session.state.table import Table
from p2p.session.steps import retire
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place

TWO_MESSAGES = "it signed two different messages for one step"
OUT_OF_TURN = "it spoke when it was not its turn"


def two_messages(one: Message, other: Message) -> Fault:
    """The fault of who signed both for one place."""
    return Fault(one.seat, TWO_MESSAGES, tuple(sorted((one, other), key=lambda each: each.id)))


Look = Callable[[int, int], dict[int, Message]]
"""What was said at a completed step of this era, by seat, from the ladder and the step."""


class Verdict(Enum):
    """What became of a message that is no fault."""

    ACCEPTED = "accepted"
    KNOWN = "known"
    LATER = "later"


@dataclass(frozen=True)
class Awaited:
    """The seats that must speak next, and whether a person is to decide there."""

    seats: tuple[int, ...]
    for_person: bool


class Referee:
    """Judges messages and moves the public state.

    `ladders` by number; 0 is the match. By step of ladder 0: `retired` are the votes that closed
    it, `deals_at` the numbers of the deals that were dealt there. `fitting`: which messages were
    found to be right or wrong at the step that they name.
    """

    def __init__(self, table: Table, checks: Checks | None = None, looks_back: bool = True) -> None:
        """`checks`: how proofs are checked; each by itself if it is left out. `looks_back`: votes
        on a completed step may still come."""
        self.table = table
        self._looks_back = looks_back
        self._look: Look | None = None
        match = Match(table.rules, len(table.people))
        self.state = State(table, match, table.id, checks=checks or Checks())
        self.ladders = {MATCH_LADDER: Ladder(MATCH_LADDER, [table.id])}
        self.retired: dict[int, Retired] = {}
        self.deals_at: dict[int, int] = {}
        self._grounds = Grounds()
        self.fitting: dict[bytes, bool] = {}
        self._parsed: dict[int, dict[int, Any]] = {}

    @property
    def root(self) -> bytes:
        """The root of the present era."""
        return self.state.root

    @property
    def phase(self) -> Phase:
        """The phase of the match."""
        return self.state.phase

    def ladder(self, number: int) -> Ladder:
        """The ladder of that number, begun on first use. NotYet if its deal has not begun."""
        if number not in self.ladders:
            self.state.deal_number(number)
            self.ladders[number] = Ladder(number, [self.root])
            if self._look is not None and number < self.state.next:
                self._climb_again(self.ladders[number], self._look)
        return self.ladders[number]

    def _climb_again(self, ladder: Ladder, look: Look) -> None:
        """The ladder of a deal that was dealt and let go of."""
        while said := look(ladder.number, ladder.step):
            ladder.open = said
            ladder.complete()

    def said_last(self, seat: int) -> Message | None:
        """What a seat said at the open step of the match, or at the step before."""
        ladder = self.ladders[MATCH_LADDER]
        return ladder.said(ladder.step, seat) or ladder.said(ladder.step - 1, seat)

    def deal(self, number: int) -> DealState | None:
        """The deal that a ladder prepares; None for the match."""
        return None if number == MATCH_LADDER else self.state.deal_number(number)

    def row(self, number: int) -> Row:
        """What the open step of a ladder is about."""
        deal = self.deal(number)
        return PHASES[self.state.phase if deal is None else deal.phase]

    def speakers(self, number: int) -> tuple[int, ...]:
        """The seats that must speak at the open step of a ladder, in seat order."""
        return self.row(number).speakers(self.state)

    def missing(self, number: int) -> tuple[int, ...]:
        """Those of them that have not."""
        said = self.ladder(number).open
        return tuple([seat for seat in self.speakers(number) if seat not in said])

    @property
    def finished(self) -> bool:
        """Whether the match has ended: closed, by a fault between two sides, or abandoned."""
        result = self.state.match.result
        broken = result is not None and result.reason == "fault"
        return broken or self.state.is_final()

    @property
    def _claims_lead(self) -> bool:
        """Whether who holds the tile that is called for is to say what it scores."""
        return self.phase is Phase.CALL and self.table.rules.claims

    def waiting(self) -> Awaited:
        """Who must speak for the match to go on."""
        number = self.ladders_now()[0]
        for_person = self._claims_lead or self.row(number).waits is Waits.PERSON
        return Awaited(self.missing(number), for_person)

    def owes(self, seat: int) -> bool:
        """Whether that seat must speak for the match, or the coming deal, to go on."""
        return any(seat in self.missing(one) for one in self.ladders_now())

    def ladders_now(self) -> list[int]:
        """The ladders on which seats speak now; the match waits for what is missing on the first.

        The match waits for the coming deck where it needs it and it is not ready.
        """
        coming = [self.state.next] if self.state.prepares() else []
        needs_deck = self.row(MATCH_LADDER).waits is Waits.DECK
        return coming if needs_deck and not self.state.coming.name else [MATCH_LADDER, *coming]

    def known(self, place: Place) -> Message | None:
        """The message that is taken for a place, if one is."""
        ladder = self.ladders.get(place.ladder) if place.root == self.root else None
        return None if ladder is None else ladder.said(place.step, place.seat)

    def key_of(self, message: Message) -> bytes:
        """The key that must have signed. Raise Suspicion for another table or no seat of it."""
        if message.table != self.table.id:
            raise Suspicion("a message of another table")
        if message.seat >= len(self.table.people):
            raise Suspicion("a message of a seat that this table does not have")
        return self.table.people[message.seat].key

    def check_signed(self, message: Message) -> None:
        """Raise Suspicion unless a seat of this table signed the message for this table."""
        if not message.signed_by(self.key_of(message)):
            raise Suspicion("a message with a wrong signature")

    def receive(self, message: Message, take: bool = True) -> Verdict:
        """Take a message whose signature was checked, if it is not only to be judged. Raises Fault;
        changes nothing then. A vote belongs to no step: it counts, or not."""
        in_era = message.kind != VOTE and message.root == self.root
        if not in_era or message.seat not in self.state.seats:
            return Verdict.LATER
        try:
            ladder = self.ladder(message.ladder)
            known = ladder.said(message.step, message.seat)
            if known is not None and known.id != message.id:
                raise two_messages(known, message)
            if known is not None:
                return Verdict.KNOWN
            if message.step < ladder.step:
                return self._late(ladder, message)
            if message.step > ladder.step or message.previous != ladder.top:
                return Verdict.LATER
            parsed = self._judge(message)
            if take:
                self._accept(ladder, message, parsed)
        except NotYet:
            return Verdict.LATER
        return Verdict.ACCEPTED

    def _late(self, ladder: Ladder, message: Message) -> Verdict:
        """A message for a completed step in which its seat had nothing to say."""
        if message.step >= ladder.first and message.previous == ladder.before(message.step):
            raise Fault(message.seat, OUT_OF_TURN, (message,))
        return Verdict.LATER

    def _judge(self, message: Message) -> Any:
        """What a message for the open step says; its T is ours, so a refusal is proof."""
        row = self.row(message.ladder)
        try:
            if message.seat not in self.speakers(message.ladder):
                raise DeckFault(message.seat, OUT_OF_TURN)
            if message.kind not in row.kinds:
                raise DeckFault(message.seat, f"it sent {message.kind[:16]!r} out of place")
            return row.kinds[message.kind](self.state, message)
        except DeckFault as error:
            raise Fault(message.seat, error.what, (message,)) from None
        except IllegalMove as error:
            raise Fault(message.seat, str(error), (message,)) from None
        except (DecodeError, ProofError) as error:
            raise Fault(message.seat, f"a malformed message: {error}", (message,)) from None

    def _accept(self, ladder: Ladder, message: Message, parsed: Any) -> None:
        ladder.open[message.seat] = message
        self.fitting[message.id] = True
        self._parsed.setdefault(ladder.number, {})[message.seat] = parsed
        if self.missing(ladder.number):
            return
        if ladder.number == MATCH_LADDER:
            self._keep_ground()
            if self.phase is Phase.DEAL:
                self.deals_at[ladder.step] = self.state.next
        row, deal = self.row(ladder.number), self.deal(ladder.number)
        ladder.complete()
        said = dict(sorted(self._parsed.pop(ladder.number).items()))
        row.finish(self.state, said)
        if deal is not None and deal.phase is Phase.READY:
            deal.name = ladder.top

    def ground_of(self, step: int) -> Ground:
        """A step of the match as it is voted on: the open one, or one that is complete; what fits
        is told for the open one alone."""
        kept = self._grounds.of(step, self.ladders[MATCH_LADDER].hashes)
        return self.ground() if kept is None else kept

    def _keep_ground(self) -> None:
        """That of the open step, which is complete now."""
        if self._looks_back:
            self._grounds.keep(self.ground())

    def ground(self) -> Ground:
        """The open step of the match as it is voted on."""
        state, ladder = self.state, self.ladders[MATCH_LADDER]
        return Ground(
            root=self.root,
            step=ladder.step,
            previous=ladder.top,
            seats=state.seats,
            final=state.final or self.table.seats,
            lost=state.lost,
            owners=self.table.owners,
            speakers=self.speakers(MATCH_LADDER),
            person=self.phase in (Phase.TURN, Phase.CLAIM) or self._claims_lead,
            deals=self.phase is Phase.DEAL,
            opens=self.phase is Phase.OPEN,
            winners=state.match.result.winners if state.match.result and self.decided else None,
            sides=self.two_sides,
            fits=self.fits,
        )

    @property
    def decided(self) -> bool:
        """Whether the last scoring fact is proven."""
        return self.state.is_decided()

    @property
    def two_sides(self) -> bool:
        """Whether two sides play: they never vote, and who breaks the rules has lost."""
        return self.table.rules.partners or len(self.state.seats) < SEATS_TO_VOTE

    def fits(self, message: Message) -> bool:
        """Whether a message for the open step of the match, naming its T, is one that it takes; in
        a deal also one of another deck, which nobody here can judge."""
        if message.id not in self.fitting:
            try:
                self._judge(message)
            except NotYet:
                return True
            except Fault:
                self.fitting[message.id] = False
            else:
                self.fitting[message.id] = True
        return self.fitting[message.id]

    def retire(self, retired: Retired) -> None:
        """Close the open step of the match by the votes of all who stay. Raises Unsettled."""
        ladder, votes = self.ladders[MATCH_LADDER], retired.votes
        self._keep_ground()
        said: dict[int, Any] = {}
        for seat, messages in by_seat(votes.union).items():
            if self.phase in (Phase.REVEAL, Phase.OPEN) and len(messages) == 1:
                said[seat] = self._judge(messages[0])
        retire.finish(self.state, votes.root, votes.reasons, votes.by, said)
        self.retired[ladder.step] = retired
        ladder.retire(votes.root)
        self._parsed.clear()

    def let_go(self, step: int, archive: Archive) -> list[Message]:
        """Let go of the steps of the match up to that one, with the deals that were dealt there:
        all of it is stored. What of it was here."""
        messages = self.ladders[MATCH_LADDER].steps.let_go(step, archive)
        for at, deal in self.deals_at.items():
            steps = self.ladders[deal].steps
            if at <= step and not steps.gone:
                messages += steps.let_go(len(steps), archive)
                self.state.deals[deal].let_go()
        for message in messages:
            self.fitting.pop(message.id, None)
        return messages

    def take_up(self) -> None:
        """Have all steps here again."""
        for ladder in self.ladders.values():
            ladder.steps.take_up()

    def find(self, fault: Fault) -> None:
        """A proven fault: of two sides the other wins and points stand, else the others vote."""
        self.state.events.append(Faulted(fault.seat, fault.what))
        if self.two_sides:
            self.state.tell(self.state.match.fault(fault.seat))

    def forget(self, look: Look, tiles: bool = False) -> None:
        """Let go of what is past and no vote comes to; of the deals that were opened the `tiles`
        stay if they are wanted. `look` finds what was said."""
        self._look = look
        self.state.forget_past(tiles)
        self.deals_at = {at: deal for at, deal in self.deals_at.items() if deal >= self.state.deal}
        self.ladders[MATCH_LADDER].forget(partial(look, MATCH_LADDER))
        if not self.ladders[MATCH_LADDER].open:
            self.fitting.clear()
        past = range(MATCH_LADDER + 1, self.state.next)
        self.ladders = {number: one for number, one in self.ladders.items() if number not in past}

    def take_events(self) -> tuple[SessionEvent, ...]:
        """The events since the last call."""
        events = tuple(self.state.events)
        self.state.events.clear()
        return events
