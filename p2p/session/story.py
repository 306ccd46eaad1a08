"""What a session tells its owner: what happened, with what only this seat sees of it."""

from dataclasses import replace

from engine.deal import deal_slots
from engine.events import Drawn
from p2p.session.course import Course
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent, TakenBack
from p2p.session.state.secrets import SeatSecrets
from p2p.wire.envelope import MATCH_LADDER


class Story:
    """What was told, each with the open step of ladder 0 by then: of hands that were let go
    nothing, until it is told again."""

    def __init__(self, course: Course, secrets: SeatSecrets | None = None) -> None:
        """`secrets`: of the seat to which it is told; None: to who has none."""
        self._course, self._secrets = course, secrets
        self._told: list[tuple[int, SessionEvent]] = []
        self._gone = 0

    def go_on(self) -> list[SessionEvent]:
        """What is to be told now. Where votes took something back, that comes first."""
        events: list[SessionEvent] = []
        went, self._course.went = self._course.went, None
        decks: set[SessionEvent] = set()
        if went is not None:
            before = self._course.take_retold()
            kept = [(at, self._own_sight(event)) for at, event in before if at <= self._gone]
            kept += [(at, event) for at, event in self._told if self._gone < at <= went]
            if went < self._gone or any(at > went for at, _ in self._told):
                events.append(TakenBack(tuple(event for _, event in kept)))
            self._told, self._gone = kept, 0
            # A step of a deck that is heard again was told.
            decks = {event for _, event in kept if isinstance(event, DeckStep)}
        for at, event in self._course.take_made():
            if not isinstance(event, DeckStep) or event not in decks:
                self._told.append((at, self._own_sight(event)))
                events.append(self._told[-1][1])
        self._let_go()
        return events

    def _let_go(self) -> None:
        gone = self._course.referee.ladders[MATCH_LADDER].steps.gone
        if gone > self._gone:
            self._gone = gone
            self._told = [(at, event) for at, event in self._told if at > gone]

    def _own_sight(self, event: SessionEvent) -> SessionEvent:
        """An event with what only this seat sees in it."""
        secrets = self._secrets
        if secrets is None or not isinstance(event, HandBegan | InHand):
            return event
        state, seat = self._course.referee.state, secrets.seat
        number = state.hands.get(event.hand, 0)
        sees = secrets.sight(state, number)
        if sees is None:
            return event
        if isinstance(event, HandBegan) and event.hands[seat] is None:
            slots = deal_slots(state.table.rules, state.deals[number].ctx.seats)[seat]
            own = tuple(sorted(map(sees, slots), reverse=True))
            return replace(event, hands=(*event.hands[:seat], own, *event.hands[seat + 1 :]))
        if isinstance(event, InHand) and isinstance(event.event, Drawn):
            drawn = event.event
            return replace(event, tile=sees(drawn.slot)) if drawn.seat == seat else event
        return event
