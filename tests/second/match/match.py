"""Taking messages in order (14.1)."""

from second.match.effects import EFFECTS
from second.match.judging import ParkedError, judge
from second.match.ladder import Ladder, Said
from second.match.state import State, Step
from second.refusing import RefusedError
from second.wire.messages import Message, chained
from second.wire.table import Table

Spot = tuple[bytes, int, int, int, int]


class FaultError(Exception):
    """A seat broke the protocol; evidence are one or two messages."""

    def __init__(self, seat: int, evidence: list[Message], why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.evidence = evidence


def spot_of(message: Message) -> Spot:
    """The place of a message, of a vote with its round."""
    first = message.body[0] if message.kind == "vote" and message.body else 0
    is_round = type(first) is int and message.place.ladder == 0
    return (*message.spot, first if is_round else 0)


class Match:
    """A state and the messages that made it, by place."""

    def __init__(self, table: Table) -> None:
        self.state = State(table)
        self.known: dict[Spot, Message] = {}
        self.speakers: list[list[int]] = []

    def accept(self, message: Message) -> bool:
        """Take a message: False if it was known. Raises FaultError, or ParkedError."""
        if message.seat not in self.state.seats:
            raise ParkedError("a seat that is out")
        if self.state.over:
            raise ParkedError("the match is over")
        before = self.known.get(spot_of(message))
        if before is not None and message.place.root == self.state.era.root:
            if before.id == message.id:
                return False
            pair = sorted((before, message), key=lambda one: one.id)
            raise FaultError(message.seat, pair, "two messages for one place")
        if message.kind == "vote":
            raise ParkedError("a vote is not judged here")
        ladder = self._place_of(message)
        try:
            value = ladder.judge(message) if ladder else judge(self.state, message)
        except RefusedError as error:
            raise FaultError(message.seat, [message], str(error)) from error
        self.known[spot_of(message)] = message
        if ladder:
            ladder.take(Said(message, value))
        else:
            self._take(Said(message, value))
        return True

    def _place_of(self, message: Message) -> Ladder | None:
        """The ladder, none for ladder 0, whose open step the message names; else it is parked."""
        state, place = self.state, message.place
        if place.ladder == 0:
            self._look_behind(message)
            if place.root != state.era.root:
                raise ParkedError("another era")
            if place.step != state.step or place.previous != state.chain[-1]:
                raise ParkedError("another step")
            return None
        ladder = state.ladders.get(place.ladder)
        if ladder is None or place.root != state.era.root or place.ladder < state.era.deal:
            raise ParkedError("another ladder")
        if place.step < ladder.step and place.previous == ladder.chain[place.step - 1]:
            if message.seat not in ladder.speakers_at(place.step):
                raise FaultError(message.seat, [message], "out of turn")
            raise ParkedError("another of what was said")
        if place.step != ladder.step or place.previous != ladder.chain[-1]:
            raise ParkedError("another step")
        return ladder

    def refuses(self, message: Message) -> bool:
        """Whether this message alone, of this era, is a fault where the match stands."""
        state = self.state
        if message.kind == "vote" or message.place.root != state.era.root:
            return False
        if state.over or message.seat not in state.seats:
            return False
        try:
            ladder = self._place_of(message)
            _ = ladder.judge(message) if ladder else judge(state, message)
        except (RefusedError, FaultError):
            return True
        except ParkedError:
            return False
        return False

    def _look_behind(self, message: Message) -> None:
        """A step of ladder 0 that is complete: a seat that had nothing to say is at fault."""
        state, place = self.state, message.place
        if place.step >= state.step or message.kind == "vote":
            return
        era = [era for era in state.eras if era.step <= place.step][-1]
        if place.root == era.root and place.previous == state.chain[place.step - 1]:
            if message.seat not in self.speakers[place.step - 1]:
                raise FaultError(message.seat, [message], "out of turn")
            raise ParkedError("a place that votes closed")

    def _take(self, said: Said) -> None:
        state = self.state
        state.said[said.message.seat] = said
        speakers = state.speakers()
        if set(state.said) != set(speakers):
            return
        self.speakers.append(speakers)
        done = [state.said[seat] for seat in sorted(state.said)]
        messages = [one.message for one in done]
        phase, deal = state.phase, state.next_deal
        EFFECTS[phase](state, {one.message.seat: one.value for one in done})
        state.steps.append(Step(messages, phase, deal))
        state.chain.append(chained("step", state.chain[-1], [one.id for one in messages]))
        state.said = {}
