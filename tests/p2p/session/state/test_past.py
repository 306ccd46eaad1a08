"""Completed steps that are let go and read again: the same to whoever looks, whatever is here."""

from collections.abc import Sequence

import pytest
from support.session.matches import classic

from p2p.session.state import past
from p2p.session.state.past import Past
from p2p.wire.envelope import MATCH_LADDER, Message, Place

KEPT = classic(3)
# Nothing here changes it.
LADDER = KEPT.game.sessions[0].referee.ladders[MATCH_LADDER]
STEPS = list(LADDER.steps)
STORED = {message.place: message.data for message in KEPT.messages}
SHORT = 5


class Stored:
    """An archive that counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, places: Sequence[Place]) -> list[bytes]:
        self.asked.append(len(places))
        return [STORED[place] for place in places]


def made(gone: int, stored: Stored | None = None) -> Past:
    """The steps of a match, of which the first ones are let go."""
    steps = Past(MATCH_LADDER, LADDER.hashes)
    for step in STEPS:
        steps.append(step)
    if gone:
        steps.let_go(gone, stored or Stored())
    return steps


@pytest.mark.parametrize("gone", [0, 1, SHORT, 2 * SHORT + 1, len(STEPS)])
def test_steps_are_the_same_wherever_they_are(gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "READ_STEPS", SHORT)
    steps = made(gone)
    assert (steps.gone, len(steps)) == (gone, len(STEPS))
    assert list(steps) == STEPS
    assert [steps[at] for at in range(len(STEPS))] == STEPS
    assert steps[-1] == STEPS[-1]
    for begin, end in [(0, 3), (2, gone + 2), (gone, gone), (gone + 1, len(STEPS)), (3, 1)]:
        assert list(steps.between(begin, end)) == STEPS[begin:end]
        assert steps[begin:end] == STEPS[begin:end]
    with pytest.raises(IndexError):
        steps[len(STEPS)]


@pytest.mark.parametrize("gone", [0, SHORT, len(STEPS)])
def test_who_spoke_is_known_without_reading(gone: int) -> None:
    stored = Stored()
    steps = made(gone, stored)
    for since in (0, SHORT - 1, len(STEPS) - 1, len(STEPS)):
        spoken = {seat for step in STEPS[since:] for seat in step}
        assert steps.speakers(since) == spoken
    assert stored.asked == []


def test_what_is_let_go_is_told_and_read_some_steps_at_once() -> None:
    stored, steps = Stored(), made(0)
    first = [message for step in STEPS[:SHORT] for message in step.values()]
    rest = [message for step in STEPS[SHORT:] for message in step.values()]
    assert steps.let_go(SHORT, stored) == first
    assert steps.let_go(SHORT, stored) == []
    assert steps.let_go(len(STEPS), stored) == rest
    assert list(steps) == STEPS
    assert sum(stored.asked) == len(first + rest)
    assert len(stored.asked) == -(-len(STEPS) // past.READ_STEPS)


def test_steps_that_are_taken_up_need_no_archive_any_more() -> None:
    stored = Stored()
    steps = made(SHORT, stored)
    steps.take_up()
    read = len(stored.asked)
    assert (steps.gone, list(steps), len(stored.asked)) == (0, STEPS, read)


def test_a_step_that_votes_closed_holds_nothing() -> None:
    steps = Past(MATCH_LADDER, [bytes(32)] * 2)
    steps.append({})
    stored = Stored()
    assert steps.let_go(1, stored) == []
    assert list(steps) == [{}]


def test_another_message_than_was_taken_is_noticed() -> None:
    def other(places: Sequence[Place]) -> list[bytes]:
        return [_another(message).data for message in map(_taken, places)]

    steps = made(0)
    steps.let_go(SHORT, other)
    with pytest.raises(AssertionError, match="another message"):
        steps[0]


def _taken(place: Place) -> Message:
    return next(message for message in KEPT.messages if message.place == place)


def _another(message: Message) -> Message:
    return next(
        one for one in KEPT.messages if one.seat == message.seat and one.step > message.step
    )
