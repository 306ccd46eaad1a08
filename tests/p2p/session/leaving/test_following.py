"""Who signs nothing at a step may be shown another version of it than those who play went on with:
it follows them."""

import pytest
from support.session.second_signature import sign_again
from support.session.sittings import Hall, quiet

from p2p.session.listening import Listening
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.envelope import (
    MATCH_LADDER,
    SIGNED_LABEL,
    Message,
    open_envelope,
    seal,
    step_hash,
)
from p2p.wire.talk import Said

PLAYERS = 3


def signed_again(hall: Hall, message: Message, number: int = 2) -> Message:
    """A right message with another signature, which is another message."""
    seed = hall.sitters[message.seat].session._identity.private_bytes()
    return open_envelope(
        encode([sign_again(seed, SIGNED_LABEL, message.payload, number), message.payload])
    )


def all_said(hall: Hall) -> list[Message]:
    """By one who plays, in its order."""
    return list(hall.sitters[0].session.course.known.messages.values())


def said_at(hall: Hall, ladder: int, step: int) -> Message:
    """What a seat said at a completed step: the last that spoke there."""
    steps = hall.sitters[0].session.referee.ladders[ladder].steps
    return list(steps[step - 1].values())[-1]


def check_alike(late: Listening, hall: Hall) -> None:
    """One who listens stands where those who play stand."""
    there = hall.sitters[0].session.referee
    for ladder in (MATCH_LADDER, 1, 2):
        assert late.referee.ladders[ladder].hashes == there.ladders[ladder].hashes


# The first and the last step of the match so far, steps of the first deck and of the next.
STEPS = [(MATCH_LADDER, 1), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (2, 3)]


@pytest.mark.parametrize("others", [1, 2])
@pytest.mark.parametrize(("ladder", "step"), STEPS)
def test_another_version_comes_first_and_those_who_play_are_followed(
    ladder: int, step: int, others: int
) -> None:
    hall = quiet(PLAYERS)
    one = said_at(hall, ladder, step)
    shown = [signed_again(hall, one, number) for number in range(2, 2 + others)]
    late = Listening(hall.sitters[0].session.table)
    for message in (*shown, *(said for said in all_said(hall) if said.id != one.id), one):
        late.receive(message.data)
    # Whatever had no room, or came too late, comes again on the next link.
    for message in all_said(hall):
        late.receive(message.data)
    check_alike(late, hall)


def gone_on_with(hall: Hall) -> tuple[Message, Message]:
    """Another version of what a cheat said first on the ladder of deal 1, and what it says behind
    that."""
    first, then = said_at(hall, 1, 1), said_at(hall, 1, 2)
    other = signed_again(hall, first)
    session = hall.sitters[then.seat].session
    rest = [said.id for said in session.referee.ladders[1].steps[0].values()]
    top = step_hash(first.previous, [*rest[:-1], other.id])
    sealed = seal(session._identity, session.table.id, then.place, top, then.kind, then.body)
    return other, open_envelope(sealed)


def test_the_cheat_itself_goes_on_with_both() -> None:
    """What it said behind the one is not in the way of what it said behind the other."""
    hall = quiet(PLAYERS)
    other, behind = gone_on_with(hall)
    late = Listening(hall.sitters[0].session.table)
    steps = hall.sitters[0].session.referee.ladders[1].steps[0].values()
    for message in (other, *list(steps)[:-1], behind):
        late.receive(message.data)
    assert late.referee.known(behind.place) is not None, "it is taken there"
    for message in all_said(hall):
        late.receive(message.data)
    check_alike(late, hall)


def test_what_the_cheat_alone_goes_on_with_is_not_followed() -> None:
    hall = quiet(PLAYERS)
    other, behind = gone_on_with(hall)
    late = Listening(hall.sitters[0].session.table)
    for message in (*all_said(hall), other, behind):
        late.receive(message.data)
    check_alike(late, hall)


def test_a_seat_that_has_not_gone_on_itself_follows_too_and_comes_back_to_the_same() -> None:
    """One message for a place is stored as taken; the one before it is evidence from now on."""
    hall = quiet(PLAYERS)
    (cheat,) = [one.place for one in hall.sitters if one.last.ask is not None]
    everybody = range(PLAYERS)
    hall.held = {(one, other) for one in everybody for other in everybody}
    sitter = hall.sitters[cheat]
    hall.decided(cheat, sitter.decide(sitter.session.view()))
    talk = sitter.session.understand(next(one for _, _, one in hall.on_the_way))
    assert isinstance(talk, Said)
    right = open_envelope(talk.data)
    hall.on_the_way.clear()
    hall.held = set()
    late, follower = sorted(set(everybody) - {cheat}, key=lambda one: (cheat - one) % PLAYERS)
    session = hall.sitters[late].session
    other = signed_again(hall, right)
    session.receive(other.data)
    assert session.referee.known(right.place) == other
    next_to = hall.sitters[follower].session
    next_to.receive(right.data)
    output = session.receive(right.data)
    assert session.referee.known(right.place) == other, "nobody went on yet"
    sign = seal(
        next_to._identity,
        next_to.table.id,
        next_to._place(MATCH_LADDER),
        next_to.referee.ladders[MATCH_LADDER].top,
        "vote",
        [1, [[cheat, "fault", sorted([right.id, other.id])]], [], 0],
    )
    output = session.receive(sign)
    assert session.referee.known(right.place) == right
    assert [one.id for one in output.batch.aside] == [other.id]
    assert right in output.batch.messages
    assert verify_record(session.record()).fault is not None
