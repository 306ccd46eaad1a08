"""Who is put out of a sitting by the programs of the others, when, and when not."""

from typing import TypeVar

import pytest
from support.session.second_signature import sign_again
from support.session.sittings import Hall, make_hall, quiet, silent, with_a_bot

from p2p.session.sitting.attendance import DUE_SECONDS, WAIT_WITHOUT_CLOCK, Attendance
from p2p.session.sitting.owner import (
    Left,
    Notice,
    Outcome,
    OutWished,
    Pause,
    PutOut,
    Refused,
    Waiting,
)
from p2p.session.sitting.parting import ROUND_SECONDS
from p2p.session.state.events import SeatOut, TakenBack
from p2p.session.state.table import USUAL_GRACE
from p2p.wire.codec import encode
from p2p.wire.envelope import SIGNED_LABEL, open_envelope
from p2p.wire.talk import Leave, Said, Wished, encode_talk

N = TypeVar("N", bound=Notice)


def mover(hall: Hall) -> int:
    """The seat that is to decide."""
    (place,) = [one.place for one in hall.sitters if one.last.ask is not None]
    return place


def outs(hall: Hall, place: int) -> list[tuple[int, str]]:
    """Who is out, as a seat was told."""
    return [
        (one.seat, one.reason) for one in hall.sitters[place].events if isinstance(one, SeatOut)
    ]


def others(hall: Hall, gone: int) -> list[int]:
    return [one.place for one in hall.sitters if one.place != gone]


def leave(hall: Hall, place: int) -> None:
    """A seat leaves, and is gone."""
    hall.take(place, hall.sitters[place].sitting.leave(hall.now))
    hall.deliver()
    for other in others(hall, place):
        hall.part(place, other)


def test_who_leaves_is_out_at_once_and_the_others_play_on() -> None:
    hall = quiet(3)
    gone = mover(hall)
    leave(hall, gone)
    hall.pass_time(3)
    for place in others(hall, gone):
        assert outs(hall, place) == [(gone, "left")]
        assert hall.sitters[place].shown(Left) == [Left(gone)]
        assert hall.sitters[place].last.outcome is None
    rest = [hall.sitters[place] for place in others(hall, gone)]
    assert len({one.session.referee.root for one in rest}) == 1
    assert sum(one.last.ask is not None for one in rest) == 1


def test_who_leaves_signs_nothing_after_it() -> None:
    """Not what is due without a person either: some would go on without it, others with it."""
    hall = make_hall(3)
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.on_the_way.clear()
    hall.start()
    hall.deliver()
    said = {one.seat for one in hall.sitters[1].session.course.known.messages.values()}
    assert said == {1, 2}


def second_version(hall: Hall, cheat: int) -> tuple[bytes, bytes]:
    """Who is to move does so: what it says, and the same signed once more; nobody has it yet."""
    hall.decided(cheat, hall.sitters[cheat].decide(hall.sitters[cheat].session.view()))
    own = next(payload for way in hall.on_the_way for payload in [way[2]] if way[0] == cheat)
    talk = hall.sitters[cheat].session.understand(own)
    assert isinstance(talk, Said)
    payload, key = open_envelope(talk.data).payload, hall.sitters[cheat].sitting._identity
    again = sign_again(key.private_bytes(), SIGNED_LABEL, payload)
    hall.on_the_way.clear()
    return own, encode_talk(Said(encode([again, payload])))


def test_a_proven_cheat_is_out_in_seconds_though_the_others_are_at_play() -> None:
    hall = quiet(4)
    cheat = mover(hall)
    for versions in second_version(hall, cheat):
        for place in others(hall, cheat):
            hall.hear(place, cheat, versions)
    for one in hall.sitters:
        one.answer = one.decide
    rest = others(hall, cheat)
    for place in 4 * rest:
        # Somebody moves between any two of their seconds.
        hall.tick(place, 1 / len(rest))
        hall.deliver()
        hall.decide()
        hall.deliver()
    assert all(outs(hall, place) == [(cheat, "fault")] for place in rest)
    assert len({hall.sitters[place].session.referee.root for place in rest}) == 1


def test_what_waits_for_votes_that_do_not_come_counts_after_a_while() -> None:
    hall = quiet(4)
    moves = mover(hall)
    gone, mute, _ = others(hall, moves)
    leave(hall, gone)
    hall.cut = {(mute, place) for place in others(hall, mute)}
    hall.pass_time(2)
    session = hall.sitters[moves].session
    hall.decided(moves, hall.sitters[moves].decide(session.view()))
    assert hall.sitters[moves].last.ask is None
    assert not session.state.match.moves
    hall.pass_time(int(ROUND_SECONDS))
    assert len(session.state.match.moves) == 1
    assert not outs(hall, moves)


def test_two_versions_that_split_those_who_stay_take_the_steps_behind_them_back() -> None:
    hall = quiet(4)
    cheat = mover(hall)
    one, *rest = ((cheat + step) % 4 for step in range(1, 4))
    hall.held = {(one, place) for place in rest} | {(place, one) for place in rest}
    own, second = second_version(hall, cheat)
    hall.hear(one, cheat, own)
    for place in rest:
        hall.hear(place, cheat, second)
    hall.deliver()
    step = hall.sitters[one].session.referee.ladders[0].step
    hall.decided(one, hall.sitters[one].decide(hall.sitters[one].session.view()))
    assert hall.sitters[one].session.referee.ladders[0].step > step
    hall.held = set()
    hall.pass_time(4)
    for place in (one, *rest):
        assert outs(hall, place) == [(cheat, "fault")]
        assert list(hall.sitters[place].session.referee.retired) == [step - 1]
    assert any(isinstance(event, TakenBack) for event in hall.sitters[one].events)
    assert len({hall.sitters[place].session.referee.root for place in (one, *rest)}) == 1


def test_a_second_version_of_what_all_built_on_takes_nothing_back() -> None:
    hall = quiet(4)
    cheat = mover(hall)
    own, second = second_version(hall, cheat)
    rest = others(hall, cheat)
    for place in rest:
        hall.hear(place, cheat, own)
    for one in hall.sitters:
        one.answer = one.decide
    while not all(passed(hall, place) for place in rest):
        hall.deliver()
        hall.decide()
    hall.deliver()
    said = [len(hall.sitters[place].session.referee.ladders[0].steps) for place in rest]
    for place in rest:
        hall.hear(place, cheat, second)
        hall.sitters[place].answer = silent
    hall.pass_time(4)
    for place, steps in zip(rest, said, strict=True):
        assert outs(hall, place) == [(cheat, "fault")]
        assert min(hall.sitters[place].session.referee.retired) > steps
        assert not any(isinstance(event, TakenBack) for event in hall.sitters[place].events)


def passed(hall: Hall, place: int) -> bool:
    """Whether a seat has decided something that the others have."""
    return any(move.seat == place for move in hall.sitters[place].session.state.match.moves)


def test_of_two_who_are_left_one_leaves_and_nobody_votes() -> None:
    hall = quiet(2)
    leave(hall, 1)
    hall.pass_time(3)
    outcome = hall.sitters[0].last.outcome
    assert outcome is not None
    assert outcome.kind == "broken"
    assert not outs(hall, 0)
    assert not hall.sitters[0].said(Wished)


def test_who_is_away_is_out_when_its_grace_is_used_up() -> None:
    hall = quiet(3)
    gone = mover(hall)
    for place in others(hall, gone):
        hall.part(gone, place)
    hall.pass_time(USUAL_GRACE - 2)
    assert not any(outs(hall, place) for place in others(hall, gone))
    hall.pass_time(5)
    for place in others(hall, gone):
        assert outs(hall, place) == [(gone, "absent")]
        assert hall.sitters[place].last.outcome is None


def test_who_is_still_heard_by_one_stays_in() -> None:
    hall = quiet(3)
    gone = mover(hall)
    one, other = others(hall, gone)
    hall.part(gone, one)
    hall.part(one, other)
    hall.cut = {(gone, one), (other, one), (one, other)}
    for place in (gone, other):
        assert hall.sitters[place].sitting.playing.presence.linked
    hall.pass_time(USUAL_GRACE + 20)
    assert not any(outs(hall, place) for place in range(3))


def test_who_owes_nothing_is_not_put_out() -> None:
    hall = quiet(3)
    gone = others(hall, mover(hall))[0]
    for place in others(hall, gone):
        hall.part(gone, place)
    hall.pass_time(USUAL_GRACE + int(DUE_SECONDS))
    assert not any(outs(hall, place) for place in others(hall, gone))


def test_who_is_away_goes_too_if_only_its_vote_is_owed_and_a_bot_has_no_voice() -> None:
    hall, owners, bot = with_a_bot(4, "bot 8")
    owes = mover(hall)
    assert owes not in (bot, owners[bot])
    stay = [place for place in others(hall, owes) if place != bot]
    for place in stay:
        hall.part(owes, place)
        hall.part(bot, place)
    hall.pass_time(USUAL_GRACE + 5)
    for place in stay:
        assert outs(hall, place) == sorted([(owes, "absent"), (bot, "absent")])


@pytest.mark.parametrize("leaves_first", [True, False])
def test_who_is_away_when_another_leaves_is_not_waited_for_for_ever(leaves_first: bool) -> None:
    """Both owe the open step. Two of four stay, who are two of the three that have not left."""
    hall = make_hall(4)
    hall.start(0, 1)
    hall.deliver()
    left, gone = 2, 3
    for seat in (left, gone) if leaves_first else (gone, left):
        for place in (0, 1):
            if seat == left:
                hall.hear(place, left, hall.word(left, Leave()))
            hall.part(seat, place)
        hall.pass_time(20)
    hall.pass_time(USUAL_GRACE - 50)
    assert not outs(hall, 0) + outs(hall, 1)
    hall.pass_time(50)
    for place in (0, 1):
        assert outs(hall, place) == [(left, "left"), (gone, "absent")]
        assert hall.sitters[place].last.outcome is None


def test_in_a_pause_nobody_is_put_out() -> None:
    hall = quiet(3)
    gone = mover(hall)
    for place in range(3):
        hall.wish(place, Pause(True))
    hall.deliver()
    leave(hall, gone)
    hall.pass_time(5)
    assert not any(outs(hall, place) for place in others(hall, gone))
    hall.wish(others(hall, gone)[0], Pause(False))
    hall.pass_time(5)
    assert all(outs(hall, place) == [(gone, "left")] for place in others(hall, gone))


def told(hall: Hall, place: int, kind: type[N]) -> list[N]:
    """The notices of a kind that one was shown."""
    return [one for one in hall.sitters[place].notices if isinstance(one, kind)]


def test_with_a_clock_it_is_told_when_they_may_go_on_and_of_two_sides_never() -> None:
    hall = quiet(3, turn_seconds="40")
    gone = mover(hall)
    hall.pass_time(130)
    place = others(hall, gone)[0]
    assert [(one.since, one.left) for one in told(hall, place, Waiting)] == [
        (60.0, 20.0),
        (80.0, 0.0),
        (120.0, 0.0),
    ]
    hall = quiet(2)
    hall.pass_time(61)
    assert [one.left for one in told(hall, 0, Waiting) + told(hall, 1, Waiting)] == [None]
    hall.wish(0, PutOut(1))
    (refused,) = told(hall, 0, Refused)
    assert refused.sentence == "Two sides cannot go on without one of them."


def test_a_person_who_is_waited_for_too_long_is_put_out_when_all_who_stay_wish_it() -> None:
    hall = quiet(3)
    gone = mover(hall)
    one, other = others(hall, gone)
    hall.wish(one, PutOut(gone))
    (refused,) = hall.sitters[one].shown(Refused)
    assert isinstance(refused, Refused)
    assert refused.sentence.endswith("may be put out only after 5:00 more of waiting.")
    hall.pass_time(int(WAIT_WITHOUT_CLOCK) + 1)
    left = [(notice.seats, notice.left) for notice in told(hall, one, Waiting)]
    assert left == [((gone,), 60.0 * (4 - at)) for at in range(5)]
    # Whom they wait for is told so in the last minute.
    last = [(notice.seats, notice.left) for notice in told(hall, gone, Waiting)]
    assert last == [((gone,), 60.0), ((gone,), 0.0)]
    hall.wish(one, PutOut(gone))
    hall.pass_time(12)
    assert not outs(hall, other)
    for place in (one, other, gone):
        assert told(hall, place, OutWished) == [OutWished(one, (gone,))]
    hall.wish(other, PutOut(gone))
    hall.pass_time(12)
    assert outs(hall, one) == outs(hall, other) == [(gone, "idle")]
    assert told(hall, gone, OutWished) == [OutWished(place, (gone,)) for place in (one, other)]
    # Whoever is out looks on and is told the same; it breaks nothing off where it hears nobody.
    assert outs(hall, gone) == [(gone, "idle")]
    for place in (one, other):
        hall.part(gone, place)
    assert hall.tick_on(gone, USUAL_GRACE + 2).outcome is None


def test_a_match_with_a_leaver_goes_on_to_its_end() -> None:
    hall = make_hall(3, target="5", hand_size="1")
    hall.start()
    hall.deliver()
    gone = mover(hall)
    leave(hall, gone)
    rest = others(hall, gone)
    for _ in range(40):
        hall.pass_time(1)
        hall.decide()
        if all(hall.sitters[place].last.outcome for place in rest):
            break
    for place in rest:
        outcome = hall.sitters[place].last.outcome
        assert outcome is not None
        assert outcome.kind == "finished"
    assert len({hall.sitters[place].session.record() for place in rest}) == 1


def test_who_was_put_out_and_is_back_looks_on_and_has_the_record() -> None:
    hall = make_hall(3, target="1", hand_size="1")
    for one in hall.sitters:
        one.answer = silent
    hall.start()
    hall.play()
    gone = mover(hall)
    rest = others(hall, gone)
    for place in rest:
        hall.sitters[place].sitting.playing.recall((), {gone: USUAL_GRACE})
        hall.part(gone, place)
    hall.pass_time(2)
    assert all(outs(hall, place) == [(gone, "absent")] for place in rest)
    hall.join(gone, rest[0])
    hall.deliver()
    for place in rest:
        hall.sitters[place].answer = hall.sitters[place].decide
    for _ in range(20):
        hall.play()
        if all(one.last.outcome for one in hall.sitters):
            break
        hall.pass_time(1)
    assert outs(hall, gone) == [(gone, "absent")]
    assert {one.last.outcome for one in hall.sitters} == {Outcome("finished")}
    assert len({one.session.record() for one in hall.sitters}) == 1


def test_a_bot_wishes_somebody_out_when_all_persons_who_stay_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Attendance, "wait_left", lambda attendance, seat, now: 0.0)
    hall, owners, bot = with_a_bot(4, "bot 2", hand_size="1")
    idle = mover(hall)
    assert idle not in (bot, owners[bot])
    first, last = (seat for seat in range(4) if seat not in (bot, idle))
    hall.wish(first, PutOut(idle))
    hall.pass_time(12)
    assert not [word for word in hall.sitters[bot].said(Wished) if word.seat == bot]
    hall.wish(last, PutOut(idle))
    hall.pass_time(22)
    for place in (first, last, bot):
        assert outs(hall, place) == [(idle, "idle")]
