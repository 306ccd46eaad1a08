"""All sign the table."""

from collections.abc import Mapping

from p2p.session.state.events import MatchBegan
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import AgreeBody


def make(own: SeatSecrets, state: State, place: Place) -> AgreeBody:
    """The signature is all there is to say."""
    return AgreeBody()


def judge(state: State, message: Message) -> None:
    """Nothing to say: the signature covers the table id."""
    AgreeBody.read(message.body)


def finish(state: State, said: Mapping[int, None]) -> None:
    """All have signed the table."""
    table = state.table
    state.events.append(MatchBegan(table.id, table.rules.spell(), table.players))
    state.phase = Phase.DEAL
