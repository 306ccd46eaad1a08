"""All sign the scores and winners."""

from collections.abc import Mapping

from p2p.deck.errors import DeckFault
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ResultBody


def _true(state: State) -> ResultBody:
    result = state.match.result
    assert result is not None, "a result before the end"
    return ResultBody(tuple(state.match.scores), result.winners)


def make(own: SeatSecrets, state: State, place: Place) -> ResultBody:
    """Scores and winners."""
    return _true(state)


def judge(state: State, message: Message) -> None:
    """The scores and winners, which everybody knows, under this seat's signature."""
    if ResultBody.read(message.body) != _true(state):
        raise DeckFault(message.seat, "it signed another result than the moves give")


def finish(state: State, said: Mapping[int, None]) -> None:
    """All have signed: the match is closed."""
    state.phase = Phase.CLOSED
