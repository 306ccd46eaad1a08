"""All sign the table; and all who stay, that others were put out."""

from collections.abc import Mapping

from p2p.session.state.events import MatchBegan, SeatOut
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import AgreeBody


def make(own: SeatSecrets, state: State, place: Place) -> AgreeBody:
    """The signature is all there is to say."""
    return AgreeBody()


def judge(state: State, message: Message) -> None:
    """Nothing to say: the signature covers the table id and the root."""
    AgreeBody.read(message.body)


def finish(state: State, said: Mapping[int, None]) -> None:
    """All have signed: the match begins, or it is final who is out."""
    table = state.table
    if not state.began:
        state.events.append(MatchBegan(table.id, table.rules.spell(), table.players))
    state.events += state.untold
    state.outs += [event for event in state.untold if isinstance(event, SeatOut)]
    state.began, state.untold = True, []
    state.final, state.lost = state.seats, ()
    state.phase = _next(state)


def _next(state: State) -> Phase:
    if state.match.result is None:
        return Phase.DEAL
    return Phase.RESULT if state.match.result.reason == "target" else Phase.ABANDONED
