"""A cheat gives ever other versions, proofs and leaves to each honest seat: all of them can prove
something, nobody has just what another names, and still they put it out and play on."""

from collections.abc import Sequence
from itertools import chain

import pytest
from support.session.cheats import places
from support.session.second_signature import sign_again
from support.session.sittings import Hall, kept_by, quiet

from p2p.session.leaving.known import MAX_PROOFS
from p2p.session.listening import Listening
from p2p.session.restoring import Kept
from p2p.session.state.events import SeatOut
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.envelope import (
    MATCH_LADDER,
    SIGNED_LABEL,
    VOTE,
    Body,
    Message,
    Place,
    open_envelope,
    seal,
)
from p2p.wire.talk import Leave, Said, encode_talk

FUTURE = 1000
# Their votes name what others lack, who ask for it.
SECONDS = 50


def mover(hall: Hall) -> int:
    """The seat that is to decide."""
    (place,) = [one.place for one in hall.sitters if one.last.ask is not None]
    return place


def others(hall: Hall, cheat: int) -> list[int]:
    return [one.place for one in hall.sitters if one.place != cheat]


def signed(hall: Hall, cheat: int, place: Place, previous: bytes, kind: str, body: Body) -> bytes:
    """A payload with a message that the cheat signs."""
    session = hall.sitters[cheat].session
    return encode_talk(Said(seal(session._identity, session.table.id, place, previous, kind, body)))


def of_the_future(hall: Hall, cheat: int, count: int, step: int = FUTURE) -> list[bytes]:
    """So many messages for a step that nobody can judge."""
    place = Place(hall.sitters[cheat].session.referee.root, MATCH_LADDER, step, cheat)
    return [signed(hall, cheat, place, bytes(32), "kind", [at]) for at in range(count)]


def move(hall: Hall, cheat: int) -> Message:
    """The cheat, which is to move, does so; nobody has it yet."""
    sitter = hall.sitters[cheat]
    hall.decided(cheat, sitter.decide(sitter.session.view()))
    own = next(payload for sender, _, payload in hall.on_the_way if sender == cheat)
    hall.on_the_way.clear()
    talk = sitter.session.understand(own)
    assert isinstance(talk, Said)
    return open_envelope(talk.data)


def again(hall: Hall, cheat: int, message: Message, count: int) -> list[bytes]:
    """A message as it is, and signed again until there are so many."""
    seed = hall.sitters[cheat].session._identity.private_bytes()
    signatures = [
        sign_again(seed, SIGNED_LABEL, message.payload, number) for number in range(2, count + 1)
    ]
    made = [encode([one, message.payload]) for one in signatures]
    return [encode_talk(Said(data)) for data in (message.data, *made)]


def wrong(hall: Hall, cheat: int, message: Message) -> bytes:
    """Another message for the place of one, of no right form."""
    return signed(hall, cheat, message.place, message.previous, message.kind, [])


def hand_out(hall: Hall, cheat: int, shares: Sequence[Sequence[bytes]]) -> None:
    """Each of the others hears its share before anything of them reaches another."""
    everybody = range(len(hall.sitters))
    hall.held = {(one, other) for one in everybody for other in everybody}
    for place, share in zip(others(hall, cheat), shares, strict=True):
        hall.hear(place, cheat, *share)
    for place in others(hall, cheat):
        sitter = hall.sitters[place]
        if sitter.last.ask is not None:
            hall.decided(place, sitter.decide(sitter.session.view()))
    hall.held = set()


def is_out(hall: Hall, place: int, cheat: int) -> bool:
    """Whether a seat was told that the cheat is out, and why."""
    told = [one for one in hall.sitters[place].events if isinstance(one, SeatOut)]
    return [(one.seat, one.reason) for one in told] == [(cheat, "fault")]


def check_out(hall: Hall, cheat: int) -> None:
    """The others put the cheat out and are of one era, and their record is right."""
    rest = others(hall, cheat)
    for _ in range(SECONDS):
        hall.pass_time(1)
        if all(is_out(hall, place, cheat) for place in rest):
            break
    assert all(is_out(hall, place, cheat) for place in rest)
    hall.pass_time(2)
    (record,) = {hall.sitters[place].session.record() for place in rest}
    report = verify_record(record)
    assert (report.problem, report.fault) == (None, None)


@pytest.mark.parametrize(("players", "seat"), [one for one in places(3) if one[0] > 2])
def test_three_versions_of_which_each_gets_other_two(players: int, seat: int) -> None:
    hall = quiet(players)
    a, b, c = of_the_future(hall, seat, 3)
    hand_out(hall, seat, [(a, b), (b, c), (c, a)][: players - 1])
    check_out(hall, seat)


def test_versions_of_the_open_step_of_which_each_gets_two_that_nobody_else_has() -> None:
    hall = quiet(4)
    cheat = mover(hall)
    made = again(hall, cheat, move(hall, cheat), 6)
    hand_out(hall, cheat, (made[:2], made[2:4], made[4:]))
    check_out(hall, cheat)


def test_more_faults_than_are_kept_of_which_each_gets_others() -> None:
    hall = quiet(3)
    cheat = mover(hall)
    shares = [
        list(chain(*(of_the_future(hall, cheat, 2, step) for step in range(at, at + MAX_PROOFS))))
        for at in (FUTURE, 2 * FUTURE)
    ]
    hand_out(hall, cheat, shares)
    for place in others(hall, cheat):
        assert len(hall.sitters[place].session.course.known.proving) == 2 * MAX_PROOFS
    check_out(hall, cheat)


@pytest.mark.parametrize("share", [0, 1])
def test_a_wrong_message_to_some_and_a_right_one_to_those_who_go_on(share: int) -> None:
    hall = quiet(3)
    cheat = mover(hall)
    right = move(hall, cheat)
    shares = [[wrong(hall, cheat, right)], [encode_talk(Said(right.data))]]
    hand_out(hall, cheat, shares if share else shares[::-1])
    check_out(hall, cheat)


def test_two_right_versions_beside_a_wrong_one_that_both_sides_have() -> None:
    hall = quiet(3)
    cheat = mover(hall)
    right = move(hall, cheat)
    bad, (one, other) = wrong(hall, cheat, right), again(hall, cheat, right, 2)
    hand_out(hall, cheat, ((bad, one), (bad, other)))
    check_out(hall, cheat)


def test_two_versions_that_part_the_others_beside_two_messages_of_less_weight() -> None:
    """Only the two of the step itself let those vote on it who have gone on from there."""
    hall = quiet(3)
    cheat = mover(hall)
    one, other = again(hall, cheat, move(hall, cheat), 2)
    beside = min(
        (of_the_future(hall, cheat, 2, step) for step in range(FUTURE, FUTURE + 40)),
        key=lambda pair: min(open_envelope(_data(hall, said)).id for said in pair),
    )
    hand_out(hall, cheat, ((one, *beside), (other, *beside)))
    check_out(hall, cheat)


def _data(hall: Hall, payload: bytes) -> bytes:
    talk = hall.sitters[0].session.understand(payload)
    assert isinstance(talk, Said)
    return talk.data


def test_who_named_a_wrong_message_alone_stands_there_again_though_a_right_one_came_later() -> None:
    hall = quiet(3)
    cheat = mover(hall)
    right = move(hall, cheat)
    bad = wrong(hall, cheat, right)
    hand_out(hall, cheat, ([bad], [bad]))
    check_out(hall, cheat)
    place = others(hall, cheat)[0]
    sitter = hall.sitters[place]
    hall.hear(place, cheat, encode_talk(Said(right.data)))
    kept = kept_by(sitter.given)
    beside = [one for effects in sitter.given for one in effects.store.evidence]
    there = {message.data: True for message in beside} | dict(kept.messages)
    root = sitter.session.referee.root
    back = hall.come_back(place, Kept(tuple(there.items()), kept.secrets, kept.words, kept.grace))
    assert back.session.referee.root == root


def test_a_right_version_comes_first_to_who_hears_later_of_votes_that_name_the_wrong_one() -> None:
    """As to somebody who looks on beside the cheat."""
    hall = quiet(3)
    cheat = mover(hall)
    right = move(hall, cheat)
    bad = wrong(hall, cheat, right)
    hand_out(hall, cheat, ([bad], [bad]))
    check_out(hall, cheat)
    session = hall.sitters[others(hall, cheat)[0]].session
    late = Listening(session.table)
    for one in session.course.known.messages.values():
        late.receive(right.data if one.data == _data(hall, bad) else one.data)
    assert late.referee.root == session.table.id, "nobody has shown it the wrong one"
    late.receive(_data(hall, bad))
    assert late.referee.root == session.referee.root
    assert late.record() == session.record()


def test_two_other_votes_come_first_to_who_is_out_and_votes_no_more() -> None:
    """What a cheat shows it is no part of what those who stay agreed to."""
    hall = quiet(4)
    cheat = mover(hall)
    bad = wrong(hall, cheat, move(hall, cheat))
    hand_out(hall, cheat, ([bad], [bad], [bad]))
    check_out(hall, cheat)
    session = hall.sitters[others(hall, cheat)[0]].session
    said = list(session.course.known.messages.values())
    vote = next(one for one in said if one.kind == VOTE)
    _, *shown = (_data(hall, one) for one in again(hall, vote.seat, vote, 3))
    late = Listening(session.table)
    for data in (*shown, *(one.data for one in said), *(one.data for one in said)):
        late.receive(data)
    assert late.referee.root == session.referee.root
    steps = [one.referee.ladders[MATCH_LADDER].hashes for one in (late, session)]
    assert steps[0] == steps[1]
    third = open_envelope(_data(hall, again(hall, vote.seat, vote, 4)[-1]))
    late.receive(third.data)
    assert third.id not in late.course.known.messages, "nobody agreed to that"


@pytest.mark.parametrize(("ladder", "step"), [(MATCH_LADDER, 2), (1, 1)])
def test_what_a_state_refuses_is_known_also_when_it_is_past(ladder: int, step: int) -> None:
    hall = quiet(3)
    course = hall.sitters[0].session.course
    said = course.referee.ladders[ladder].steps[step - 1][1]
    bad = open_envelope(_data(hall, wrong(hall, 1, said)))
    other = open_envelope(_data(hall, again(hall, 1, said, 2)[1]))
    elsewhere = signed(hall, 1, bad.place, bytes(32), bad.kind, [])
    assert course.refuses(bad)
    for right in (said, other, open_envelope(_data(hall, elsewhere))):
        assert not course.refuses(right)


def test_two_leaves_of_which_each_gets_another() -> None:
    """Each is kept that a vote names, here and by who checks the record: so all find one set."""
    hall = quiet(3)
    cheat = mover(hall)
    words = [hall.word(cheat, Leave(), number) for number in (0, 1)]
    hand_out(hall, cheat, [[encode_talk(word)] for word in words])
    hall.pass_time(SECONDS)
    for place in others(hall, cheat):
        told = [one for one in hall.sitters[place].events if isinstance(one, SeatOut)]
        assert [(one.seat, one.reason) for one in told] == [(cheat, "left")]
    (record,) = {hall.sitters[place].session.record() for place in others(hall, cheat)}
    assert verify_record(record).problem is None
